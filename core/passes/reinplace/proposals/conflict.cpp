#include "core/passes/reinplace/proposals/conflict.h"

#include <algorithm>

#include "core/analysis/data_access.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/proposals/refusal.h"

namespace inspector {
namespace {

bool share_a_storage(const GraphFacts& facts, NodeId a, NodeId b) {
    return std::ranges::any_of(facts.storages(a), [&](StorageId storage) {
        return std::ranges::find(facts.storages(b), storage) != facts.storages(b).end();
    });
}

class ConflictSearch {
public:
    ConflictSearch(const ReinplaceSession& session, std::uint32_t index)
        : graph_(session.original()), facts_(session.facts()), decision_(session.decisions()[index]) {}

    std::optional<Conflict> run() const {
        const NodeId node = decision_.node;
        switch (decision_.reason) {
        case Reason::used_later: return Conflict{witness(WitnessRole::later_use), node, definition(value_read_later())};
        case Reason::operand_overlaps:
        case Reason::self_repeated: return Conflict{node, node, definition(witness(WitnessRole::operand))};
        case Reason::storage_of_input: return Conflict{no_node, node, witness(WitnessRole::input)};
        case Reason::foreign_storage: return Conflict{no_node, node, definition(decision_.operand)};
        case Reason::read_between: {
            const NodeId overwrite = witness(WitnessRole::later_use);
            return Conflict{last_reader_after(overwrite), overwrite, node};
        }
        case Reason::returned_alias: return Conflict{graph_.output(), node, definition(decision_.operand)};
        case Reason::layout_would_change:
            if (const NodeId obstacle = witness(WitnessRole::later_use); obstacle != no_node)
                return Conflict{obstacle, node, node};
            return std::nullopt;
        default: return std::nullopt;
        }
    }

private:
    [[nodiscard]] NodeId witness(WitnessRole role) const {
        const auto found = std::ranges::find(decision_.witnesses, role, &Witness::role);
        return found != decision_.witnesses.end() ? found->node : no_node;
    }

    /// What the first later use reads: the view named after it, or self.
    [[nodiscard]] NodeId value_read_later() const {
        const auto use = std::ranges::find(decision_.witnesses, WitnessRole::later_use, &Witness::role);
        if (use == decision_.witnesses.end()) return decision_.operand;
        const auto view = use + 1;
        const bool has_view = view != decision_.witnesses.end() && view->role == WitnessRole::through_view;
        return has_view ? view->node : decision_.operand;
    }

    /// What gave the memory of `value` its content before the decided node: the last that wrote there, else what made
    /// it.
    [[nodiscard]] NodeId definition(NodeId value) const {
        if (value == no_node) return no_node;
        NodeId made = value;
        while (facts_.of(made).view_of != no_node) made = facts_.of(made).view_of;
        for (NodeId id = graph_.next(made); id != no_node && graph_.is_before(id, decision_.node);
             id = graph_.next(id)) {
            const Operator* op = OperatorTable::instance().find(graph_.node(id).target);
            if (!op || !op->is_mutable) continue;
            for (const NodeId operand : graph_.inputs(id))
                if (writes_elements(graph_, op, id, operand) && share_a_storage(facts_, operand, value)) made = id;
        }
        return made;
    }

    [[nodiscard]] NodeId last_reader_after(NodeId place) const {
        NodeId last = no_node;
        for (NodeId id = place; id != no_node; id = graph_.next(id)) {
            const Operator* op = OperatorTable::instance().find(graph_.node(id).target);
            for (const NodeId value : graph_.inputs(id))
                if (share_a_storage(facts_, value, decision_.node) && reads_elements(graph_, facts_, op, id, value))
                    last = id;
        }
        return last;
    }

    const Graph& graph_;
    const GraphFacts& facts_;
    const Decision& decision_;
};

} // namespace

std::optional<Conflict> find_conflict(const ReinplaceSession& session, std::uint32_t index) {
    if (!find_policy(session.options().policy)->follows_placements || !is_refusal(session, index)) return std::nullopt;
    return ConflictSearch(session, index).run();
}

Sentence explain_conflict(const ReinplaceSession& session, const Conflict& conflict) {
    SentenceWriter words(session.original());
    const Graph& graph = session.original();
    const bool is_input =
        graph.contains(conflict.definition) && graph.node(conflict.definition).opcode == Opcode::placeholder;
    const char* made = is_input ? "" : "what was written by ";
    if (conflict.reader == no_node) {
        words << "the caller may still read " << made << conflict.definition << ", but " << conflict.write
              << " would have written there";
    } else if (conflict.definition == conflict.write) {
        words << conflict.reader << " reads " << conflict.definition << ", but would find it laid out otherwise";
    } else if (conflict.reader == conflict.write) {
        words << conflict.reader << " reads " << made << conflict.definition
              << " while it would already be writing there";
    } else if (graph.node(conflict.reader).opcode == Opcode::output) {
        words << conflict.reader << " gives the caller " << made << conflict.definition << ", but " << conflict.write
              << " would have written into the same memory";
    } else {
        words << conflict.reader << " reads " << made << conflict.definition << ", but " << conflict.write
              << " would have written there before";
    }
    return words.take();
}

} // namespace inspector
