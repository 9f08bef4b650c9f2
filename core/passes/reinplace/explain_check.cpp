#include <algorithm>
#include <utility>

#include "core/analysis/tensor_extent.h"
#include "core/graph/count_text.h"
#include "core/passes/reinplace/because.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/target.h"

namespace inspector {
namespace {

/// Evidence of one check, line by line.
class Evidence {
public:
    Evidence(const ReinplaceSession& session, std::uint32_t index, const CheckStep& step, std::size_t limit)
        : session_(session), step_(step), node_(session.decision_nodes()[index]), limit_(limit),
          target_(targets_.of(session.original().node(node_))) {
        const bool is_made = index < session.decisions().size();
        const Graph& graph = session.graph();
        if (is_made) operand_ = session.decisions()[index].operand;
        else if (const auto& args = graph.node(node_).args; !args.empty()) operand_ = args[0].node();
        if (operand_ != no_node && !session.original().contains(operand_)) operand_ = no_node; // made by the pass
        if (is_made) decision_ = &session.decisions()[index];
    }

    std::vector<Sentence> lines() {
        if (step_.state == CheckStep::State::pending || step_.state == CheckStep::State::skipped) {
            guarantee();
        } else {
            switch (step_.check) {
            case CheckId::not_an_operator:
            case CheckId::no_arguments:
            case CheckId::first_argument_not_tensor: operator_form(); break;
            case CheckId::metadata: metadata(); break;
            case CheckId::input_alias: input_alias(); break;
            case CheckId::argument_alias: argument_alias(); break;
            case CheckId::later_use: later_use(); break;
            case CheckId::scatter: scatter(); break;
            case CheckId::not_a_candidate:
            case CheckId::written_twice:
            case CheckId::fusion:
            case CheckId::redundant_write:
            case CheckId::output_alias:
            case CheckId::result_layout: failed() ? because() : guarantee(); break;
            case CheckId::no_inplace_variant:
            case CheckId::inplace_variant: inplace_variant(); break;
            }
        }
        if (left_out_ > 0) {
            SentenceWriter words = sentence();
            words << "… and " << std::to_string(left_out_) << " more";
            lines_.push_back(words.take());
        }
        return std::move(lines_);
    }

private:
    [[nodiscard]] SentenceWriter sentence() const { return SentenceWriter(session_.original()); }
    [[nodiscard]] bool passed() const { return step_.state == CheckStep::State::passed; }
    [[nodiscard]] bool failed() const { return step_.state == CheckStep::State::failed; }
    [[nodiscard]] const TensorLayout* layout(NodeId node) const {
        return node != no_node && index_of(node) < session_.facts().size() ? session_.facts().tensor(node) : nullptr;
    }

    [[nodiscard]] std::string described(NodeId node, const TensorLayout& layout) const {
        return describe_layout(layout, decided_sizes(session_, node));
    }

    template <typename... Parts> void line(const Parts&... parts) {
        if (lines_.size() >= limit_) {
            ++left_out_;
            return;
        }
        SentenceWriter words = sentence();
        (words << ... << parts);
        lines_.push_back(words.take());
    }

    /// The policy's checks ask otherwise than those of torch-fx; they say themselves what holds.
    [[nodiscard]] bool has_own_checks() const { return find_policy(session_.options().policy)->records_evidence(); }

    [[nodiscard]] NodeId witness(WitnessRole role) const {
        const auto found = std::ranges::find(step_.witnesses, role, &Witness::role);
        return found == step_.witnesses.end() ? no_node : found->node;
    }
    [[nodiscard]] bool is_inductor() const { return find_policy(session_.options().policy)->prepares_like_inductor; }

    void guarantee() {
        const Policy* policy = find_policy(session_.options().policy);
        for (const Check* check : policy->checks)
            if (check->id() == step_.check)
                line((passed() ? "" : "Passes if this holds: ") + std::string(check->guarantees()));
    }

    /// What stood against the node, as the decision records it.
    void because() {
        if (decision_) line(explain_reason(session_, session_.complete(decision_->index)));
    }

    void operator_form() {
        if (failed()) return because();
        line(target_.short_name, " is an operator overload, and its first argument is a tensor.");
        if (target_.op) line(target_.op->schema_text);
    }

    void metadata() {
        const TensorLayout* self = layout(operand_);
        const auto& items = session_.facts().of(node_).items;
        const bool is_single = items.size() == 1 && items.front();
        if (failed()) because();
        if (self) line("self ", operand_, ": ", described(operand_, *self));
        if (is_single) line("result ", node_, ": ", described(node_, *items.front()));
        else if (session_.facts().of(node_).is_list)
            line("result ", node_, ": ", count_text(items.size(), "value"));
        if (self && is_single) {
            line("elements: ", elements_text(*self, decided_sizes(session_, operand_)), " and ",
                 elements_text(*items.front(), decided_sizes(session_, node_)));
            line("dtype: ", short_name(self->dtype), " and ", short_name(items.front()->dtype));
        }
        if (self) {
            switch (probe_self_overlap(*self)) {
            case SelfOverlap::no: line("self overlap: none, its elements lie side by side"); break;
            case SelfOverlap::yes: line("self overlap: a dimension is expanded (stride 0)"); break;
            case SelfOverlap::too_hard:
                line("self overlap: not known, torch's probe gives up on these strides and lets them pass");
                break;
            }
        }
        if (!session_.facts().assumed().empty()) {
            std::string sizes;
            for (const auto& [symbol, size] : session_.facts().assumed())
                sizes += (sizes.empty() ? "" : ", ") + symbol + " = " + std::to_string(size);
            line("The file gives no sample of some symbolic sizes; assumed: " + sizes);
        } else if (session_.facts().is_symbolic()) {
            line(has_own_checks() && !is_inductor() ? "Symbolic sizes are decided for all values in range; numbers are those of the file's samples."
                                 : "Symbolic sizes are decided on the file's sample sizes.");
        }
    }

    void input_alias() {
        if (failed()) return because();
        const NodeId input = witness(WitnessRole::input), copy = witness(WitnessRole::copy_back);
        if (input == no_node && (passed() || !has_own_checks()))
            return line(operand_, " shares no storage with an input.");
        if (!passed() || session_.options().policy != "sound") return guarantee();
        SentenceWriter words = sentence();
        if (operand_ == input) words << operand_ << " is an input";
        else words << operand_ << " lies in the input " << input;
        if (copy == no_node) words << ", which the caller gave up (donated).";
        else if (session_.original().node(copy).opcode == Opcode::output)
            words << ", which has another value when the graph returns; nobody needs its own until then.";
        else words << ", which " << copy << " overwrites; nobody needs its value until then.";
        line(words.take());
    }

    void argument_alias() {
        if (failed()) return because();
        if (!has_own_checks()) return line(operand_, " stands once among the positional arguments.");
        if (is_inductor()) return guarantee();
        // What passes and yet stands for the very elements that are written does so since the operator is pointwise.
        const Node& call = session_.original().node(node_);
        const NodeId self = call.args.empty() ? no_node : call.args.front().node();
        bool stands_twice = false;
        std::vector<NodeId> same;
        const auto look_at = [&](const Argument& argument) {
            for_each_reference(argument, [&](NodeId operand) {
                stands_twice |= operand == self;
                if (operand != self && is_same_view(operand, self) && std::ranges::find(same, operand) == same.end())
                    same.push_back(operand);
            });
        };
        for (std::size_t i = 1; i < call.args.size(); ++i) look_at(call.args[i]);
        for (const NamedArgument& named : call.kwargs) look_at(named.second);
        const std::string harmless = ", which is harmless: " + target_.short_name + " reads each element before it writes it.";
        if (stands_twice) line(self, " is another operand too", harmless);
        for (const NodeId operand : same) line(operand, " lies exactly where ", self, " does", harmless);
        line("No other operand shares memory with what would be written.");
    }

    [[nodiscard]] bool is_same_view(NodeId a, NodeId b) const {
        const TensorLayout *left = layout(a), *right = layout(b);
        const auto storage = [this](NodeId node) { return session_.facts().storages(node); };
        return left && right && *left == *right && !storage(a).empty() && storage(a) == storage(b);
    }

    void later_use() {
        bool anybody = false;
        const bool is_read = std::ranges::find(step_.witnesses, WitnessRole::later_use, &Witness::role) != step_.witnesses.end();
        if (is_read && !failed())
            line("Nobody reads later the bytes that would be written; what else lies on the storage of ", operand_, " is read:");
        for (std::size_t i = 0; i < step_.witnesses.size(); ++i) {
            const Witness& witness = step_.witnesses[i];
            const bool has_next = i + 1 < step_.witnesses.size();
            const bool returns = session_.original().node(witness.node).opcode == Opcode::output;
            if (witness.role == WitnessRole::later_use) {
                const bool has_view = has_next && step_.witnesses[i + 1].role == WitnessRole::through_view;
                if (has_view)
                    line(witness.node, returns ? " returns " : " reads ", step_.witnesses[i + 1].node,
                         ", on the storage of ", operand_, ".");
                else line(witness.node, returns ? " returns " : " reads ", operand_, ".");
            } else if (witness.role == WitnessRole::scatter && has_next) {
                superfluous(witness.node, step_.witnesses[i + 1].node);
                anybody = true;
            }
        }
        if (!failed() && !is_read)
            line(anybody ? "Nobody else" : "Nobody", " reads the storage of ", operand_, " after this node.");
    }

    void superfluous(NodeId scatter, NodeId matched) {
        const std::string view = target_of(scatter).inverse_view ? target_of(scatter).inverse_view->short_target() : "";
        line(scatter, failed() ? " is no obstacle" : " goes", ": it writes the region of ", matched, " (", view, ").");
        const NodeId base = session_.facts().of(matched).view_of;
        if (const TensorLayout* from = layout(base)) line("base ", base, ": ", described(base, *from));
        if (const TensorLayout* region = layout(matched)) line("region ", matched, ": ", described(matched, *region));
    }

    void scatter() {
        if (!target_.inverse_view) return line(target_.short_name, " is no scatter.");
        if (failed()) return because();
        if (decision_ && decision_->verdict == Verdict::deleted)
            return line("An earlier rewrite made this scatter superfluous.");
        const auto& args = session_.original().node(node_).args;
        const NodeId source = args.size() > 1 ? args[1].node() : no_node;
        line(source, " is copied into ", target_.inverse_view->short_target(), " of ", operand_, ".");
        if (const TensorLayout* base = layout(operand_)) line("base ", operand_, ": ", described(operand_, *base));
        if (const TensorLayout* copied = layout(source)) line("source ", source, ": ", described(source, *copied));
    }

    void inplace_variant() {
        if (failed()) return because();
        if (decision_ && target_.inplace_name != decision_->new_target && !decision_->new_target.empty())
            return other_form();
        line(target_.inplace_name, " takes the same arguments and writes its result into ", operand_, ".");
        if (target_.inplace) line(target_.inplace->schema_text);
    }

    /// A form that is not found by its name: of foreach, of a custom operator.
    void other_form() {
        for (const OperandDecision& operand : decision_->operands) {
            if (operand.in_place) line(decision_->new_target, " writes into ", operand.values.front(), ".");
            else
                line(operand.values.front(), " is cloned first, since ", explain_operand(session_, *decision_, operand),
                     ".");
        }
        if (decision_->operands.empty()) line(decision_->new_target, " writes its result into ", operand_, ".");
    }

    const Target& target_of(NodeId node) { return targets_.of(session_.original().node(node)); }

    const ReinplaceSession& session_;
    const CheckStep& step_;
    NodeId node_;
    NodeId operand_ = no_node;
    const Decision* decision_ = nullptr;
    std::size_t limit_;
    Targets targets_;
    const Target& target_;
    std::vector<Sentence> lines_;
    std::size_t left_out_ = 0;
};

} // namespace

std::vector<Sentence> explain_check(const ReinplaceSession& session, std::uint32_t index, const CheckStep& step,
                                    std::size_t lines) {
    if (index >= session.decision_nodes().size()) return {};
    return Evidence(session, index, step, lines).lines();
}

} // namespace inspector
