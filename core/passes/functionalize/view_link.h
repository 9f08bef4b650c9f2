// How one tensor is a view of another: the call that makes the view again, and the call that writes a new value of the
// view back into what it views.
//
//     select(x, 0, 1)      again: select(y, 0, 1)       back: select_scatter(y, v, 0, 1)
//     transpose(x, 0, 1)   again: transpose(y, 0, 1)    back: transpose(v, 0, 1)
//     split(x, 2)[1]       again: slice(y, 0, 2, 4)     back: slice_scatter(y, v, 0, 2, 4)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

struct ViewLink {
    Opcode opcode = Opcode::call_function;
    std::string target;              ///< as a node has it
    const Operator* op = nullptr;    ///< nullptr for a method or an operator nobody here knows
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
    NodeId viewed = no_node;         ///< stands for the viewed tensor in the arguments
};

/// The link of `node`, whose operand `viewed` it is a view of.
[[nodiscard]] ViewLink link_of_call(const Node& node, NodeId viewed);

/// A link of another operator: `viewed` is its first argument, `rest` follows.
[[nodiscard]] ViewLink link_to(const char* target, NodeId viewed, std::vector<Argument> rest);

/// Item `index` of what a multi-output view (split, chunk, unbind…) returns, as a select or slice of what it views.
/// `list` is the node, its first argument what it views. nullopt where the piece's place is no number.
[[nodiscard]] std::optional<ViewLink> link_of_piece(const Node& list, const ValueFacts& facts, bool is_symbolic, std::int64_t index);

/// Writes a view back: `op(value, rest…)`, or `op(viewed, value, rest…)` for a scatter. For a reshape, `rest` is empty and
/// the sizes of the viewed tensor are its argument.
struct InverseView {
    const Operator* op = nullptr;
    bool is_scatter = false;
    bool takes_sizes = false;
    std::vector<Argument> rest;
    std::vector<NamedArgument> kwargs;
};
/// `viewed` and `view` are the layouts of both, null where unknown. nullopt: an overlapping view (expand, unfold), or one
/// that no rule here inverts.
[[nodiscard]] std::optional<InverseView> inverse_of(const ViewLink& link, const TensorLayout* viewed, const TensorLayout* view);

/// Operators that may return the very tensor they are given: to, contiguous, type_as, dropout in eval mode… Where they do,
/// the call says nothing that its argument does not.
[[nodiscard]] bool may_return_itself(const Operator& op);

} // namespace inspector
