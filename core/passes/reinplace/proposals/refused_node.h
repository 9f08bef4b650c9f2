// A refused node in the program as it stands: what every kind of change looks at.
#pragma once

#include <span>
#include <vector>

#include "core/operators/operator_table.h"
#include "core/passes/reinplace/proposals/change.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct RefusedNode {
    const ChangedProgram& made;      ///< the program with the changes made so far
    const ReinplaceSession& session; ///< over that program, with the decision made
    const Decision& decision;
    NodeId node = no_node;
    NodeId self = no_node; ///< its first argument, as the program has it

    RefusedNode(const ChangedProgram& program, const ReinplaceSession& run, std::uint32_t index)
        : made(program), session(run), decision(run.decisions()[index]), node(decision.node) {
        const auto& args = graph().node(node).args;
        if (!args.empty()) self = args[0].node();
    }

    [[nodiscard]] const Graph& graph() const { return session.original(); }
    [[nodiscard]] const GraphFacts& facts() const { return session.facts(); }
    [[nodiscard]] const TensorLayout* layout(NodeId id) const { return id == no_node ? nullptr : facts().tensor(id); }
    /// nullptr: no call of an operator that is known.
    [[nodiscard]] const Operator* op(NodeId id) const {
        const Node& call = graph().node(id);
        return call.opcode == Opcode::call_function ? OperatorTable::instance().find(call.target) : nullptr;
    }
    /// Node of the first witness in `role`; no_node where there is none.
    [[nodiscard]] NodeId witness(WitnessRole role) const;

    /// A later node, and the value on self's memory that it reads or writes.
    struct LaterUse {
        NodeId reader, value;
    };
    /// Those that a later_use refusal names, in the order of its witnesses.
    [[nodiscard]] std::vector<LaterUse> later_uses() const;

    /// The storages of all that `id` refers to.
    [[nodiscard]] std::vector<StorageId> storages_read(NodeId id) const;
    /// Some node after `from` and before `to` may write one of `storages`. Operators that are not known may write what
    /// they are given.
    [[nodiscard]] bool is_written_between(NodeId from, NodeId to, std::span<const StorageId> storages) const;
};

} // namespace inspector
