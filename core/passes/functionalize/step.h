// What functionalization did with one mutation, as a record. Sentences are made of it at the edge (explain_step.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/passes/functionalize/mutation.h"

namespace inspector {

/// What a node was added for: stable ids.
enum class AddedRole : std::uint8_t {
    item,     ///< takes one result of a functional call that returns several
    cast,     ///< brings a result to the dtype of what was written
    layout,   ///< brings a result to the strides of what was written
    scatter,  ///< writes a view's new value into what it views
    inverse,  ///< undoes a view that only rearranges
    size,     ///< a symbolic size that an inverse needs
    view,     ///< makes a view again, of the new value
    epilogue, ///< copies an input's final value into it
};
[[nodiscard]] std::string_view text_id(AddedRole role);

struct AddedNode {
    NodeId node = no_node;
    AddedRole role = AddedRole::view;
    NodeId source = no_node;   ///< of the source graph: the mutation, or the view that is made again
};

/// `user` now refers to `to` where it referred to `from`.
struct Redirection {
    NodeId user = no_node;
    NodeId from = no_node;
    NodeId to = no_node;
};

/// One mutation, and the nodes up to the next one: these read what it wrote.
struct FunctionalizeStep {
    std::uint32_t index = 0;
    NodeId node = no_node;               ///< the mutation
    std::string target;                  ///< "aten.add_.Tensor"
    std::string functional_target;       ///< "aten.add.Tensor"; empty where refused
    MutationRefusal refusal = MutationRefusal::none;
    std::vector<NodeId> written;         ///< nodes of the source graph whose tensors it writes
    /// What each of `written` became, beside it.
    std::vector<NodeId> values;
    std::vector<AddedNode> added;        ///< in program order of adding
    std::vector<Redirection> redirected;
};

/// An input, buffer or parameter that the graph writes, and where its final value goes.
struct WrittenInput {
    NodeId placeholder = no_node;
    NodeId value = no_node;   ///< its final value
    NodeId copy = no_node;    ///< the copy_ that writes it back; no_node where it is an output instead
};

/// What happened after the last mutation.
struct FunctionalizeEnding {
    MutationRefusal refusal = MutationRefusal::none; ///< a returned view cannot be made again
    std::vector<WrittenInput> inputs;                ///< in order of the placeholders
    std::vector<AddedNode> added;
    std::vector<Redirection> redirected;
    std::vector<NodeId> erased;                      ///< dead code, last first
};

/// A tensor on the storage that a mutation writes.
struct SeeingAlias {
    NodeId node = no_node;
    bool overlaps = false;    ///< it shares a cell with what is written, or nobody can tell that it does not
    bool is_read_later = false;
};

} // namespace inspector
