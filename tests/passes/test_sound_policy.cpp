#include <QtTest>

#include <map>

#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/session.h"
#include "tests/random_programs/random_program.h"
#include "tests/random_programs/run_policy.h"

using namespace inspector;

namespace {

/// How many programs a run tries; a long run sets INSPECTOR_RANDOM_PROGRAMS.
std::uint64_t program_count() {
    bool given = false;
    const int count = qEnvironmentVariableIntValue("INSPECTOR_RANDOM_PROGRAMS", &given);
    return given ? std::uint64_t(count) : 2000;
}

PolicyOutcome run(const Program& program, const char* policy) {
    return run_policy(program, {.policy = policy, .first = {}, .choices = {}, .donated = {}});
}

QByteArray report(const Program& program, const char* policy) {
    const Program small = shrink(program, [&](const Program& p) { return run(p, policy).difference.has_value(); });
    const PolicyOutcome outcome = run(small, policy);
    return QByteArray::fromStdString(outcome.difference->sentence + "\n" + print_fx(small.graphs[0].graph) + "\nbecame\n" + print_fx(outcome.graph));
}

Program read(const std::string& text) {
    auto program = read_fx_text(text);
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

} // namespace

class TestSoundPolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomProgramsStayEqual_data();
    void randomProgramsStayEqual();
    void reinplacesAtLeastAsMuchAsUpstreamWhereThatIsRight();
    void upstreamsFaultsAreFound();
    void steppingBackRestoresPlacements();
    void buffersThatShareMemory();
    void cases_data();
    void cases();
    void asStridedBeyondInputs();
    void unknownOperatorsMayReturnViews();
};

void TestSoundPolicy::randomProgramsStayEqual_data() {
    QTest::addColumn<bool>("mutating");
    QTest::addColumn<bool>("training");
    QTest::addColumn<bool>("unit_sizes");
    QTest::newRow("functional") << false << false << false;
    QTest::newRow("mutating") << true << false << false;
    QTest::newRow("training") << true << true << false;
    QTest::newRow("dimensions of size 1") << false << false << true;
}

void TestSoundPolicy::randomProgramsStayEqual() {
    QFETCH(bool, mutating);
    QFETCH(bool, training);
    QFETCH(bool, unit_sizes);
    std::size_t ran = 0, reinplaced = 0;
    for (std::uint64_t seed = 1; seed <= program_count(); ++seed) {
        const Program program = random_program(seed, {.operations = int(4 + seed % 40), .mutating = mutating, .training = training, .unit_sizes = unit_sizes});
        const PolicyOutcome outcome = run(program, "sound");
        ran += outcome.ran;
        reinplaced += outcome.reinplaced;
        QVERIFY(verify(outcome.graph).empty());
        if (outcome.difference) QFAIL(("seed " + QByteArray::number(qulonglong(seed)) + ": " + report(program, "sound")).constData());
    }
    QVERIFY(ran * 100 >= program_count() * 95);
    QVERIFY(reinplaced > program_count());
}

void TestSoundPolicy::reinplacesAtLeastAsMuchAsUpstreamWhereThatIsRight() {
    std::size_t upstream = 0, sound = 0, programs = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        const Program program = random_program(seed, {.operations = int(4 + seed % 40)});
        const PolicyOutcome theirs = run(program, "torch-fx");
        if (!theirs.ran || theirs.difference) continue;
        ++programs;
        upstream += theirs.reinplaced;
        sound += run(program, "sound").reinplaced;
    }
    qInfo("%d programs: torch-fx reinplaces %d ops, sound %d", int(programs), int(upstream), int(sound));
    QVERIFY(sound >= upstream);
}

void TestSoundPolicy::upstreamsFaultsAreFound() {
    // Newly shared outputs are the rarest: go on until every kind was seen.
    std::map<std::string, int> kinds;
    for (std::uint64_t seed = 1; seed <= 4000 && kinds.size() < 4; ++seed) {
        const Program program = random_program(seed, {.operations = int(4 + seed % 40)});
        if (const auto difference = run(program, "torch-fx").difference) ++kinds[std::string(text_id(difference->kind))];
    }
    for (const auto& [kind, count] : kinds) qInfo("%s: %d", kind.c_str(), count);
    for (const char* kind : {"output_value", "fails_to_run", "output_strides", "output_aliasing"})
        QVERIFY2(kinds[kind] > 0, kind);
}

void TestSoundPolicy::steppingBackRestoresPlacements() {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Program program = random_program(seed, {.operations = 30});
        auto session = ReinplaceSession::start(program.graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
        (*session)->run_to_end();
        const std::string expected = print_fx((*session)->graph());
        const auto count = std::uint32_t((*session)->decision_nodes().size());
        for (std::uint32_t place = count; place-- > 0;) {
            (*session)->run_to(place);
            if (place % 5 == 0) {
                (*session)->run_to_end();
                QCOMPARE(print_fx((*session)->graph()), expected);
                (*session)->run_to(place);
            }
        }
        QCOMPARE(print_fx((*session)->graph()), print_fx(program.graphs[0].graph));
    }
}

void TestSoundPolicy::buffersThatShareMemory() {
    // b = base[:6], v = base[2:]; (b + x).copy_ into b, while v is read.
    const auto program = read_program(TEST_DATA "/pt2/overlapping-buffers.pt2");
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    const Graph& graph = program->graphs[0].graph;
    auto session = ReinplaceSession::start(program->graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    QVERIFY((*session)->facts().storages(graph.find("b_b")) == (*session)->facts().storages(graph.find("b_v")));
    (*session)->run_to_end();
    for (const Decision& decision : (*session)->decisions()) QVERIFY(!is_rewritten(decision));
    const Verification verification = verify_rewrite(*program, 0, {.policy = "sound", .first = {}, .choices = {}, .donated = {}}, {});
    QVERIFY2(verification.answer == Verification::Answer::equal, verification.detail.c_str());
}

void TestSoundPolicy::cases_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("expected"); // "node=verdict/check", space-separated
    const QByteArray head = "def forward(self, x: \"f32[4, 4][4, 1]cpu\", k: \"f32[4, 1][1, 1]cpu\"):\n"
                            "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n";
    QTest::newRow("disjoint halves") << head + "    a: \"f32[4, 2][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 1, 0, 2)\n"
                                               "    b: \"f32[4, 2][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 1, 2, 4)\n"
                                               "    n: \"f32[4, 2][2, 1]cpu\" = torch.ops.aten.neg.default(a)\n"
                                               "    m: \"f32[4, 2][2, 1]cpu\" = torch.ops.aten.mul.Tensor(n, b)\n    return (m,)\n"
                                     << QByteArray("n=reinplaced/inplace_variant");
    QTest::newRow("operand overlaps") << head + "    t: \"f32[4, 4][1, 4]cpu\" = torch.ops.aten.t.default(c)\n"
                                                "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(c, t)\n    return (a,)\n"
                                      << QByteArray("a=kept/argument_alias");
    QTest::newRow("self twice, element by element") << head + "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(c, c)\n    return (a,)\n"
                                                    << QByteArray("a=reinplaced/inplace_variant");
    QTest::newRow("cache update written early") << head + "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.slice_scatter.default(x, k, 1, 2, 3)\n"
                                                          "    y: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(s, [1])\n"
                                                          "    w: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, s)\n    return (y, c)\n"
                                                << QByteArray("s=scatter_to_copy/scatter w=deleted/redundant_write");
    QTest::newRow("an old input is still read") << head + "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.slice_scatter.default(x, k, 1, 2, 3)\n"
                                                          "    y: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(x, [1])\n"
                                                          "    w: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, s)\n    return (y, c)\n"
                                                << QByteArray("s=kept/later_use w=kept/input_alias");
    QTest::newRow("both returned") << head + "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(c)\n"
                                             "    r: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 0)\n    return (n, r)\n"
                                   << QByteArray("n=kept/later_use");
    QTest::newRow("disjoint but both returned") << head + "    a: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 0)\n"
                                                          "    b: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 1)\n"
                                                          "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(a)\n    return (n, b)\n"
                                                << QByteArray("n=kept/output_alias");
    QTest::newRow("strides of a result") << head + "    a: \"f32[4, 2][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 1, 0, 2)\n"
                                                   "    n: \"f32[4, 2][2, 1]cpu\" = torch.ops.aten.neg.default(a)\n    return (n,)\n"
                                         << QByteArray("n=kept/result_layout");
    QTest::newRow("strides of a returned dimension of size 1")
        << QByteArray("def forward(self, x: \"f32[5][1]cpu\"):\n"
                      "    a: \"f32[5][1]cpu\" = torch.ops.aten.exp.default(x)\n"
                      "    b: \"f32[1][2]cpu\" = torch.ops.aten.slice.Tensor(a, 0, 1, 3, 2)\n"
                      "    n: \"f32[1][1]cpu\" = torch.ops.aten.neg.default(b)\n    return (n,)\n")
        << QByteArray("n=kept/result_layout");
    QTest::newRow("strides of a dimension of size 1 that nobody sees")
        << QByteArray("def forward(self, x: \"f32[5][1]cpu\"):\n"
                      "    a: \"f32[5][1]cpu\" = torch.ops.aten.exp.default(x)\n"
                      "    b: \"f32[1][2]cpu\" = torch.ops.aten.slice.Tensor(a, 0, 1, 3, 2)\n"
                      "    n: \"f32[1][1]cpu\" = torch.ops.aten.neg.default(b)\n"
                      "    s: \"f32[][]cpu\" = torch.ops.aten.sum.default(n)\n    return (s,)\n")
        << QByteArray("n=reinplaced/inplace_variant");
    QTest::newRow("hardtanh keeps the stride of a dimension of size 1, neg does not")
        << QByteArray("def forward(self, x: \"f32[5][1]cpu\"):\n"
                      "    b: \"f32[1][2]cpu\" = torch.ops.aten.slice.Tensor(x, 0, 1, 3, 2)\n"
                      "    h: \"f32[1][1]cpu\" = torch.ops.aten.hardtanh.default(b)\n"
                      "    n: \"f32[1][1]cpu\" = torch.ops.aten.neg.default(h)\n    return (n,)\n")
        << QByteArray("h=kept/input_alias n=kept/result_layout");
    QTest::newRow("a tensor without elements")
        << QByteArray("def forward(self, x: \"f32[2, 1, 3][3, 3, 1]cpu\"):\n"
                      "    c: \"f32[2, 1, 3][3, 3, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                      "    s: \"f32[0, 1, 3][3, 3, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 0, 0)\n"
                      "    m: \"f32[0, 1, 3][3, 3, 1]cpu\" = torch.ops.aten.mul.Tensor(s, 3.0)\n    return (m,)\n")
        << QByteArray("m=kept/result_layout");
    QTest::newRow("a matrix product with other strides")
        << QByteArray("def forward(self, x: \"f32[4, 4][1, 4]cpu\", k: \"f32[4, 4][4, 1]cpu\"):\n"
                      "    c: \"f32[4, 4][1, 4]cpu\" = torch.ops.aten.clamp.default(x, -1.0, 1.0)\n"
                      "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.addmm.default(c, x, k)\n"
                      "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(a)\n    return (n,)\n")
        << QByteArray("a=kept/result_layout n=reinplaced/inplace_variant");
    QTest::newRow("scatter of another value") << head + "    a: \"f32[4][1]cpu\" = torch.ops.aten.select.int(c, 0, 0)\n"
                                                        "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(a)\n"
                                                        "    z: \"f32[4][1]cpu\" = torch.ops.aten.cos.default(n)\n"
                                                        "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.select_scatter.default(c, n, 0, 0)\n    return (s, z)\n"
                                              << QByteArray("n=reinplaced/inplace_variant z=kept/later_use s=deleted/redundant_write");
    const QByteArray two_overwrites = "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(x)\n"
                                      "    w: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, n)\n";
    QTest::newRow("the input is overwritten again") << head + two_overwrites +
                                                           "    v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, k)\n"
                                                           "    r: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(n, [1])\n    return (r, c)\n"
                                                    << QByteArray("n=kept/input_alias");
    QTest::newRow("the input is written again") << head + two_overwrites +
                                                       "    v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add_.Tensor(x, 1)\n"
                                                       "    r: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(n, [1])\n    return (r, c)\n"
                                                << QByteArray("n=kept/input_alias");
    QTest::newRow("the result is written after it became the input") << head + two_overwrites +
                                                                            "    v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add_.Tensor(n, 1)\n"
                                                                            "    r: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(n, [1])\n    return (r, c)\n"
                                                                     << QByteArray("n=kept/input_alias");
    QTest::newRow("a scatter is read after its base was overwritten")
        << head + "    s: \"f32[4][1]cpu\" = torch.ops.aten.select.int(x, 0, 3)\n"
                  "    n: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(s)\n"
                  "    t: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.select_scatter.default(x, n, 0, 3)\n"
                  "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(t, n)\n"
                  "    w: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, a)\n"
                  "    y: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(x, [1])\n"
                  "    v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.copy_.default(x, t)\n    return (y, c)\n"
        << QByteArray("t=kept/input_alias");
    QTest::newRow("a tensor is given other memory") << head + "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(c, 2)\n"
                                                              "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.set_.source_Tensor(c, a)\n"
                                                              "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(a)\n"
                                                              "    m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.cos.default(c)\n    return (n, m)\n"
                                                    << QByteArray("a=kept/input_alias n=kept/input_alias m=kept/input_alias");
    QTest::newRow("a tensor gets another layout, and is used under its old name")
        << head + "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(c, 2)\n"
                  "    u: \"f32[1, 4, 4][16, 4, 1]cpu\" = torch.ops.aten.unsqueeze_.default(a, 0)\n"
                  "    m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(a)\n"
                  "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.cos.default(m)\n    return (n, c)\n"
        << QByteArray("m=kept/input_alias n=kept/input_alias");
    QTest::newRow("the result gets another layout, and self is asked for its sizes")
        << head + "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(c, 2)\n"
                  "    m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.sin.default(a)\n"
                  "    u: \"f32[1, 4, 4][16, 4, 1]cpu\" = torch.ops.aten.unsqueeze_.default(m, 0)\n"
                  "    z: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.zeros_like.default(a)\n    return (u, z, c)\n"
        << QByteArray("m=kept/input_alias");
    QTest::newRow("an operator returns its operand and does not say so")
        << head + "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(c)\n"
                  "    d: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.data.default(a)\n"
                  "    w: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.exp.default(a)\n"
                  "    z: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(w, d)\n    return (z, c)\n"
        << QByteArray("w=kept/input_alias");
    QTest::newRow("a kernel refuses self as an operand, though it has no elements")
        << head + "    m: \"i64[0][1]cpu\" = torch.ops.aten.arange.default(0)\n"
                  "    e: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 0, 0)\n"
                  "    a: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.neg.default(e)\n"
                  "    b: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.index_put.default(a, [m], a)\n    return (b, c)\n"
        << QByteArray("b=kept/argument_alias");
    QTest::newRow("a scatter whose result is detached in place, and that nobody needs")
        << head + "    v: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 1, 3)\n"
                  "    s: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice_scatter.default(v, v, 0, 0, 2)\n"
                  "    d: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.detach_.default(s)\n    return (d, c)\n"
        << QByteArray("s=kept/input_alias");
    QTest::newRow("a result that is detached in place, of a view and of a whole tensor")
        << head + "    v: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 1, 3)\n"
                  "    n: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.neg.default(v)\n"
                  "    d: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.detach_.default(n)\n"
                  "    e: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.exp.default(x)\n"
                  "    m: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(e, 2)\n"
                  "    f: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.detach_.default(m)\n    return (d, f)\n"
        << QByteArray("n=kept/input_alias m=reinplaced/inplace_variant");
    QTest::newRow("a scatter whose result gets another layout")
        << head + "    v: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 1, 3)\n"
                  "    s: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.slice_scatter.default(v, v, 0, 0, 2)\n"
                  "    u: \"f32[1, 2, 4][8, 4, 1]cpu\" = torch.ops.aten.unsqueeze_.default(s, 0)\n"
                  "    z: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.zeros_like.default(v)\n    return (u, z)\n"
        << QByteArray("s=kept/input_alias");
    QTest::newRow("an operator in place refuses self as an operand, though it has no elements")
        << head + "    e: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.new_empty.default(x, [0, 4])\n"
                  "    i: \"i64[0, 4][4, 1]cpu\" = torch.ops.aten.zeros_like.default(e, dtype = torch.int64)\n"
                  "    n: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.neg.default(e)\n"
                  "    a: \"f32[0, 4][4, 1]cpu\" = torch.ops.aten.scatter_add_.default(e, 0, i, n)\n    return (a, c)\n"
        << QByteArray("n=kept/later_use");
    QTest::newRow("a scatter into a part of the input")
        << head + "    f: \"f32[2][1]cpu\" = torch.ops.aten.slice.Tensor(c, 1, 0, 2)\n"
                  "    g: \"f32[2][1]cpu\" = torch.ops.aten.select.int(f, 0, 0)\n"
                  "    s: \"f32[4, 1][1, 1]cpu\" = torch.ops.aten.as_strided_scatter.default(k, g, [2], [1], 2)\n"
                  "    w: \"f32[4, 1][1, 1]cpu\" = torch.ops.aten.copy_.default(k, s)\n    return ()\n"
        << QByteArray("s=scatter_to_copy/scatter w=deleted/redundant_write");
    for (const char* call : {"atleast_1d.default(v)", "type_as.default(v, k)", "einsum.default('ij->ij', [v])", "conj_physical.default(v)"})
        QTest::addRow("%s is a view of a lazily negated one", call)
            << head + "    v: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten._neg_view.default(c)\n    r = torch.ops.aten." + call +
                      "\n    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Scalar(c, 2)\n    return (n, r)\n"
            << QByteArray("n=kept/later_use");
    QTest::newRow("a copy to the same device is one")
        << head + "    d: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten._to_copy.default(c, device = device(type='cpu'))\n"
                  "    n: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Scalar(c, 2)\n    return (n, d)\n"
        << QByteArray("n=reinplaced/inplace_variant");
    QTest::newRow("an input is conjugated through a view of itself")
        << QByteArray("def forward(self, x: \"c64[4][1]cpu\"):\n    v: \"c64[4][1]cpu\" = torch.ops.aten._conj.default(x)\n"
                      "    w: \"c64[4][1]cpu\" = torch.ops.aten.copy_.default(x, v)\n    return ()\n")
        << QByteArray("w=kept/input_alias");
    for (const char* name : {"maximum", "minimum"})
        QTest::addRow("%s of zeros of both signs", name)
            << QByteArray("def forward(self, x: \"f32[16, 2][2, 1]cpu\"):\n"
                          "    c: \"f32[16, 2][2, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                          "    v: \"f32[16][2]cpu\" = torch.ops.aten.select.int(c, 1, 0)\n"
                          "    r: \"f32[16][1]cpu\" = torch.ops.aten.fill.Scalar(v, 0.0)\n"
                          "    y: \"f32[16][1]cpu\" = torch.ops.aten.full.default([16], -0.0, dtype = torch.float32)\n"
                          "    m: \"f32[16][1]cpu\" = torch.ops.aten.") + name + ".default(r, y)\n"
                          "    d: \"f32[16][1]cpu\" = torch.ops.aten.reciprocal.default(m)\n    return (d,)\n"
            << QByteArray("r=kept/result_layout d=reinplaced/inplace_variant");
    QTest::newRow("complex zeros are negated otherwise in vectorised loops")
        << QByteArray("def forward(self, x: \"c64[16, 2][2, 1]cpu\"):\n"
                      "    c: \"c64[16, 2][2, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                      "    v: \"c64[16][2]cpu\" = torch.ops.aten.select.int(c, 1, 0)\n"
                      "    r: \"c64[16][1]cpu\" = torch.ops.aten.fill.Scalar(v, -2.0)\n"
                      "    n: \"c64[16][1]cpu\" = torch.ops.aten.neg.default(r)\n    return (n,)\n")
        << QByteArray("r=kept/result_layout n=reinplaced/inplace_variant");
    QTest::newRow("the input would be written through a scatter")
        << head + "    d: \"f32[4][5]cpu\" = torch.ops.aten.diagonal.default(x)\n"
                  "    s: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.diagonal_scatter.default(x, d)\n"
                  "    r: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.relu_.default(s)\n    return (c,)\n"
        << QByteArray("s=kept/input_alias");
}

/// Not run: made-up inputs have no memory beyond themselves.
void TestSoundPolicy::asStridedBeyondInputs() {
    const auto verdicts = [](const char* body) {
        const Program program = read(std::string("def forward(self, x: \"f32[4][1]cpu\", k: \"f32[6][1]cpu\"):\n") + body);
        auto session = ReinplaceSession::start(program.graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {"x"}});
        (*session)->run_to_end();
        QStringList found;
        for (const Decision& decision : (*session)->decisions())
            found << QString::fromStdString(std::string(text_id(decision.verdict)) + "/" + std::string(text_id(decision.reason)));
        return found;
    };
    QCOMPARE(verdicts("    r: \"f32[4][1]cpu\" = torch.ops.aten.as_strided_scatter.default(x, k, [6], [1], 0)\n"
                      "    w: \"f32[4][1]cpu\" = torch.ops.aten.copy_.default(x, r)\n    return ()\n"),
             (QStringList{"kept/foreign_storage", "kept/foreign_storage"}));
    QCOMPARE(verdicts("    v: \"f32[6][1]cpu\" = torch.ops.aten.as_strided.default(x, [6], [1], 0)\n"
                      "    r: \"f32[6][1]cpu\" = torch.ops.aten.ceil.default(v)\n    return ()\n"),
             (QStringList{"kept/numel", "kept/foreign_storage"}));
    QCOMPARE(verdicts("    v: \"f32[2][1]cpu\" = torch.ops.aten.as_strided.default(x, [2], [1], 2)\n"
                      "    r: \"f32[2][1]cpu\" = torch.ops.aten.ceil.default(v)\n    return ()\n")[1],
             "reinplaced/has_inplace_variant");
}

/// Its schema may say Tensor(a): nothing here knows.
void TestSoundPolicy::unknownOperatorsMayReturnViews() {
    const auto verdicts = [](const std::string& body) {
        const Program program = read(body);
        auto session = ReinplaceSession::start(program.graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
        (*session)->run_to_end();
        QStringList found;
        for (const Decision& decision : (*session)->decisions())
            found << QString::fromStdString(program.graphs[0].graph.node(decision.node).name) + "=" +
                         QString::fromStdString(plain_text(explain(**session, decision)));
        return found;
    };
    const std::string before = "def forward(self, x: \"f32[4][1]cpu\"):\n"
                               "    a: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(x)\n";
    const std::string after = "    c: \"f32[4][1]cpu\" = torch.ops.aten.exp.default(a)\n"
                              "    d: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(c, b)\n    return (d,)\n";
    QCOMPARE(verdicts(before + "    b: \"f32[4][1]cpu\" = torch.ops.mylib.foo.default(a)\n" + after)[2],
             "c=kept: %b may have returned a view of %a: nothing says that it does not");
    QVERIFY(verdicts(before + "    b: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(a)\n" + after)[2].startsWith("c=reinplaced"));
    // What the unknown operator returns is written: so would be what a superfluous scatter shares.
    QVERIFY(!verdicts("def forward(self, x: \"f32[4][1]cpu\"):\n"
                      "    c: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(x)\n"
                      "    v: \"f32[2][1]cpu\" = torch.ops.aten.slice.Tensor(c, 0, 1, 3)\n"
                      "    s: \"f32[2][1]cpu\" = torch.ops.aten.slice_scatter.default(v, v, 0, 0, 2)\n"
                      "    b: \"f32[2][1]cpu\" = torch.ops.mylib.foo.default(s)\n"
                      "    w: \"f32[2][1]cpu\" = torch.ops.aten.add_.Tensor(b, 1)\n"
                      "    z: \"f32[][]cpu\" = torch.ops.aten.sum.default(c)\n    return (z,)\n")[2].startsWith("s=deleted"));
    // What is written before it is called, it reads as it should.
    QVERIFY(verdicts(before + "    e: \"f32[4][1]cpu\" = torch.ops.aten.exp.default(a)\n"
                              "    b: \"f32[4][1]cpu\" = torch.ops.mylib.foo.default(e)\n    return (b,)\n")[1].startsWith("e=reinplaced"));
}

void TestSoundPolicy::cases() {
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, expected);
    const Program program = read(body.toStdString());
    auto session = ReinplaceSession::start(program.graphs[0], {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    (*session)->run_to_end();
    std::map<std::string, std::string> found;
    for (const Decision& decision : (*session)->decisions())
        found[program.graphs[0].graph.node(decision.node).name] = std::string(text_id(decision.verdict)) + "/" + std::string(text_id(decision.check));
    for (const QByteArray& pair : expected.split(' ')) {
        const auto parts = pair.split('=');
        QCOMPARE(QByteArray::fromStdString(found[parts[0].toStdString()]), parts[1]);
    }
    const Verification verification = verify_rewrite(program, 0, {.policy = "sound", .first = {}, .choices = {}, .donated = {}}, {});
    QVERIFY2(verification.answer == Verification::Answer::equal, verification.detail.c_str());
}

QTEST_APPLESS_MAIN(TestSoundPolicy)
#include "test_sound_policy.moc"
