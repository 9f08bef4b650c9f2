// Which operators may return memory they were given, by what their schema says and by what it leaves out.
#pragma once

#include <vector>

#include "core/graph/argument.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether a result may share storage with an argument: the schema annotates an alias, or the operator is one of those
/// that alias without saying so (_unsafe_view, unsafe_split, type_as, dropout in eval mode, …). True asks for the
/// concrete call; false is certain, but for first_result_is_input.
[[nodiscard]] bool may_return_argument(const Operator& op);

/// native_dropout returns its input as the first of its results when nothing is dropped: not training, or p = 0. `args`
/// are the call's.
[[nodiscard]] bool first_result_is_input(const Operator& op, const std::vector<Argument>& args);
/// Whether a new result may start elsewhere than at the beginning of its storage: the *_scatter operators copy their
/// base with its strides, its offset and all of its storage.
[[nodiscard]] bool may_keep_offset(const Operator& op);

} // namespace inspector
