// Decisions in words, and what people's choices make of them.
#include <QtTest>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/explain.h"
#include "reference_cases.h"

using namespace inspector;

namespace {

ProgramGraph read(const std::string& body) {
    const auto program =
        read_fx_text("class f(torch.nn.Module):\n    def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n" + body);
    return program ? program->graphs.front() : ProgramGraph{};
}

std::unique_ptr<ReinplaceSession> run(const ProgramGraph& graph,
                                      ReinplaceSession::Options options = {"torch-fx", {}, {}, {}}) {
    auto session = ReinplaceSession::start(graph, std::move(options));
    if (!session) return nullptr;
    (*session)->run_to_end();
    return std::move(*session);
}

QStringList sentences(const ReinplaceSession& session) {
    QStringList out;
    for (std::uint32_t i = 0; i < session.decisions().size(); ++i) {
        const Decision decision = session.complete(i);
        out << QString::fromStdString(session.original().node(decision.node).name + " " +
                                      plain_text(explain(session, decision)));
    }
    return out;
}

QStringList evidence(const ReinplaceSession& session, std::uint32_t index, CheckId check) {
    QStringList out;
    for (const CheckStep& step : session.checks(index))
        if (step.check == check)
            for (const Sentence& line : explain_check(session, index, step))
                out << QString::fromStdString(plain_text(line));
    return out;
}

QStringList list(const std::vector<std::string>& lines) {
    QStringList out;
    for (const std::string& line : lines) out << QString::fromStdString(line);
    return out;
}

const char* const functions = R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(clone, 1)
        select: "f32[4][1]cpu" = torch.ops.aten.select.int(add, 0, 1)
        mul: "f32[4][1]cpu" = torch.ops.aten.mul.Tensor(select, select)
        neg: "f32[4][1]cpu" = torch.ops.aten.neg.default(select)
        gt: "b8[4][1]cpu" = torch.ops.aten.gt.Scalar(neg, 0)
        expand: "f32[4, 4][0, 1]cpu" = torch.ops.aten.expand.default(neg, [4, 4])
        relu: "f32[4, 4][4, 1]cpu" = torch.ops.aten.relu.default(expand)
        t: "f32[4, 4][1, 4]cpu" = torch.ops.aten.t.default(relu)
        mm: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mm.default(relu, t)
        cat: "f32[8, 4][4, 1]cpu" = torch.ops.aten.cat.default([mm, add])
        split = torch.ops.aten.split.Tensor(cat, 4)
        getitem: "f32[4, 4][4, 1]cpu" = split[0]
        _assert_tensor_metadata = torch.ops.aten._assert_tensor_metadata.default(mm, None, None, torch.float32)
        return (getitem, mul, gt)
)";

} // namespace

class TestDecisionSentences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneSentenceEach();
    void evidenceOfChecks();
    void whoseMemoryIsWritten();
    void whatElseIsRead();
    void whatATextLeavesOut();
    void whoWouldShareMemory();
    void namesAreLinks();
    void skippedAndForced();
    void whatCannotBeForced();
    void onlyTheFirst();
    void previews();
    void previewOfAScatter();
    void badOptions();
    void summary();
};

void TestDecisionSentences::oneSentenceEach() {
    QCOMPARE(sentences(*run(read(functions))),
             (QStringList{
                 "clone kept: %x is an input, which belongs to the caller",
                 "add reinplaced: aten.add_.Tensor writes into %clone, whose old content nobody reads later",
                 "select kept: the result has 4 elements, but %clone has 16",
                 "mul kept: %select is passed to this call more than once",
                 "neg kept: %cat reads %clone, on the storage of %select, after this node",
                 "gt kept: the result is b8, but %neg is f32",
                 "expand kept: the result has 16 elements, but %neg has 4",
                 "relu kept: %expand is expanded: one element in memory stands for several",
                 "t kept: %mm reads %relu after this node",
                 "mm kept: there is no operator aten.mm_",
                 "cat kept: the first argument of aten.cat.default is a list, not a tensor",
                 "split kept: the output returns %getitem, on the storage of %cat",
                 "getitem kept: it only takes an item of %split",
                 "_assert_tensor_metadata torch.fx.passes.reinplace stops with an error here: "
                 "aten._assert_tensor_metadata.default returns nothing",
             }));
}

void TestDecisionSentences::evidenceOfChecks() {
    const auto session = run(read(functions));
    QCOMPARE(evidence(*session, 1, CheckId::metadata), (QStringList{
        "self %clone: f32[4, 4], strides [4, 1], offset 0",
        "result %add: f32[4, 4], strides [4, 1], offset 0",
        "elements: 16 and 16",
        "dtype: f32 and f32",
        "self overlap: none, its elements lie side by side",
    }));
    QCOMPARE(evidence(*session, 1, CheckId::later_use),
             QStringList{"Nobody reads the storage of %clone after this node."});
    QCOMPARE(evidence(*session, 1, CheckId::inplace_variant), (QStringList{
        "aten.add_.Tensor takes the same arguments and writes its result into %clone.",
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
    }));
    QCOMPARE(evidence(*session, 4, CheckId::later_use), QStringList{"%cat reads %clone, on the storage of %select."});
    QCOMPARE(evidence(*session, 4, CheckId::inplace_variant),
             QStringList{"Passes if this holds: An overload with the same arguments writes its result into self."});
}

void TestDecisionSentences::whoseMemoryIsWritten() {
    const char* const body = R"(
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(x, 1)
        mul: "f32[4, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(add, 2)
)";
    const std::string returned = std::string(body) + "        return (mul,)\n";
    const std::string copied = std::string(body) + "        copy_ = torch.ops.aten.copy_.default(x, mul)\n        return (copy_,)\n";
    const auto own = run(read(returned), {"sound", {}, {}, {}});
    QCOMPARE(evidence(*own, 1, CheckId::input_alias), QStringList{"%add shares no storage with an input."});
    const auto donated = run(read(returned), {"sound", {}, {}, {"x"}});
    QCOMPARE(evidence(*donated, 0, CheckId::input_alias),
             QStringList{"%x is an input, which the caller gave up (donated)."});
    const auto overwritten = run(read(copied), {"sound", {}, {}, {}});
    QCOMPARE(evidence(*overwritten, 0, CheckId::input_alias),
             QStringList{"%x is an input, which %copy_ overwrites; nobody needs its value until then."});
}

void TestDecisionSentences::whatElseIsRead() {
    const auto session = run(read(R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        top: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 0, 2)
        same: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 0, 2)
        low: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 2, 4)
        mul: "f32[2, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(top, top)
        add: "f32[2, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(mul, same)
        sum_1: "f32[4][1]cpu" = torch.ops.aten.sum.dim_IntList(low, [0])
        return (add, sum_1)
)"), {"sound", {}, {}, {}});
    const std::uint32_t mul = 4;
    QCOMPARE(evidence(*session, mul, CheckId::argument_alias),
             (QStringList{"%top is another operand too, which is harmless: aten.mul.Tensor reads each element before it writes it.",
                          "No other operand shares memory with what would be written."}));
    const auto apart = run(read(R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        top: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 0, 2)
        same: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 0, 2)
        low: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 2, 4)
        mul: "f32[2, 4][4, 1]cpu" = torch.ops.aten.mul.Tensor(top, same)
        sum_1: "f32[4][1]cpu" = torch.ops.aten.sum.dim_IntList(low, [0])
        return (mul, sum_1)
)"), {"sound", {}, {}, {}});
    QCOMPARE(evidence(*apart, mul, CheckId::argument_alias),
             (QStringList{"%same lies exactly where %top does, which is harmless: aten.mul.Tensor reads each element before it writes it.",
                          "No other operand shares memory with what would be written."}));
    QCOMPARE(evidence(*apart, mul, CheckId::later_use),
             (QStringList{"Nobody reads later the bytes that would be written; what else lies on the storage of %top is read:",
                          "%sum_1 reads %low, on the storage of %top."}));
}

void TestDecisionSentences::whatATextLeavesOut() {
    const auto relu = [](const QString& strides) {
        const QString text = QString::fromUtf8(R"graph(
class f(torch.nn.Module):
    def forward(self, s0: "Sym(s0)", y: "f32[s0, 4, 3]%1cpu"):
        sum_1: "f32[s0, 4]%2cpu" = torch.ops.aten.sum.dim_IntList(y, [2])
        relu: "f32[s0, 4]%2cpu" = torch.ops.aten.relu.default(sum_1)
        return relu
)graph").arg(strides.isEmpty() ? QString() : QStringLiteral("[12, 3, 1]"), strides);
        const auto program = read_fx_text(text.toStdString());
        if (!program) return QStringLiteral("not read");
        return sentences(*run(program->graphs.front(), {"sound", {}, {}, {}})).value(1);
    };
    const QString bare = relu(QString());
    QVERIFY2(bare.contains(QStringLiteral("not certain for all sizes, as the text has no strides (print_readable(include_stride=True) writes them)")),
             qPrintable(bare));
    QCOMPARE(relu(QStringLiteral("[4, 1]")), QStringLiteral("relu reinplaced: aten.relu_.default writes into %sum_1, whose old content nobody reads later"));
}

void TestDecisionSentences::whoWouldShareMemory() {
    const auto session = run(read(R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        top: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 0, 2)
        low: "f32[2, 4][4, 1]cpu" = torch.ops.aten.slice.Tensor(clone, 0, 2, 4)
        neg: "f32[2, 4][4, 1]cpu" = torch.ops.aten.neg.default(top)
        abs_1: "f32[2, 4][4, 1]cpu" = torch.ops.aten.abs.default(low)
        flat: "f32[8][1]cpu" = torch.ops.aten.view.default(abs_1, [8])
        return (neg, flat)
)"), {"sound", {}, {}, {}});
    QCOMPARE(sentences(*session).at(4), QString("abs_1 kept: %flat and %neg, which are both returned, would share memory, "
                                                "which they do not now"));
    const auto input = run(read(R"(
        neg: "f32[4, 4][4, 1]cpu" = torch.ops.aten.neg.default(x)
        copy_: "f32[4, 4][4, 1]cpu" = torch.ops.aten.copy_.default(x, neg)
        return (neg,)
)"), {"sound", {}, {}, {}});
    QCOMPARE(sentences(*input).at(0), QString("neg kept: %neg, which is returned, and the input %x would share memory, "
                                              "which they do not now"));
}

void TestDecisionSentences::namesAreLinks() {
    const auto session = run(read(functions));
    const Sentence sentence = explain(*session, session->complete(4));
    std::vector<std::string> linked;
    for (const TextSpan& span : sentence)
        if (span.node != no_node) linked.push_back(session->original().node(span.node).name);
    QCOMPARE(list(linked), (QStringList{"cat", "clone", "select"}));
}

void TestDecisionSentences::skippedAndForced() {
    // Decision 1, %add, would be reinplaced; decision 4, %neg, is refused.
    const auto session = run(read(functions), {"torch-fx", {}, {{1, Choice::skip}, {4, Choice::force}}, {}});
    const Decision skipped = session->complete(1);
    QCOMPARE(skipped.verdict, Verdict::kept);
    QCOMPARE(skipped.check, CheckId::inplace_variant);
    QCOMPARE(skipped.reason, Reason::skipped);
    QCOMPARE(sentences(*session)[1], "add left out: it was told to stay; aten.add_.Tensor could write into %clone");
    const Decision forced = session->complete(4);
    QCOMPARE(forced.verdict, Verdict::reinplaced);
    QCOMPARE(forced.check, CheckId::later_use);
    QCOMPARE(forced.reason, Reason::forced);
    QCOMPARE(sentences(*session)[4], "neg forced: aten.neg_.default writes into %select, although %cat reads %add, on "
                                     "the storage of %select, after this node");
    const Graph& graph = session->graph();
    QCOMPARE(graph.node(graph.find("add")).target, "torch.ops.aten.add.Tensor");
    QCOMPARE(graph.node(graph.find("neg")).target, "torch.ops.aten.neg_.default");
    QCOMPARE(graph.node(graph.find("gt")).args[0].node(), graph.find("select"));
}

void TestDecisionSentences::whatCannotBeForced() {
    const auto session =
        run(read(functions), {"torch-fx", {}, {{2, Choice::force}, {9, Choice::force}, {10, Choice::force}}, {}});
    QCOMPARE(session->complete(2).verdict, Verdict::kept);
    QCOMPARE(session->complete(2).reason, Reason::is_view);
    QCOMPARE(sentences(*session)[2],
             "select kept: aten.select.int is a view: it computes nothing that could be written");
    QCOMPARE(sentences(*session)[9], "mm kept: there is no operator aten.mm_");
    QCOMPARE(session->complete(10).check, CheckId::first_argument_not_tensor);
    QCOMPARE(print_fx(session->graph()), print_fx(run(read(functions))->graph()));
}

void TestDecisionSentences::onlyTheFirst() {
    const auto session = run(read(functions), {"torch-fx", 1, {}, {}});
    QCOMPARE(session->complete(1).reason, Reason::skipped);
    QCOMPARE(print_fx(session->graph()), print_fx(session->original()));
    QCOMPARE(sentences(*session)[1], "add left out: decisions end before it; aten.add_.Tensor could write into %clone");
}

void TestDecisionSentences::previews() {
    const auto session = run(read(functions));
    const ChangePreview made = preview_change(*session, 1);
    QCOMPARE(list(made.before), (QStringList{
        "%add : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%clone, 1), kwargs = {})",
        "%select : [num_users=2] = call_function[target=torch.ops.aten.select.int](args = (%add, 0, 1), kwargs = {})",
        "%cat : [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%mm, %add],), kwargs = {})",
    }));
    QCOMPARE(list(made.after), (QStringList{
        "%add : [num_users=0] = call_function[target=torch.ops.aten.add_.Tensor](args = (%clone, 1), kwargs = {})",
        "%select : [num_users=2] = call_function[target=torch.ops.aten.select.int](args = (%clone, 0, 1), kwargs = {})",
        "%cat : [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%mm, %clone],), kwargs = {})",
    }));
    QVERIFY(preview_change(*session, 4).before.empty());

    // Asked before the decision is made, in the middle of its checks, it says the same and moves nothing.
    session->run_to(1);
    session->step_check();
    const ChangePreview ahead = preview_change(*session, 1);
    QCOMPARE(list(ahead.before), list(made.before));
    QCOMPARE(list(ahead.after), list(made.after));
    QCOMPARE(session->position(), 1U);
    QCOMPARE(session->checks(1)[0].state, CheckStep::State::passed);
    QCOMPARE(session->checks(1)[1].state, CheckStep::State::pending);
    QCOMPARE(print_fx(session->graph()), print_fx(session->original()));
}

void TestDecisionSentences::previewOfAScatter() {
    const auto session = run(read(R"(
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x)
        select: "f32[4][1]cpu" = torch.ops.aten.select.int(x, 0, 0)
        select_scatter: "f32[4, 4][4, 1]cpu" = torch.ops.aten.select_scatter.default(clone, select, 0, 1)
        return select_scatter
)"));
    QCOMPARE(sentences(*session)[2],
             "select_scatter copied: %select is copied into a view of %clone instead of into a new tensor");
    const ChangePreview preview = preview_change(*session, 2);
    QCOMPARE(list(preview.before), (QStringList{
        "%select_scatter : [num_users=1] = call_function[target=torch.ops.aten.select_scatter.default]"
        "(args = (%clone, %select, 0, 1), kwargs = {})",
        "return select_scatter",
    }));
    QCOMPARE(list(preview.after),
             (QStringList{
                 "%select_int : [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%clone, 0, 1), "
                 "kwargs = {})",
                 "%copy__default : [num_users=0] = call_function[target=torch.ops.aten.copy_.default]"
                 "(args = (%select_int, %select), kwargs = {})",
                 "return clone",
             }));
}

void TestDecisionSentences::badOptions() {
    const auto unknown = ReinplaceSession::start(read(functions), {"best", {}, {}, {}});
    QVERIFY(!unknown);
    QVERIFY(QString::fromStdString(unknown.error().message()).contains("\"best\" (known: "));
    const auto donated = ReinplaceSession::start(read(functions), {"torch-fx", {}, {}, {"clone"}});
    QVERIFY(!donated);
    QCOMPARE(QString::fromStdString(donated.error().message()), "no input is named \"clone\"");
}

void TestDecisionSentences::summary() {
    const auto session = run(read(functions));
    const ReinplaceSummary found = summarize(*session);
    QCOMPARE(found.nodes, 16U);
    QCOMPARE(found.candidates, 12U);
    QCOMPARE(found.reinplaced, 1U);
    QCOMPARE(found.bytes_saved, 64);
    QCOMPARE(session->complete(1).bytes, 64);
    QCOMPARE(session->complete(2).bytes, 0); // a view
    QCOMPARE(session->complete(9).bytes, 64);
    QCOMPARE(found.peak_before - found.peak_after, 0);

    // A chain needs one temporary where it needed two.
    const auto chain = run(read(R"(
        neg: "f32[4, 4][4, 1]cpu" = torch.ops.aten.neg.default(x)
        relu: "f32[4, 4][4, 1]cpu" = torch.ops.aten.relu.default(neg)
        exp: "f32[4, 4][4, 1]cpu" = torch.ops.aten.exp.default(relu)
        return exp
)"));
    QCOMPARE(summarize(*chain).peak_before, 3 * 64);
    QCOMPARE(summarize(*chain).peak_after, 2 * 64);
    QCOMPARE(summarize(*chain).bytes_saved, 2 * 64);
}

QTEST_APPLESS_MAIN(TestDecisionSentences)
#include "test_decision_sentences.moc"
