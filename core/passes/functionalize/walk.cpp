#include "core/passes/functionalize/walk.h"

#include <algorithm>

#include "core/operators/operator_table.h"

namespace inspector {
namespace {

bool is_getitem(const Node& node) {
    return node.opcode == Opcode::call_function && (node.target == "operator.getitem" || node.target == "_operator.getitem");
}

bool may_have_symbols(const ValueMeta& meta) {
    const auto* tensor = std::get_if<TensorMeta>(&meta);
    return !tensor || has_symbols(*tensor);
}

/// Mutations that are refused anyway come as steps too, so that somebody is told.
std::vector<NodeId> find_mutations(const Graph& graph) {
    std::vector<NodeId> found;
    for (const NodeId id : graph)
        if (find_mutation(graph, id)) found.push_back(id);
    return found;
}

} // namespace

FunctionalWalk::FunctionalWalk(const Graph& source, const GraphFacts& facts, Graph& graph, Rules rules)
    : source_(source), facts_(facts), graph_(graph), rules_(std::move(rules)), builder_(graph, facts),
      order_(source.begin(), source.end()), mutations_(find_mutations(source)) {}

void FunctionalWalk::visit_until_mutation() {
    const NodeId stop = steps_ < mutations_.size() ? mutations_[steps_] : no_node;
    for (; next_ < order_.size() && order_[next_] != stop && trouble_ == MutationRefusal::none; ++next_)
        if (source_.node(order_[next_]).opcode != Opcode::output) visit(order_[next_]);
}

FunctionalizeStep FunctionalWalk::step() {
    FunctionalizeStep record;
    record_ = &record;
    const Graph::Mark before = graph_.mark();
    if (steps_ == 0) visit_until_mutation();
    record.index = static_cast<std::uint32_t>(steps_);
    record.node = order_[next_];
    record.refusal = rewrite(record.node);
    ++next_;
    ++steps_;
    if (record.refusal == MutationRefusal::none) {
        visit_until_mutation();
        record.refusal = trouble_;
    }
    if (record.refusal != MutationRefusal::none) graph_.undo_to(before);
    record_ = nullptr;
    return record;
}

std::vector<FunctionalWalk::Operand> FunctionalWalk::redirect_operands(NodeId id) {
    std::vector<Operand> operands;
    for (const NodeId named : source_.inputs(id)) {
        Operand operand{named, tree_.of(named), named};
        if (operand.tensor != no_tensor) operand.value = current(operand.tensor, id);
        if (operand.value != named) {
            graph_.replace_input(id, named, operand.value);
            if (record_) record_->redirected.push_back({id, named, operand.value});
        }
        operands.push_back(operand);
    }
    return operands;
}

void FunctionalWalk::visit(NodeId id) {
    const Node& node = source_.node(id);
    const std::vector<Operand> operands = redirect_operands(id);
    if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta); scalar && !scalar->value.is_constant())
        symbols_.try_emplace(scalar->value.to_string(), id);
    if (is_getitem(node) && !operands.empty()) visit_item(id, operands);
    else visit_result(id, operands);
}

ViewedTensor FunctionalWalk::described(NodeId id) const {
    ViewedTensor tensor;
    tensor.source = id;
    tensor.storage = facts_.storages(id).front();
    tensor.value = id;
    if (const TensorLayout* layout = facts_.tensor(id)) {
        tensor.layout = *layout;
        const std::int64_t bytes = element_size(layout->dtype);
        const bool is_fixed = !facts_.is_symbolic() || !may_have_symbols(source_.node(id).meta);
        if (is_fixed && Region::is_representable(layout->storage_offset, layout->sizes, layout->strides, bytes))
            tensor.region = Region::of_view(layout->storage_offset, layout->sizes, layout->strides, bytes);
    }
    return tensor;
}

void FunctionalWalk::add_root(NodeId id, NodeId value) {
    ViewedTensor tensor = described(id);
    tensor.value = value;
    tensor.value_at = tree_.writes(tensor.storage);
    tensor.attached_at = tensor.value_at;
    tree_.add(std::move(tensor));
}

void FunctionalWalk::visit_result(NodeId id, const std::vector<Operand>& operands) {
    const ValueFacts& facts = facts_.of(id);
    if (facts.is_list) {
        const Operator* op = OperatorTable::instance().find(source_.node(id).target);
        builder_.refresh(id);
        if (op && !operands.empty() && operands.front().tensor != no_tensor && !op->is_mutable)
            results_[id] = {operands.front().tensor, tree_.writes(tree_[operands.front().tensor].storage), {}, {}};
        return;
    }
    if (facts.storages.size() != 1) return; // a number, nothing, or many
    const StorageId storage = facts.storages.front();
    if (!operands.empty() && !is_getitem(source_.node(id))) builder_.refresh(id);
    if (tree_.root_of(storage) == no_tensor) return add_root(id, id);
    const auto viewed = std::ranges::find_if(operands, [&](const Operand& operand) {
        return operand.tensor != no_tensor && tree_[operand.tensor].storage == storage;
    });
    if (viewed != operands.end()) add_view(id, *viewed);
}

/// A part of a complex tensor: a select of its numbers seen as pairs. Of a conjugated tensor nothing is seen but through what
/// it conjugates, whose imaginary part is the negative of its own.
void FunctionalWalk::add_part(ViewedTensor& part, const Operand& complex, bool is_imaginary) {
    const bool is_conjugated = tree_[complex.tensor].layout->conjugated;
    const auto step = [&](TensorId viewed, ViewLink link) {
        ViewedTensor between;
        between.storage = part.storage;
        between.viewed = viewed;
        between.link = std::move(link);
        between.region = tree_[viewed].region;
        return tree_.add(std::move(between));
    };
    TensorId numbers = complex.tensor;
    if (is_conjugated) numbers = step(numbers, link_to("aten._conj.default", complex.value, {}));
    part.viewed = step(numbers, link_to("aten.view_as_real.default", complex.value, {}));
    part.link = link_to("aten.select.int", complex.value, {std::int64_t{-1}, std::int64_t{is_imaginary ? 1 : 0}});
    if (!is_conjugated || !is_imaginary) return;
    part.viewed = step(part.viewed, std::move(part.link));
    part.link = link_to("aten._neg_view.default", complex.value, {});
}

void FunctionalWalk::add_view(NodeId id, const Operand& viewed) {
    ViewedTensor tensor = described(id);
    const ViewedTensor& base = tree_[viewed.tensor];
    tensor.link = link_of_call(graph_.node(id), viewed.value);
    const Operator* op = tensor.link.op;
    const bool is_same = tensor.layout && base.layout && *tensor.layout == *base.layout;
    if (op && is_same && may_return_itself(*op)) return tree_.name(id, viewed.tensor);

    tensor.viewed = viewed.tensor;
    if (op && op->name == "aten::as_strided") {
        // Its place is absolute: it views the storage, whatever it was called on.
        const TensorId root = tree_.root_of(tensor.storage);
        tree_.place_absolutely(tensor.storage);
        if (!tree_.is_attached(viewed.tensor)) {
            graph_.replace_input(id, viewed.value, tree_[root].value);
            tensor.link = link_of_call(graph_.node(id), tree_[root].value);
        }
        tensor.viewed = root;
        // Places count elements, so one of another type cannot be laid over the root.
        if (!tensor.layout || !tree_[root].layout || tensor.layout->dtype != tree_[root].layout->dtype) tensor.link = {};
    } else if (op && (op->name == "aten::real" || op->name == "aten::imag") && base.layout && is_complex(base.layout->dtype)) {
        add_part(tensor, viewed, op->name == "aten::imag");
    }
    tensor.value_at = tree_.writes(tensor.storage);
    if (tree_.is_attached(viewed.tensor) || (op && op->name == "aten::as_strided")) tensor.attached_at = tensor.value_at;
    tree_.add(std::move(tensor));
}

void FunctionalWalk::visit_item(NodeId id, const std::vector<Operand>& operands) {
    const Node& node = source_.node(id);
    const auto* place = node.args.size() > 1 ? node.args[1].as<std::int64_t>() : nullptr;
    const auto known = results_.find(operands.front().named);
    if (known == results_.end() || !place || *place < 0) return visit_result(id, operands);
    const Results& results = known->second;
    const auto index = static_cast<std::size_t>(*place);

    if (results.viewed == no_tensor) {
        if (index < results.tensors.size() && results.tensors[index] != no_tensor) tree_.name(id, results.tensors[index]);
        else visit_result(id, operands);
        if (index < results.places.size())
            graph_.set_arguments(id, {node.args[0], static_cast<std::int64_t>(results.places[index])}, {});
        return;
    }
    const ViewedTensor base = tree_[results.viewed];
    if (facts_.storages(id).empty() || facts_.storages(id).front() != base.storage) return visit_result(id, operands);
    ViewedTensor tensor = described(id);
    if (tensor.layout && base.layout && *tensor.layout == *base.layout) return tree_.name(id, results.viewed);
    if (auto link = link_of_piece(graph_.node(operands.front().named), facts_.of(operands.front().named),
                                  facts_.is_symbolic(), *place))
        tensor.link = std::move(*link);
    tensor.viewed = results.viewed;
    tensor.value_at = results.writes;
    if (base.attached_at == results.writes) tensor.attached_at = results.writes;
    const TensorId made = tree_.add(std::move(tensor));
    if (tree_.is_current(made)) return builder_.refresh_item(id, operands.front().named, index);
    // Something was written since the pieces were cut: this one is cut again.
    const ViewLink& again = tree_[made].link;
    if (!again.op) {
        trouble_ = MutationRefusal::no_inverse;
        return;
    }
    const NodeId viewed = current(results.viewed, id);
    std::vector<Argument> args;
    for (const Argument& argument : again.args) args.push_back(with_operand(argument, again.viewed, viewed));
    builder_.change(id, *again.op, std::move(args), again.kwargs);
    const bool is_attached = tree_.is_attached(results.viewed);
    tree_.set_value(made, id, is_attached ? std::optional(tree_.writes(base.storage)) : std::nullopt);
    if (record_) record_->redirected.push_back({id, operands.front().named, viewed});
}

// --- values ----------------------------------------------------------------------------------------------------------

ValueMeta FunctionalWalk::meta(TensorId id) const {
    const NodeId source = tree_[id].source;
    return source == no_node ? ValueMeta{} : source_.node(source).meta;
}

NodeId FunctionalWalk::added(NodeId node, AddedRole role) {
    if (record_) record_->added.push_back({node, role, builder_.source(node)});
    return node;
}

NodeId FunctionalWalk::make_again(TensorId id, NodeId viewed, NodeId position) {
    const ViewedTensor& tensor = tree_[id];
    TensorId named = id; // a step inside a view is made for what it is a view of
    while (tree_[named].source == no_node) named = tree_[named].viewed;
    return added(builder_.view_again(position, tensor.link, viewed, meta(id), tree_[named].source), AddedRole::view);
}

NodeId FunctionalWalk::current(TensorId id, NodeId position) {
    if (tree_.is_current(id)) return tree_[id].value;
    if (tree_[id].viewed == no_tensor || tree_[id].link.target.empty()) {
        trouble_ = MutationRefusal::no_inverse; // nobody knows how the view was made
        return tree_[id].value;
    }
    const TensorId viewed = tree_[id].viewed;
    const NodeId value = make_again(id, current(viewed, position), position);
    tree_.set_value(id, value, tree_.is_attached(viewed) ? std::optional(tree_.writes(tree_[id].storage)) : std::nullopt);
    return value;
}

NodeId FunctionalWalk::attached(TensorId id, NodeId position) {
    if (tree_.is_current(id) && tree_.is_attached(id)) return tree_[id].value;
    if (tree_[id].viewed == no_tensor || tree_[id].link.target.empty()) return current(id, position);
    const NodeId value = make_again(id, attached(tree_[id].viewed, position), position);
    tree_.set_value(id, value, tree_.writes(tree_[id].storage));
    return value;
}

} // namespace inspector
