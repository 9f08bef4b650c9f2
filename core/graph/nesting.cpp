#include "core/graph/nesting.h"

#include <algorithm>

namespace inspector {

Nesting::Nesting(const Program& program) : children_(program.graphs.size()) {
    for (std::size_t i = 0; i < program.graphs.size(); ++i)
        if (const auto& parent = program.graphs[i].parent) children_[*parent].push_back(i);
}

std::vector<std::size_t> Nesting::within(std::size_t graph) const {
    std::vector<std::size_t> found{graph};
    for (std::size_t i = 0; i < found.size(); ++i)
        found.insert(found.end(), children_[found[i]].begin(), children_[found[i]].end());
    std::ranges::sort(found);
    return found;
}

} // namespace inspector
