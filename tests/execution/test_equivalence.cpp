#include <QTemporaryDir>
#include <QtTest>

#include "core/execution/equivalence.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "tests/random_programs/random_program.h"

using namespace inspector;

namespace {

Program read(const char* text) {
    auto program = read_fx_text(text);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

/// What differs between the only graph of two texts with the same inputs.
std::optional<Difference> difference(const char* before, const char* after) {
    const Program original = read(before), changed = read(after);
    const auto inputs = RunInputs::make(original, 0, {});
    if (!inputs) qFatal("%s", inputs.error().message().c_str());
    const auto comparison = compare_by_running(original, 0, changed.graphs[0].graph, *inputs, {});
    if (!comparison) qFatal("%s", comparison.error().message().c_str());
    if (comparison->cannot_run) qFatal("%s", comparison->cannot_run->message().c_str());
    return comparison->difference;
}

constexpr const char* original = R"(
class _(torch.nn.Module):
    def forward(self, x: "f32[4, 4][4, 1]cpu"):
        clone: "f32[4, 4][4, 1]cpu" = torch.ops.aten.clone.default(x);  x = None
        add: "f32[4, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(clone, 1)
        return (add, clone)
)";

} // namespace

class TestEquivalence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGraphEqualsItself();
    void seesEachKindOfDifference_data();
    void seesEachKindOfDifference();
    void aDifferenceHasItsParts();
    void aDifferenceOfTheSecondCallIsFound();
    void refusesMoreThanTheMemoryLimit();
    void nothingIsDoneBesideComputing_data();
    void nothingIsDoneBesideComputing();
    void randomProgramsRun();
    void shrinkingKeepsTheFault();
};

void TestEquivalence::aGraphEqualsItself() { QVERIFY(!difference(original, original)); }

void TestEquivalence::seesEachKindOfDifference_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("kind");
    QTest::newRow("value") << QByteArray("        add = torch.ops.aten.add.Tensor(clone, 2)\n        return (add, clone)\n") << "output_value";
    QTest::newRow("written base") << QByteArray("        add = torch.ops.aten.add_.Tensor(clone, 1)\n        return (add, clone)\n") << "output_value";
    QTest::newRow("strides") << QByteArray("        t = torch.ops.aten.t.default(clone)\n        copy = torch.ops.aten.clone.default(t)\n"
                                           "        zero = torch.ops.aten.t.default(copy)\n        add = torch.ops.aten.add.Tensor(clone, 1)\n"
                                           "        c = torch.ops.aten.clone.default(add, memory_format = torch.contiguous_format)\n"
                                           "        t2 = torch.ops.aten.t.default(c)\n        c2 = torch.ops.aten.clone.default(t2, memory_format = torch.contiguous_format)\n"
                                           "        add_2 = torch.ops.aten.t.default(c2)\n        return (add_2, clone)\n") << "output_strides";
    QTest::newRow("sharing") << QByteArray("        add = torch.ops.aten.add.Tensor(clone, 1)\n        return (add, x)\n") << "output_aliasing";
    QTest::newRow("input") << QByteArray("        add = torch.ops.aten.add.Tensor(clone, 1)\n        w = torch.ops.aten.mul_.Tensor(x, 2)\n"
                                         "        return (add, clone)\n") << "input_value";
    QTest::newRow("count") << QByteArray("        add = torch.ops.aten.add.Tensor(clone, 1)\n        return (add,)\n") << "output_count";
    QTest::newRow("type") << QByteArray("        add = torch.ops.aten.add.Tensor(clone, 1)\n        i = torch.ops.aten.view.dtype(clone, torch.int32)\n"
                                        "        return (add, i)\n") << "output_type";
    QTest::newRow("raises") << QByteArray("        add = torch.ops.aten.view.default(clone, [3, 5])\n        return (add, clone)\n") << "fails_to_run";
}

void TestEquivalence::seesEachKindOfDifference() {
    QFETCH(QByteArray, body);
    QFETCH(QString, kind);
    const QByteArray after = "class _(torch.nn.Module):\n    def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                             "        clone = torch.ops.aten.clone.default(x)\n" + body;
    const auto found = difference(original, after.constData());
    QVERIFY(found.has_value());
    QCOMPARE(QString::fromStdString(std::string(text_id(found->kind))), kind);
    QVERIFY(!found->sentence.empty());
}

void TestEquivalence::aDifferenceHasItsParts() {
    const auto found = difference("def forward(self, x: \"f32[4][1]cpu\"):\n    a: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.full.default([2, 3], 1.5)\n"
                                  "    return (x, a)\n",
                                  "def forward(self, x: \"f32[4][1]cpu\"):\n    a: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.full.default([2, 3], 2.5)\n"
                                  "    return (x, a)\n");
    QVERIFY(found.has_value());
    QCOMPARE(found->where, std::string("output 1"));
    QCOMPARE(found->element, std::string("[0, 0]"));
    QCOMPARE(found->before, std::string("1.5"));
    QCOMPARE(found->after, std::string("2.5"));
    QCOMPARE(found->sentence, std::string("output 1 differs: element [0, 0] is 1.5 before and 2.5 after"));
}

void TestEquivalence::aDifferenceOfTheSecondCallIsFound() {
    // An attribute that is written shows at once as an input; one read twice shows when the graph is called again.
    const auto found = difference("def forward(self, x: \"f32[4][1]cpu\"):\n    w: \"f32[4][1]cpu\" = self.w\n"
                                  "    add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(w, x)\n    return (add,)\n",
                                  "def forward(self, x: \"f32[4][1]cpu\"):\n    w: \"f32[4][1]cpu\" = self.w\n"
                                  "    add: \"f32[4][1]cpu\" = torch.ops.aten.add_.Tensor(w, x)\n"
                                  "    c = torch.ops.aten.clone.default(add)\n    return (c,)\n");
    QVERIFY(found.has_value());
    QCOMPARE(found->kind, Difference::Kind::input_value);
}

void TestEquivalence::refusesMoreThanTheMemoryLimit() {
    const Program program = read("def forward(self, x: \"f32[4][1]cpu\"):\n    e: \"f32[100000, 4][4, 1]cpu\" = "
                                 "torch.ops.aten.full.default([100000, 4], 1.0)\n    return (e,)\n");
    RunOptions options;
    const auto inputs = RunInputs::make(program, 0, options);
    QVERIFY(inputs.has_value());
    options.memory_limit = 1'000'000;
    const auto refused = compare_by_running(program, 0, program.graphs[0].graph, *inputs, options);
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().place, std::string("%e"));
    QVERIFY(refused.error().reason.find("1600000 bytes") != std::string::npos);
}

void TestEquivalence::nothingIsDoneBesideComputing_data() {
    QTest::addColumn<QByteArray>("call");
    QTest::addColumn<QByteArray>("reason");
    const auto row = [](const char* call, const char* reason) {
        QTest::newRow(call) << QByteArray(call) << QByteArray(reason);
    };
    row("torch.ops.aten.from_file.default('FILE', True, 4)", "a graph may not open files");
    row("torch.ops.aten.from_file.out('FILE', True, 4, out = x)", "a graph may not open files");
    row("torch.ops.aten.save.default(x, 'FILE')", "this LibTorch has no operator aten.save.default");
    row("torch.ops.aten._print.default('text')", "a graph may not print");
    row("torch.from_file('FILE', True, 4)", "torch.from_file cannot be run");
    row("torch.load('FILE')", "torch.load cannot be run");
    row("os.system('touch FILE')", "os.system cannot be run");
    row("x.numpy()", "calls of methods and modules cannot be run; only operators can");
}

void TestEquivalence::nothingIsDoneBesideComputing() {
    QFETCH(QByteArray, call);
    QFETCH(QByteArray, reason);
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("made"));
    const QByteArray text = "def forward(self, x: \"f32[4][1]cpu\"):\n    a = " + call.replace("FILE", file.toUtf8()) +
                            "\n    return (x,)\n";
    const Program program = read(text.constData());
    const auto inputs = RunInputs::make(program, 0, {});
    QVERIFY(inputs.has_value());
    const auto comparison = compare_by_running(program, 0, program.graphs[0].graph, *inputs, {});
    QVERIFY(comparison.has_value());
    QVERIFY(comparison->cannot_run.has_value());
    QVERIFY2(QByteArray::fromStdString(comparison->cannot_run->message()).endsWith(reason),
             comparison->cannot_run->message().c_str());
    QVERIFY(!QFile::exists(file));
}

void TestEquivalence::randomProgramsRun() {
    int run = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Program program = random_program(seed);
        const auto inputs = RunInputs::make(program, 0, {});
        QVERIFY2(inputs.has_value(), inputs ? "" : inputs.error().message().c_str());
        const auto comparison = compare_by_running(program, 0, program.graphs[0].graph, *inputs, {});
        QVERIFY2(comparison.has_value(), comparison ? "" : comparison.error().message().c_str());
        if (comparison->cannot_run) {
            qInfo("seed %d: %s", int(seed), comparison->cannot_run->message().c_str());
            continue;
        }
        ++run;
        if (comparison->difference) QFAIL((comparison->difference->sentence + "\n" + print_fx(program.graphs[0].graph)).c_str());
    }
    QVERIFY2(run >= 490, qPrintable(QString::number(run) + " of 500 run"));
}

void TestEquivalence::shrinkingKeepsTheFault() {
    const auto has_two_adds = [](const Program& program) {
        int adds = 0;
        for (const NodeId id : program.graphs[0].graph) adds += program.graphs[0].graph.node(id).target == "torch.ops.aten.add.Tensor";
        return adds >= 2;
    };
    std::uint64_t seed = 0;
    while (!has_two_adds(random_program(seed))) ++seed;
    const Program large = random_program(seed), small = shrink(large, has_two_adds);
    QVERIFY(has_two_adds(small));
    QVERIFY2(small.graphs[0].graph.size() * 2 <= large.graphs[0].graph.size(), print_fx(small.graphs[0].graph).c_str());
    for (const NodeId id : small.graphs[0].graph)
        QVERIFY2(small.graphs[0].graph.node(id).opcode != Opcode::call_function || small.graphs[0].graph.has_users(id) ||
                     small.graphs[0].graph.node(id).target == "torch.ops.aten.add.Tensor",
                 "a node that nothing needs is left");
}

QTEST_APPLESS_MAIN(TestEquivalence)
#include "test_equivalence.moc"
