// `sound` decides once for all sizes; what it made is run at many, the smallest among them.
#include <QtTest>

#include <algorithm>
#include <span>

#include "core/analysis/symbolic_region.h"
#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/range_effect.h"
#include "tests/random_programs/random_symbolic_program.h"
#include "tests/random_programs/run_policy.h"

using namespace inspector;

class TestSymbolicPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalAtEverySize();
    void conditionsTellWhereForcingIsRight();
    void unsqueezeOfNothing();
    void offsetsAreNotSamples();
};

namespace {

std::uint64_t programs(std::uint64_t usually) {
    bool given = false;
    const int asked = qEnvironmentVariableIntValue("INSPECTOR_RANDOM_PROGRAMS", &given);
    return given ? static_cast<std::uint64_t>(asked) : usually;
}

std::optional<Comparison> run_at(const Program& program, const Graph& rewritten, const SymbolValueMap& sizes) {
    RunOptions options;
    options.sizes = sizes;
    const auto inputs = RunInputs::make(program, 0, options);
    if (!inputs) qFatal("%s", inputs.error().message().c_str());
    const auto comparison = compare_by_running(program, 0, rewritten, *inputs, options);
    if (!comparison) qFatal("%s", comparison.error().message().c_str());
    return comparison->cannot_run ? std::nullopt : std::optional(*comparison);
}

std::unique_ptr<ReinplaceSession> decided(const Program& program, std::map<std::uint32_t, Choice> choices = {}) {
    auto session = ReinplaceSession::start(
        program.graphs[0], {.policy = "sound", .first = {}, .choices = std::move(choices), .donated = {}});
    (*session)->run_to_end();
    return std::move(*session);
}

QByteArray described(const Program& program, std::uint64_t seed, const std::string& what) {
    return QByteArray::fromStdString("seed " + std::to_string(seed) + ": " + what + "\n" +
                                     print_fx(program.graphs[0].graph));
}

} // namespace

void TestSymbolicPrograms::equalAtEverySize() {
    const std::vector<SymbolValueMap> sizes{{{"s0", 1}, {"s1", 1}}, {{"s0", 1}, {"s1", 4}}, {{"s0", 3}, {"s1", 1}},
                                            {{"s0", 2}, {"s1", 2}}, {{"s0", 4}, {"s1", 7}}, {{"s0", 9}, {"s1", 5}},
                                            {{"s0", 0}, {"s1", 0}}, {{"s0", 0}, {"s1", 1}}, {{"s0", 1}, {"s1", 0}},
                                            {{"s0", 0}, {"s1", 4}}, {{"s0", 3}, {"s1", 0}}};
    std::size_t rewrites = 0, refusals = 0, empty = 0;
    for (std::uint64_t seed = 1; seed <= programs(200); ++seed) {
        const Program program = random_symbolic_program(seed, int(6 + seed % 14));
        const auto session = decided(program);
        for (const Decision& decision : session->decisions()) {
            rewrites += is_rewritten(decision);
            refusals += decision.condition.has_value();
        }
        for (const SymbolValueMap& at : sizes) {
            if (at.at("s0") < *program.graphs[0].ranges[0].minimum) continue;
            const auto comparison = run_at(program, session->graph(), at);
            QVERIFY2(comparison, described(program, seed, "does not run").constData());
            empty += at.at("s0") == 0;
            if (comparison->difference)
                QFAIL(described(program, seed,
                                comparison->difference->sentence + " at s0=" + std::to_string(at.at("s0")) +
                                    ", s1=" + std::to_string(at.at("s1")))
                          .constData());
        }
    }
    qInfo("%zu rewrites, %zu refusals that depend on sizes", rewrites, refusals);
    QVERIFY(rewrites > programs(200));
    QVERIFY(refusals > programs(200) / 20);
    QVERIFY(empty > programs(200) / 20);
}

/// Where a refusal says "in place only if", the check that refused does not do so at the sizes it names: decided for
/// those alone, the node passes it.
void TestSymbolicPrograms::conditionsTellWhereForcingIsRight() {
    std::size_t asked = 0;
    for (std::uint64_t seed = 1; seed <= programs(200); ++seed) {
        const Program program = random_symbolic_program(seed, int(6 + seed % 14));
        const auto session = decided(program);
        const SizeOrder order = size_order(program.graphs[0]);
        for (const Decision& decision : session->decisions()) {
            if (!decision.condition) continue;
            for (const bool side : {true, false}) {
                const auto at = order.example(decision.condition->all, side);
                QVERIFY2(at, described(program, seed, "no example of " + decision.condition->text).constData());
                Program fixed = program;
                std::vector<SymbolRange> ranges;
                for (const auto& [symbol, value] : *at) ranges.push_back({symbol, value, value});
                set_ranges(fixed.graphs[0], ranges);
                const auto other = decided(fixed);
                // Where an earlier decision differs, this one is about another graph.
                const auto before = std::span(session->decisions()).first(decision.index);
                const bool is_same_graph =
                    std::ranges::equal(before, std::span(other->decisions()).first(decision.index), {},
                                       &Decision::new_target, &Decision::new_target) &&
                    std::ranges::equal(before, std::span(other->decisions()).first(decision.index), {},
                                       &Decision::verdict, &Decision::verdict);
                if (!is_same_graph) continue;
                const Decision& now = other->decisions()[decision.index];
                const bool same_check_refuses =
                    now.verdict == Verdict::kept && now.check == decision.check && now.reason == decision.reason;
                if (side)
                    QVERIFY2(!same_check_refuses, described(program, seed,
                                                            program.graphs[0].graph.node(decision.node).name +
                                                                " is refused where " + decision.condition->text)
                                                      .constData());
                else if (decision.condition->is_exact)
                    QVERIFY2(!is_rewritten(now), described(program, seed,
                                                         program.graphs[0].graph.node(decision.node).name +
                                                             " passes although not " + decision.condition->text)
                                                   .constData());
                ++asked;
            }
        }
    }
    QVERIFY(asked > programs(200) / 10);
}

/// Above a dimension of size 0, unsqueeze gives a stride of 0 where torch gives a new tensor 1.
void TestSymbolicPrograms::unsqueezeOfNothing() {
    auto program = read_text("def forward(self, x: \"f32[s1, s0][s0, 1]cpu\"):\n"
                             "    n: \"f32[s1, s0][s0, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                             "    u: \"f32[s1, 1, s0][s0, s0, 1]cpu\" = torch.ops.aten.unsqueeze.default(n, 1)\n"
                             "    y: \"f32[s1, 1, s0][s0, s0, 1]cpu\" = torch.ops.aten.abs.default(u)\n"
                             "    return (y,)\n");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    for (const std::int64_t least : {0, 1}) {
        set_ranges(program->graphs[0], {{"s0", least, 9}, {"s1", 2, 9}});
        const auto session = decided(*program);
        QCOMPARE(is_rewritten(session->decisions().back()), least == 1);
        const auto comparison = run_at(*program, session->graph(), {{"s0", least}, {"s1", 3}});
        QVERIFY(comparison && !comparison->difference);
    }
}

/// A text says no offsets: those of the views follow from sizes, and not from the sizes that a sample has.
void TestSymbolicPrograms::offsetsAreNotSamples() {
    auto program = read_text("def forward(self, n: \"Sym(s77)\", x: \"f32[s77, 8][8, 1]cpu\"):\n"
                             "    neg: \"f32[s77, 8][8, 1]cpu\" = torch.ops.aten.neg.default(x)\n"
                             "    last: \"f32[3, 8][8, 1]cpu\" = torch.ops.aten.slice.Tensor(neg, 0, -3, 9223372036854775807)\n"
                             "    first: \"f32[3, 8][8, 1]cpu\" = torch.ops.aten.slice.Tensor(neg, 0, 0, 3)\n"
                             "    exp: \"f32[3, 8][8, 1]cpu\" = torch.ops.aten.exp.default(first)\n"
                             "    mul: \"f32[3, 8][8, 1]cpu\" = torch.ops.aten.mul.Tensor(last, exp)\n    return (mul,)\n");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const NodeId exp = program->graphs[0].graph.find("exp");
    for (const auto& [least, is_apart] : {std::pair(0, false), std::pair(3, false), std::pair(6, true)}) {
        set_ranges(program->graphs[0], {{"s77", least, {}}});
        const auto session = decided(*program);
        const auto decision = std::ranges::find(session->decisions(), exp, &Decision::node);
        QCOMPARE(is_rewritten(*decision), is_apart);
        QCOMPARE(decision->condition ? decision->condition->text : "", std::string(least == 3 ? "s77 ≥ 6" : ""));
        const auto comparison = run_at(*program, session->graph(), {{"s77", std::max(3, least)}});
        QVERIFY(comparison && !comparison->difference);
    }
}

QTEST_APPLESS_MAIN(TestSymbolicPrograms)
#include "test_symbolic_programs.moc"
