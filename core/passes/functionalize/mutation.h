// What a node of a training graph writes, and the call that computes the same without writing.
//
//     add_(x, y)                    add(x, y)                                   result 0 is what x becomes
//     batch_norm(…, mean, var, …)   _native_batch_norm_legit_functional(…)      results 3 and 4 are what mean and var become
//     max.dim_max(x, 0, max=m, …)   max.dim(x, 0)                               results 0 and 1
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Why a mutation has no functional form here: stable ids.
enum class MutationRefusal : std::uint8_t {
    none,
    unknown_operator,    ///< its name ends in "_", and nobody here knows its schema
    unknown_effect,      ///< nobody here knows the operator, and nothing uses its result: it is there for what it does
    not_an_operator,     ///< a Python function, method or module that may write what it is given
    no_functional_form,  ///< the operator has no variant that returns what it writes
    changes_storage,     ///< set_, resize_: the tensor gets another storage, or the storage another size
    changes_input_shape, ///< squeeze_ and the like on an input: the caller's tensor itself gets another shape
    unknown_tensor,      ///< what it writes is no tensor that the graph tells of
    overlaps_itself,     ///< two indices of what it writes name one cell
    written_twice,       ///< two of the tensors it writes share cells
    other_size,          ///< out= has another size than the result
    no_inverse,          ///< it writes through a view that nothing here writes back
    symbolic_narrow,     ///< it writes through a narrow of symbolic length that starts elsewhere than at 0
    constant_written,    ///< an attribute or constant is written, which no output can stand for
    shared_input,        ///< the input shares its memory with another input
    captured_written,    ///< the body of a control-flow operator writes what it was given
};
[[nodiscard]] std::string_view text_id(MutationRefusal refusal);

/// An argument that is written: one tensor, or the items of a list.
struct WrittenArgument {
    std::string parameter;         ///< schema's name
    std::string alias_set;         ///< "a"
    std::vector<NodeId> tensors;   ///< of the graph's nodes; no_node for an item that is none
    bool is_list = false;
};

struct Mutation {
    const Operator* op = nullptr;         ///< nullptr: no operator that is known
    const Operator* functional = nullptr; ///< nullptr where refused
    std::vector<Argument> args;           ///< of the functional call
    std::vector<NamedArgument> kwargs;
    std::size_t fresh = 0;                ///< results of the functional call that come before those for `written`
    std::vector<WrittenArgument> written;
    MutationRefusal refusal = MutationRefusal::none;
};

/// nullopt for a node that writes nothing. Source: the schemas' annotations, and for batch_norm, native_batch_norm and
/// instance_norm, whose schemas leave it out, their documentation: in training they update the running statistics.
[[nodiscard]] std::optional<Mutation> find_mutation(const Graph& graph, NodeId node);

/// An operator of unknown schema. Whether it writes what it is given is not known either, unless its name says so.
[[nodiscard]] bool is_unknown_operator(const Node& node);
/// Such a one that is given tensors and whose result is not there, or used by nobody: it is there for what it does to them.
[[nodiscard]] bool is_there_for_its_effect(const Graph& graph, NodeId node);

/// The view that squeeze_, transpose_, detach_ … make of their argument in place; nullptr for every other operator.
[[nodiscard]] const Operator* view_made_in_place(const Operator& op);

} // namespace inspector
