#include "tests/random_programs/run_policy.h"

#include <QtGlobal>

namespace inspector {

PolicyOutcome run_policy(const Program& program, const ReinplaceSession::Options& options, std::uint64_t seed) {
    PolicyOutcome outcome;
    auto session = ReinplaceSession::start(program.graphs[0], options);
    if (!session) qFatal("%s", session.error().message().c_str());
    (*session)->run_to_end();
    outcome.graph = (*session)->graph();
    outcome.decisions = (*session)->decisions();
    for (const Decision& decision : outcome.decisions) outcome.reinplaced += is_rewritten(decision);
    RunOptions run;
    run.seed = seed;
    run.donated = options.donated;
    const auto inputs = RunInputs::make(program, 0, run);
    if (!inputs) qFatal("%s", inputs.error().message().c_str());
    const auto comparison = compare_by_running(program, 0, outcome.graph, *inputs, run);
    if (!comparison) qFatal("%s", comparison.error().message().c_str());
    outcome.ran = !comparison->cannot_run;
    outcome.difference = comparison->difference;
    return outcome;
}

} // namespace inspector
