// The one engine of functionalization: walks over a graph in program order and keeps, for every tensor, the value that
// stands for it.
//
//     %v = select(%c, 0, 1)                %v = select(%c, 0, 1)
//     %a = add_(%v, 1)                     %a = add(%v, 1)
//                                          %s = select_scatter(%c, %a, 0, 1)     now stands for %c
//     %m = mul(%c, 2)                      %m = mul(%s, 2)
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/functionalize/call_builder.h"
#include "core/passes/functionalize/epilogue.h"
#include "core/passes/functionalize/step.h"
#include "core/passes/functionalize/tensor_tree.h"

namespace inspector {

class FunctionalWalk {
public:
    struct Rules {
        Epilogue epilogue = Epilogue::outputs;
        bool is_nested = false;               ///< a body: may not write what it was given
        std::set<NodeId> shared_inputs;       ///< placeholders whose memory another placeholder has too
        std::set<NodeId> constant_inputs;     ///< placeholders that no output can stand for
    };

    /// `source` is the graph as facts were made of it; `graph`, a copy of it with the same ids, is rewritten. All outlive
    /// the walk.
    FunctionalWalk(const Graph& source, const GraphFacts& facts, Graph& graph, Rules rules);

    /// Nodes that write something, in program order: one step each.
    [[nodiscard]] const std::vector<NodeId>& mutations() const { return mutations_; }
    /// Rewrites the next mutation and redirects the nodes up to the one after. Where it is refused, nothing is changed.
    FunctionalizeStep step();
    /// After the last step: outputs or epilogue copies, and dead code.
    FunctionalizeEnding finish();

    /// The node of the source graph that a node stands for.
    [[nodiscard]] NodeId source_of(NodeId node) const { return builder_.source(node); }

private:
    struct Operand {
        NodeId named = no_node;   ///< as the source graph has it
        TensorId tensor = no_tensor;
        NodeId value = no_node;
    };
    /// What getitem nodes take out of a node's results.
    struct Results {
        TensorId viewed = no_tensor;                 ///< of a multi-output view
        std::size_t writes = 0;                      ///< to its storage when the view was made
        std::vector<TensorId> tensors;               ///< of a mutation: result i is this tensor
        std::vector<std::size_t> places;             ///< of a mutation: result i is this result of the functional call
    };

    void visit_until_mutation();
    void return_written(const std::vector<WrittenInput>& inputs);
    void write_inputs(std::vector<WrittenInput>& inputs);
    void redirect_returned(const std::vector<WrittenInput>& inputs);
    void visit(NodeId id);
    void visit_item(NodeId id, const std::vector<Operand>& operands);
    void visit_result(NodeId id, const std::vector<Operand>& operands);
    void add_view(NodeId id, const Operand& viewed);
    void add_part(ViewedTensor& part, const Operand& complex, bool is_imaginary);
    void add_root(NodeId id, NodeId value);
    std::vector<Operand> redirect_operands(NodeId id);

    MutationRefusal rewrite(NodeId id);
    MutationRefusal check(const Mutation& mutation, std::vector<TensorId>& written) const;
    MutationRefusal check_written(NodeId node, TensorId id) const;
    [[nodiscard]] bool has_shared_storage(NodeId node) const;
    [[nodiscard]] bool goes_through_narrow(TensorId id) const;
    [[nodiscard]] bool can_write_back(TensorId id) const;
    [[nodiscard]] bool can_be_placed(TensorId id) const;
    [[nodiscard]] std::optional<InverseView> inverse(TensorId view) const;
    void name_results(NodeId id, const Mutation& mutation, const std::vector<TensorId>& written, NodeId position);
    void write(TensorId id, NodeId value, NodeId position);
    NodeId write_back(const InverseView& inverse, TensorId view, NodeId value, NodeId position);
    NodeId base_for(TensorId view, NodeId position);
    NodeId write_to_root(TensorId id, NodeId value, NodeId position);
    NodeId fit_root(TensorId root, NodeId value, bool keeps_storage, NodeId position);
    Argument sizes(TensorId id, NodeId position);

    NodeId current(TensorId id, NodeId position);
    NodeId attached(TensorId id, NodeId position);
    NodeId make_again(TensorId id, NodeId viewed, NodeId position);
    [[nodiscard]] ValueMeta meta(TensorId id) const;
    [[nodiscard]] ViewedTensor described(NodeId id) const;
    NodeId added(NodeId node, AddedRole role);

    const Graph& source_;
    const GraphFacts& facts_;
    Graph& graph_;
    Rules rules_;
    CallBuilder builder_;
    TensorTree tree_;
    std::vector<NodeId> order_;
    std::vector<NodeId> mutations_;
    std::size_t next_ = 0;            ///< place in order_
    std::size_t steps_ = 0;
    std::map<NodeId, Results> results_;
    struct Scattered {
        TensorId view = no_tensor;
        NodeId base = no_node;
    };
    std::map<NodeId, Scattered> scattered_; ///< scatters: what they write into what
    std::map<std::string, NodeId> symbols_; ///< by printed expression: a node that holds the number
    FunctionalizeStep* record_ = nullptr;
    MutationRefusal trouble_ = MutationRefusal::none; ///< a value that is needed cannot be made
};

} // namespace inspector
