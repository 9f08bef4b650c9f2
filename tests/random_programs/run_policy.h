// Runs a policy over a program's only graph, then the graph before and after: for tests of what a policy may do.
#pragma once

#include <optional>
#include <vector>

#include "core/execution/equivalence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct PolicyOutcome {
    bool ran = false;                      ///< the program as it was runs
    std::optional<Difference> difference;  ///< what a caller would see to differ
    std::size_t reinplaced = 0;            ///< decisions that changed the graph: reinplaced, scatter_to_copy, deleted
    std::vector<Decision> decisions;
    Graph graph;                           ///< as rewritten
};

/// `seed` is that of the inputs. Whatever cannot be done ends the test: programs of tests are right ones.
[[nodiscard]] PolicyOutcome run_policy(const Program& program, const ReinplaceSession::Options& options, std::uint64_t seed = 0);

} // namespace inspector
