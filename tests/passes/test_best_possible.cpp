// How far is `sound` from the best possible? On small programs every set of rewrites is tried by running.
#include <QtTest>

#include <algorithm>
#include <bit>
#include <map>

#include "tests/random_programs/random_program.h"
#include "tests/random_programs/run_policy.h"

using namespace inspector;

namespace {

ReinplaceSession::Options sound(std::map<std::uint32_t, Choice> choices = {}) {
    return {.policy = "sound", .first = {}, .choices = std::move(choices), .donated = {}};
}

/// Decisions that can be made rewrites: an operator without a form that writes into self stays whatever one asks.
std::vector<std::uint32_t> possible_rewrites(const Program& program, std::size_t decisions) {
    std::vector<std::uint32_t> possible;
    for (std::uint32_t i = 0; i < decisions; ++i) {
        auto session = ReinplaceSession::start(program.graphs[0], sound({{i, Choice::force}}));
        (*session)->run_to(i + 1);
        if (is_rewritten((*session)->decisions()[i])) possible.push_back(i);
    }
    return possible;
}

struct Best {
    std::size_t reinplaced = 0;
    std::vector<std::uint32_t> decisions;
};

/// The largest set of rewrites, larger than `at_least`, that leaves what a caller sees as it was for three sets of
/// inputs: equal on one may be luck.
std::optional<Best> larger_than(std::size_t at_least, const Program& program, const std::vector<std::uint32_t>& possible) {
    std::vector<std::uint32_t> sets(std::size_t(1) << possible.size());
    for (std::uint32_t i = 0; i < sets.size(); ++i) sets[i] = i;
    std::ranges::stable_sort(sets, std::ranges::greater(), [](std::uint32_t set) { return std::popcount(set); });
    for (const std::uint32_t set : sets) {
        if (std::size_t(std::popcount(set)) <= at_least) return std::nullopt;
        std::map<std::uint32_t, Choice> choices;
        Best best;
        for (std::size_t i = 0; i < possible.size(); ++i) {
            const bool chosen = set >> i & 1;
            choices[possible[i]] = chosen ? Choice::force : Choice::skip;
            if (chosen) best.decisions.push_back(possible[i]);
        }
        bool equal = true;
        for (std::uint64_t seed = 0; seed < 3 && equal; ++seed) {
            const PolicyOutcome outcome = run_policy(program, sound(choices), seed);
            best.reinplaced = outcome.reinplaced;
            equal = outcome.ran && !outcome.difference && outcome.reinplaced > at_least;
        }
        if (equal) return best;
    }
    return std::nullopt;
}

} // namespace

class TestBestPossible : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void smallPrograms();
};

void TestBestPossible::smallPrograms() {
    bool given = false;
    const int asked = qEnvironmentVariableIntValue("INSPECTOR_RANDOM_PROGRAMS", &given);
    const std::uint64_t programs = given ? std::uint64_t(asked) : 200;
    std::size_t reached = 0, possible_in_all = 0, behind = 0, tried = 0;
    std::map<std::string, int> why;
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        // What only dead code reads may be overwritten: that would be no miss.
        const Program program = without_dead_code(random_program(seed, {.operations = int(3 + seed % 10)}));
        const PolicyOutcome ours = run_policy(program, sound());
        if (!ours.ran || ours.decisions.size() > 14) continue;
        const std::vector<std::uint32_t> possible = possible_rewrites(program, ours.decisions.size());
        if (possible.size() > 10) continue;
        ++tried;
        const auto best = larger_than(ours.reinplaced, program, possible);
        reached += ours.reinplaced;
        possible_in_all += best ? best->reinplaced : ours.reinplaced;
        if (!best) continue;
        ++behind;
        for (const std::uint32_t index : best->decisions) {
            const Decision& decision = ours.decisions[index];
            if (is_rewritten(decision)) continue;
            ++why[std::string(text_id(decision.check)) + "/" + std::string(text_id(decision.reason))];
            qInfo("seed %d: %%%s is kept: %s", int(seed), program.graphs[0].graph.node(decision.node).name.c_str(), decision.detail.empty() ? "" : decision.detail[0].c_str());
        }
    }
    qInfo("%d programs: sound makes %d rewrites, the best choice %d; behind in %d programs", int(tried), int(reached),
          int(possible_in_all), int(behind));
    for (const auto& [reason, count] : why) qInfo("  kept though it could go: %s %d", reason.c_str(), count);
    QVERIFY(tried * 2 > programs);
    QVERIFY(reached * 100 >= possible_in_all * 80);
}

QTEST_APPLESS_MAIN(TestBestPossible)
#include "test_best_possible.moc"
