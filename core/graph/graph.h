// A graph in FX's model: nodes in program order, one value per node, arguments that refer to earlier nodes.
//
//     placeholder x ──► call_function clone ──► call_function add ──► output
//
// Nodes live in an arena and are named by NodeId. Every edit costs constant time per use touched, goes through one
// journal, and is undone exactly: order, arguments, use lists and fresh-name counters are as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/argument.h"
#include "core/graph/tensor_meta.h"

namespace inspector {

enum class Opcode : std::uint8_t { placeholder, get_attr, call_function, call_method, call_module, output };

/// Where a node came from, as far as the file tells.
struct NodeOrigin {
    /// Python's text, innermost frame last: `  File "model.py", line 6, in forward\n    h = x @ w`.
    std::string stack_trace;
    /// Further file metadata: nn_module_stack, … print_readable shows three of them in the comment above a node: "custom"
    /// (node.meta["custom"], see custom_annotation.h), "ac_graph_id" and "recompute" ("MUST_SAVE").
    std::vector<std::pair<std::string, std::string>> properties;
    bool created_by_pass = false;
};

struct Node {
    Opcode opcode = Opcode::call_function;
    std::string name;   ///< unique in the graph
    /// As str(graph) prints it: "torch.ops.aten.add.Tensor", "operator.getitem", "builtins.max", "math.trunc"; a
    /// placeholder's or attribute's name, a method's name.
    std::string target;
    /// Of an output: one, what is returned. Of a placeholder: its default value, if it has one.
    std::vector<Argument> args;
    std::vector<NamedArgument> kwargs;
    ValueMeta meta;
    NodeOrigin origin;
    std::string type; ///< Python annotation of the node as FX text writes it ("list", "torch.Tensor"); mostly empty
};

class Graph {
public:
    Graph();
    ~Graph();
    Graph(const Graph&);            ///< deep copy with the same ids and an empty journal
    Graph& operator=(const Graph&);
    Graph(Graph&&) noexcept;
    Graph& operator=(Graph&&) noexcept;

    // --- reading -------------------------------------------------------------------------------------------------
    [[nodiscard]] const Node& node(NodeId id) const;
    [[nodiscard]] bool contains(NodeId id) const;          ///< exists and is not erased
    [[nodiscard]] std::size_t size() const;                ///< nodes in the graph, placeholders and output included
    [[nodiscard]] std::size_t id_limit() const;            ///< every NodeId's index is below; for side tables
    [[nodiscard]] NodeId first() const;                    ///< no_node when empty
    [[nodiscard]] NodeId last() const;
    [[nodiscard]] NodeId next(NodeId id) const;            ///< no_node after the last
    [[nodiscard]] NodeId previous(NodeId id) const;
    [[nodiscard]] bool is_before(NodeId a, NodeId b) const; ///< strictly; constant time
    [[nodiscard]] NodeId find(std::string_view name) const; ///< no_node when there is none
    [[nodiscard]] NodeId output() const;                   ///< no_node when there is none
    [[nodiscard]] std::vector<NodeId> placeholders() const;

    /// Nodes that refer to `id`, each once, in program order.
    [[nodiscard]] std::vector<NodeId> users(NodeId id) const;
    [[nodiscard]] std::size_t user_count(NodeId id) const; ///< FX's num_users
    [[nodiscard]] bool has_users(NodeId id) const;         ///< constant time
    /// Nodes that `id` refers to, each once, in order of first occurrence.
    [[nodiscard]] std::vector<NodeId> inputs(NodeId id) const;

    class Iterator;
    [[nodiscard]] Iterator begin() const;
    [[nodiscard]] Iterator end() const;

    // --- edits: each is journaled --------------------------------------------------------------------------------
    // References to nodes that the graph does not contain stay in the arguments but are nobody's use: verify() tells.
    /// Adds at the end. The name must be free (see fresh_name, find): a second node of one name is not found by it.
    NodeId append(Node node);
    NodeId insert_before(NodeId position, Node node); ///< no_node: at the end
    NodeId insert_after(NodeId position, Node node);  ///< no_node: at the start
    void set_target(NodeId id, std::string target);
    void set_arguments(NodeId id, std::vector<Argument> args, std::vector<NamedArgument> kwargs);
    void set_meta(NodeId id, ValueMeta meta);
    void set_name(NodeId id, std::string name);
    /// Makes every reference of `user` to `from` refer to `to`. Cost: the fewer of `user`'s references and of `from`'s
    /// uses.
    void replace_input(NodeId user, NodeId from, NodeId to);
    /// Precondition: has no users.
    void erase(NodeId id);
    void move_before(NodeId id, NodeId position); ///< no_node: to the end

    /// A free name made from `candidate` as torch.fx.graph._Namespace.create_name does it: "copy__default",
    /// "copy__default_1", "sum_1" (no builtin's name); the number goes on from the last given for that base. Names of
    /// erased nodes and former names are not free.
    [[nodiscard]] std::string fresh_name(std::string_view candidate) const;

    // --- journal -------------------------------------------------------------------------------------------------
    using Mark = std::size_t; ///< a place in the journal
    [[nodiscard]] Mark mark() const;
    /// Takes back every edit made after `mark`, last first. The ids of nodes added since are given again: making the
    /// same edits again gives the same ids.
    void undo_to(Mark mark);
    void forget_history(); ///< what is now is the start; marks before become invalid

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Forward iteration in program order. Editing other nodes is fine while iterating; erasing the current is not.
class Graph::Iterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    using pointer = const NodeId*;
    using reference = NodeId;

    Iterator() = default;
    Iterator(const Graph* graph, NodeId id) : graph_(graph), id_(id) {}
    NodeId operator*() const { return id_; }
    Iterator& operator++() { id_ = graph_->next(id_); return *this; }
    Iterator operator++(int) { Iterator old = *this; ++*this; return old; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.id_ == b.id_; }

private:
    const Graph* graph_ = nullptr;
    NodeId id_ = no_node;
};

} // namespace inspector
