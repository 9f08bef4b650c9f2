#include "core/passes/reinplace/placements.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/data_access.h"
#include "core/analysis/layout_trust.h"
#include "core/analysis/returned_values.h"
#include "core/passes/reinplace/changed_layouts.h"
#include "core/passes/reinplace/written_region.h"

namespace inspector {
namespace {

/// The file gives numbers for everything the layout consists of.
bool is_constant(const ValueMeta& meta) {
    const auto* tensor = std::get_if<TensorMeta>(&meta);
    return tensor && !has_symbols(*tensor);
}

/// Gives a tensor other memory: what lies where is not known from then on.
bool changes_storage(const Operator& op) {
    return op.name == "aten::set_" || op.name == "aten::set" || op.name == "aten::set_data" ||
           op.name == "aten::resize_" || op.name == "aten::resize_as_" || op.name == "aten::resize" ||
           op.name == "aten::resize_as" || op.name == "aten::_resize_output_";
}

/// Its results may be views of its operands, and nothing says so: operators of which nothing is known, and those of torch
/// that share memory without declaring it.
bool may_return_operands(const Node& node, const Target& target) {
    constexpr std::array undeclared{std::string_view("aten::_foobar"), std::string_view("aten::_pack_sequence"),
                                    std::string_view("aten::_saturate_weight_to_fp16"), std::string_view("aten::data")};
    // Torch refuses graphs in which these return what they were given.
    constexpr std::array returns_new{std::string_view("associative_scan"), std::string_view("auto_functionalized"),
                                     std::string_view("auto_functionalized_v2"), std::string_view("cond"),
                                     std::string_view("map"), std::string_view("map_impl"), std::string_view("scan"),
                                     std::string_view("while_loop")};
    if (target.op) return std::ranges::find(undeclared, target.op->name) != undeclared.end();
    constexpr std::string_view higher_order = "torch.ops.higher_order.";
    const std::string_view name = node.target;
    return !target.is_getitem && node.opcode != Opcode::placeholder && node.opcode != Opcode::get_attr &&
           !(name.starts_with(higher_order) &&
             std::ranges::find(returns_new, name.substr(higher_order.size())) != returns_new.end());
}

/// May look at, or replace, what lies beyond its operand.
bool may_reach_beyond(const Operator& op) {
    return op.name == "aten::as_strided" || op.name == "aten::as_strided_scatter" || op.name == "prims::as_strided_scatter";
}

bool may_share_when_run(const Operator& op) {
    return op.view != ViewKind::none &&
           (op.name == "aten::reshape" || op.name == "aten::contiguous" || op.name == "aten::to" ||
            op.name == "aten::flatten" || op.name == "aten::unflatten" || op.name == "aten::reshape_as" ||
            op.name == "aten::view_as");
}

} // namespace

bool is_same_place(const TensorLayout& a, const TensorLayout& b) {
    if (a.storage != b.storage || a.dtype != b.dtype || a.sizes != b.sizes || a.storage_offset != b.storage_offset ||
        a.conjugated != b.conjugated || a.negated != b.negated)
        return false;
    for (std::size_t i = 0; i < a.sizes.size(); ++i)
        if (a.sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

Placements::Placements(const ProgramGraph& source, const Graph& graph, const GraphFacts& facts,
                       const std::vector<const Target*>& targets, const std::vector<Time>& times,
                       const std::vector<std::string>& donated)
    : graph_(graph), facts_(facts), order_(facts.is_symbolic() ? size_order(source) : SizeOrder()),
      layouts_(graph.id_limit()), fixed_(trusted_layouts(source, facts)),
      unit_strides_(source, graph, facts, targets, fixed_, order_), reads_(graph.id_limit()),
      values_on_(facts.storage_limit()), home_(facts.storage_limit()), facts_of_(facts.storage_limit()),
      readable_(facts.storage_limit()), overwrites_(facts.storage_limit()) {
    for (StorageId storage = 0; storage < home_.size(); ++storage) home_[storage] = storage;
    for (const NodeId id : graph_) {
        if (const TensorLayout* known = facts_.tensor(id)) layouts_[index_of(id)] = *known;
        if (const auto* strides = unit_strides_.strides(id)) layouts_[index_of(id)]->strides = *strides;
    }
    if (facts_.is_symbolic()) {
        symbolic_ = symbolic_layouts(source, facts_, order_);
        for (const NodeId id : graph_) {
            const std::size_t i = index_of(id);
            if (!fixed_[i]) symbolic_[i].reset(); // the kernel may lay it out otherwise than the file says
            if (!is_constant(graph_.node(id).meta) || !has_constant_offset(id)) fixed_[i] = false;
        }
    }
    note_repeats(targets);
    note_storages(targets, times, donated);
    note_reads(targets, times);
    note_outputs(source, times);
}

bool Placements::has_constant_offset(NodeId id) const {
    const auto* meta = std::get_if<TensorMeta>(&graph_.node(id).meta);
    if (facts_.of(id).view_of == no_node || (meta && meta->storage_offset)) return true;
    if (const auto& layout = symbolic_[index_of(id)]) return layout->offset.constant().has_value();
    // Numbers alone make a number, and not a sample of an expression.
    const bool is_item = !graph_.inputs(id).empty() && facts_.of(graph_.inputs(id).front()).is_list;
    const auto inputs = graph_.inputs(is_item ? graph_.inputs(id).front() : id);
    return std::ranges::all_of(inputs, [&](NodeId input) { return fixed_[index_of(input)]; });
}

void Placements::note_repeats(const std::vector<const Target*>& targets) {
    may_repeat_.resize(graph_.id_limit());
    for (const NodeId id : graph_) { // what is viewed stands before its views
        if (graph_.node(id).opcode != Opcode::call_function) continue;
        const NodeId base = facts_.of(id).view_of;
        const Operator* op = targets[index_of(id)]->op;
        const bool repeats = op && (op->name == "aten::expand" || op->name == "aten::as_strided" ||
                                    op->name == "aten::unfold" || op->name == "aten::expand_as");
        may_repeat_[index_of(id)] = repeats || (base != no_node && may_repeat_[index_of(base)]);
    }
}

void Placements::note_change(NodeId value, NodeId by) {
    for (const StorageId storage : facts_.storages(value)) {
        facts_of_[storage].foreign = true;
        facts_of_[storage].changed_by = by;
    }
}

void Placements::note_possible_views(NodeId id, Time time) {
    for (const StorageId storage : facts_.storages(id)) facts_of_[storage].foreign = true;
    for (const NodeId input : graph_.inputs(id))
        for (const StorageId storage : facts_.storages(input)) {
            StorageFacts& known = facts_of_[storage];
            if (time >= known.exposed_at) continue;
            known.exposed_at = time;
            known.exposed_by = id;
        }
}

void Placements::note_detached(NodeId id) {
    for (const NodeId input : graph_.inputs(id))
        for (const StorageId storage : facts_.storages(input)) facts_of_[storage].detached_by = id;
}

bool Placements::stays_inside(NodeId id, const Target& target, NodeId whole) const {
    const TensorLayout *outer = layout(whole), *reached = layout(id);
    if (!outer || !reached || !is_fixed(whole) || !is_fixed(id)) return false;
    // The result of a scatter lies as its operand does.
    const auto inner = target.inverse_view ? scatter_region(*target.inverse_view, graph_.node(id), *reached) : *reached;
    const auto a = inner ? region_of(*inner) : std::nullopt, b = region_of(*outer);
    return a && b && surely_inside(*a, *b);
}

void Placements::note_memory_beyond(NodeId id, const Target& target) {
    for (const NodeId input : graph_.inputs(id))
        for (const StorageId storage : facts_.storages(input)) {
            const NodeId first = values_on_[storage].front();
            if (graph_.node(first).opcode == Opcode::placeholder && !stays_inside(id, target, first)) facts_of_[storage].foreign = true;
        }
}

void Placements::note_storages(const std::vector<const Target*>& targets, const std::vector<Time>& times, const std::vector<std::string>& donated) {
    const std::vector<NodeId> changed = changed_layouts(graph_, targets);
    for (const NodeId id : graph_) {
        const Node& node = graph_.node(id);
        if (node.opcode == Opcode::output) continue;
        const Target& target = *targets[index_of(id)];
        if (target.op && (changes_storage(*target.op) || changes_layout(*target.op))) {
            note_change(id, id);
            for (const NodeId input : graph_.inputs(id)) note_change(input, id);
        }
        if (may_return_operands(node, target) && !facts_.storages(id).empty())
            note_possible_views(id, times[index_of(id)]);
        if (changed[index_of(id)] != no_node) note_change(id, changed[index_of(id)]);
        if (target.op && target.op->name == "aten::detach_") note_detached(id);
        if (target.op && may_reach_beyond(*target.op)) note_memory_beyond(id, target);
        for (const StorageId storage : facts_.storages(id)) {
            const bool is_new = values_on_[storage].empty();
            values_on_[storage].push_back(id);
            StorageFacts& known = facts_of_[storage];
            if (node.opcode == Opcode::placeholder) {
                if (std::ranges::find(donated, node.name) != donated.end()) continue;
                if (known.input != no_node) known.foreign = true; // two inputs on one storage: neither may be written
                known.input = id;
            } else if (is_new && (!target.op ||
                                  !(target.op->name.starts_with("aten::") || target.op->name.starts_with("prims::")))) {
                known.foreign = true;
            }
            // Whether it copies is decided by layouts that may be others when run.
            if (target.op && may_share_when_run(*target.op) && !node.args.empty() && node.args[0].node() != no_node &&
                !fixed_[index_of(node.args[0].node())]) {
                known.foreign = true;
                for (const StorageId base : facts_.storages(node.args[0].node())) facts_of_[base].foreign = true;
            }
        }
    }
}

void Placements::note_reads(const std::vector<const Target*>& targets, const std::vector<Time>& times) {
    for (const NodeId reader : graph_) {
        const Operator* op = targets[index_of(reader)]->op;
        for (const NodeId value : graph_.inputs(reader)) {
            if (facts_.storages(value).empty() || !reads_elements(graph_, facts_, op, reader, value)) continue;
            reads_[index_of(value)].push_back(
                {reader, times[index_of(reader)], writes_elements(graph_, op, reader, value)});
        }
    }
    for (StorageId storage = 0; storage < values_on_.size(); ++storage)
        for (const NodeId value : values_on_[storage])
            if (!reads_[index_of(value)].empty())
                readable_[storage].emplace(reads_[index_of(value)].back().time, value);
}

void Placements::note_outputs(const ProgramGraph& source, const std::vector<Time>& times) {
    const auto add_overwrite = [&](NodeId input, const Overwrite& overwrite) {
        const auto& storages = facts_.storages(input);
        if (storages.size() == 1) overwrites_[storages.front()].push_back(overwrite);
    };
    for (const NodeId id : graph_) {
        const Node& node = graph_.node(id);
        if (node.target != "torch.ops.aten.copy_.default" || node.args.size() < 2) continue;
        const NodeId input = node.args[0].node();
        if (input != no_node && graph_.node(input).opcode == Opcode::placeholder)
            add_overwrite(input, {id, times[index_of(id)], node.args[1].node()});
    }
    const NodeId output = graph_.output();
    if (output == no_node || graph_.node(output).args.empty()) return;
    for (const NodeId value : returned_values(source, graph_))
        for (const StorageId storage : facts_.storages(value))
            if (facts_of_[storage].returned == no_node) facts_of_[storage].returned = value;
    const auto* list = graph_.node(output).args[0].as<ArgumentList>();
    if (!list) return;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const OutputSpec* spec =
            source.signature && i < source.signature->outputs.size() ? &source.signature->outputs[i] : nullptr;
        if (!spec || !is_written_back(*spec)) continue;
        for (const InputSpec& input : source.signature->inputs) {
            const NodeId place = is_written_back_to(*spec, input) ? graph_.find(input.placeholder) : no_node;
            if (place != no_node) add_overwrite(place, {output, times[index_of(output)], list->items[i].node()});
        }
    }
}

const TensorLayout* Placements::layout(NodeId node) const {
    if (node == no_node || index_of(node) >= layouts_.size() || !layouts_[index_of(node)]) return nullptr;
    return &*layouts_[index_of(node)];
}

const SymbolicLayout* Placements::symbolic_layout(NodeId node) const {
    if (node == no_node || index_of(node) >= symbolic_.size() || !symbolic_[index_of(node)]) return nullptr;
    return &*symbolic_[index_of(node)];
}

std::optional<Placements::Area> Placements::area(NodeId node) const {
    const TensorLayout* known = layout(node);
    if (!known) return std::nullopt;
    const SymbolicLayout* symbolic = symbolic_layout(node);
    return Area{*known, is_fixed(node), symbolic ? std::optional(*symbolic) : std::nullopt};
}

bool Placements::surely_same_place(NodeId a, NodeId b) const {
    const TensorLayout *x = layout(a), *y = layout(b);
    if (!x || !y || !is_same_place(*x, *y)) return false;
    if (is_fixed(a) && is_fixed(b)) return true;
    const SymbolicLayout *left = symbolic_layout(a), *right = symbolic_layout(b);
    return left && right && inspector::surely_same_place(*left, *right, order_);
}

bool Placements::same_layout_for_all_sizes(NodeId a, NodeId b) const {
    if (!facts_.is_symbolic()) return true;
    const auto* x = std::get_if<TensorMeta>(&graph_.node(a).meta);
    const auto* y = std::get_if<TensorMeta>(&graph_.node(b).meta);
    const auto equal = [&](const std::vector<SymbolicSize>& left, const std::vector<SymbolicSize>& right) {
        return have_same_sizes(left, right, order_).truth == Truth::always;
    };
    return x && y && equal(x->sizes, y->sizes) && x->strides && y->strides && equal(*x->strides, *y->strides);
}

std::optional<Placements::Overwrite> Placements::next_overwrite(StorageId storage, Time now) const {
    for (const Overwrite& overwrite : overwrites_[home(storage)])
        if (overwrite.time > now) return overwrite;
    return std::nullopt;
}

NodeId Placements::writer_on(StorageId storage) const {
    for (const NodeId value : values_on(storage))
        for (const Read& read : reads(value))
            if (read.writes) return read.reader;
    return no_node;
}

SizeAnswer Placements::apart(NodeId value, const Area& written) const {
    const TensorLayout* other = layout(value);
    if (other && written.is_fixed && is_fixed(value)) {
        const auto a = region_of(*other), b = region_of(written.layout);
        if (a && b) {
            const Overlap answer = overlaps(*a, *b);
            if (answer != Overlap::unknown) return {answer == Overlap::no ? Truth::always : Truth::never, {}, true};
        }
    }
    const SymbolicLayout* symbolic = symbolic_layout(value);
    SizeAnswer answer = symbolic && written.symbolic ? lie_apart(*symbolic, *written.symbolic, order_) : SizeAnswer{};
    if (answer.truth == Truth::unknown) ++undecided_;
    return answer;
}

void Placements::join(StorageId result, StorageId self, const std::vector<Moved>& moved) {
    const StorageId into = home(self);
    joins_.push_back({result, into, facts_of_[into]});
    home_[result] = into;
    if (facts_of_[into].returned == no_node) facts_of_[into].returned = facts_of_[result].returned;
    facts_of_[into].foreign |= facts_of_[result].foreign;
    if (facts_of_[result].exposed_at < facts_of_[into].exposed_at) {
        facts_of_[into].exposed_at = facts_of_[result].exposed_at;
        facts_of_[into].exposed_by = facts_of_[result].exposed_by;
    }
    for (const auto& [last_read, value] : readable_[result]) readable_[into].emplace(last_read, value);
    for (const Moved& move : moved) {
        auto& place = layouts_[index_of(move.value)];
        if (!place) continue;
        const bool is_symbolic = !symbolic_.empty();
        moved_.push_back({move.value, *place, is_symbolic ? symbolic_[index_of(move.value)] : std::nullopt});
        place = move.layout;
        if (is_symbolic) symbolic_[index_of(move.value)] = move.symbolic;
    }
}

void Placements::undo_to(const Mark& mark) {
    for (; moved_.size() > mark.layouts; moved_.pop_back()) {
        const Moved& before = moved_.back();
        layouts_[index_of(before.value)] = before.layout;
        if (!symbolic_.empty()) symbolic_[index_of(before.value)] = before.symbolic;
    }
    for (; joins_.size() > mark.joins; joins_.pop_back()) {
        const Join& join = joins_.back();
        for (const auto& entry : readable_[join.from]) readable_[join.into].erase(entry);
        facts_of_[join.into] = join.before;
        home_[join.from] = join.from;
    }
}

} // namespace inspector
