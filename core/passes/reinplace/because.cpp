#include "core/passes/reinplace/because.h"

#include <algorithm>
#include <utility>

#include "core/analysis/tensor_extent.h"
#include "core/graph/size_polynomial.h"
#include "core/passes/reinplace/inductor/possible_overlap.h"
#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/target.h"

namespace inspector {
namespace {

std::string text_of(std::int64_t number) { return std::to_string(number); }
std::string text_of(const SymbolicSize& size) { return size.to_string(); }

template <typename Size> std::string bracketed(const std::vector<Size>& sizes) {
    std::string text = "[";
    for (std::size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + text_of(sizes[i]);
    return text + "]";
}

/// Explains one decision. Every function writes the clause for one kind of reason.
class Because {
public:
    Because(const ReinplaceSession& session, const Decision& decision)
        : session_(session), decision_(decision), target_(targets_.of(session.original().node(decision.node))),
          words_(session.original()) {}

    Sentence clause() {
        switch (decision_.reason == Reason::forced ? reason_of_check() : decision_.reason) {
        case Reason::none: words_ << "no check decided"; break;
        case Reason::not_an_overload: not_an_overload(); break;
        case Reason::higher_order_op:
            words_ << target_.short_name << " is a higher-order operator, which has no in-place form";
            break;
        case Reason::unknown_operator: words_ << "nothing is known of the operator " << target_.short_name; break;
        case Reason::schema_without_arguments: words_ << target_.short_name << " takes no arguments"; break;
        case Reason::first_argument_is_list:
            words_ << "the first argument of " << target_.short_name << " is a list, not a tensor";
            break;
        case Reason::first_argument_is_optional:
            words_ << "the first argument of " << target_.short_name << " may be None";
            break;
        case Reason::first_argument_not_a_tensor_type:
            words_ << "the first argument of " << target_.short_name << " is not a tensor";
            break;
        case Reason::numel:
        case Reason::dtype:
        case Reason::internal_overlap:
        case Reason::leaf_count: metadata(); break;
        case Reason::metadata_unknown: metadata_unknown(); break;
        case Reason::result_is_void: words_ << target_.short_name << " returns nothing"; break;
        case Reason::result_is_not_a_tensor: words_ << target_.short_name << " returns a number"; break;
        case Reason::self_is_not_a_tensor: words_ << "its first argument is not one tensor here"; break;
        case Reason::self_as_keyword: words_ << "its tensor arguments are given by keyword"; break;
        case Reason::view_op_copied:
            words_ << target_.short_name << " is annotated as a view, but had to copy " << decision_.operand;
            break;
        case Reason::get_attr_tensor: words_ << "it reads a constant of the module without lifting it first"; break;
        case Reason::needs_symbolic_shapes:
            words_ << target_.short_name << " needs symbolic shapes, which that pass does not have";
            break;
        case Reason::sparse_layout: words_ << "its tensors are not strided"; break;
        case Reason::writes_several_arguments:
            words_ << "some overload of " << bare_name() << "_ does not write exactly its first argument";
            break;
        case Reason::storage_of_input: storage_of_input(); break;
        case Reason::self_repeated: words_ << decision_.operand << " is passed to this call more than once"; break;
        case Reason::used_later: used_later(); break;
        case Reason::scatter_matched: words_ << "it can become a copy_ into a view"; break;
        case Reason::is_view:
            words_ << target_.short_name << " is a view: it computes nothing that could be written";
            break;
        case Reason::name_missing: words_ << "there is no operator " << bare_name() << "_"; break;
        case Reason::overload_missing:
            words_ << "no overload of " << bare_name() << "_ takes the arguments of " << target_.short_name;
            break;
        case Reason::overload_ambiguous:
            words_ << "several overloads of " << bare_name() << "_ take these arguments";
            break;
        case Reason::has_inplace_variant:
            words_ << target_.inplace_name << " writes the result into " << decision_.operand;
            break;
        case Reason::doomed_scatter: words_ << "an earlier rewrite made it superfluous"; break;
        case Reason::forced: break;
        case Reason::skipped: skipped(); break;
        case Reason::sizes:
        case Reason::device:
        case Reason::lazy_bits: exact_metadata(); break;
        case Reason::foreign_storage: foreign_storage(); break;
        case Reason::operand_overlaps: operand_overlaps(); break;
        case Reason::read_between: read_between(); break;
        case Reason::returned_alias: returned_alias(); break;
        case Reason::layout_would_change: layout_would_change(); break;
        case Reason::writes_the_same:
            words_ << "it would write what " << decision_.operand << " already holds there";
            break;
        case Reason::not_in_table:
            words_ << target_.short_name << " is not among the operators that Inductor's pass looks at";
            break;
        case Reason::dead_code: words_ << "nobody needs its result, so Inductor removes it first"; break;
        case Reason::fused_scatter:
            words_ << "Inductor takes it and " << witness(WitnessRole::scatter)
                   << " for one write, which is decided there";
            break;
        case Reason::replaced_by_operand: replaced_by_operand(); break;
        case Reason::operand_unknown: words_ << "nothing tells which of its tensors the custom operator writes"; break;
        case Reason::list_items_alias:
            words_ << witness(WitnessRole::self) << " and " << witness(WitnessRole::operand)
                   << " of its list lie on one storage";
            break;
        case Reason::input_not_copied_back: input_not_copied_back(); break;
        case Reason::view_not_copied_back: view_not_copied_back(); break;
        case Reason::written_through_another:
            words_ << decision_.operand << " lies on a storage that the call writes through another operand already";
            break;
        case Reason::fusion_preferred:
            words_ << witness(WitnessRole::operand)
                   << " need not be in memory, and Inductor would rather compute this scatter inside the kernels "
                      "around it";
            break;
        }
        if (decision_.condition && decision_.reason != Reason::forced) condition(*decision_.condition);
        return words_.take();
    }

private:
    /// The reason that a forced decision overruled.
    [[nodiscard]] Reason reason_of_check() const {
        switch (decision_.check) {
        case CheckId::metadata:
            return facts().tensor(decision_.operand) && facts().is_known(decision_.node) ? Reason::numel
                                                                                         : Reason::metadata_unknown;
        case CheckId::input_alias:
            if (!is_inductor()) return Reason::storage_of_input;
            return witness(WitnessRole::self) == no_node ? Reason::input_not_copied_back : Reason::view_not_copied_back;
        case CheckId::argument_alias: return Reason::self_repeated;
        case CheckId::later_use: return Reason::used_later;
        case CheckId::not_an_operator: return Reason::not_an_overload;
        case CheckId::no_arguments: return Reason::schema_without_arguments;
        case CheckId::first_argument_not_tensor: return Reason::first_argument_not_a_tensor_type;
        case CheckId::output_alias: return Reason::returned_alias;
        case CheckId::result_layout: return Reason::layout_would_change;
        case CheckId::redundant_write: return Reason::writes_the_same;
        case CheckId::not_a_candidate: return Reason::not_in_table;
        case CheckId::written_twice: return Reason::written_through_another;
        case CheckId::fusion: return Reason::fusion_preferred;
        case CheckId::scatter:
        case CheckId::no_inplace_variant:
        case CheckId::inplace_variant: return target_.no_inplace;
        }
        return Reason::none;
    }

    [[nodiscard]] const GraphFacts& facts() const { return session_.facts(); }
    [[nodiscard]] std::string bare_name() const {
        return target_.short_name.substr(0, target_.short_name.rfind('.'));
    }

    [[nodiscard]] bool is_inductor() const { return find_policy(session_.options().policy)->prepares_like_inductor; }
    [[nodiscard]] bool is_input(NodeId node) const {
        const Opcode opcode = session_.original().node(node).opcode;
        return opcode == Opcode::placeholder || opcode == Opcode::get_attr;
    }

    void replaced_by_operand() {
        if (target_.is_getitem) words_ << "what was written stands for it";
        else words_ << decision_.operand << " already holds what it would copy there";
    }

    void input_not_copied_back() {
        const NodeId item = witness(WitnessRole::self);
        if (item != no_node)
            words_
                << "Inductor writes a list only where a copy_ brings each item back into an input, and none does for "
                << item;
        else
            words_ << decision_.operand
                   << " is an input that nothing is copied back into: the caller's tensor must not change";
    }

    void foreign_storage() {
        const NodeId by = witness(WitnessRole::later_use);
        const Operator* op = by != no_node ? targets_.of(session_.original().node(by)).op : nullptr;
        if (op && op->name == "aten::detach_") words_ << by << " detaches the result in place, which torch refuses of a view";
        else if (op && op->is_mutable) words_ << by << " changes the layout or the memory of a tensor in place";
        else if (by != no_node)
            words_ << by << " may have returned a view of " << decision_.operand << ": nothing says that it does not";
        else words_ << "the memory of " << decision_.operand << " may belong to something outside this graph";
    }

    void view_not_copied_back() {
        words_ << decision_.operand << " is a view of the input " << witness(WitnessRole::input);
        const NodeId copy = witness(WitnessRole::copy_back), source = witness(WitnessRole::operand);
        if (copy == no_node) {
            words_ << ", which nothing is copied back into";
            return;
        }
        NodeId base = source;
        while (base != no_node && base != decision_.node && facts().of(base).view_of != no_node)
            base = facts().of(base).view_of;
        if (base == decision_.node) words_ << ", and " << copy << " brings this result back in another layout";
        else words_ << ", and " << copy << " brings back " << source << ", which is not this result seen through views";
    }

    void condition(const DecisionCondition& condition) {
        words_ << (condition.is_exact ? "; in place only if " : "; in place if ") << condition.text << ", elsewhere "
               << condition.otherwise << (condition.is_exact ? "" : " or it is not known");
    }

    void not_an_overload() {
        if (!target_.is_getitem) {
            words_ << target_.short_name << " is not an operator overload";
            return;
        }
        words_ << "it only takes an item of ";
        if (decision_.operand != no_node) words_ << decision_.operand;
        else words_ << "a list";
    }

    void metadata() {
        const TensorLayout* self = facts().tensor(decision_.operand);
        const auto& items = facts().of(decision_.node).items;
        if (!self || items.empty() || !items.front()) {
            words_ << "the metadata of result and operand differ";
            return;
        }
        const TensorLayout& result = *items.front();
        bool first = true;
        const auto begin = [&] {
            if (!std::exchange(first, false)) words_ << ", and ";
        };
        const std::string made = elements_text(result, decided_sizes(session_, decision_.node));
        const std::string given = elements_text(*self, decided_sizes(session_, decision_.operand));
        if (element_count(result.sizes) != element_count(self->sizes) || (decision_.reason == Reason::numel && made != given)) {
            begin();
            words_ << "the result has " << made << (made == "1" ? " element" : " elements") << ", but " << decision_.operand
                   << " has " << given;
        }
        if (result.dtype != self->dtype) {
            begin();
            words_ << "the result is " << short_name(result.dtype) << ", but " << decision_.operand << " is "
                   << short_name(self->dtype);
        }
        if (probe_self_overlap(*self) == SelfOverlap::yes) {
            begin();
            words_ << decision_.operand << " is expanded: one element in memory stands for several";
        } else if (first) { // what only an exact look at the strides finds
            words_ << "elements of " << decision_.operand << " share cells in memory";
        }
    }

    [[nodiscard]] std::string sizes_of(NodeId node, const TensorLayout& layout) const {
        const TensorMeta* decided = decided_sizes(session_, node);
        return decided ? bracketed(decided->sizes) : bracketed(layout.sizes);
    }

    /// What a result has, and self must have too.
    void exact_metadata() {
        const TensorLayout* self = facts().tensor(decision_.operand);
        const auto& items = facts().of(decision_.node).items;
        if (!self || items.empty() || !items.front()) words_ << "the metadata of result and operand differ";
        else if (decision_.reason == Reason::sizes)
            words_ << "the result has sizes " << sizes_of(decision_.node, *items.front()) << ", but " << decision_.operand
                   << " has " << sizes_of(decision_.operand, *self);
        else if (decision_.reason == Reason::device)
            words_ << "the result is on " << items.front()->device << ", but " << decision_.operand << " is on "
                   << self->device;
        else words_ << decision_.operand << " is conjugated or negated lazily, which a write would not undo";
    }

    void returned_alias() {
        const NodeId result = witness(WitnessRole::through_view), input = witness(WitnessRole::input);
        const NodeId returned = witness(WitnessRole::matched_alias);
        if (result == no_node) words_ << "the result and another returned value, or an input,";
        else if (returned != no_node) words_ << result << " and " << returned << ", which are both returned,";
        else words_ << result << ", which is returned, and the input " << input;
        words_ << " would share memory, which they do not now";
    }

    [[nodiscard]] NodeId witness(WitnessRole role) const {
        const auto found = std::ranges::find(decision_.witnesses, role, &Witness::role);
        return found != decision_.witnesses.end() ? found->node : no_node;
    }

    void operand_overlaps() {
        words_ << "it still reads " << witness(WitnessRole::operand) << ", which shares memory with "
               << decision_.operand << ", while it would already be writing there";
    }

    void read_between() {
        words_ << decision_.operand << " lies on the storage of the input " << witness(WitnessRole::input)
               << ", which is overwritten later, but by another value than this one while this one is still needed";
    }

    void layout_would_change() {
        words_ << "the result would lie in memory as " << decision_.operand << " does, and then at ";
        const NodeId at = witness(WitnessRole::later_use);
        words_ << (at == no_node ? decision_.node : at) << ": "
               << (decision_.detail.empty() ? std::string("the layout would change") : decision_.detail.front());
    }

    void metadata_unknown() {
        const NodeId unknown =
            decision_.operand != no_node && !facts().tensor(decision_.operand) ? decision_.operand : decision_.node;
        words_ << "the shape of " << unknown << " is unknown";
        if (const std::string& reason = facts().of(unknown).unknown_reason; !reason.empty())
            words_ << " (" << reason << ")";
    }

    void storage_of_input() {
        const auto witness = std::ranges::find(decision_.witnesses, WitnessRole::input, &Witness::role);
        if (session_.original().contains(decision_.operand) &&
            session_.original().node(decision_.operand).opcode == Opcode::placeholder)
            words_ << decision_.operand << " is an input, which belongs to the caller";
        else if (witness != decision_.witnesses.end())
            words_ << decision_.operand << " lies on the storage of the input " << witness->node;
        else words_ << decision_.operand << " lies on the storage of an input";
    }

    void used_later() {
        const auto& witnesses = decision_.witnesses;
        const auto use = std::ranges::find(witnesses, WitnessRole::later_use, &Witness::role);
        if (use == witnesses.end()) {
            words_ << "the storage of " << decision_.operand << " is read later";
            return;
        }
        const bool returned = session_.original().node(use->node).opcode == Opcode::output;
        words_ << use->node << (returned ? " returns " : " reads ");
        const auto through = use + 1;
        const bool has_view = through != witnesses.end() && through->role == WitnessRole::through_view;
        if (has_view && through->node == decision_.node)
            words_ << "this result, which lies on the storage of " << decision_.operand;
        else if (has_view)
            words_ << through->node << ", on the storage of " << decision_.operand
                   << (returned ? "" : ", after this node");
        else
            words_ << decision_.operand << (returned ? "" : " after this node");
        if (is_inductor()) what_inductor_makes_of(use->node, has_view ? through->node : decision_.operand);
        const auto count = std::ranges::count(witnesses, WitnessRole::later_use, &Witness::role);
        if (count > 1)
            words_ << (count == 2 ? "; 1 other node uses it later too"
                                  : "; " + std::to_string(count - 1) + " other nodes use it later too");
    }

    void what_inductor_makes_of(NodeId user, NodeId through) {
        if (session_.original().is_before(user, decision_.node))
            words_ << ", behind which Inductor moves it (reorder_for_locality)";
        const TensorLayout *written = facts().tensor(decision_.operand), *used = facts().tensor(through);
        if (written && used && written->storage == used->storage && !really_overlap(*written, *used))
            words_ << " (they share no memory, but Inductor cannot tell)";
    }

    void skipped() {
        words_ << (decision_.choice == Choice::skip ? "it was told to stay" : "decisions end before it");
        if (target_.inplace) words_ << "; " << target_.inplace_name << " could write into " << decision_.operand;
        else if (target_.inverse_view) words_ << "; it could become a copy_ into a view of " << decision_.operand;
    }

    const ReinplaceSession& session_;
    const Decision& decision_;
    Targets targets_;
    const Target& target_;
    SentenceWriter words_;
};

} // namespace

Sentence explain_reason(const ReinplaceSession& session, const Decision& decision) {
    return Because(session, decision).clause();
}

Sentence explain_operand(const ReinplaceSession& session, const Decision& decision, const OperandDecision& operand) {
    Decision asked = decision;
    asked.operand = operand.values.front();
    asked.check = operand.check;
    asked.reason = operand.reason;
    asked.witnesses = operand.witnesses;
    return Because(session, asked).clause();
}

const TensorMeta* decided_sizes(const ReinplaceSession& session, NodeId node) {
    const bool is_for_all = find_policy(session.options().policy)->follows_placements;
    if (!is_for_all || !session.facts().is_symbolic() || !session.original().contains(node)) return nullptr;
    return std::get_if<TensorMeta>(&session.original().node(node).meta);
}

std::string describe_layout(const TensorLayout& layout, const TensorMeta* decided) {
    const bool has_strides = decided && decided->strides, has_offset = decided && decided->storage_offset;
    return std::string(short_name(layout.dtype)) + (decided ? bracketed(decided->sizes) : bracketed(layout.sizes)) +
           ", strides " + (has_strides ? bracketed(*decided->strides) : bracketed(layout.strides)) + ", offset " +
           (has_offset ? decided->storage_offset->to_string() : std::to_string(layout.storage_offset)) +
           (decided && !has_offset && layout.storage_offset != 0 ? " at the sampled sizes" : "");
}

std::string elements_text(const TensorLayout& layout, const TensorMeta* decided) {
    auto product = decided ? std::optional(SizePolynomial(1)) : std::nullopt;
    for (std::size_t i = 0; product && i < decided->sizes.size(); ++i) {
        const auto size = SizePolynomial::of(decided->sizes[i]);
        product = size ? std::optional(product->times(*size)) : std::nullopt;
    }
    return product && !product->overflowed() ? product->text() : std::to_string(element_count(layout.sizes));
}

} // namespace inspector
