#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/execution/equivalence.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/operators/operator_table.h"
#include "core/operators/verify_schema.h"
#include "core/passes/functionalize/explain_step.h"
#include "core/passes/functionalize/functionalize.h"
#include "core/passes/functionalize/round_trip.h"
#include "tests/random_programs/random_program.h"

using namespace inspector;

namespace {

/// How many programs a run tries; a long run sets INSPECTOR_RANDOM_PROGRAMS.
std::uint64_t program_count() {
    bool given = false;
    const int count = qEnvironmentVariableIntValue("INSPECTOR_RANDOM_PROGRAMS", &given);
    return given ? std::uint64_t(count) : 2000;
}

Program read(const std::string& text) {
    auto program = read_fx_text(text);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

Program read_file(const std::string& path) {
    auto program = read_program(path);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

std::vector<std::string> pair_names() {
    std::vector<std::string> names;
    for (const auto& folder : std::filesystem::directory_iterator(TEST_DATA "/pairs")) names.push_back(folder.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::size_t node_count(const Program& program) {
    std::size_t count = 0;
    for (const ProgramGraph& graph : program.graphs) count += graph.graph.size();
    return count;
}

/// The nodes that write, epilogue copies left out where they are meant to be there.
QByteArray writers(const Program& program, Epilogue epilogue) {
    QByteArray names;
    for (const ProgramGraph& graph : program.graphs) {
        for (const NodeId id : graph.graph) {
            const Node& node = graph.graph.node(id);
            const Operator* op = node.opcode == Opcode::call_function ? OperatorTable::instance().find(node.target) : nullptr;
            const bool is_meant = op && epilogue == Epilogue::copies && op->name == "aten::copy_" &&
                                  graph.graph.node(node.args[0].node()).opcode == Opcode::placeholder;
            if (op && op->is_mutable && !is_meant) names += QByteArray::fromStdString(node.name) + " ";
        }
    }
    return names;
}

/// Empty where a caller sees no difference, or the program does not run at all.
std::string difference(const Program& before, const Program& after) {
    const auto inputs = RunInputs::make(before, 0, {});
    if (!inputs) return inputs.error().message();
    const auto comparison = compare_programs(before, after, 0, *inputs, {});
    if (!comparison) return comparison.error().message();
    return comparison->difference ? comparison->difference->sentence : "";
}

bool runs(const Program& program) {
    const auto inputs = RunInputs::make(program, 0, {});
    if (!inputs) return false;
    const auto comparison = compare_programs(program, program, 0, *inputs, {});
    return comparison && !comparison->cannot_run;
}

struct There {
    std::unique_ptr<FunctionalizeSession> functional;
    std::unique_ptr<ReinplaceSession> reinplace;
};

/// Functional with copies at the end, and reinplaced by the policy sound.
There there_and_back(const Program& program, std::size_t graph = 0) {
    There there;
    there.functional = FunctionalizeSession::start(program, graph, {Epilogue::copies});
    there.functional->run_to_end();
    if (there.functional->refusal() != MutationRefusal::none) return there;
    auto session = ReinplaceSession::start(there.functional->result(), {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    if (!session) qFatal("%s", session.error().message().c_str());
    there.reinplace = std::move(*session);
    there.reinplace->run_to_end();
    return there;
}

/// What is wrong with a program's functional forms, and with reinplacing one; empty where nothing is.
std::string fault(const Program& program) {
    for (const Epilogue epilogue : {Epilogue::outputs, Epilogue::copies}) {
        const std::string form = epilogue == Epilogue::outputs ? "outputs: " : "copies: ";
        const auto functional = functionalize(program, 0, {epilogue});
        if (!functional) continue;
        if (const auto errors = verify(functional->graphs[0].graph); !errors.empty()) return form + errors.front().message();
        if (const auto errors = verify_schemas(functional->graphs[0].graph); !errors.empty()) return form + errors.front().message();
        if (const QByteArray names = writers(*functional, epilogue); !names.isEmpty()) return form + "still written by " + names.toStdString();
        if (const std::string found = difference(program, *functional); !found.empty()) return form + found;
    }
    const There there = there_and_back(program);
    if (!there.reinplace) return "";
    Program back = program;
    back.graphs[0] = there.functional->result();
    back.graphs[0].graph = there.reinplace->graph();
    const std::string found = difference(program, back);
    return found.empty() ? "" : "reinplaced: " + found;
}

QByteArray report(const Program& program, const std::string& found) {
    const std::string kind = found.substr(0, found.find(':'));
    const Program small = shrink(program, [&](const Program& p) { return fault(p).starts_with(kind); });
    std::string text = fault(small) + "\n" + print_fx(small.graphs[0].graph);
    if (const auto functional = functionalize(small, 0, {Epilogue::copies})) text += "\nbecame\n" + print_fx(functional->graphs[0].graph);
    return QByteArray::fromStdString(text);
}

const std::string head = "def forward(self, x: \"f32[4, 4][4, 1]cpu\", y: \"f32[4][1]cpu\"):\n";

} // namespace

class TestFunctionalize : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recordedPairs();
    void randomPrograms_data();
    void randomPrograms();
    void stepsGoForwardAndBack();
    void cases_data();
    void cases();
    void refusals_data();
    void refusals();
    void operatorsOfUnknownSchema();
    void recordsOfOneStep();
    void outputsThatShareMemory();
    void symbolicSizesAreKept();
    void narrowsOfSymbolicLength();
    void inputsOnOneStorage();
    void nestedGraphs();
    void roundTrip();
};

void TestFunctionalize::recordedPairs() {
    std::size_t ours = 0, recorded = 0;
    for (const std::string& name : pair_names()) {
        const std::string folder = TEST_DATA "/pairs/" + name;
        const Program training = read_file(folder + "/training.pt2"), reference = read_file(folder + "/functional.pt2");
        for (const Epilogue epilogue : {Epilogue::outputs, Epilogue::copies}) {
            const auto functional = functionalize(training, 0, {epilogue});
            QVERIFY2(functional, name.c_str());
            for (const ProgramGraph& graph : functional->graphs) QVERIFY(verify(graph.graph).empty());
            QCOMPARE(writers(*functional, epilogue), QByteArray());
            const std::string before = difference(training, *functional);
            QVERIFY2(before.empty(), (name + ": " + before).c_str());
            if (epilogue == Epilogue::copies) continue;
            const std::string other = difference(reference, *functional);
            QVERIFY2(other.empty(), (name + ", recorded: " + other).c_str());
            const auto& specs = functional->graphs[0].signature->outputs;
            const auto& wanted = reference.graphs[0].signature->outputs;
            QCOMPARE(specs.size(), wanted.size());
            std::map<std::string, OutputSpec::Kind> kinds, wanted_kinds;
            for (std::size_t i = 0; i < specs.size(); ++i) {
                if (specs[i].kind != OutputSpec::Kind::user_output) kinds[specs[i].target] = specs[i].kind;
                if (wanted[i].kind != OutputSpec::Kind::user_output) wanted_kinds[wanted[i].target] = wanted[i].kind;
            }
            QVERIFY2(kinds == wanted_kinds, name.c_str());
            ours += node_count(*functional);
            recorded += node_count(reference);
        }
    }
    qInfo("%d nodes, %d in the recorded graphs", int(ours), int(recorded));
    QVERIFY(ours > 0 && ours <= recorded);
}

void TestFunctionalize::randomPrograms_data() {
    QTest::addColumn<quint64>("first"); // each row has the time of a test function to itself
    for (quint64 first = 1; first <= program_count(); first += 500) QTest::addRow("from %llu", qulonglong(first)) << first;
}

void TestFunctionalize::randomPrograms() {
    QFETCH(quint64, first);
    const std::uint64_t end = std::min<std::uint64_t>(program_count(), first + 499), count = end - first + 1;
    std::size_t ran = 0, refused = 0, mutations = 0;
    for (std::uint64_t seed = first; seed <= end; ++seed) {
        const Program program = random_program(seed, {.operations = int(4 + seed % 40), .training = true});
        const auto session = FunctionalizeSession::start(program, 0, {});
        session->run_to_end();
        refused += session->refusal() != MutationRefusal::none;
        mutations += session->mutations().size();
        ran += seed % 20 == 0 && runs(program);
        if (const std::string found = fault(program); !found.empty())
            QFAIL(("seed " + QByteArray::number(qulonglong(seed)) + ": " + report(program, found)).constData());
    }
    qInfo("%d programs with %d mutations, %d refused", int(count), int(mutations), int(refused));
    QVERIFY(ran >= count / 20 * 4 / 5);
    QVERIFY(mutations > 2 * count);
    QVERIFY(refused * 50 <= count);
}

void TestFunctionalize::stepsGoForwardAndBack() {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Program program = random_program(seed, {.operations = 30, .training = true});
        const auto session = FunctionalizeSession::start(program, 0, {});
        QCOMPARE(session->position(), 0U);
        std::vector<std::string> texts;
        while (session->step()) {
            QVERIFY(verify(session->graph()).empty());
            texts.push_back(print_fx(session->graph()));
        }
        const std::string end = print_fx(session->graph());
        for (std::uint32_t place = session->position(); place-- > 1;) {
            QVERIFY(session->step_back());
            QCOMPARE(print_fx(session->graph()), texts[place - 1]);
        }
        session->restart();
        if (!session->mutations().empty()) QCOMPARE(print_fx(session->graph()), print_fx(program.graphs[0].graph));
        session->run_to_end();
        QCOMPARE(print_fx(session->graph()), end);
    }
}

void TestFunctionalize::cases_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("expected"); // targets of the functional calls, in order; epilogue copies
    QTest::newRow("nothing to do") << QByteArray("    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, 1)\n    return (a,)\n") << QByteArray("add");
    QTest::newRow("through a view") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    s = torch.ops.aten.select.int(c, 0, 1)\n"
                                                  "    a = torch.ops.aten.add_.Tensor(s, 1)\n    return (c,)\n")
                                    << QByteArray("clone select add select_scatter");
    QTest::newRow("through views of views") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    v = torch.ops.aten.view.default(c, [16])\n"
                                                          "    s = torch.ops.aten.slice.Tensor(v, 0, 2, 9)\n    a = torch.ops.aten.relu_.default(s)\n"
                                                          "    t = torch.ops.aten.t.default(c)\n    return (t,)\n")
                                            << QByteArray("clone view slice relu slice_scatter view t");
    QTest::newRow("beside what is read") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    s = torch.ops.aten.select.int(c, 0, 1)\n"
                                                       "    r = torch.ops.aten.select.int(c, 0, 2)\n    a = torch.ops.aten.add_.Tensor(s, 1)\n"
                                                       "    n = torch.ops.aten.neg.default(r)\n    return (n,)\n")
                                         << QByteArray("clone select neg");
    QTest::newRow("an input") << QByteArray("    a = torch.ops.aten.mul_.Tensor(x, 2)\n    b = torch.ops.aten.neg.default(x)\n    return (b,)\n")
                              << QByteArray("mul neg copy_");
    QTest::newRow("an input is returned") << QByteArray("    a = torch.ops.aten.mul_.Tensor(x, 2)\n    t = torch.ops.aten.t.default(x)\n    return (a, t)\n")
                                          << QByteArray("mul copy_ t");
    QTest::newRow("another type") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    a = torch.ops.aten.gt_.Scalar(c, 0)\n    return (c,)\n")
                                  << QByteArray("clone gt _to_copy");
    QTest::newRow("other strides") << QByteArray("    t: \"f32[4, 4][1, 4]cpu\" = torch.ops.aten.t.default(x)\n    c: \"f32[4, 4][1, 4]cpu\" = torch.ops.aten.clone.default(t)\n"
                                                 "    a = torch.ops.aten.triu_.default(c)\n    return (c,)\n")
                                   << QByteArray("t clone triu copy");
    QTest::newRow("pieces") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    u = torch.ops.aten.split.Tensor(c, 2)\n    p = u[0]\n    q = u[1]\n"
                                          "    a = torch.ops.aten.add_.Tensor(q, 1)\n    return (c, p)\n")
                            << QByteArray("clone split getitem add slice_scatter slice");
    QTest::newRow("a piece taken late") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    u = torch.ops.aten.unbind.int(c)\n"
                                                      "    a = torch.ops.aten.add_.Tensor(c, 1)\n    p = u[2]\n    n = torch.ops.aten.neg.default(p)\n    return (n,)\n")
                                        << QByteArray("clone add select neg");
    QTest::newRow("out=") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    a = torch.ops.aten.mul.out(x, 2, out = c)\n    return (c,)\n")
                          << QByteArray("mul");
    QTest::newRow("two results out=") << QByteArray("    c = torch.ops.aten.clone.default(y)\n    i = torch.ops.aten.zeros.default([4], dtype = torch.int64)\n"
                                                    "    m = torch.ops.aten.max.dim_max(x, 0, max = c, max_values = i)\n    v = m[0]\n    return (v, i)\n")
                                      << QByteArray("max getitem getitem");
    QTest::newRow("foreach") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    d = torch.ops.aten.clone.default(y)\n"
                                           "    f = torch.ops.aten._foreach_mul_.Scalar([c, d], 2)\n    return (c, d)\n")
                             << QByteArray("clone clone _foreach_mul getitem getitem");
    QTest::newRow("noise") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    n = torch.ops.aten.zeros_like.default(x)\n"
                                         "    r = torch.ops.aten.rrelu_with_noise_.default(c, n, 0.1, 0.3, True)\n    return (r, n)\n")
                           << QByteArray("clone zeros_like rrelu_with_noise_functional getitem getitem");
    QTest::newRow("squeeze_") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    u = torch.ops.aten.unsqueeze_.default(c, 0)\n"
                                            "    a = torch.ops.aten.add_.Tensor(c, 1)\n    return (c,)\n")
                              << QByteArray("clone unsqueeze add");
    QTest::newRow("an expanded piece") << QByteArray("    c = torch.ops.aten.clone.default(y)\n    e = torch.ops.aten.expand.default(c, [2, 4])\n"
                                                     "    s = torch.ops.aten.select.int(e, 0, 1)\n    a = torch.ops.aten.add_.Tensor(s, 1)\n    return (c,)\n")
                                       << QByteArray("clone expand select add as_strided_scatter");
    QTest::newRow("complex parts") << QByteArray("    c = torch.ops.aten.complex.default(x, x)\n    i = torch.ops.aten.imag.default(c)\n"
                                                 "    a = torch.ops.aten.zero_.default(i)\n    return (c,)\n")
                                   << QByteArray("complex imag zero view_as_real select_scatter view_as_complex");
    QTest::newRow("a conjugate's imaginary part")
        << QByteArray("    c = torch.ops.aten.complex.default(x, x)\n    j = torch.ops.aten._conj.default(c)\n    i = torch.ops.aten.imag.default(j)\n"
                      "    a = torch.ops.aten.add_.Tensor(i, 1)\n    v = torch.ops.aten.view_as_real.default(c)\n    n = torch.ops.aten.neg.default(i)\n    return (v, n)\n")
        << QByteArray("complex _conj imag add _neg_view _conj view_as_real select_scatter view_as_complex _conj _conj view_as_real "
                      "_conj view_as_real select _neg_view neg");
    QTest::newRow("a conjugate's real part")
        << QByteArray("    c = torch.ops.aten.complex.default(x, x)\n    j = torch.ops.aten._conj.default(c)\n    i = torch.ops.aten.real.default(j)\n"
                      "    a = torch.ops.aten.add_.Tensor(c, 1)\n    n = torch.ops.aten.neg.default(i)\n    return (n,)\n")
        << QByteArray("complex add _conj _conj view_as_real select neg");
    QTest::newRow("a conjugated transpose")
        << QByteArray("    c = torch.ops.aten.complex.default(x, x)\n    h = torch.ops.aten.mH.default(c)\n    s = torch.ops.aten.select.int(h, 0, 1)\n"
                      "    a = torch.ops.aten.mul_.Tensor(s, 2j)\n    v = torch.ops.aten.view_as_real.default(c)\n    return (v,)\n")
        << QByteArray("complex mH select mul select_scatter mH copy view_as_real");
    QTest::newRow("a narrow from the end") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    n = torch.ops.aten.narrow.default(c, -1, -2, 2)\n"
                                                         "    a = torch.ops.aten.add_.Tensor(n, 1)\n    return (c,)\n")
                                           << QByteArray("clone narrow add slice_scatter");
    QTest::newRow("calls that return what they are given") << QByteArray("    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.to.dtype(x, torch.float32)\n"
                                                                         "    b: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.contiguous.default(a)\n    return (b,)\n")
                                                           << QByteArray();
}

void TestFunctionalize::cases() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, expected);
    const Program program = read(head + body.toStdString());
    const auto functional = functionalize(program, 0, {Epilogue::copies});
    QVERIFY2(functional, functional ? "" : functional.error().message().c_str());
    QByteArrayList targets;
    for (const NodeId id : functional->graphs[0].graph) {
        const Node& node = functional->graphs[0].graph.node(id);
        if (node.opcode != Opcode::call_function) continue;
        const Operator* op = OperatorTable::instance().find(node.target);
        targets << (op ? QByteArray::fromStdString(op->name.substr(6)) : QByteArray("getitem"));
    }
    QCOMPARE(targets.join(' '), expected);
    QVERIFY(runs(program));
    const std::string found = fault(program);
    QVERIFY2(found.empty(), found.c_str());
}

void TestFunctionalize::refusals_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("refusal");
    QTest::newRow("overlap") << QByteArray("    c = torch.ops.aten.clone.default(y)\n    u = torch.ops.aten.unfold.default(c, 0, 2, 1)\n"
                                           "    a = torch.ops.aten.add_.Tensor(u, 1)\n    return (c,)\n") << QByteArray("overlaps_itself");
    QTest::newRow("resize") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    r = torch.ops.aten.resize_.default(c, [2])\n    return (r,)\n")
                            << QByteArray("changes_storage");
    QTest::newRow("set") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    r = torch.ops.aten.set_.source_Tensor(c, y)\n    return (c,)\n")
                         << QByteArray("changes_storage");
    QTest::newRow("an input's shape") << QByteArray("    r = torch.ops.aten.t_.default(x)\n    return (r,)\n") << QByteArray("changes_input_shape");
    QTest::newRow("a custom operator") << QByteArray("    r = torch.ops.mylib.scale_.default(x)\n    return (r,)\n") << QByteArray("unknown_operator");
    QTest::newRow("a custom operator without result")
        << QByteArray("    c = torch.ops.aten.clone.default(x)\n    u = torch.ops.mylib.update.default(c, y)\n    return (c,)\n") << QByteArray("unknown_effect");
    QTest::newRow("a method") << QByteArray("    r = x.add_(1)\n    return (r,)\n") << QByteArray("not_an_operator");
    QTest::newRow("a list with one tensor twice") << QByteArray("    c = torch.ops.aten.clone.default(x)\n    s = torch.ops.aten.select.int(c, 0, 1)\n"
                                                                "    f = torch.ops.aten._foreach_add_.Scalar([c, s], 1)\n    return (c,)\n")
                                                  << QByteArray("written_twice");
    QTest::newRow("out= of another size") << QByteArray("    c = torch.ops.aten.clone.default(y)\n    a = torch.ops.aten.mul.out(x, 2, out = c)\n    return (c,)\n")
                                          << QByteArray("other_size");
    QTest::newRow("instance norm") << QByteArray("    b: \"f32[1, 4, 4][16, 4, 1]cpu\" = torch.ops.aten.view.default(x, [1, 4, 4])\n    m = torch.ops.aten.clone.default(y)\n"
                                                 "    v = torch.ops.aten.clone.default(y)\n"
                                                 "    n = torch.ops.aten.instance_norm.default(b, None, None, m, v, True, 0.1, 1e-05, False)\n    return (n, m)\n")
                                   << QByteArray("no_functional_form");
}

void TestFunctionalize::refusals() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, refusal);
    const Program program = read(head + body.toStdString());
    const auto session = FunctionalizeSession::start(program, 0, {Epilogue::copies});
    session->run_to_end();
    QCOMPARE(QByteArray::fromStdString(std::string(text_id(session->refusal()))), refusal);
    QVERIFY(!session->at_end());
    QVERIFY(!session->step());
    const auto functional = functionalize(program, 0, {Epilogue::copies});
    QVERIFY(!functional);
    const std::string node = session->original().node(session->steps().back().node).name;
    QVERIFY2(functional.error().place.ends_with("%" + node), functional.error().place.c_str());
    QVERIFY(!functional.error().reason.empty());
}

void TestFunctionalize::operatorsOfUnknownSchema() {
    const auto effect = [](const std::string& call) {
        const auto functional = functionalize(read(head + "    c = torch.ops.aten.clone.default(x)\n    u = " + call + "\n    return (c,)\n"), 0, {});
        return functional ? QByteArray() : QByteArray::fromStdString(functional.error().message());
    };
    QCOMPARE(effect("torch.ops.mylib.update.default(c, [y, c], 2, by = x)"),
             QByteArray("graph root, %u: nothing is known of mylib.update.default, and nothing uses its result: it may write %c, %y or %x"));
    QCOMPARE(effect("torch.ops.mylib.log.default(2)"), QByteArray()); // it is given no tensor
    const Program used = read(head + "    r = torch.ops.mylib.rotate.default(x)\n    s = torch.ops.mylib.rotate.default(r)\n    return (s,)\n");
    QVERIFY(functionalize(used, 0, {}));
    QCOMPARE(taken_to_write_nothing(used, 0), std::vector<std::string>{"mylib.rotate.default"});
    // What begins with a functional graph does not begin with this one.
    QVERIFY(functional_form(used, 0));
    QVERIFY(!functional_form(read(head + "    u = torch.ops.mylib.update.default(x)\n    return (y,)\n"), 0));
}

void TestFunctionalize::recordsOfOneStep() {
    const Program program = read(head + "    c = torch.ops.aten.clone.default(x)\n    s = torch.ops.aten.select.int(c, 0, 1)\n"
                                        "    r = torch.ops.aten.select.int(c, 0, 2)\n    a = torch.ops.aten.add_.Tensor(s, 1)\n"
                                        "    n = torch.ops.aten.neg.default(c)\n    return (n, r)\n");
    const auto session = FunctionalizeSession::start(program, 0, {});
    QVERIFY(session->step());
    const Graph& graph = session->graph();
    const FunctionalizeStep& step = session->steps().front();
    QCOMPARE(step.target, std::string("aten.add_.Tensor"));
    QCOMPARE(step.functional_target, std::string("aten.add.Tensor"));
    QCOMPARE(step.written, std::vector{graph.find("s")});
    QCOMPARE(step.added.size(), std::size_t(1));
    QVERIFY(step.added[0].role == AddedRole::scatter);
    QCOMPARE(session->source_of(step.added[0].node), graph.find("a"));
    QCOMPARE(step.redirected.size(), std::size_t(1));
    QCOMPARE(step.redirected[0].user, graph.find("n"));
    QCOMPARE(step.redirected[0].from, graph.find("c"));
    QCOMPARE(step.redirected[0].to, step.added[0].node);
    std::map<std::string, std::pair<bool, bool>> aliases;
    for (const SeeingAlias& alias : session->aliases(0)) aliases[session->original().node(alias.node).name] = {alias.overlaps, alias.is_read_later};
    const std::map<std::string, std::pair<bool, bool>> expected{{"c", {true, true}}, {"s", {true, false}}, {"r", {false, true}}};
    QVERIFY(aliases == expected);
    QCOMPARE(QByteArray::fromStdString(plain_text(explain(*session, step))),
             QByteArray("aten.add_.Tensor on %s becomes aten.add.Tensor; %select_scatter writes it back; 1 node reads the new values"));
}

void TestFunctionalize::outputsThatShareMemory() {
    const Program program = read(head + "    c = torch.ops.aten.clone.default(x)\n    s = torch.ops.aten.select.int(c, 0, 1)\n"
                                        "    r = torch.ops.aten.select.int(c, 0, 2)\n    a = torch.ops.aten.add_.Tensor(s, 1)\n    return (a, r, c, x)\n");
    for (const Epilogue epilogue : {Epilogue::outputs, Epilogue::copies}) {
        const auto functional = functionalize(program, 0, {epilogue});
        QVERIFY(functional);
        QCOMPARE(difference(program, *functional), std::string());
    }
}

void TestFunctionalize::symbolicSizesAreKept() {
    const Program program = read("def forward(self, x: \"f32[s0, 4][4, 1]cpu\"):\n    c: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                 "    v: \"f32[4*s0][1]cpu\" = torch.ops.aten.view.default(c, [-1])\n"
                                 "    r: \"f32[4*s0][1]cpu\" = torch.ops.aten.relu_.default(v)\n    return (c,)\n");
    const auto functional = functionalize(program, 0, {});
    QVERIFY2(functional, functional ? "" : functional.error().message().c_str());
    const Graph& graph = functional->graphs[0].graph;
    const NodeId size = graph.find("sym_size"), back = graph.find("view");
    QVERIFY(size != no_node && back != no_node);
    QCOMPARE(annotation(graph.node(back).meta, {}), std::string("f32[s0, 4][4, 1]cpu"));
    for (const std::int64_t value : {3, 7}) {
        RunOptions options;
        options.sizes["s0"] = value;
        const auto inputs = RunInputs::make(program, 0, options);
        const auto comparison = compare_programs(program, *functional, 0, *inputs, options);
        QVERIFY(comparison && !comparison->cannot_run);
        QVERIFY2(!comparison->difference, comparison->difference ? comparison->difference->sentence.c_str() : "");
    }
}

void TestFunctionalize::narrowsOfSymbolicLength() {
    const auto narrowed = [](const std::string& arguments) {
        return read("def forward(self, x: \"f32[s0, 4][4, 1]cpu\"):\n    n: \"Sym(s0)\" = torch.ops.aten.sym_size.int(x, 0)\n"
                    "    c: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n    v: \"f32[s0, 4][4, 1]cpu\" = "
                    "torch.ops.aten.narrow.default(c, " + arguments + ")\n    a = torch.ops.aten.add_.Tensor(v, 1)\n    return (c,)\n");
    };
    const Program from_start = narrowed("0, 0, n");
    const auto functional = functionalize(from_start, 0, {});
    QVERIFY2(functional, functional ? "" : functional.error().message().c_str());
    QVERIFY(print_fx(functional->graphs[0].graph).find("slice_scatter.default](args = (%c, %a, 0, 0, %n)") != std::string::npos);
    for (const std::int64_t value : {3, 7}) {
        RunOptions options;
        options.sizes["s0"] = value;
        const auto inputs = RunInputs::make(from_start, 0, options);
        const auto comparison = compare_programs(from_start, *functional, 0, *inputs, options);
        QVERIFY(comparison && !comparison->cannot_run && !comparison->difference);
    }
    const auto elsewhere = functionalize(narrowed("0, 1, n"), 0, {});
    QVERIFY(!elsewhere);
    QCOMPARE(elsewhere.error().reason, std::string("aten.add_.Tensor writes through a narrow with a symbolic start or length, "
                                                   "which is written back only from start 0 on"));
}

void TestFunctionalize::inputsOnOneStorage() {
    Program program = read_file(TEST_DATA "/pt2/overlapping-buffers.pt2");
    Graph& graph = program.graphs[0].graph;
    const NodeId copy = graph.find("copy_"), first = graph.find("b_b"), second = graph.find("b_v");
    for (const NodeId written : {first, second}) {
        graph.replace_input(copy, graph.inputs(copy).front(), written);
        const auto functional = functionalize(program, 0, {});
        QVERIFY(!functional);
        QCOMPARE(functional.error().message(),
                 std::string("graph root, %copy_: aten.copy_.default writes an input whose memory another input has too"));
    }
}

void TestFunctionalize::nestedGraphs() {
    Program program = read_file(TEST_DATA "/pairs/nested-cond/training.pt2");
    const auto body = std::ranges::find(program.graphs, "true_graph_0", &ProgramGraph::id);
    QVERIFY(body != program.graphs.end());
    // relu(add(…)) on the body's own value, in place.
    const NodeId relu = body->graph.find("relu");
    body->graph.set_target(relu, "torch.ops.aten.relu_.default");
    auto functional = functionalize(program, 0, {});
    QVERIFY(functional);
    QCOMPARE(writers(*functional, Epilogue::outputs), QByteArray());
    QCOMPARE(difference(program, *functional), std::string());
    // On what it was given: no body can return that.
    const NodeId given = body->graph.placeholders().front();
    for (const NodeId input : body->graph.inputs(relu)) body->graph.replace_input(relu, input, given);
    functional = functionalize(program, 0, {});
    QVERIFY(!functional);
    QCOMPARE(functional.error().place, std::string("graph true_graph_0, %relu"));
}

void TestFunctionalize::roundTrip() {
    const Program program = read(head + "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                        "    s: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 1)\n"
                                        "    a: \"f32[4][1]cpu\" = torch.ops.aten.add_.Tensor(s, 1)\n"
                                        "    k: \"f32[4][1]cpu\" = torch.ops.aten.neg_.default(y)\n"
                                        "    d: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                        "    z: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.zero_.default(d)\n    return (c,)\n");
    const There there = there_and_back(program);
    const RoundTrip trip = round_trip(*there.functional, *there.reinplace);
    QCOMPARE(trip.mutations.size(), std::size_t(3));
    const auto outcome = [&](std::size_t i) { return std::string(text_id(trip.mutations[i].outcome)); };
    QCOMPARE(outcome(0), std::string("in_place"));
    QCOMPARE(outcome(1), std::string("in_place"));
    QCOMPARE(outcome(2), std::string("dead"));
    const Graph& source = there.functional->original();
    QCOMPARE(trip.rows.size(), source.size());
    std::size_t functional = 0, reinplaced = 0;
    for (const RoundTripRow& row : trip.rows) {
        functional += row.functional.size();
        reinplaced += row.reinplaced.size();
    }
    QCOMPARE(functional, there.functional->graph().size());
    QCOMPARE(reinplaced, there.reinplace->graph().size());

    for (const char* name : {"cnn-train", "cnn-eval", "buffer-cache-index", "buffer-counter", "input-mutated"}) {
        const Program model = read_file(std::string(TEST_DATA "/pairs/") + name + "/training.pt2");
        const There back = there_and_back(model);
        QVERIFY(back.reinplace);
        const RoundTrip found = round_trip(*back.functional, *back.reinplace);
        qInfo("%-20s %d mutations: %d in place, %d copied back, %d out of place, %d dead", name, int(found.mutations.size()),
              int(found.count(RoundTripOutcome::in_place)), int(found.count(RoundTripOutcome::copied_back)),
              int(found.count(RoundTripOutcome::out_of_place)), int(found.count(RoundTripOutcome::dead)));
        QCOMPARE(found.mutations.size(), back.functional->steps().size());
    }
    std::size_t all = 0;
    std::map<RoundTripOutcome, std::size_t> counts;
    for (const std::string& name : pair_names()) {
        if (!name.starts_with("mutating")) continue;
        const There back = there_and_back(read_file(TEST_DATA "/pairs/" + name + "/training.pt2"));
        const RoundTrip found = round_trip(*back.functional, *back.reinplace);
        all += found.mutations.size();
        for (const RoundTripMutation& mutation : found.mutations) ++counts[mutation.outcome];
    }
    qInfo("mutating-* %d mutations: %d in place, %d copied back, %d out of place, %d dead", int(all), int(counts[RoundTripOutcome::in_place]),
          int(counts[RoundTripOutcome::copied_back]), int(counts[RoundTripOutcome::out_of_place]), int(counts[RoundTripOutcome::dead]));
    QVERIFY(counts[RoundTripOutcome::in_place] * 2 > all - counts[RoundTripOutcome::dead]);
}

QTEST_APPLESS_MAIN(TestFunctionalize)
#include "test_functionalize.moc"
