// The inductor policy decides every recorded graph as torch._inductor.fx_passes.reinplace did, and says why where that
// says nothing. What it makes of the graphs of known faults is run: the faults show, and sound has none of them.
#include <QtTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/session.h"

using namespace inspector;

namespace {

const QString data_folder = QStringLiteral(TEST_DATA "/inductor");

Program read(const QString& file) {
    auto program = read_program((data_folder + "/" + file).toStdString());
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

QJsonDocument json(const QString& file) {
    QFile opened(data_folder + "/" + file);
    if (!opened.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(file));
    return QJsonDocument::fromJson(opened.readAll());
}

QStringList folders(const QString& kind) {
    return QDir(data_folder + "/" + kind).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

std::unique_ptr<ReinplaceSession> decided(const ProgramGraph& graph, const char* policy = "inductor") {
    auto session = ReinplaceSession::start(graph, {.policy = policy, .first = {}, .choices = {}, .donated = {}});
    if (!session) qFatal("%s", session.error().message().c_str());
    (*session)->run_to_end();
    return std::move(*session);
}

QString name_of(const ReinplaceSession& session, NodeId node) {
    return QString::fromStdString(session.original().node(node).name);
}
QString text(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

/// The operators that a list or a tuple is written by are called at once, so their getitems go; the recorded pass
/// leaves most of them to a later one.
bool is_item_of_written(const QString& target, const QString& verdict) {
    return target == "<built-in function getitem>" && verdict == "deleted";
}

/// Calls of which the pass decides tensor by tensor.
bool is_cloned_call(const QString& target) {
    return target.startsWith("auto_functionalized") || target == "triton_kernel_wrapper_functional";
}

/// "index_put reinplaced", and for a custom operator "auto_functionalized_v2 reinplaced cloned 1".
QStringList decisions_of(const ReinplaceSession& session) {
    QStringList lines;
    for (const Decision& decision : session.decisions()) {
        QString line = name_of(session, decision.node) + " ";
        const QString verdict = text(text_id(decision.verdict));
        line += is_item_of_written(text(decision.target), verdict) ? "kept" : verdict;
        if (is_cloned_call(text(decision.target))) {
            line += " cloned";
            for (const OperandDecision& operand : decision.operands)
                if (!operand.in_place) line += " " + QString::fromStdString(operand.name);
        }
        lines << line;
    }
    lines.sort();
    return lines;
}

QStringList recorded_decisions(const QJsonObject& recorded) {
    QStringList lines;
    const QJsonObject decisions = recorded["decisions"].toObject();
    for (auto it = decisions.begin(); it != decisions.end(); ++it) {
        const QJsonObject decision = it->toObject();
        const QString target = decision["target"].toString(), verdict = decision["verdict"].toString();
        QString line = it.key() + " " + (is_item_of_written(target, verdict) ? "kept" : verdict);
        if (is_cloned_call(target)) {
            line += " cloned";
            for (const QJsonValue& name : decision["cloned"].toArray()) line += " " + name.toString();
        }
        lines << line;
    }
    lines.sort();
    return lines;
}

/// Nodes that are decided on, in the order of decision, without those that Inductor removes first.
QStringList order_of(const ReinplaceSession& session) {
    QStringList names;
    for (const Decision& decision : session.decisions())
        if (decision.reason != Reason::dead_code) names << name_of(session, decision.node);
    return names;
}

QStringList recorded_order(const QJsonObject& recorded) {
    QStringList names;
    const QJsonObject decisions = recorded["decisions"].toObject();
    for (const QJsonValue& name : recorded["order"].toArray())
        if (decisions.contains(name.toString())) names << name.toString();
    return names;
}

void compare(const ProgramGraph& graph, const QJsonObject& recorded) {
    const auto session = decided(graph);
    QCOMPARE(order_of(*session).join('\n'), recorded_order(recorded).join('\n'));
    QCOMPARE(decisions_of(*session).join('\n'), recorded_decisions(recorded).join('\n'));
    QVERIFY(verify(session->graph()).empty());
    const QJsonObject decisions = recorded["decisions"].toObject();
    for (const Decision& decision : session->decisions()) {
        const QJsonObject known = decisions[name_of(*session, decision.node)].toObject();
        QCOMPARE(decision.reason == Reason::dead_code, known["dead"].toBool());
        if (decision.reason == Reason::fusion_preferred) QVERIFY(known["unprofitable"].toBool());
        QVERIFY(!explain(*session, session->complete(decision.index)).empty());
    }
}

const Decision& decision_on(const ReinplaceSession& session, const char* name) {
    const NodeId node = session.original().find(name);
    for (const Decision& decision : session.decisions())
        if (decision.node == node) return decision;
    qFatal("no decision on %s", name);
}

QString sentence(const ReinplaceSession& session, const char* name) {
    return QString::fromStdString(plain_text(explain(session, session.complete(decision_on(session, name).index))));
}

Verification verification(const Program& program, const char* policy) {
    return verify_rewrite(program, 0, {.policy = policy, .first = {}, .choices = {}, .donated = {}}, {});
}

} // namespace

class TestInductorPolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decidesRecordedGraphs_data();
    void decidesRecordedGraphs();
    void decidesRandomGraphs();
    void decidesGraphsOfLogs_data();
    void decidesGraphsOfLogs();
    void saysWhy_data();
    void saysWhy();
    void showsFaultsByRunning_data();
    void showsFaultsByRunning();
    void runsRandomGraphs();
    void recordsEachOperand();
    void stepsBackAndForth();
    void takesChoices();
    void readsUnknownOperators();
};

void TestInductorPolicy::decidesRecordedGraphs_data() {
    QTest::addColumn<QString>("name");
    for (const QString& name : folders("faults")) QTest::newRow(qPrintable(name)) << "faults/" + name;
    for (const QString& name : folders("kernels")) QTest::newRow(qPrintable(name)) << "kernels/" + name;
    QVERIFY(folders("faults").size() >= 30 && folders("kernels").size() >= 10);
}

void TestInductorPolicy::decidesRecordedGraphs() {
    QFETCH(QString, name);
    compare(read(name + "/before.py.txt").graphs.front(), json(name + "/decisions.json").object());
}

void TestInductorPolicy::decidesRandomGraphs() {
    const Program program = read("random.py.txt");
    const QJsonArray recorded = json("random.json").array();
    QCOMPARE(qsizetype(program.graphs.size()), recorded.size());
    for (qsizetype i = 0; i < recorded.size(); ++i) {
        compare(program.graphs[std::size_t(i)], recorded[i].toObject());
        if (QTest::currentTestFailed()) QFAIL(qPrintable("seed " + QString::number(recorded[i]["seed"].toInt())));
    }
}

// What became of the c, d and h programs when they were compiled, as the logs show it.
void TestInductorPolicy::decidesGraphsOfLogs_data() {
    QTest::addColumn<QString>("changed"); // all others stay
    const auto row = [](const char* name, const char* changed) { QTest::newRow(name) << QString(changed); };
    row("c1_index_put", "index_put reinplaced, copy_ deleted");
    row("c2_slice_assign", "slice_scatter scatter_to_copy, copy_ deleted");
    row("c3_layer_view", "select_scatter scatter_to_copy, copy_ deleted");
    row("c4_functional", "");
    row("c5_read_old_after", "");
    row("c6_index_copy", "index_put reinplaced, copy_ deleted");
    row("c7_flat_view", "index_put reinplaced, copy_ deleted");
    row("d1_view_of_input", "auto_functionalized_v2 reinplaced");
    row("d1_view_of_input_v1", "select_scatter scatter_to_copy, copy_ deleted");
    row("d2_two_views_one_base", "auto_functionalized_v2 reinplaced");
    row("d3_two_inputs", "auto_functionalized_v2 reinplaced");
    row("d4_intermediate", "auto_functionalized_v2 reinplaced");
    row("d5_old_value_needed", "");
    row("d6_slice_with_result", "auto_functionalized_v2 reinplaced");
    row("d7_input_twice", "auto_functionalized_v2 reinplaced, auto_functionalized_v2_1 reinplaced");
    row("d8_clone_source", "auto_functionalized_v2 reinplaced");
    row("h1_input", "");
    row("h2_row_of_input", "select_scatter scatter_to_copy, copy_ deleted");
    row("h3_chained_views", "");
    row("h4_intermediate_view", "");
    row("h5_diagonal", "diagonal_scatter scatter_to_copy, as_strided_scatter scatter_to_copy");
    row("h6_alias_inputs", "as_strided_scatter scatter_to_copy, copy_ deleted");
}

void TestInductorPolicy::decidesGraphsOfLogs() {
    QFETCH(QString, changed);
    const Program program = read(QString("logs/") + QTest::currentDataTag() + ".py.txt");
    const auto session = decided(program.graphs.front());
    QStringList found;
    for (const Decision& decision : session->decisions()) {
        const QString verdict = text(text_id(decision.verdict));
        if (verdict != "kept" && !is_item_of_written(text(decision.target), verdict))
            found << name_of(*session, decision.node) + " " + verdict;
    }
    QCOMPARE(found.join(", "), changed);
    QVERIFY(verify(session->graph()).empty());
}

void TestInductorPolicy::saysWhy_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char* file, const char* node, const char* expected, qint64 bytes) {
        QTest::newRow(file) << QString(file) << QString(node) << QString(expected) << bytes;
    };
    row("logs/c3_layer_view.py.txt", "index_put",
        "kept: %select is a view of the input %arg0_1, and %copy_ brings back %select_scatter, which is not this "
        "result seen through views",
        1024);
    row("logs/c4_functional.py.txt", "index_put",
        "kept: %arg0_1 is an input that nothing is copied back into: the caller's tensor must not change", 1024);
    row("logs/c5_read_old_after.py.txt", "index_put",
        "kept: %mean reads %arg0_1 after this node, behind which Inductor moves it (reorder_for_locality)", 1024);
    row("logs/d1_view_of_input_v1.py.txt", "auto_functionalized",
        "kept: %select is a view of the input %arg0_1, and %copy_ brings back %select_scatter, which is not this "
        "result seen through views",
        32);
    row("logs/d5_old_value_needed.py.txt", "auto_functionalized_v2",
        "kept: %sin reads %mul after this node, behind which Inductor moves it (reorder_for_locality)", 128);
    row("logs/h1_input.py.txt", "add", "kept: aten.add.Tensor is not among the operators that Inductor's pass looks at",
        128);
    row("logs/h3_chained_views.py.txt", "select_scatter",
        "kept: %permute_1 is a view of the input %arg0_1, and %copy_ brings back %relu, which is not this result seen "
        "through views",
        128);
    row("logs/h4_intermediate_view.py.txt", "slice_scatter",
        "kept: %mul need not be in memory, and Inductor would rather compute this scatter inside the kernels around it",
        128);
    row("faults/interleaved-views/before.py.txt", "index_put",
        "kept: %sum_1 reads %slice_2, on the storage of %slice_1, after this node (they share no memory, but Inductor "
        "cannot tell)",
        32);
    row("faults/foreach-one-copy-missing/before.py.txt", "_foreach_mul",
        "kept: Inductor writes a list only where a copy_ brings each item back into an input, and none does for %b_1",
        32);
    row("faults/nested-scatter/before.py.txt", "select_scatter",
        "deleted: Inductor takes it and %slice_scatter for one write, which is decided there", 128);
    row("faults/dead-reader/before.py.txt", "sum_1", "kept: nobody needs its result, so Inductor removes it first", 4);
    row("faults/132196-same-base-twice-v2/before.py.txt", "auto_functionalized_v2",
        "reinplaced: mylib.exchange.default writes into %mul, whose old content nobody reads later", 32);
}

void TestInductorPolicy::saysWhy() {
    QFETCH(QString, file);
    QFETCH(QString, node);
    QFETCH(QString, expected);
    QFETCH(qint64, bytes);
    const Program program = read(file);
    const auto session = decided(program.graphs.front());
    QCOMPARE(sentence(*session, qPrintable(node)), expected);
    QCOMPARE(qint64(decision_on(*session, qPrintable(node)).bytes), bytes);
}

void TestInductorPolicy::showsFaultsByRunning_data() {
    QTest::addColumn<QString>("name");
    for (const QString& name : folders("faults")) QTest::newRow(qPrintable(name)) << name;
}

void TestInductorPolicy::showsFaultsByRunning() {
    QFETCH(QString, name);
    const Program program = read("faults/" + name + "/before.py.txt");
    const Verification sound = verification(program, "sound");
    QVERIFY2(sound.answer == Verification::Answer::equal, sound.detail.c_str());

    const QString upstream = json("faults/" + name + "/decisions.json")["upstream"].toString();
    const Verification inductor = verification(program, "inductor");
    // The recording compares values alone; a result that has become the input shows where storages are compared.
    const bool aliases = name == "195451-returned-is-input";
    const bool is_right = upstream == "equal" && !aliases;
    QVERIFY2(inductor.answer == (is_right ? Verification::Answer::equal : Verification::Answer::different),
             inductor.detail.c_str());
    if (is_right) return;
    using Kind = Difference::Kind;
    QCOMPARE(inductor.difference->kind == Kind::fails_to_run, upstream.startsWith("graph fails to run"));
    if (aliases) QVERIFY(inductor.difference->kind == Kind::output_aliasing);
    // The decision that is to blame is one that Inductor took.
    QVERIFY(inductor.decision.has_value());
    const auto session = decided(program.graphs.front());
    const Verdict verdict = session->decisions()[*inductor.decision].verdict;
    QVERIFY(verdict == Verdict::reinplaced || verdict == Verdict::scatter_to_copy);
}

/// What Inductor makes of a graph is wrong exactly where the recorded run of its own graph was wrong.
void TestInductorPolicy::runsRandomGraphs() {
    const Program program = read("random.py.txt");
    const QJsonArray recorded = json("random.json").array();
    int wrong = 0;
    for (qsizetype i = 0; i < recorded.size(); ++i) {
        const auto run = [&](const char* policy) {
            return verify_rewrite(program, std::size_t(i),
                                  {.policy = policy, .first = {}, .choices = {}, .donated = {}}, {});
        };
        const Verification sound = run("sound");
        const QByteArray context = "seed " + QByteArray::number(recorded[i]["seed"].toInt()) + ": ";
        QVERIFY2(sound.answer == Verification::Answer::equal, (context + sound.detail.c_str()).constData());
        const Verification inductor = run("inductor");
        using Kind = Difference::Kind;
        const bool differs = inductor.answer == Verification::Answer::different &&
                             inductor.difference->kind != Kind::output_aliasing &&
                             inductor.difference->kind != Kind::output_strides;
        const bool is_wrong = recorded[i]["upstream"].toString() != "equal";
        wrong += is_wrong ? 1 : 0;
        if (!is_wrong) QVERIFY2(!differs, (context + inductor.detail.c_str()).constData());
    }
    QVERIFY(wrong > 0);
}

void TestInductorPolicy::recordsEachOperand() {
    const Program program = read("faults/132196-same-tensor-twice/before.py.txt");
    const auto session = decided(program.graphs.front());
    const Decision& decision = decision_on(*session, "auto_functionalized");
    QCOMPARE(decision.operands.size(), std::size_t(2));
    QCOMPARE(decision.operands[0].name, std::string("x"));
    QVERIFY(!decision.operands[0].in_place);
    QVERIFY(decision.operands[0].reason == Reason::input_not_copied_back);
    QCOMPARE(decision.operands[0].bytes, std::int64_t(16));
    QCOMPARE(decision.operands[1].name, std::string("y"));
    QVERIFY(!session->is_miss(decision));
    const Program layered = read("logs/c3_layer_view.py.txt");
    const auto layer = decided(layered.graphs.front());
    QVERIFY(layer->is_miss(decision_on(*layer, "index_put")));
    QVERIFY(!layer->is_miss(decision_on(*layer, "select")));
}

void TestInductorPolicy::stepsBackAndForth() {
    const Program program = read("random.py.txt");
    for (std::size_t i = 0; i < program.graphs.size(); i += 7) {
        const auto at_once = decided(program.graphs[i]);
        auto session = ReinplaceSession::start(program.graphs[i],
                                               {.policy = "inductor", .first = {}, .choices = {}, .donated = {}});
        QVERIFY(session);
        const std::string start = print_fx((*session)->graph());
        while ((*session)->step_check()) {}
        QCOMPARE(print_fx((*session)->graph()), print_fx(at_once->graph()));
        for (std::uint32_t index = 0; index < (*session)->decisions().size(); ++index) {
            const ChangePreview change = preview_change(**session, index);
            const Verdict verdict = (*session)->decisions()[index].verdict;
            QCOMPARE(!change.before.empty(), verdict == Verdict::reinplaced || verdict == Verdict::scatter_to_copy);
            for (const CheckStep& step : (*session)->checks(index))
                QVERIFY(!explain_check(**session, index, step).empty());
        }
        while ((*session)->step_back()) {}
        QCOMPARE(print_fx((*session)->graph()), start);
    }
}

void TestInductorPolicy::takesChoices() {
    const Program program = read("logs/c3_layer_view.py.txt");
    const auto session = decided(program.graphs.front());
    const std::uint32_t put = decision_on(*session, "index_put").index,
                        scatter = decision_on(*session, "select_scatter").index;
    session->choose(put, Choice::force);
    QVERIFY(session->decisions()[put].verdict == Verdict::reinplaced);
    QVERIFY(sentence(*session, "index_put")
                .startsWith(
                    "forced: aten.index_put_.default writes into %select, although %select is a view of the input"));
    session->choose(scatter, Choice::skip);
    QVERIFY(session->decisions()[scatter].verdict == Verdict::kept);
    QVERIFY(decision_on(*session, "copy_").verdict == Verdict::kept);
    QVERIFY(verify(session->graph()).empty());
}

/// An operator that this program knows nothing of: what it writes shows in the result's items.
void TestInductorPolicy::readsUnknownOperators() {
    const auto read_text = [](const std::string& call) {
        auto program =
            read_fx_text("class f(torch.nn.Module):\n"
                         "    def forward(self, x: \"f32[4][1]cpu\", y: \"f32[2][1]cpu\", z: \"f32[4][1]cpu\"):\n"
                         "        mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(x, 2)\n"
                         "        done = " +
                         call +
                         "\n"
                         "        getitem_1: \"f32[4][1]cpu\" = done[1]\n"
                         "        return (getitem_1,)\n");
        if (!program) qFatal("%s", program.error().message().c_str());
        return std::move(*program);
    };
    const Program clear =
        read_text("torch.ops.higher_order.auto_functionalized(torch.ops.foreign.fill.default, y = y, x = mul)");
    QCOMPARE(sentence(*decided(clear.graphs.front()), "done"),
             "reinplaced: foreign.fill.default writes into %mul, whose old content nobody reads later");
    const Program unclear =
        read_text("torch.ops.higher_order.auto_functionalized(torch.ops.foreign.fill.default, z = z, x = mul)");
    QCOMPARE(sentence(*decided(unclear.graphs.front()), "done"),
             "kept: nothing tells which of its tensors the custom operator writes");
}

QTEST_GUILESS_MAIN(TestInductorPolicy)
#include "test_inductor_policy.moc"
