// Which operators may return memory they were given, by what their schema says and by what it leaves out.
#pragma once

#include "core/operators/operator_schema.h"

namespace inspector {

/// Whether a result may share storage with an argument: the schema annotates an alias, or the operator is one of those
/// that alias without saying so (_unsafe_view, unsafe_split, type_as, dropout in eval mode, …). False is certain; true
/// asks for the concrete call.
[[nodiscard]] bool may_return_argument(const Operator& op);

/// Whether a new result may start elsewhere than at the beginning of its storage: the *_scatter operators copy their
/// base with its strides, its offset and all of its storage.
[[nodiscard]] bool may_keep_offset(const Operator& op);

} // namespace inspector
