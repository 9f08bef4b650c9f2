// Strides of dimensions of size 1. They move nothing, but the caller can ask for them, and kernels set them as they
// like: hardtanh keeps its operand's, exp does not, and a file says what fake tensors had.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/graph/size_order.h"
#include "core/passes/reinplace/target.h"

namespace inspector {

/// What the caller may see of such strides, and whether they are known. A size that may be 1 for some values of its symbols
/// counts, and so do all dimensions of a tensor without elements.
///
/// Known: those of inputs; what is viewed of them; results that are contiguous whatever the operands; results of operators
/// whose kernels are known to lay out as their meta kernels do, asked with operands that are known. With symbols: what is
/// contiguous for all sizes, views of known values, copies.
class UnitStrides {
public:
    /// `graph` is source's, or a copy of it; `targets` by node index; `trusted`: layout_trust.h's. Meta kernels are run for
    /// values that the caller may see and that have such dimensions, where an operand is not contiguous; for no other.
    UnitStrides(const ProgramGraph& source, const Graph& graph, const GraphFacts& facts,
                const std::vector<const Target*>& targets, const std::vector<bool>& trusted, const SizeOrder& order);

    /// An output gets them: the value is returned, viewed by what is, or an operand of an operator whose result follows
    /// its operand's strides and is shown itself.
    [[nodiscard]] bool is_shown(NodeId node) const { return shown_[index_of(node)]; }
    /// Not shown, without such dimensions, or known as `strides` or the facts say.
    [[nodiscard]] bool is_known(NodeId node) const { return known_[index_of(node)]; }
    /// All strides of a tensor, where the kernel sets them otherwise than the facts say; nullptr elsewhere.
    [[nodiscard]] const std::vector<std::int64_t>* strides(NodeId node) const {
        const auto found = corrected_.find(node);
        return found == corrected_.end() ? nullptr : &found->second;
    }

private:
    class Finder;
    std::vector<bool> shown_;
    std::vector<bool> known_;
    std::map<NodeId, std::vector<std::int64_t>> corrected_;
};

} // namespace inspector
