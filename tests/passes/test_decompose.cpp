// Taking operators apart: every rule against the operator itself, models against what torch made of them, steps and undo.
#include <QtTest>

#include <algorithm>
#include <filesystem>

#include "core/analysis/level.h"
#include "core/execution/equivalence.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/operators/operator_table.h"
#include "core/operators/verify_schema.h"
#include "core/passes/decompose/decompose.h"
#include "core/passes/decompose/rule.h"
#include "tests/passes/decompositions/cases.h"

using namespace inspector;

namespace {

std::string with_strides(const std::string& annotation) {
    const auto open = annotation.find('[');
    if (annotation.find('[', open + 1) != std::string::npos) return annotation + "cpu";
    std::vector<std::int64_t> sizes, strides;
    for (const QString& size : QString::fromStdString(annotation.substr(open + 1, annotation.size() - open - 2)).split(',', Qt::SkipEmptyParts))
        sizes.push_back(size.trimmed().toLongLong());
    strides.assign(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
    QStringList words;
    for (const std::int64_t stride : strides) words << QString::number(stride);
    return annotation + "[" + words.join(", ").toStdString() + "]cpu";
}

/// The case as a graph of one call.
std::string text_of(const DecompositionCase& one) {
    std::string text = "def forward(self";
    for (const QString& input : QString::fromUtf8(one.inputs).split("; ")) {
        const auto colon = input.indexOf(": ");
        text += ", " + input.left(colon).toStdString() + ": \"" + with_strides(input.mid(colon + 2).toStdString()) + "\"";
    }
    const std::string annotation = one.annotation;
    text += "):\n";
    QStringList calls = QString::fromUtf8(one.call).split("; ");
    const std::string last = calls.takeLast().toStdString();
    for (const QString& call : calls) text += "    " + QString(call).replace("= ", "= torch.ops.").toStdString() + "\n";
    text += "    made" + (annotation.empty() ? "" : ": \"" + annotation + "\"") + " = torch.ops." + last + "\n";
    std::string returned;
    for (int i = 0; i < one.results; ++i) {
        text += "    item_" + std::to_string(i) + " = made[" + std::to_string(i) + "]\n";
        returned += "item_" + std::to_string(i) + ", ";
    }
    return text + "    return (" + (one.results == 0 ? "made," : returned) + ")\n";
}

Program read(const std::string& text) {
    auto program = read_fx_text(text);
    if (!program) qFatal("%s\n%s", program.error().message().c_str(), text.c_str());
    return std::move(*program);
}

Program read_file(const std::string& path) {
    auto program = read_program(path);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

std::string left_of(const Decomposition& made) {
    std::string text;
    for (const auto& left : made.left) text += left.call.target + ": " + left.call.words + "; ";
    return text;
}

/// What is wrong with a decomposed program; empty where nothing is.
std::string fault(const Program& before, const Decomposition& made, const RunOptions& options) {
    if (!made.left.empty()) return "left: " + left_of(made);
    for (const ProgramGraph& graph : made.program.graphs) {
        if (const auto errors = verify(graph.graph); !errors.empty()) return errors.front().message();
        if (const auto errors = verify_schemas(graph.graph); !errors.empty()) return errors.front().message();
        for (const LevelObstacle& obstacle : find_level(graph.graph).obstacles)
            return "not Core ATen: " + graph.graph.node(obstacle.node).target;
    }
    const auto inputs = RunInputs::make(before, 0, options);
    if (!inputs) return inputs.error().message();
    const auto comparison = compare_programs(before, made.program, 0, *inputs, options);
    if (!comparison) return comparison.error().message();
    if (comparison->cannot_run) return "cannot run: " + comparison->cannot_run->message();
    return comparison->difference ? comparison->difference->sentence : "";
}

Decomposition decomposed(const Program& program, const DecomposeSession::Options& options = {}) {
    auto made = decompose(program, 0, options);
    if (!made) qFatal("%s", made.error().message().c_str());
    return std::move(*made);
}

std::string printed(const Program& program) {
    std::string text;
    for (const ProgramGraph& graph : program.graphs) text += print_fx(graph.graph) + "\n";
    return text;
}

} // namespace

class TestDecompose : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rules_data();
    void rules();
    void everyRuleHasACase();
    void models_data();
    void models();
    void mostModelsAreCompared();
    void nestedGraphsToo();
    void stepsGoForwardAndBack();
    void operatorsAreKept();
    void whatIsLeftIsNamed_data();
    void whatIsLeftIsNamed();
    void lazyTensorsAreResolved_data();
    void lazyTensorsAreResolved();
    void namesAndOrigins();

private:
    int models_ = 0, compared_ = 0;
};

void TestDecompose::rules_data() {
    QTest::addColumn<int>("index");
    int index = 0;
    for (const DecompositionCase& one : decomposition_cases()) {
        QTest::addRow("%s %s", one.call, one.inputs) << index;
        ++index;
    }
}

void TestDecompose::rules() {
    QFETCH(int, index);
    const DecompositionCase& one = decomposition_cases()[std::size_t(index)];
    const Program program = read(text_of(one));
    const Decomposition made = decomposed(program);
    QVERIFY2(made.steps > 0, left_of(made).c_str());
    for (const std::int64_t size : {std::int64_t{3}, std::int64_t{5}}) {
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            RunOptions options;
            options.seed = seed;
            options.tolerance = {one.tolerance, one.tolerance};
            options.sizes = {{"s0", size}};
            const std::string found = fault(program, made, options);
            QVERIFY2(found.empty(), (found + "\n" + printed(program) + printed(made.program)).c_str());
        }
        if (std::string(one.annotation).empty()) break;
    }
}

void TestDecompose::everyRuleHasACase() {
    QByteArray missing;
    for (const decomposition::Rule& rule : decomposition::all_rules()) {
        const std::string start = std::string(rule.overload) + "(";
        const bool has_one = std::ranges::any_of(decomposition_cases(), [&](const DecompositionCase& one) {
            return std::string(one.call).find(start) != std::string::npos;
        });
        // What an empty tensor holds cannot be compared, and dropout draws.
        const bool cannot_have = rule.overload.find("empty") != std::string_view::npos;
        if (!has_one && !cannot_have) missing += QByteArray::fromStdString(std::string(rule.overload)) + " ";
    }
    QCOMPARE(missing, QByteArray());
}

void TestDecompose::models_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<double>("tolerance");
    for (const char* folder : {"pairs", "reference"}) {
        for (const auto& entry : std::filesystem::directory_iterator(std::string(TEST_DATA "/") + folder)) {
            const auto file = entry.path() / (std::string(folder) == "pairs" ? "functional.pt2" : "before.pt2");
            if (std::filesystem::exists(file)) QTest::addRow("%s", entry.path().filename().c_str()) << QString::fromStdString(file.string()) << 1e-5;
        }
    }
}

void TestDecompose::models() {
    QFETCH(QString, path);
    QFETCH(double, tolerance);
    const Program program = read_file(path.toStdString());
    RunOptions options;
    options.tolerance = {tolerance, tolerance};
    const std::string found = fault(program, decomposed(program), options);
    ++models_;
    // Kernels of an older LibTorch may lay a result out so that the file's own graph does not run.
    if (found.starts_with("cannot run: ")) return;
    QVERIFY2(found.empty(), found.c_str());
    ++compared_;
}

void TestDecompose::mostModelsAreCompared() { QVERIFY2(compared_ * 10 >= models_ * 9, qPrintable(QString::number(compared_))); }

void TestDecompose::nestedGraphsToo() {
    Program program = read_file(TEST_DATA "/pairs/nested-cond/functional.pt2");
    QVERIFY(program.graphs.size() > 1);
    std::size_t changed = 0;
    for (std::size_t i = 1; i < program.graphs.size(); ++i) {
        Graph& graph = program.graphs[i].graph;
        for (const NodeId id : std::vector<NodeId>(graph.begin(), graph.end())) {
            const Node& node = graph.node(id);
            if (node.opcode != Opcode::call_function || !std::holds_alternative<TensorMeta>(node.meta) || node.args.empty()) continue;
            graph.set_arguments(id, {node.args[0], std::int64_t{2}}, {});
            graph.set_target(id, "torch.ops.aten.rsub.Scalar");
            ++changed;
            break;
        }
    }
    QVERIFY(changed > 0);
    const Decomposition made = decomposed(program);
    QVERIFY(made.steps >= changed);
    const std::string found = fault(program, made, {});
    QVERIFY2(found.empty(), found.c_str());
}

void TestDecompose::stepsGoForwardAndBack() {
    const Program program = read_file(TEST_DATA "/pairs/cnn-eval/functional.pt2");
    auto session = *DecomposeSession::start(program.graphs[0], {});
    std::vector<std::string> seen{print_fx(session->graph())};
    while (session->step()) {
        QCOMPARE(session->position(), std::uint32_t(seen.size()));
        const DecomposeStep& step = session->steps().back();
        QVERIFY(!step.rule.empty());
        QVERIFY(!session->graph().contains(step.node));
        QVERIFY(session->original().contains(step.source));
        for (const NodeId node : step.added) QCOMPARE(session->source_of(node), step.source);
        seen.push_back(print_fx(session->graph()));
    }
    QVERIFY(session->at_end());
    const std::string end = print_fx(session->graph());
    QCOMPARE(print_fx(decomposed(program).program.graphs[0].graph), end);
    while (session->position() > 0) {
        QVERIFY(session->step_back());
        QCOMPARE(print_fx(session->graph()), seen[session->position()]);
    }
    QVERIFY(!session->step_back());
    session->run_to(3);
    QCOMPARE(print_fx(session->graph()), seen[3]);
    session->run_to_end();
    QCOMPARE(print_fx(session->graph()), end);
    session->restart();
    QCOMPARE(print_fx(session->graph()), print_fx(program.graphs[0].graph));
}

void TestDecompose::operatorsAreKept() {
    const Program program = read(text_of({"aten.linear.default(x, w)", "x: f32[3, 4]; w: f32[5, 4]"}));
    for (const char* name : {"aten.linear", "aten.linear.default", "torch.ops.aten.linear.default"}) {
        const Decomposition made = decomposed(program, {{name}});
        QCOMPARE(made.left.size(), std::size_t(1));
        QVERIFY(made.left[0].call.reason == LeftCall::Reason::kept);
        QCOMPARE(print_fx(made.program.graphs[0].graph), print_fx(program.graphs[0].graph));
    }
    const auto unknown = decompose(program, 0, {{"aten.no_such"}});
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().reason, std::string("no operator aten.no_such is known"));
}

void TestDecompose::whatIsLeftIsNamed_data() {
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no rule") << QByteArray("torch.ops.aten.erfinv.default(x)") << QByteArray("nothing here tells what it is made of");
    QTest::newRow("mutating") << QByteArray("torch.ops.aten.add_.Tensor(x, 1)") << QByteArray("it writes an argument; functionalize the graph first");
    QTest::newRow("unknown") << QByteArray("torch.ops.mylib.foo.default(x)") << QByteArray("no operator of that name is known");
    QTest::newRow("refused") << QByteArray("torch.ops.aten.rrelu.default(x, 0.1, 0.2, True)") << QByteArray("it draws random slopes");
}

void TestDecompose::whatIsLeftIsNamed() {
    QFETCH(QByteArray, call);
    QFETCH(QByteArray, words);
    const Program program = read("def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n    made: \"f32[4, 4][4, 1]cpu\" = " + call.toStdString() +
                                 "\n    return (made,)\n");
    const Decomposition made = decomposed(program);
    QCOMPARE(made.left.size(), std::size_t(1));
    QCOMPARE(QByteArray::fromStdString(made.left[0].call.words), words);
    QCOMPARE(made.left[0].node, std::string("made"));
    QCOMPARE(print_fx(made.program.graphs[0].graph), print_fx(program.graphs[0].graph));
}

/// Views of a conjugated tensor are resolved by a copy; of another, resolving does nothing.
void TestDecompose::lazyTensorsAreResolved_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("expected"); // targets, in order
    QTest::newRow("conjugated") << QByteArray("j = torch.ops.aten._conj.default(c)\nr: \"c64[3, 4]\" = torch.ops.aten.resolve_conj.default(j)")
                                << QByteArray("complex _conj clone view_as_real");
    QTest::newRow("a view of it") << QByteArray("j = torch.ops.aten.conj.default(c)\nt = torch.ops.aten.t.default(j)\ns = torch.ops.aten.split.Tensor(t, 2)\n"
                                                "p: \"c64[2, 3][1, 4]cpu\" = s[0]\nr = torch.ops.aten.resolve_conj.default(p)")
                                  << QByteArray("complex _conj permute split_with_sizes getitem clone view_as_real");
    QTest::newRow("twice") << QByteArray("j = torch.ops.aten._conj.default(c)\nk = torch.ops.aten.mH.default(j)\nr: \"c64[4, 3][1, 4]cpu\" = torch.ops.aten.resolve_conj.default(k)")
                           << QByteArray("complex _conj permute _conj view_as_real");
    QTest::newRow("neither") << QByteArray("r: \"c64[3, 4]\" = torch.ops.aten.resolve_conj.default(c)") << QByteArray("complex view_as_real");
    QTest::newRow("imaginary part") << QByteArray("j = torch.ops.aten._conj.default(c)\ni: \"f32[3, 4][8, 2]cpu\" = torch.ops.aten.imag.default(j)\n"
                                                  "n: \"f32[3, 4]\" = torch.ops.aten.resolve_neg.default(i)\nr = torch.ops.aten.complex.default(n, n)")
                                    << QByteArray("complex _conj _conj view_as_real _neg_view select clone complex view_as_real");
    QTest::newRow("real part") << QByteArray("j = torch.ops.aten._conj.default(c)\ni: \"f32[3, 4][8, 2]cpu\" = torch.ops.aten.real.default(j)\n"
                                             "n: \"f32[3, 4][8, 2]cpu\" = torch.ops.aten.resolve_neg.default(i)\nr = torch.ops.aten.complex.default(n, n)")
                               << QByteArray("complex _conj _conj view_as_real select complex view_as_real");
}

void TestDecompose::lazyTensorsAreResolved() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, expected);
    std::string text = "def forward(self, x: \"f32[3, 4][4, 1]cpu\"):\n    c: \"c64[3, 4][4, 1]cpu\" = torch.ops.aten.complex.default(x, x)\n";
    for (const QByteArray& line : body.split('\n')) text += "    " + line.toStdString() + "\n";
    const Program program = read(text + "    v = torch.ops.aten.view_as_real.default(r)\n    return (v,)\n");
    const Decomposition made = decomposed(program);
    QByteArrayList targets;
    for (const NodeId id : made.program.graphs[0].graph) {
        const Node& node = made.program.graphs[0].graph.node(id);
        if (node.opcode != Opcode::call_function) continue;
        const Operator* op = OperatorTable::instance().find(node.target);
        targets << (op ? QByteArray::fromStdString(op->name.substr(6)) : QByteArray("getitem"));
    }
    QCOMPARE(targets.join(' '), expected);
    const auto inputs = RunInputs::make(program, 0, {});
    const auto comparison = compare_programs(program, made.program, 0, *inputs, {});
    QVERIFY(comparison);
    QVERIFY2(!comparison->cannot_run, comparison->cannot_run ? comparison->cannot_run->message().c_str() : "");
    QVERIFY2(!comparison->difference, comparison->difference ? comparison->difference->sentence.c_str() : "");
}

void TestDecompose::namesAndOrigins() {
    Program program = read("def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                           "    sigmoid: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sigmoid.default(x)\n"
                           "    silu: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.silu.default(sigmoid)\n"
                           "    return (silu,)\n");
    const Decomposition made = decomposed(program);
    QCOMPARE(print_fx(made.program.graphs[0].graph),
             std::string("graph():\n"
                         "    %x : [num_users=1] = placeholder[target=x]\n"
                         "    %sigmoid : [num_users=2] = call_function[target=torch.ops.aten.sigmoid.default](args = (%x,), kwargs = {})\n"
                         "    %sigmoid_1 : [num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args = (%sigmoid,), kwargs = {})\n"
                         "    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%sigmoid, %sigmoid_1), kwargs = {})\n"
                         "    return (mul,)"));
    const Graph& graph = made.program.graphs[0].graph;
    const Node& added = graph.node(graph.find("mul"));
    QVERIFY(added.origin.created_by_pass);
    QVERIFY(std::get<TensorMeta>(added.meta).sizes == std::get<TensorMeta>(program.graphs[0].graph.node(program.graphs[0].graph.find("silu")).meta).sizes);
}

QTEST_GUILESS_MAIN(TestDecompose)
#include "test_decompose.moc"
