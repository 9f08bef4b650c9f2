#include "core/analysis/value_facts.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "core/analysis/aliasing_operators.h"
#include "core/analysis/call_arguments.h"
#include "core/analysis/number_arithmetic.h"
#include "core/analysis/symbol_values.h"
#include "core/analysis/tensor_extent.h"
#include "core/libtorch/library.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

bool is_getitem(std::string_view target) { return target == "operator.getitem" || target == "_operator.getitem"; }

/// lift_fresh_copy and the like take a constant that the text does not describe, and return one like it.
bool returns_copy_of_argument(std::string_view target) {
    return target == "torch.ops.aten.lift_fresh_copy.default" || target == "torch.ops.aten.lift_fresh.default" ||
           target == "torch.ops.aten.clone.default" || target == "torch.ops.aten.detach.default";
}

bool has_sparse_tensor(const ValueMeta& meta) {
    const auto is_sparse = [](const TensorMeta& tensor) { return tensor.layout != Layout::strided; };
    if (const auto* tensor = std::get_if<TensorMeta>(&meta)) return is_sparse(*tensor);
    const auto* list = std::get_if<ListMeta>(&meta);
    return list && std::ranges::any_of(list->items, [&](const auto& item) { return item && is_sparse(*item); });
}

/// What TorchScript does beside calling operators: control flow, calls, lists, attributes.
bool is_script_primitive(std::string_view target) { return target.starts_with("torch.ops.prim."); }

void add_once(std::vector<StorageId>& storages, StorageId storage) {
    if (storage != 0 && std::ranges::find(storages, storage) == storages.end()) storages.push_back(storage);
}

} // namespace

/// Walks the graph once, in program order.
class FactsBuilder {
public:
    FactsBuilder(const ProgramGraph& program, GraphFacts::Aliasing aliasing)
        : graph_(program.graph), aliasing_(aliasing), symbols_(SymbolValues::of(program)) {
        if (!program.signature) return;
        for (const InputSpec& input : program.signature->inputs)
            if (!input.record.empty()) records_[input.placeholder] = input.record;
    }

    GraphFacts build() {
        facts_.facts_.resize(graph_.id_limit());
        for (const NodeId id : graph_) {
            visit(id);
            of(id).is_sparse = has_sparse_tensor(node(id).meta);
        }
        facts_.storage_limit_ = executor_.new_storage();
        facts_.assumed_ = symbols_.assumed();
        facts_.symbolic_ = symbols_.is_symbolic();
        return std::move(facts_);
    }

private:
    [[nodiscard]] ValueFacts& of(NodeId id) { return facts_.facts_[index_of(id)]; }
    [[nodiscard]] const Node& node(NodeId id) const { return graph_.node(id); }

    void visit(NodeId id) {
        switch (node(id).opcode) {
        case Opcode::placeholder: take_from_file(id, "the file gives no shape for this input", shared_storage(id)); break;
        case Opcode::get_attr: visit_attribute(id); break;
        case Opcode::call_function: visit_call(id); break;
        case Opcode::call_method:
        case Opcode::call_module: visit_opaque_call(id, "its code is not part of the graph"); break;
        case Opcode::output: visit_output(id); break;
        }
    }

    void visit_output(NodeId id) {
        for (const NodeId input : graph_.inputs(id))
            for (const StorageId storage : of(input).storages) add_once(of(id).storages, storage);
    }

    /// A tensor constant, or a nested graph that an operator takes by name.
    void visit_attribute(NodeId id) {
        if (!std::holds_alternative<UnknownMeta>(node(id).meta)) return take_from_file(id, "");
        for (const NodeId user : graph_.users(id)) {
            if (!returns_copy_of_argument(node(user).target)) continue;
            if (const auto* meta = std::get_if<TensorMeta>(&node(user).meta)) {
                if (auto layout = layout_of(*meta, nullptr)) {
                    layout->storage_offset = 0;
                    return set_tensor(id, std::move(*layout), executor_.new_storage(), MetaSource::propagated);
                }
            }
        }
        of(id).unknown_reason = "the file gives no shape for this attribute";
        const bool used_as_tensor =
            std::ranges::any_of(graph_.users(id), [&](NodeId user) { return find(user) != nullptr; });
        if (used_as_tensor) add_once(of(id).storages, executor_.new_storage());
    }

    void visit_call(NodeId id) {
        if (is_getitem(node(id).target)) return visit_getitem(id);
        if (const Operator* op = find(id)) return visit_operator(id, *op);
        if (compute_number(id)) return;
        const std::string_view target = node(id).target;
        if (is_script_primitive(target)) return visit_primitive(id);
        // What a higher-order or custom operator returns is new; a Python function may return what it was given.
        if (target.starts_with("torch.ops.") || target.starts_with("operator.") || target.starts_with("_operator."))
            return take_from_file(id, "nothing is known of this operator");
        visit_opaque_call(id, "nothing is known of this function");
    }

    [[nodiscard]] const Operator* find(NodeId id) {
        const std::string& target = node(id).target;
        if (node(id).opcode != Opcode::call_function) return nullptr;
        const auto known = operators_.find(target);
        if (known != operators_.end()) return known->second;
        return operators_.emplace(target, OperatorTable::instance().find(target)).first->second;
    }

    // --- results without a schema ----------------------------------------------------------------------------------

    /// Weights of one record of the archive lie in the same memory; nullopt where nothing says so.
    std::optional<StorageId> shared_storage(NodeId placeholder) {
        const auto record = records_.find(node(placeholder).name);
        if (record == records_.end()) return std::nullopt;
        const auto [place, is_new] = storage_of_record_.try_emplace(record->second);
        if (is_new) place->second = executor_.new_storage();
        return place->second;
    }

    /// The file's word for the layout; every tensor gets a storage of its own, unless it lies in `storage`.
    void take_from_file(NodeId id, std::string unknown_reason, std::optional<StorageId> storage = {}) {
        ValueFacts& facts = of(id);
        const ValueMeta& meta = node(id).meta;
        if (const auto* tensor = std::get_if<TensorMeta>(&meta)) {
            if (auto layout = layout_of(*tensor, nullptr))
                return set_tensor(id, std::move(*layout), storage ? *storage : executor_.new_storage(), MetaSource::file);
            facts.unknown_reason = "a size has no value";
            add_once(facts.storages, storage ? *storage : executor_.new_storage());
        } else if (const auto* list = std::get_if<ListMeta>(&meta)) {
            begin_list(id, list->items.size(), MetaSource::file);
            for (std::size_t i = 0; i < list->items.size(); ++i)
                if (list->items[i]) set_item(id, i, layout_of(*list->items[i], nullptr), executor_.new_storage());
        } else if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) {
            facts.source = MetaSource::file;
            set_number(facts, *scalar);
        } else if (std::holds_alternative<NoneMeta>(meta)) {
            facts.source = MetaSource::file;
            facts.is_void = true;
        } else {
            facts.unknown_reason = std::move(unknown_reason);
            // Whoever takes items of it is told their storages by visit_getitem.
            if (!has_getitem_users(id)) add_once(facts.storages, executor_.new_storage());
        }
    }

    /// A function or method that nobody here knows may return a view of what it was given, so it is taken for one.
    void visit_opaque_call(NodeId id, std::string unknown_reason) {
        take_from_file(id, std::move(unknown_reason));
        for (const NodeId input : graph_.inputs(id)) {
            if (of(input).storages.empty()) continue;
            ValueFacts& facts = of(id);
            facts.storages = of(input).storages;
            for (auto& item : facts.items)
                if (item) item->storage = facts.storages.front();
            return;
        }
    }

    /// A branch or loop may return any value it is given, a view of one, or a new one; a list holds what it is made of, and
    /// a block may put more into it.
    void visit_primitive(NodeId id) {
        ValueFacts& facts = of(id);
        facts.unknown_reason = "TorchScript's " + node(id).target.substr(std::string_view("torch.ops.").size()) + " is not looked into";
        if (std::holds_alternative<NoneMeta>(node(id).meta)) {
            facts.source = MetaSource::file;
            facts.is_void = true;
        }
        const std::vector<NodeId> inputs = graph_.inputs(id);
        for (const NodeId input : inputs)
            for (const StorageId storage : of(input).storages) add_once(facts.storages, storage);
        for (const NodeId input : inputs)
            if (is_script_primitive(node(input).target))
                for (const StorageId storage : facts.storages) add_once(of(input).storages, storage);
        add_once(facts.storages, executor_.new_storage());
    }

    /// append and the like: from here on the list leads to what is put into it.
    void put_into_list(NodeId id, const Operator& op) {
        const NodeId list = node(id).args.empty() ? no_node : node(id).args[0].node();
        if (list == no_node || !op.is_mutable || !op.arguments[0].type.ends_with("]")) return;
        for (const NodeId input : graph_.inputs(id))
            for (const StorageId storage : of(input).storages) add_once(of(list).storages, storage);
    }

    bool compute_number(NodeId id) {
        if (const auto* scalar = std::get_if<ScalarMeta>(&node(id).meta)) {
            of(id).source = MetaSource::file;
            set_number(of(id), *scalar);
            return true;
        }
        std::vector<Argument> operands;
        for (const Argument& argument : node(id).args) {
            const NodeId operand = argument.node();
            if (operand == no_node) operands.push_back(argument);
            else if (of(operand).number) operands.push_back(*of(operand).number);
            else return false;
        }
        auto number = inspector::compute_number(node(id).target, operands);
        if (!number) return false;
        of(id).source = MetaSource::propagated;
        of(id).number = std::move(number);
        return true;
    }

    void set_number(ValueFacts& facts, const ScalarMeta& meta) const {
        const auto value = symbols_.value(meta.value);
        if (!value) return;
        switch (meta.kind) {
        case ScalarMeta::Kind::integer: facts.number = Argument(*value); break;
        case ScalarMeta::Kind::floating: facts.number = Argument(static_cast<double>(*value)); break;
        case ScalarMeta::Kind::boolean: facts.number = Argument(*value != 0); break;
        }
    }

    // --- getitem ---------------------------------------------------------------------------------------------------

    void visit_getitem(NodeId id) {
        const Node& item = node(id);
        const NodeId list = item.args.empty() ? no_node : item.args[0].node();
        if (list == no_node || !graph_.contains(list)) return take_from_file(id, "what it takes an item of is unknown");
        if (of(list).number || facts_.tensor(list)) return visit_opaque_call(id, "an item of a tensor");

        const auto* position = item.args.size() > 1 ? item.args[1].as<std::int64_t>() : nullptr;
        if (!position) return take_from_file(id, "its index is not a number");
        const auto count = static_cast<std::int64_t>(of(list).items.size());
        const std::int64_t index = *position < 0 && of(list).is_list ? *position + count : *position;

        const auto* meta = std::get_if<TensorMeta>(&item.meta);
        const bool known = index >= 0 && index < count && of(list).items[static_cast<std::size_t>(index)];
        const StorageId storage = item_storage(list, index);
        if (known) {
            const TensorLayout& given = *of(list).items[static_cast<std::size_t>(index)];
            auto layout = meta ? layout_of(*meta, &given) : std::optional(given);
            set_tensor(id, layout ? std::move(*layout) : given, storage, meta ? MetaSource::file : of(list).source);
        } else if (meta) {
            take_from_file(id, "");
            move_to_storage(id, storage);
        } else if (is_script_primitive(node(list).target)) {
            of(id).unknown_reason = of(list).unknown_reason;
            of(id).storages = of(list).storages;
        } else {
            of(id).unknown_reason =
                of(list).unknown_reason.empty() ? "the item's shape is unknown" : of(list).unknown_reason;
            add_once(of(id).storages, storage);
        }
        const Operator* op = find(list);
        if (op && op->view == ViewKind::multi && !node(list).args.empty()) of(id).view_of = node(list).args[0].node();
    }

    /// Items of a list whose layouts are unknown still have storages: a new one each, the same for the same index.
    StorageId item_storage(NodeId list, std::int64_t index) {
        const ValueFacts& facts = of(list);
        if (index >= 0 && static_cast<std::size_t>(index) < facts.items.size() &&
            facts.items[static_cast<std::size_t>(index)])
            return facts.items[static_cast<std::size_t>(index)]->storage;
        const Operator* op = find(list);
        if (op && may_return_argument(*op) && !facts.storages.empty()) return facts.storages.front();
        StorageId& storage = item_storages_[{list, index}];
        if (storage == 0) {
            storage = executor_.new_storage();
            add_once(of(list).storages, storage);
        }
        return storage;
    }

    [[nodiscard]] bool has_getitem_users(NodeId id) const {
        return std::ranges::any_of(graph_.users(id), [&](NodeId user) { return is_getitem(node(user).target); });
    }

    // --- operators -------------------------------------------------------------------------------------------------

    void visit_operator(NodeId id, const Operator& op) {
        if (op.returns.empty()) {
            of(id).source = MetaSource::file;
            of(id).is_void = true;
            return;
        }
        const bool may_alias = may_return_argument(op);
        if (!may_alias && is_complete(node(id).meta) && !may_keep_offset(op)) {
            take_from_file(id, "");
        } else if (!may_alias && std::holds_alternative<UnknownMeta>(node(id).meta) && op.returns.size() > 1) {
            take_items_from_getitems(id, op);
        } else {
            run_kernel(id, op, may_alias);
        }
        if (first_result_is_input(op, node(id))) put_first_item_on(id, resolved_input(id));
        if (converts_type(op)) copy_if_converted(id);
        if (aliasing_ == GraphFacts::Aliasing::of_fake_tensors) follow_fake_tensors(id, op);
        if (!op.arguments.empty()) put_into_list(id, op);
        if (op.view == ViewKind::single && !node(id).args.empty()) link_view(id, node(id).args[0].node());
    }

    /// The first, unless it has lazy bits: to resolve these is to copy it.
    [[nodiscard]] NodeId resolved_input(NodeId id) const {
        const auto inputs = graph_.inputs(id);
        const TensorLayout* layout = inputs.empty() ? nullptr : facts_.tensor(inputs.front());
        return layout && !layout->conjugated && !layout->negated ? inputs.front() : no_node;
    }

    /// Where no kernel knows, or one that knows of no autocast.
    void copy_if_converted(NodeId id) {
        const auto inputs = graph_.inputs(id);
        const TensorLayout *given = inputs.empty() ? nullptr : facts_.tensor(inputs.front()), *made = facts_.tensor(id);
        if (given && made && given->dtype != made->dtype && given->storage == made->storage)
            move_to_storage(id, executor_.new_storage());
    }

    void follow_fake_tensors(NodeId id, const Operator& op) {
        const auto alias = traced_alias(op, node(id));
        if (!alias) return;
        if (!alias->argument) return move_to_storage(id, executor_.new_storage());
        const NodeId argument = alias->argument->node();
        if (argument == no_node || !graph_.contains(argument) || of(argument).storages.empty()) return;
        const TensorLayout *given = facts_.tensor(argument), *made = facts_.tensor(id);
        if (!given || !made || given->device == made->device) move_to_storage(id, of(argument).storages.front());
    }

    void link_view(NodeId id, NodeId base) {
        if (base == no_node || !graph_.contains(base)) return;
        if (of(base).storages == of(id).storages) of(id).view_of = base;
        else of(id).is_copied_view = true;
    }

    /// Nothing is left to compute: sizes, strides and (unless it may be a view) the offset.
    [[nodiscard]] static bool is_complete(const ValueMeta& meta) {
        const auto has_strides = [](const TensorMeta& tensor) { return tensor.strides.has_value(); };
        if (const auto* tensor = std::get_if<TensorMeta>(&meta)) return has_strides(*tensor);
        if (const auto* list = std::get_if<ListMeta>(&meta))
            return std::ranges::all_of(list->items, [&](const auto& item) { return !item || has_strides(*item); });
        return !std::holds_alternative<UnknownMeta>(meta);
    }

    /// Texts annotate the items of a tuple, not the tuple.
    void take_items_from_getitems(NodeId id, const Operator& op) {
        begin_list(id, op.returns.size(), MetaSource::file);
        for (const NodeId user : graph_.users(id)) {
            const Node& item = node(user);
            if (!is_getitem(item.target) || item.args.size() < 2) continue;
            const auto* index = item.args[1].as<std::int64_t>();
            const auto* meta = std::get_if<TensorMeta>(&item.meta);
            if (!index || !meta || *index < 0 || static_cast<std::size_t>(*index) >= op.returns.size()) continue;
            const auto i = static_cast<std::size_t>(*index);
            if (!of(id).items[i]) set_item(id, i, layout_of(*meta, nullptr), item_storage(id, *index));
        }
        // Items that nobody takes are there all the same.
        for (std::size_t i = 0; i < op.returns.size(); ++i)
            if (!of(id).items[i] && op.returns[i].type == "Tensor") item_storage(id, static_cast<std::int64_t>(i));
    }

    void run_kernel(NodeId id, const Operator& op, bool may_alias) {
        std::string reason;
        const auto result = MetaExecutor::has_kernel(op) ? call(id, op, reason) : std::nullopt;
        if (result) return take_result(id, *result);
        if (!libtorch()) reason = libtorch().error().reason;
        else if (reason.empty()) reason = "no kernel computes the shape of " + op.short_target();
        if (std::holds_alternative<UnknownMeta>(node(id).meta) && op.returns.size() > 1)
            take_items_from_getitems(id, op);
        else take_from_file(id, std::move(reason));
        if (!may_alias) return;
        if (const NodeId argument = annotated_argument(id, op); argument != no_node && !of(argument).storages.empty())
            move_to_storage(id, of(argument).storages.front());
    }

    /// The first of several results lies on the storage of `argument`.
    void put_first_item_on(NodeId id, NodeId argument) {
        ValueFacts& facts = of(id);
        if (argument == no_node || !graph_.contains(argument) || of(argument).storages.empty() || facts.items.empty())
            return;
        const StorageId storage = of(argument).storages.front();
        item_storages_[{id, 0}] = storage;
        if (facts.items[0]) facts.items[0]->storage = storage;
        facts.storages.clear();
        add_once(facts.storages, storage);
        for (std::size_t i = 1; i < facts.items.size(); ++i)
            add_once(facts.storages, item_storage(id, static_cast<std::int64_t>(i)));
    }

    std::optional<MetaValue> call(NodeId id, const Operator& op, std::string& reason) {
        std::vector<MetaValue> args;
        std::vector<std::pair<std::string, MetaValue>> kwargs;
        for (const Argument& argument : node(id).args) {
            auto value = evaluate(argument, reason);
            if (!value) return std::nullopt;
            args.push_back(std::move(*value));
        }
        for (const auto& [name, argument] : node(id).kwargs) {
            auto value = evaluate(argument, reason);
            if (!value) return std::nullopt;
            kwargs.emplace_back(name, std::move(*value));
        }
        auto result = executor_.run(op, args, kwargs);
        if (result) return std::move(*result);
        reason = op.short_target() + " does not take these arguments: " + result.error().reason;
        return std::nullopt;
    }

    std::optional<MetaValue> evaluate(const Argument& argument, std::string& reason) {
        if (const NodeId referred = argument.node(); referred != no_node) return evaluate_node(referred, reason);
        if (argument.as<None>()) return MetaValue{};
        if (const auto* size = argument.as<SymbolicSize>()) {
            if (const auto value = symbols_.value(*size)) return MetaValue{Argument(*value)};
            reason = "the size " + size->to_string() + " has no value";
            return std::nullopt;
        }
        const auto* list = argument.as<ArgumentList>();
        if (!list) return MetaValue{argument};
        MetaList items;
        for (const Argument& item : list->items) {
            auto value = evaluate(item, reason);
            if (!value) return std::nullopt;
            items.push_back(std::move(*value));
        }
        return MetaValue{std::move(items)};
    }

    std::optional<MetaValue> evaluate_node(NodeId id, std::string& reason) {
        if (graph_.contains(id)) {
            const ValueFacts& facts = of(id);
            if (const TensorLayout* layout = facts_.tensor(id)) return MetaValue{*layout};
            if (facts.number) return MetaValue{*facts.number};
            if (facts.is_list && std::ranges::all_of(facts.items, [](const auto& item) { return item.has_value(); })) {
                MetaList items;
                for (const auto& item : facts.items) items.push_back(MetaValue{*item});
                return MetaValue{std::move(items)};
            }
            reason = "the shape of %" + node(id).name + " is unknown";
        } else {
            reason = "it takes a value that the graph does not define";
        }
        return std::nullopt;
    }

    void take_result(NodeId id, const MetaValue& result) {
        const ValueMeta& meta = node(id).meta;
        if (const auto* layout = std::get_if<TensorLayout>(&result.value)) {
            const auto* given = std::get_if<TensorMeta>(&meta);
            auto merged = given ? layout_of(*given, layout) : std::nullopt;
            const MetaSource source = merged ? MetaSource::file : MetaSource::propagated;
            set_tensor(id, merged ? std::move(*merged) : *layout, layout->storage, source);
        } else if (const auto* items = std::get_if<MetaList>(&result.value)) {
            const auto* given = std::get_if<ListMeta>(&meta);
            begin_list(id, items->size(), given ? MetaSource::file : MetaSource::propagated);
            for (std::size_t i = 0; i < items->size(); ++i) {
                const auto* item = std::get_if<TensorLayout>(&(*items)[i].value);
                if (!item) continue;
                std::optional<TensorLayout> merged;
                if (given && i < given->items.size() && given->items[i]) merged = layout_of(*given->items[i], item);
                set_item(id, i, merged ? std::move(merged) : *item, item->storage);
            }
        } else if (const auto* number = std::get_if<Argument>(&result.value)) {
            of(id).source = MetaSource::propagated;
            of(id).number = *number;
        } else {
            of(id).source = MetaSource::propagated;
            of(id).is_void = true;
        }
    }

    /// The argument whose alias set the first result belongs to; the first tensor for those that alias unannotated.
    [[nodiscard]] NodeId annotated_argument(NodeId id, const Operator& op) const {
        const Node& call = node(id);
        const auto node_at = [&](std::size_t i) {
            const Argument* given = given_argument(call, i, op.arguments[i].name);
            return given ? given->node() : no_node;
        };
        const auto& alias = op.returns[0].alias;
        for (std::size_t i = 0; i < op.arguments.size(); ++i) {
            const auto& argument = op.arguments[i];
            const bool matches = op.view != ViewKind::none ? i == 0
                                 : alias ? argument.alias && argument.alias->set == alias->set
                                         : !op.is_mutable && argument.type == "Tensor";
            if (matches && node_at(i) != no_node && graph_.contains(node_at(i))) return node_at(i);
        }
        return no_node;
    }

    // --- filling in ------------------------------------------------------------------------------------------------

    /// Concrete layout of the file's metadata. `computed` is the kernel's result: it supplies what the file leaves out.
    /// nullopt where a size has no value or is negative.
    [[nodiscard]] std::optional<TensorLayout> layout_of(const TensorMeta& meta, const TensorLayout* computed) const {
        auto sizes = symbols_.values(meta.sizes);
        if (!sizes || std::ranges::any_of(*sizes, [](std::int64_t size) { return size < 0; })) return std::nullopt;
        TensorLayout layout;
        layout.dtype = meta.dtype;
        layout.sizes = std::move(*sizes);
        auto strides = meta.strides ? symbols_.values(*meta.strides) : std::nullopt;
        if (strides && strides->size() == layout.sizes.size()) layout.strides = std::move(*strides);
        else if (computed && computed->sizes == layout.sizes) layout.strides = computed->strides;
        else layout.strides = contiguous_strides(layout.sizes);
        const auto offset = meta.storage_offset ? symbols_.value(*meta.storage_offset) : std::nullopt;
        layout.storage_offset = offset ? *offset : computed ? computed->storage_offset : 0;
        layout.device = meta.device ? *meta.device : computed ? computed->device : "cpu";
        if (computed) {
            layout.conjugated = computed->conjugated;
            layout.negated = computed->negated;
        }
        return layout;
    }

    void set_tensor(NodeId id, TensorLayout layout, StorageId storage, MetaSource source) {
        ValueFacts& facts = of(id);
        facts.source = source;
        layout.storage = storage;
        add_once(facts.storages, storage);
        facts.items.assign(1, std::move(layout));
    }

    void begin_list(NodeId id, std::size_t count, MetaSource source) {
        ValueFacts& facts = of(id);
        facts.source = source;
        facts.is_list = true;
        facts.items.assign(count, std::nullopt);
    }

    void set_item(NodeId id, std::size_t index, std::optional<TensorLayout> layout, StorageId storage) {
        add_once(of(id).storages, storage);
        if (layout) layout->storage = storage;
        of(id).items[index] = std::move(layout);
    }

    void move_to_storage(NodeId id, StorageId storage) {
        ValueFacts& facts = of(id);
        facts.storages.assign(1, storage);
        for (auto& item : facts.items)
            if (item) item->storage = storage;
    }

    struct ItemKey {
        NodeId list;
        std::int64_t index;
        friend auto operator<=>(const ItemKey&, const ItemKey&) = default;
    };

    const Graph& graph_;
    GraphFacts::Aliasing aliasing_;
    SymbolValues symbols_;
    MetaExecutor executor_;
    std::map<std::string, std::string> records_;              ///< by placeholder
    std::map<std::string, StorageId> storage_of_record_;
    GraphFacts facts_;
    std::unordered_map<std::string_view, const Operator*> operators_;
    std::map<ItemKey, StorageId> item_storages_;
};

GraphFacts GraphFacts::run(const ProgramGraph& graph, Aliasing aliasing) { return FactsBuilder(graph, aliasing).build(); }

} // namespace inspector
