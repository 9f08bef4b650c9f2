// Copies of a value that a change puts into the program: which calls make one, and how it lies in memory.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/operators/infer.h"
#include "core/passes/reinplace/proposals/refused_node.h"

namespace inspector {

/// A chain of calls, each taking the result of the one before as its first argument; the first takes the value copied.
struct Copy {
    struct Call {
        std::string target;            ///< "torch.ops.aten.clone.default"
        std::vector<Argument> further; ///< arguments after the first
        std::vector<NamedArgument> kwargs;
        TensorMeta meta;
    };
    std::vector<Call> calls;
    TensorLayout layout; ///< of the copy, in memory of its own
};

/// clone(value). With `like`: in whichever memory format gives its strides. nullopt where nothing is known of the
/// value, or no clone has the layout asked for.
[[nodiscard]] std::optional<Copy> clone_of(const RefusedNode& refused, NodeId value,
                                           const TensorLayout* like = nullptr);
/// A copy of `value` with the sizes (by expanding) and the type of `like`. nullopt where there is none with its
/// strides.
[[nodiscard]] std::optional<Copy> converted_copy(const RefusedNode& refused, NodeId value, const TensorLayout& like);

/// Puts the calls before `position`; gives the last one.
NodeId insert_copy(Graph& graph, const Copy& copy, NodeId value, NodeId position);
/// For Change::apply: `refused` takes `copy` of its self instead, made just before it.
[[nodiscard]] std::function<void(ChangedProgram&)> replace_self(const RefusedNode& refused, Copy copy);

/// Makes every reference to `from` one to `to`.
[[nodiscard]] Argument with_reference(const Argument& argument, NodeId from, NodeId to);

} // namespace inspector
