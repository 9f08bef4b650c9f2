#include "core/passes/reinplace/autograd_note.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace inspector {
namespace {

bool has_gradients(DType dtype) { return is_floating_point(dtype) || is_complex(dtype); }

class Notes {
public:
    explicit Notes(const ReinplaceSession& session)
        : session_(session), graph_(session.original()), requires_grad_(graph_.id_limit()), views_(graph_.id_limit()) {
        for (const NodeId id : graph_) requires_grad_[index_of(id)] = finds_requires_grad(id);
    }

    std::vector<std::optional<AutogradNote>> run() {
        const std::vector<Decision>& decisions = session_.decisions();
        std::vector<std::optional<AutogradNote>> notes(decisions.size());
        if (std::ranges::none_of(requires_grad_, std::identity())) return notes;
        std::vector<const Decision*> decision_on(graph_.id_limit(), nullptr);
        for (const Decision& decision : decisions) decision_on[index_of(decision.node)] = &decision;
        for (const NodeId id : graph_) {
            const Decision* decision = decision_on[index_of(id)];
            const bool writes = decision && (decision->verdict == Verdict::reinplaced || decision->verdict == Verdict::scatter_to_copy);
            const bool is_operand = writes || (decision && decision->verdict == Verdict::deleted);
            if (is_operand && decision->operand != no_node && index_of(decision->operand) < views_.size()) {
                // The result is the operand from now on: what holds of one holds of the other.
                views_[index_of(id)] = views_[index_of(decision->operand)];
                if (writes) notes[decision->index] = note(id, decision->operand);
            } else {
                views_[index_of(id)] = seen_as(id);
            }
        }
        return notes;
    }

private:
    /// How autograd sees a value: a leaf or a view of one, a piece, or neither.
    struct View {
        NodeId leaf = no_node;   ///< that requires grad and whose memory it is
        NodeId pieces = no_node; ///< the operator that made it, or what it is a view of, as one of several
    };

    bool finds_requires_grad(NodeId id) const {
        const Node& node = graph_.node(id);
        if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr) {
            const auto* tensor = std::get_if<TensorMeta>(&node.meta);
            return tensor && tensor->requires_grad.value_or(false);
        }
        if (node.opcode == Opcode::output || node.target.find(".detach.") != std::string::npos) return false;
        const auto& items = session_.facts().of(id).items;
        const bool may = items.empty() || std::ranges::any_of(items, [](const auto& item) { return item && has_gradients(item->dtype); });
        return may && std::ranges::any_of(graph_.inputs(id), [this](NodeId input) { return requires_grad_[index_of(input)]; });
    }

    View seen_as(NodeId id) const {
        const Node& node = graph_.node(id);
        if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr) return {requires_grad_[index_of(id)] ? id : no_node, no_node};
        const NodeId base = session_.facts().of(id).view_of;
        if (base == no_node || node.target.find(".detach.") != std::string::npos) return {};
        View view = views_[index_of(base)];
        // A list's item is a view of what the list was made from: the list stands between them.
        const NodeId list = node.args.empty() ? no_node : node.args.front().node();
        if (node.opcode == Opcode::call_function && list != no_node && list != base && session_.facts().of(list).is_list) view.pieces = list;
        return view;
    }

    std::optional<AutogradNote> note(NodeId id, NodeId operand) const {
        using Kind = AutogradNote::Kind;
        const View& view = views_[index_of(operand)];
        if (view.pieces != no_node && requires_grad_[index_of(id)]) return AutogradNote{Kind::piece_of_many, view.pieces};
        if (view.leaf == no_node) return std::nullopt;
        return AutogradNote{view.leaf == operand ? Kind::leaf : Kind::view_of_leaf, view.leaf};
    }

    const ReinplaceSession& session_;
    const Graph& graph_;
    std::vector<char> requires_grad_;
    std::vector<View> views_;
};

} // namespace

std::string_view text_id(AutogradNote::Kind kind) {
    constexpr std::array ids{"leaf", "view_of_leaf", "piece_of_many"};
    return ids[static_cast<std::size_t>(kind)];
}

std::vector<std::optional<AutogradNote>> autograd_notes(const ReinplaceSession& session) { return Notes(session).run(); }

Sentence explain_autograd(const ReinplaceSession& session, const Decision& decision, const AutogradNote& note) {
    SentenceWriter words(session.original());
    words << "autograd refuses it when gradients are recorded: " << decision.operand;
    switch (note.kind) {
    case AutogradNote::Kind::leaf: words << " is a leaf that requires grad"; break;
    case AutogradNote::Kind::view_of_leaf: words << " is a view of " << note.source << ", a leaf that requires grad"; break;
    case AutogradNote::Kind::piece_of_many: words << " lies in one of the views that " << note.source << " made together"; break;
    }
    return words.take();
}

} // namespace inspector
