// What an operator would write if Inductor reinplaced it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/passes/auto_functionalized/custom_call.h"
#include "core/passes/reinplace/decision.h"
#include "core/passes/reinplace/inductor/inductor_graph.h"

namespace inspector {

/// A node that Inductor's pass looks at.
struct Writer {
    enum class Kind : std::uint8_t {
        index_put,     ///< and _unsafe_index_put
        scatter,       ///< one or several fused *_scatter; the innermost decides
        collective,    ///< all_reduce, all_reduce_coalesced
        foreach_list,  ///< writes all items of its first argument
        custom_call,   ///< auto_functionalized(_v2): each of its tensors may be cloned or written
        triton_kernel, ///< the same for a user's Triton kernel
    };
    Kind kind = Kind::index_put;
    std::vector<OperandDecision> operands;
    bool writes_only = false; ///< an operator tagged `out`: nothing it writes is read

    /// Written all, or not at all.
    [[nodiscard]] bool is_indivisible() const { return kind != Kind::custom_call && kind != Kind::triton_kernel; }
    /// What stands in a list, or has a name of its own, is recorded operand by operand.
    [[nodiscard]] bool has_named_operands() const { return kind == Kind::foreach_list || !is_indivisible(); }
};

/// Inductor's table of operators. nullopt: not in it, or a custom call of which nothing tells what it writes.
[[nodiscard]] std::optional<Writer> writer_of(const Graph& graph, NodeId node, const Target& target,
                                              const InductorGraph& known);
/// Whether the target is in the table, whatever is known of this call.
[[nodiscard]] bool is_in_table(const Graph& graph, NodeId node, const Target& target);

/// index_put and collectives, which a copy_ of views of their result can pay for.
[[nodiscard]] bool is_inplaceable(std::string_view target);

/// "aten._foreach_add_.List" for "aten._foreach_add.List", "aten.index_put_.default" for both index_put; empty: none.
[[nodiscard]] std::string_view inplace_name(std::string_view target);

/// Whether a copy_ of `item`, taken of the result of `list`, into `input` counts as a copy_ of what `list` wrote.
[[nodiscard]] bool copies_item_of(const Graph& graph, NodeId list, const Target& target, NodeId item, NodeId input);

} // namespace inspector
