#include "core/passes/reinplace/unit_strides.h"

#include <algorithm>
#include <utility>

#include "core/analysis/returned_values.h"
#include "core/analysis/tensor_extent.h"
#include "core/graph/symbolic_arithmetic.h"
#include "core/passes/reinplace/infer_call.h"
#include "core/passes/reinplace/unit_stride_rules.h"

namespace inspector {
namespace {

bool has_unit_dimension(const TensorLayout& layout) {
    return std::ranges::any_of(layout.sizes, [](std::int64_t size) { return size < 2; });
}

bool is_contiguous(const std::vector<SymbolicSize>& sizes, const std::vector<SymbolicSize>& strides,
                   const SizeOrder& order) {
    std::optional<SymbolicSize> expected = SymbolicSize(1);
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (!expected || !order.surely_equal(strides[i], *expected)) return false;
        expected = product(*expected, sizes[i]);
    }
    return true;
}

bool are_equal(const std::vector<SymbolicSize>& a, const std::vector<SymbolicSize>& b, const SizeOrder& order) {
    return std::ranges::equal(a, b, [&](const auto& x, const auto& y) { return order.surely_equal(x, y); });
}

} // namespace

class UnitStrides::Finder {
public:
    Finder(UnitStrides& found, const ProgramGraph& source, const Graph& graph, const GraphFacts& facts,
           const std::vector<const Target*>& targets, const std::vector<bool>& trusted, const SizeOrder& order)
        : found_(found), source_(source), graph_(graph), facts_(facts), targets_(targets), trusted_(trusted),
          order_(order) {}

    void run() {
        for (const NodeId value : returned_values(source_, graph_)) found_.shown_[index_of(value)] = true;
        const std::vector<NodeId> nodes(graph_.begin(), graph_.end());
        for (auto user = nodes.rbegin(); user != nodes.rend(); ++user)
            if (graph_.node(*user).opcode != Opcode::output)
                for (const NodeId value : graph_.inputs(*user))
                    if (shows(*user, value)) found_.shown_[index_of(value)] = true;
        for (const NodeId id : nodes)
            if (found_.is_shown(id) && has_unit_dimension(id)) found_.known_[index_of(id)] = find(id);
    }

private:
    // --- what is shown -----------------------------------------------------------------------------------------------

    /// The strides of `value` reach an output through `user`.
    [[nodiscard]] bool shows(NodeId user, NodeId value) const {
        const Target& target = *targets_[index_of(user)];
        const bool is_shown = found_.is_shown(user);
        if (!target.op) return is_shown || !target.is_getitem;
        const Operator& op = *target.op;
        const ValueFacts& facts = facts_.of(user);
        if (facts.is_void || facts.number) return asks_for_strides(op);
        const auto& storages = facts.storages;
        const bool shares = std::ranges::any_of(facts_.storages(value), [&](StorageId storage) {
            return std::ranges::find(storages, storage) != storages.end();
        });
        if (op.is_mutable && !shares) return false;
        const auto& args = graph_.node(user).args;
        const bool may_be_written_to = !args.empty() && args[0].node() == value && (target.inplace || target.inverse_view);
        const bool is_independent =
            is_contiguous_whatever_the_operands(op) ||
            (op.has_tag("pointwise") && trusted_[index_of(user)] && !has_unit_dimension(user));
        return is_shown && (!is_independent || may_be_written_to || shares);
    }

    // --- what is known -----------------------------------------------------------------------------------------------

    [[nodiscard]] const TensorMeta* symbolic(NodeId id) const {
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        return facts_.is_symbolic() && meta && has_symbols(*meta) ? meta : nullptr;
    }

    [[nodiscard]] bool has_unit_dimension(NodeId id) const {
        if (const TensorMeta* meta = symbolic(id))
            return !std::ranges::all_of(meta->sizes, [&](const SymbolicSize& size) {
                return order_.surely_at_most(2, size);
            });
        const ValueFacts& facts = facts_.of(id);
        if (facts.number) return false;
        if (facts.items.empty()) return !facts.storages.empty();
        return std::ranges::any_of(
            facts.items, [](const auto& item) { return !item || inspector::has_unit_dimension(*item); });
    }

    [[nodiscard]] bool find(NodeId id) {
        const Target& target = *targets_[index_of(id)];
        const bool is_independent = target.op && is_contiguous_whatever_the_operands(*target.op);
        if (!trusted_[index_of(id)] && !is_independent) return is_a_batch_of_one(id);
        if (graph_.node(id).opcode != Opcode::call_function) return true;
        if (target.is_getitem) return are_known(id);
        if (!target.op) return false;
        const bool has_rule = follows_meta_kernel(*target.op) || lays_out_as_empty_like(*target.op);
        if (!is_independent && !(has_rule && are_known(id))) return false;
        if (varies(id)) return find_for_all_sizes(id, target);
        const TensorLayout* layout = facts_.tensor(id);
        const bool is_new = target.op->view == ViewKind::none && !target.op->is_mutable;
        // Without elements the order of dimensions is another matter.
        const bool is_empty = layout && std::ranges::find(layout->sizes, 0) != layout->sizes.end();
        if (layout && !is_empty && (is_independent || (is_new && has_contiguous_operands(id))))
            return take(id, contiguous_strides(layout->sizes));
        if (!layout && is_independent) return has_contiguous_items(id);
        return are_known(id) && ask_meta_kernel(id, *target.op);
    }

    /// Whichever memory format its kernel chooses, the first dimension is the outermost of a dense tensor.
    [[nodiscard]] bool is_a_batch_of_one(NodeId id) const {
        const TensorLayout* layout = facts_.is_symbolic() ? nullptr : facts_.tensor(id);
        return layout && is_dense(*layout) && layout->strides.front() == element_count(layout->sizes) &&
               std::ranges::all_of(layout->sizes.begin() + 1, layout->sizes.end(), [](auto size) { return size > 1; });
    }

    [[nodiscard]] bool are_known(NodeId id) const {
        return std::ranges::all_of(graph_.inputs(id), [&](NodeId input) {
            return found_.is_known(input) && !(facts_.of(input).is_list && found_.corrected_.contains(input));
        });
    }

    [[nodiscard]] TensorLayout layout(NodeId id) const {
        TensorLayout known = *facts_.tensor(id);
        if (const auto* strides = found_.strides(id)) known.strides = *strides;
        return known;
    }

    [[nodiscard]] bool has_contiguous_items(NodeId id) const {
        return std::ranges::all_of(facts_.of(id).items, [](const auto& item) { return item && has_contiguous_strides(*item); });
    }

    /// Then the order of dimensions is theirs, whatever is broadcast.
    [[nodiscard]] bool has_contiguous_operands(NodeId id) const {
        return std::ranges::all_of(graph_.inputs(id), [&](NodeId input) {
            if (facts_.of(input).number) return true;
            return facts_.tensor(input) && has_contiguous_strides(layout(input));
        });
    }

    bool ask_meta_kernel(NodeId id, const Operator& op) {
        if (!executor_) executor_.emplace();
        Node call = graph_.node(id);
        const bool is_like_empty = lays_out_as_empty_like(op);
        if (is_like_empty) call.args.resize(1);
        const Operator& asked = is_like_empty ? *OperatorTable::instance().find("aten.empty_like.default") : op;
        const auto inferred =
            infer_call(*executor_, asked, call, [&](NodeId operand) -> std::optional<MetaValue> {
                if (facts_.tensor(operand)) return MetaValue{layout(operand)};
                if (const auto& number = facts_.of(operand).number) return MetaValue{*number};
                return std::nullopt;
            });
        if (!inferred) return false;
        if (const auto* result = std::get_if<TensorLayout>(&inferred->value)) return take(id, result->strides);
        const auto* items = std::get_if<MetaList>(&inferred->value);
        const auto& known = facts_.of(id).items;
        return items && std::ranges::equal(*items, known, [](const MetaValue& item, const auto& fact) {
                   const auto* result = std::get_if<TensorLayout>(&item.value);
                   return result && fact && result->sizes == fact->sizes && result->strides == fact->strides;
               });
    }

    /// The kernel sets these; false where the facts are others in dimensions above 1 too.
    bool take(NodeId id, const std::vector<std::int64_t>& strides) {
        const TensorLayout* known = facts_.tensor(id);
        if (!known || known->strides.size() != strides.size()) return false;
        const bool is_empty = std::ranges::find(known->sizes, 0) != known->sizes.end();
        for (std::size_t i = 0; i < strides.size(); ++i)
            if (!is_empty && known->sizes[i] > 1 && known->strides[i] != strides[i]) return false;
        if (known->strides != strides) found_.corrected_[id] = strides;
        return true;
    }

    // --- for all sizes -----------------------------------------------------------------------------------------------

    /// Symbols in its sizes, or in an operand's.
    [[nodiscard]] bool varies(NodeId id) const {
        if (!facts_.is_symbolic()) return false;
        const auto is_constant = [&](NodeId node) {
            const auto* meta = std::get_if<TensorMeta>(&graph_.node(node).meta);
            return meta && !has_symbols(*meta);
        };
        return !is_constant(id) || !std::ranges::all_of(graph_.inputs(id), is_constant);
    }

    [[nodiscard]] bool is_contiguous_for_all_sizes(NodeId id) const {
        if (facts_.of(id).number) return true;
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        return meta && meta->strides && is_contiguous(meta->sizes, *meta->strides, order_);
    }

    [[nodiscard]] bool may_be_empty(NodeId id) const {
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        return !meta || std::ranges::any_of(meta->sizes, [&](const auto& size) { return may_be(0, size); });
    }

    /// A dimension of size 0 with one of size 1 right behind it: kernels that broadcast lay the latter out otherwise than a
    /// contiguous tensor does. Tried with all sizes from 0 to 3 of up to four dimensions.
    [[nodiscard]] bool may_be_empty_beside_one(NodeId id) const {
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        if (!meta) return true;
        for (std::size_t i = 1; i < meta->sizes.size(); ++i)
            if (may_be(0, meta->sizes[i - 1]) && may_be(1, meta->sizes[i])) return true;
        return false;
    }

    [[nodiscard]] bool may_be(std::int64_t number, const SymbolicSize& size) const {
        return !order_.surely_at_most(number + 1, size) && !order_.surely_at_most(size, number - 1);
    }

    /// Every operand has the result's sizes, and none is a number.
    [[nodiscard]] bool broadcasts_nothing(NodeId id) const {
        const Node& node = graph_.node(id);
        const auto* meta = std::get_if<TensorMeta>(&node.meta);
        return meta && std::ranges::all_of(node.args, [&](const Argument& argument) {
            const auto* operand = argument.node() != no_node
                                      ? std::get_if<TensorMeta>(&graph_.node(argument.node()).meta)
                                      : nullptr;
            return operand && are_equal(operand->sizes, meta->sizes, order_);
        });
    }

    /// The file's strides are the kernel's for all sizes.
    [[nodiscard]] bool find_for_all_sizes(NodeId id, const Target& target) const {
        const Operator& op = *target.op;
        if (multiplies_strides_by_sizes(op) && may_be_empty(id)) return false;
        if (op.is_mutable || keeps_strides_of_base(op)) return true;
        const auto inputs = graph_.inputs(id);
        if (is_contiguous_for_all_sizes(id) &&
            (is_contiguous_whatever_the_operands(op) ||
             (std::ranges::all_of(inputs, [&](NodeId input) { return is_contiguous_for_all_sizes(input); }) &&
              (!may_be_empty_beside_one(id) || broadcasts_nothing(id)))))
            return true;
        const NodeId base = inputs.empty() ? no_node : inputs.front();
        if (!target.inverse_view || base == no_node) return false;
        const auto* from = std::get_if<TensorMeta>(&graph_.node(base).meta);
        const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
        return from && meta && from->strides && meta->strides && are_equal(*from->strides, *meta->strides, order_);
    }

    UnitStrides& found_;
    const ProgramGraph& source_;
    const Graph& graph_;
    const GraphFacts& facts_;
    const std::vector<const Target*>& targets_;
    const std::vector<bool>& trusted_;
    const SizeOrder& order_;
    std::optional<MetaExecutor> executor_; ///< made when first needed
};

UnitStrides::UnitStrides(const ProgramGraph& source, const Graph& graph, const GraphFacts& facts,
                         const std::vector<const Target*>& targets, const std::vector<bool>& trusted,
                         const SizeOrder& order)
    : shown_(graph.id_limit(), false), known_(graph.id_limit(), true) {
    Finder(*this, source, graph, facts, targets, trusted, order).run();
}

} // namespace inspector
