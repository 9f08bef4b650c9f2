// A whole program taken to Core ATen: a graph and those nested in it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/graph/result.h"
#include "core/passes/decompose/session.h"

namespace inspector {

struct Decomposition {
    Program program;
    /// What stays though it is not Core ATen: the graph's index, its node there.
    struct Left {
        std::size_t graph = 0;
        std::string node;
        LeftCall call;
    };
    std::vector<Left> left;
    std::size_t steps = 0;
    std::unique_ptr<DecomposeSession> session; ///< of program.graphs[graph] alone, at its end
};

/// A copy of `program` in which program.graphs[graph], and every graph nested in it, is taken apart as far as rules go. Error:
/// an operator to keep that is not known.
[[nodiscard]] Result<Decomposition> decompose(const Program& program, std::size_t graph, const DecomposeSession::Options& options = {});

} // namespace inspector
