// Which operators may return memory they were given, by what their schema says and by what it leaves out.
#pragma once

#include <optional>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether a result may share storage with an argument: the schema annotates an alias, or the operator is one of those
/// that alias without saying so (_unsafe_view, unsafe_split, type_as, dropout in eval mode, …). True asks for the
/// concrete call; false is certain, but for first_result_is_input.
[[nodiscard]] bool may_return_argument(const Operator& op);

/// Returns its first argument where that is of the type asked for already, else a copy.
[[nodiscard]] bool converts_type(const Operator& op);
/// native_dropout, called as `node` does, returns its input as the first of its results when nothing is dropped: not training,
/// or p = 0.
[[nodiscard]] bool first_result_is_input(const Operator& op, const Node& node);
/// Where torch's fake tensors, by which its own passes decide, put the result of `node`, a call of `op`: on the storage of this
/// argument although a kernel copies it; none: on a new one although the kernel returns its argument. nullopt: as kernels do.
struct TracedAlias {
    const Argument* argument = nullptr;
};
[[nodiscard]] std::optional<TracedAlias> traced_alias(const Operator& op, const Node& node);
/// Whether a new result may start elsewhere than at the beginning of its storage: the *_scatter operators copy their
/// base with its strides, its offset and all of its storage.
[[nodiscard]] bool may_keep_offset(const Operator& op);

} // namespace inspector
