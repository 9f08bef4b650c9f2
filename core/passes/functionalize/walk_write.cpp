// Mutations: the functional call, the way of its result back to the storage's root, and what refuses it.
#include "core/passes/functionalize/walk.h"

#include <algorithm>

#include "core/analysis/tensor_extent.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

const Operator& aten(const char* name) { return *OperatorTable::instance().find(std::string("aten.") + name); }

/// "my.scale_.default" of "torch.ops.my.scale_.default"
std::string without_namespace(const std::string& target) {
    constexpr std::string_view prefix = "torch.ops.";
    return target.starts_with(prefix) ? target.substr(prefix.size()) : target;
}

bool has_own_result(const SchemaArgument& result) { return !(result.alias && result.alias->is_write); }

} // namespace

MutationRefusal FunctionalWalk::rewrite(NodeId id) {
    std::optional<Mutation> mutation = find_mutation(source_, id);
    FunctionalizeStep& record = *record_;
    record.target = mutation->op ? mutation->op->short_target() : without_namespace(source_.node(id).target);
    for (const WrittenArgument& argument : mutation->written)
        record.written.insert(record.written.end(), argument.tensors.begin(), argument.tensors.end());
    std::vector<TensorId> written;
    if (const auto refusal = check(*mutation, written); refusal != MutationRefusal::none) return refusal;

    for (const Operand& operand : redirect_operands(id)) {
        for (Argument& argument : mutation->args) argument = with_operand(argument, operand.named, operand.value);
        for (auto& [name, argument] : mutation->kwargs) argument = with_operand(argument, operand.named, operand.value);
    }
    record.functional_target = mutation->functional->short_target();
    const NodeId position = graph_.next(id);
    builder_.change(id, *mutation->functional, mutation->args, mutation->kwargs);
    name_results(id, *mutation, written, position);

    // All results are taken before the first is written: a write may make views again.
    const bool is_single = mutation->functional->returns.size() == 1;
    std::vector<NodeId> values;
    std::size_t next = 0;
    for (std::size_t k = 0; k < mutation->written.size(); ++k) {
        const WrittenArgument& argument = mutation->written[k];
        const ValueMeta like = argument.is_list ? ValueMeta{} : meta(written[next]);
        const NodeId whole = is_single ? id : added(builder_.item(position, id, mutation->fresh + k, like, id), AddedRole::item);
        for (std::size_t i = 0; i < argument.tensors.size(); ++i, ++next)
            values.push_back(argument.is_list ? added(builder_.item(position, whole, i, meta(written[next]), id), AddedRole::item)
                                              : whole);
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        const TensorLayout* layout = builder_.layout(values[i]);
        if (layout && tree_[written[i]].layout && layout->sizes != tree_[written[i]].layout->sizes) return MutationRefusal::other_size;
    }
    for (std::size_t i = 0; i < written.size(); ++i) write(written[i], values[i], position);
    record.values = std::move(values);
    return trouble_;
}

MutationRefusal FunctionalWalk::check(const Mutation& mutation, std::vector<TensorId>& written) const {
    if (mutation.refusal != MutationRefusal::none) return mutation.refusal;
    for (const WrittenArgument& argument : mutation.written)
        for (const NodeId node : argument.tensors) written.push_back(tree_.of(node));
    std::size_t next = 0;
    for (const WrittenArgument& argument : mutation.written)
        for (const NodeId node : argument.tensors)
            if (const auto refusal = check_written(node, written[next++]); refusal != MutationRefusal::none) return refusal;
    for (std::size_t i = 0; i < written.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (TensorTree::may_overlap(tree_[written[i]], tree_[written[j]])) return MutationRefusal::written_twice;
    return MutationRefusal::none;
}

MutationRefusal FunctionalWalk::check_written(NodeId node, TensorId id) const {
    if (id == no_tensor) return has_shared_storage(node) ? MutationRefusal::shared_input : MutationRefusal::unknown_tensor;
    const ViewedTensor& tensor = tree_[id];
    if (tensor.layout && tensor.region && overlaps_itself(tensor.layout->sizes, tensor.layout->strides) != Overlap::no)
        return MutationRefusal::overlaps_itself;
    if (!can_write_back(id)) return goes_through_narrow(id) ? MutationRefusal::symbolic_narrow : MutationRefusal::no_inverse;
    const NodeId root = tree_[tree_.root_of(tensor.storage)].source;
    const Opcode origin = source_.node(root).opcode;
    const bool is_constant = origin == Opcode::get_attr || rules_.constant_inputs.contains(root);
    if (is_constant && rules_.epilogue == Epilogue::outputs) return MutationRefusal::constant_written;
    if (origin == Opcode::placeholder && rules_.is_nested) return MutationRefusal::captured_written;
    if (rules_.shared_inputs.contains(root)) return MutationRefusal::shared_input;
    return MutationRefusal::none;
}

/// Of inputs on one storage the tree has the first; the others, and their views, are no views of it.
bool FunctionalWalk::has_shared_storage(NodeId node) const {
    if (node == no_node || facts_.storages(node).size() != 1) return false;
    const TensorId root = tree_.root_of(facts_.storages(node).front());
    return root != no_tensor && rules_.shared_inputs.contains(tree_[root].source);
}

bool FunctionalWalk::goes_through_narrow(TensorId id) const {
    TensorId view = id;
    while (tree_[view].viewed != no_tensor && inverse(view)) view = tree_[view].viewed;
    return tree_[view].link.op && tree_[view].link.op->name == "aten::narrow";
}

std::optional<InverseView> FunctionalWalk::inverse(TensorId view) const {
    const ViewedTensor &tensor = tree_[view], &viewed = tree_[tensor.viewed];
    // Of cells that two indices name, one would be written with what it held before.
    if (tensor.layout && overlaps_itself(tensor.layout->sizes, tensor.layout->strides) != Overlap::no) return std::nullopt;
    return inverse_of(tensor.link, viewed.layout ? &*viewed.layout : nullptr, tensor.layout ? &*tensor.layout : nullptr);
}

bool FunctionalWalk::can_be_placed(TensorId id) const {
    const ViewedTensor &tensor = tree_[id], &root = tree_[tree_.root_of(tensor.storage)];
    return tensor.layout && tensor.region && root.layout && tensor.layout->dtype == root.layout->dtype &&
           !tensor.layout->conjugated && !tensor.layout->negated &&
           overlaps_itself(tensor.layout->sizes, tensor.layout->strides) == Overlap::no;
}

bool FunctionalWalk::can_write_back(TensorId id) const {
    bool has_place = false;
    for (TensorId view = id; tree_[view].viewed != no_tensor; view = tree_[view].viewed) {
        has_place = has_place || can_be_placed(view);
        if (!inverse(view)) return has_place;
    }
    return true;
}

void FunctionalWalk::name_results(NodeId id, const Mutation& mutation, const std::vector<TensorId>& written, NodeId position) {
    const std::vector<SchemaArgument>& returns = mutation.op->returns;
    const auto tensor_of = [&](const SchemaArgument& result) {
        std::size_t next = 0;
        for (const WrittenArgument& argument : mutation.written) {
            if (!argument.is_list && argument.alias_set == result.alias->set) return written[next];
            next += argument.tensors.size();
        }
        return no_tensor;
    };
    if (returns.size() == 1) {
        if (!has_own_result(returns[0])) tree_.name(id, tensor_of(returns[0]));
        else if (facts_.storages(id).size() == 1)
            add_root(id, added(builder_.item(position, id, 0, source_.node(id).meta, id), AddedRole::item));
        return;
    }
    Results results;
    std::size_t fresh = 0, aliased = mutation.fresh;
    for (const SchemaArgument& result : returns) {
        const bool is_own = has_own_result(result);
        results.tensors.push_back(is_own ? no_tensor : tensor_of(result));
        results.places.push_back(is_own ? fresh++ : aliased++);
    }
    if (!returns.empty()) results_[id] = std::move(results);
}

// --- writing back ----------------------------------------------------------------------------------------------------

void FunctionalWalk::write(TensorId id, NodeId value, NodeId position) {
    const TensorLayout* result = builder_.layout(value);
    const NodeId source = builder_.source(value);
    if (result && tree_[id].layout && result->dtype != tree_[id].layout->dtype)
        value = added(builder_.call(position, aten("_to_copy.default"), {NodeReference{value}},
                                    {{"dtype", tree_[id].layout->dtype}}, meta(id), source), AddedRole::cast);

    std::vector<std::pair<TensorId, NodeId>> values{{id, value}};
    bool keeps_storage = false;
    TensorId view = id;
    while (tree_[view].viewed != no_tensor) {
        if (const auto back = inverse(view)) {
            value = write_back(*back, view, value, position);
            view = tree_[view].viewed;
            keeps_storage = back->is_scatter;
        } else {
            // By its place in the storage: the last tensor on the way that has one.
            const auto placed = std::ranges::find_if(values.rbegin(), values.rend(),
                                                     [&](const auto& known) { return can_be_placed(known.first); });
            value = write_to_root(placed->first, placed->second, position);
            keeps_storage = true;
            view = tree_.root_of(tree_[id].storage);
        }
        values.emplace_back(view, value);
    }
    values.back().second = fit_root(view, value, keeps_storage, position);
    tree_.write(id);
    for (const auto& [tensor, now] : values) {
        const bool is_root = tensor == view;
        const TensorLayout* layout = builder_.layout(now);
        const bool fits = !layout || !tree_[tensor].layout || same_layout(*layout, *tree_[tensor].layout);
        if (is_root) tree_.set_value(tensor, now, tree_.writes(tree_[tensor].storage));
        else if (fits && tree_[tensor].source != no_node) tree_.set_value(tensor, now, std::nullopt);
    }
}

/// What a scatter of `view` starts from. Of a scatter that wrote the same cells just before, nothing would be left.
NodeId FunctionalWalk::base_for(TensorId view, NodeId position) {
    NodeId base = current(tree_[view].viewed, position);
    for (auto before = scattered_.find(base); before != scattered_.end() && before->second.view == view; before = scattered_.find(base))
        base = before->second.base;
    return base;
}

NodeId FunctionalWalk::write_back(const InverseView& inverse, TensorId view, NodeId value, NodeId position) {
    const TensorId viewed = tree_[view].viewed;
    std::vector<Argument> args;
    NodeId base = no_node;
    if (inverse.is_scatter) args.push_back(NodeReference{base = base_for(view, position)});
    args.push_back(NodeReference{value});
    args.insert(args.end(), inverse.rest.begin(), inverse.rest.end());
    const Operator* op = inverse.op;
    if (inverse.takes_sizes) {
        args.push_back(sizes(viewed, position));
        // What was computed may lie in memory so that it cannot be seen with these sizes.
        if (builder_.layout(value) && !builder_.infer(*op, args, inverse.kwargs)) op = &aten("reshape.default");
    }
    const NodeId source = builder_.source(value);
    const NodeId made = builder_.call(position, *op, std::move(args), inverse.kwargs, meta(viewed), source);
    if (inverse.is_scatter) scattered_[made] = {view, base};
    return added(made, inverse.is_scatter ? AddedRole::scatter : AddedRole::inverse);
}

NodeId FunctionalWalk::write_to_root(TensorId id, NodeId value, NodeId position) {
    const TensorId root = tree_.root_of(tree_[id].storage);
    const TensorLayout& layout = *tree_[id].layout;
    const auto list = [](const std::vector<std::int64_t>& numbers) {
        ArgumentList items;
        for (const std::int64_t number : numbers) items.items.emplace_back(number);
        return Argument(std::move(items));
    };
    return added(builder_.call(position, aten("as_strided_scatter.default"),
                               {NodeReference{tree_[root].value}, NodeReference{value}, list(layout.sizes), list(layout.strides),
                                layout.storage_offset},
                               {}, meta(root), builder_.source(value)), AddedRole::scatter);
}

/// The root's value keeps the strides of the root, and where views are placed absolutely, all of its storage.
NodeId FunctionalWalk::fit_root(TensorId id, NodeId value, bool keeps_storage, NodeId position) {
    const ViewedTensor& root = tree_[id];
    const TensorLayout* layout = builder_.layout(value);
    if (!layout || !root.layout) return value;
    const bool lies_alike = same_layout(*layout, *root.layout);
    const bool may_move = !tree_.is_placed_absolutely(root.storage) || keeps_storage ||
                          (root.layout->storage_offset == 0 && layout->storage_offset == 0 && is_dense(*root.layout));
    if (lies_alike && may_move) return value;
    return added(builder_.call(position, aten("copy.default"), {NodeReference{root.value}, NodeReference{value}}, {}, meta(id),
                               builder_.source(value)), AddedRole::layout);
}

Argument FunctionalWalk::sizes(TensorId id, NodeId position) {
    const ValueMeta described = meta(id);
    ArgumentList list;
    if (const auto* tensor = std::get_if<TensorMeta>(&described)) {
        for (std::size_t i = 0; i < tensor->sizes.size(); ++i) {
            const SymbolicSize& size = tensor->sizes[i];
            if (const auto constant = size.constant()) {
                list.items.emplace_back(*constant);
                continue;
            }
            NodeId& number = symbols_.try_emplace(size.to_string(), no_node).first->second;
            if (number == no_node || !graph_.contains(number)) {
                ScalarMeta meta;
                meta.value = size;
                number = added(builder_.call(position, aten("sym_size.int"),
                                             {NodeReference{current(id, position)}, static_cast<std::int64_t>(i)}, {}, meta,
                                             tree_[id].source), AddedRole::size);
            }
            list.items.emplace_back(NodeReference{number});
        }
    } else if (tree_[id].layout) {
        for (const std::int64_t size : tree_[id].layout->sizes) list.items.emplace_back(size);
    }
    return Argument(std::move(list));
}

} // namespace inspector
