// Adds calls to a graph that is being rewritten: names, metadata and the layouts their results have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/graph.h"
#include "core/operators/infer.h"
#include "core/operators/operator_schema.h"
#include "core/passes/functionalize/view_link.h"

namespace inspector {

/// Layouts of the source graph's values are the facts'; those of calls added or changed come from running the operator on
/// metadata. Symbols stand for their sample sizes, as in the facts.
class CallBuilder {
public:
    CallBuilder(Graph& graph, const GraphFacts& facts) : graph_(graph), facts_(facts) {}

    /// Adds `op(args…)` before `position`. `like` says what is known of the result; sizes, strides and dtype come from
    /// running the operator, where that is possible without symbols. `source` is the node of the source graph it stands for.
    NodeId call(NodeId position, const Operator& op, std::vector<Argument> args, std::vector<NamedArgument> kwargs,
                const ValueMeta& like, NodeId source);
    /// Makes a view again, of another value.
    NodeId view_again(NodeId position, const ViewLink& link, NodeId viewed, const ValueMeta& like, NodeId source);
    /// Adds operator.getitem(list, index).
    NodeId item(NodeId position, NodeId list, std::size_t index, const ValueMeta& like, NodeId source);
    /// Makes `node` call `op` instead. Its name stays.
    void change(NodeId node, const Operator& op, std::vector<Argument> args, std::vector<NamedArgument> kwargs);

    /// Says anew what is known of `node`, if it is a view, or a scatter, whose operands changed: it may lie elsewhere in its
    /// storage now. The layouts of other results do not depend on that.
    void refresh(NodeId node);
    void refresh_item(NodeId node, NodeId list, std::size_t index);

    /// nullptr for what is no single tensor, and where nothing is known.
    [[nodiscard]] const TensorLayout* layout(NodeId node) const;
    /// What the call would give; nullopt where no kernel tells.
    [[nodiscard]] std::optional<MetaValue> infer(const Operator& op, const std::vector<Argument>& args,
                                                 const std::vector<NamedArgument>& kwargs);
    /// The source graph's node that `node` stands for; itself for one that was there before.
    [[nodiscard]] NodeId source(NodeId node) const;

private:
    struct Known {
        bool is_known = false;
        bool is_list = false;
        std::vector<std::optional<TensorLayout>> items;
        std::optional<Argument> number; ///< a result that is one
        NodeId source = no_node;
    };
    Known& known(NodeId node);
    [[nodiscard]] std::optional<MetaValue> evaluate(const Argument& argument) const;
    [[nodiscard]] bool is_symbolic(const ValueMeta& like) const;
    [[nodiscard]] ValueMeta meta(const ValueMeta& like, const Known& result, std::size_t returns) const;
    void learn(NodeId node, const Operator& op);
    [[nodiscard]] bool is_changed(NodeId node) const { return index_of(node) < known_.size() && known_[index_of(node)].is_known; }
    NodeId insert(NodeId position, Node node, NodeId source);

    Graph& graph_;
    const GraphFacts& facts_;
    MetaExecutor executor_;
    std::vector<Known> known_; ///< by node id
};

/// Same sizes, strides, dtype and lazy bits; the offset may differ. Strides of dimensions with one index count: an operator
/// that broadcasts them lays its result out by them.
[[nodiscard]] bool same_layout(const TensorLayout& a, const TensorLayout& b);

/// Every reference to `from` becomes one to `to`.
[[nodiscard]] Argument with_operand(const Argument& argument, NodeId from, NodeId to);

} // namespace inspector
