// Which graphs of a program are nested in which, for questions about many of them.
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

class Nesting {
public:
    /// `program` may go; graphs must not be added.
    explicit Nesting(const Program& program);
    /// graphs_within(), at the cost of what it gives.
    [[nodiscard]] std::vector<std::size_t> within(std::size_t graph) const;

private:
    std::vector<std::vector<std::size_t>> children_; ///< by index into program.graphs
};

} // namespace inspector
