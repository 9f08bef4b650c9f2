#include "core/formats/torchscript/lowering.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include "core/formats/reader_notes.h"
#include "core/formats/torchscript/block_scope.h"
#include "core/formats/torchscript/default_argument.h"
#include "core/formats/torchscript/number_operators.h"
#include "core/formats/torchscript/overload_choice.h"
#include "core/formats/torchscript/script_type.h"
#include "core/graph/count_text.h"
#include "core/operators/operator_table.h"

namespace inspector::torchscript {
namespace {

/// Operators that change a list or dictionary they are given.
constexpr std::array list_writers{
    std::string_view("aten::append"), std::string_view("aten::extend"),    std::string_view("aten::insert"),
    std::string_view("aten::pop"),    std::string_view("aten::remove"),    std::string_view("aten::reverse"),
    std::string_view("aten::sort"),   std::string_view("aten::clear"),     std::string_view("aten::_set_item"),
    std::string_view("aten::Delete"), std::string_view("aten::setdefault"), std::string_view("aten::update"),
    std::string_view("aten::popitem"),
};

bool writes_list(std::string_view kind) { return std::ranges::find(list_writers, kind) != list_writers.end(); }

template <typename Visit> void for_each_node(const ScriptBlock& block, const Visit& visit) {
    for (const ScriptNode& node : block.nodes) {
        visit(node);
        for (const ScriptBlock& inner : node.blocks) for_each_node(inner, visit);
    }
}

bool changes_shape_in_place(std::string_view kind) {
    if (!kind.ends_with('_')) return false;
    return std::ranges::any_of(OperatorTable::instance().overloads(kind), [](const Operator* op) { return op->has_tag("inplace_view"); });
}

/// What a value of TorchScript is in the graph that is being made.
struct Binding {
    enum class Kind : std::uint8_t {
        argument,      ///< a node, constant, list or tuple
        module,        ///< `text` is its path
        function,      ///< `text` is its key
        sizes,         ///< the list of sizes of the tensor `argument`
        number_tensor, ///< a tensor that holds the number `argument`
    };
    Kind kind = Kind::argument;
    Argument argument;
    std::string text;
    BlockScope* home = nullptr;
    std::optional<std::size_t> constant{}; ///< of the archive's constants, the one that `argument` is
};

/// One call of a function that is being inlined.
struct Frame {
    const ScriptGraph& graph;
    std::string function;
    std::vector<Binding> values;
    std::set<ValueIndex> kept_lists; ///< lists that are changed after they were made
};

/// One method. Faults are thrown as Error inside this file.
class Lowering {
public:
    Lowering(const ScriptModule& module, const ReadOptions& options, Program& program)
        : module_(module), options_(options), program_(program) {
        for (const auto& [key, graph] : module.functions)
            for_each_node(graph.body, [&](const ScriptNode& node) {
                if (node.kind == "prim::SetAttr") set_attributes_.insert(node.name);
                if (writes_list(node.kind)) lists_change_ = true;
                if (changes_shape_in_place(node.kind)) shapes_change_ = true;
            });
    }

    void lower(const ScriptMethod& method) {
        const ScriptGraph& graph = function(method.key);
        BlockScope root;
        root.index = program_.graphs.size();
        root.id = method.id;
        root_ = &root;
        ProgramGraph shell;
        shell.id = method.id;
        shell.kind = "torchscript";
        program_.graphs.push_back(std::move(shell));

        Frame frame = begin(graph, method.key);
        std::size_t tensors = 0;
        for (const ValueIndex input : graph.body.inputs) {
            const ScriptValue& value = graph.values[input];
            if (is_class_type(value.type) && input == graph.body.inputs.front()) {
                frame.values[input] = {Binding::Kind::module, {}, "", &root};
                continue;
            }
            ValueMeta meta = value_meta(value.type);
            if (std::holds_alternative<UnknownMeta>(meta) && is_tensor_type(value.type) && tensors < module_.state.traced_inputs.size() &&
                method.id == "root")
                meta = module_.state.traced_inputs[tensors];
            if (is_tensor_type(value.type)) ++tensors;
            const NodeId id = add_input(root, value, std::move(meta));
            // A number is known by its name; a run takes a sample of it.
            if (value.type == "int")
                if (auto symbol = SymbolicSize::parse(root.graph.node(id).name))
                    root.graph.set_meta(id, ScalarMeta{ScalarMeta::Kind::integer, std::move(*symbol)});
            bind(frame, input, NodeReference{id}, root);
        }
        const Argument result = run(frame, graph.body, root);
        finish_method(root, result);
    }

private:
    [[noreturn]] static void fault(const ScriptNode* node, std::string reason) {
        std::string place;
        if (node && node->line != 0) place = "line " + std::to_string(node->line);
        else if (node) place = node->kind + (node->place.empty() ? "" : " (" + node->place + ")");
        throw Error{{}, std::move(place), std::move(reason)};
    }

    const ScriptGraph& function(const std::string& key) const {
        const auto found = module_.functions.find(key);
        if (found == module_.functions.end()) fault(nullptr, "there is no code of " + key);
        return found->second;
    }

    // --- frames ------------------------------------------------------------------------------------------------------

    Frame begin(const ScriptGraph& graph, const std::string& key) const {
        Frame frame{graph, key, {}, {}};
        frame.values.resize(graph.values.size());
        if (lists_change_) {
            std::set<ValueIndex> stays;
            const auto keep = [&](const std::vector<ValueIndex>& values) { stays.insert(values.begin(), values.end()); };
            keep(graph.body.outputs);
            for_each_node(graph.body, [&](const ScriptNode& node) {
                const bool may_change = writes_list(node.kind) || node.kind == "prim::SetAttr" || node.kind.starts_with("prim::Call") ||
                                        !node.blocks.empty();
                if (may_change) keep(node.inputs);
                for (const ScriptBlock& block : node.blocks) keep(block.outputs);
            });
            frame.kept_lists = std::move(stays);
        }
        return frame;
    }

    static void bind(Frame& frame, ValueIndex value, Argument argument, BlockScope& scope) {
        frame.values[value] = {Binding::Kind::argument, std::move(argument), {}, &scope};
    }

    const Binding& binding(const Frame& frame, ValueIndex value) const { return frame.values[value]; }

    /// The value as an argument of a node of `scope`.
    Argument use(Frame& frame, ValueIndex value, BlockScope& scope) {
        Binding& known = frame.values[value];
        switch (known.kind) {
        case Binding::Kind::module: return OpaqueText{known.text.empty() ? "self" : "self." + known.text};
        case Binding::Kind::function: return OpaqueText{known.text};
        case Binding::Kind::argument: break;
        case Binding::Kind::sizes:
            return NodeReference{call(scope, "torch.ops.aten.sym_size.default", {scope.import(known.argument, *known.home)}, "size", {})};
        case Binding::Kind::number_tensor:
            // From here on it is one tensor, which may be written.
            bind(frame, value, NodeReference{scalar_tensor(known, *known.home)}, *known.home);
            break;
        }
        return known.home ? scope.import(known.argument, *known.home) : known.argument;
    }

    /// As prim::NumToTensor makes it: int64 of integers.
    NodeId scalar_tensor(const Binding& number, BlockScope& scope) {
        Node node;
        node.target = "torch.ops.aten.scalar_tensor.default";
        node.name = scope.graph.fresh_name("scalar_tensor");
        node.args = {scope.import(number.argument, *number.home)};
        node.kwargs = {{"dtype", number.text == "float" ? DType::f64 : number.text == "bool" ? DType::b8 : DType::i64}};
        return append(scope, std::move(node));
    }

    // --- nodes -------------------------------------------------------------------------------------------------------

    NodeId append(BlockScope& scope, Node node) {
        if (++nodes_ > options_.limits.nodes)
            fault(nullptr, "with its calls inlined, the graph has more than " + std::to_string(options_.limits.nodes) + " nodes");
        if (options_.cancelled && *options_.cancelled) fault(nullptr, "reading was cancelled");
        return scope.graph.append(std::move(node));
    }

    NodeId call(BlockScope& scope, std::string target, std::vector<Argument> args, std::string_view name, NodeOrigin origin) {
        Node node;
        node.target = std::move(target);
        node.name = scope.graph.fresh_name(name);
        node.args = std::move(args);
        node.origin = std::move(origin);
        return append(scope, std::move(node));
    }

    static NodeId add_input(BlockScope& scope, const ScriptValue& value, ValueMeta meta) {
        const std::string name = base_name(value.name);
        Node node;
        node.opcode = Opcode::placeholder;
        node.name = scope.graph.fresh_name(name.empty() ? "arg" : name);
        node.target = node.name;
        node.meta = std::move(meta);
        return scope.graph.append(std::move(node));
    }

    /// "model.py:6:8" as a frame of a Python traceback.
    static NodeOrigin origin(const ScriptNode& node, const Frame& frame) {
        NodeOrigin result;
        const auto column = node.place.rfind(':');
        const auto line = column == std::string::npos || column == 0 ? std::string::npos : node.place.rfind(':', column - 1);
        if (line == std::string::npos || line == 0) return result;
        const std::string function = frame.function.empty() ? "graph" : frame.function.substr(frame.function.rfind('.') + 1);
        result.stack_trace = "  File \"" + node.place.substr(0, line) + "\", line " + node.place.substr(line + 1, column - line - 1) + ", in " + function;
        return result;
    }

    // --- attributes --------------------------------------------------------------------------------------------------

    /// A placeholder before the method's inputs.
    NodeId lift(const StoredTensor& stored, InputSpec::Kind kind, std::string name, std::string_view wanted) {
        const std::string& key = stored.name;
        if (const auto known = lifted_.find(key); known != lifted_.end()) return known->second;
        for (const char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
        Node node;
        node.opcode = Opcode::placeholder;
        node.name = root_->graph.fresh_name(name);
        node.target = node.name;
        node.meta = stored.meta;
        const NodeId id = root_->graph.insert_after(last_lifted_, std::move(node));
        last_lifted_ = id;
        lifted_.emplace(key, id);
        InputSpec spec{kind, root_->graph.node(id).name, stored.name, std::nullopt, stored.record};
        if (kind == InputSpec::Kind::buffer) spec.persistent = true;
        signature_.inputs.push_back(std::move(spec));
        return id;
    }

    void get_attribute(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const ValueIndex result = node.outputs.at(0);
        const std::string& type = frame.graph.values[result].type;
        const Binding& object = binding(frame, node.inputs.at(0));
        if (object.kind != Binding::Kind::module || set_attributes_.contains(node.name)) {
            Argument owner = use(frame, node.inputs[0], scope);
            bind(frame, result, NodeReference{call(scope, "torch.ops.prim.GetAttr", {std::move(owner), node.name}, node.name, origin(node, frame))}, scope);
            return;
        }
        const std::string path = object.text.empty() ? node.name : object.text + "." + node.name;
        const ModuleState& state = module_.state;
        if (const auto tensor = state.tensors.find(path); tensor != state.tensors.end()) {
            const bool is_parameter = tensor->second.is_parameter;
            const NodeId id = lift(tensor->second, is_parameter ? InputSpec::Kind::parameter : InputSpec::Kind::buffer, is_parameter ? "p_" : "b_", path);
            return bind(frame, result, NodeReference{id}, *root_);
        }
        if (const auto plain = state.plain.find(path); plain != state.plain.end()) return bind(frame, result, plain->second, scope);
        if (is_class_type(type) || state.objects.contains(path)) {
            frame.values[result] = {Binding::Kind::module, {}, path, &scope};
            return;
        }
        if (const auto known = lifted_.find(path); known != lifted_.end()) return bind(frame, result, NodeReference{known->second}, *root_);
        if (module_.is_archive) add_note(program_, "nothing is known of the attribute " + path);
        Node attribute;
        attribute.opcode = Opcode::get_attr;
        attribute.name = root_->graph.fresh_name(node.name);
        attribute.target = path;
        attribute.meta = value_meta(type);
        const NodeId id = append(*root_, std::move(attribute));
        lifted_.emplace(path, id);
        bind(frame, result, NodeReference{id}, *root_);
    }

    void set_attribute(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const Argument owner = use(frame, node.inputs.at(0), scope);
        const Argument value = use(frame, node.inputs.at(1), scope);
        call(scope, "torch.ops.prim.SetAttr", {owner, node.name, value}, "set_" + node.name, origin(node, frame));
        const Binding& object = binding(frame, node.inputs[0]);
        escape(scope, value, object.text.empty() ? node.name : object.text + "." + node.name);
        add_note(program_, "the attribute " + node.name + " is set while the graph runs: what is read of it is not known");
    }

    static void escape(BlockScope& scope, const Argument& value, const std::string& path) {
        for_each_reference(value, [&](NodeId id) { scope.escaped.emplace_back(NodeReference{id}, path); });
    }

    /// "{0.5}": a text's tensor of one element and no dimensions.
    static std::optional<Argument> printed_number(const ScriptNode& node, std::string_view type) {
        const auto* text = node.value ? node.value->as<OpaqueText>() : nullptr;
        const auto meta = tensor_meta(type);
        if (!text || !meta || !meta->sizes.empty() || is_complex(meta->dtype)) return std::nullopt;
        if (!text->text.starts_with('{') || !text->text.ends_with('}')) return std::nullopt;
        const std::string_view digits = std::string_view(text->text).substr(1, text->text.size() - 2);
        const char* const end = digits.data() + digits.size();
        if (std::int64_t value = 0; std::from_chars(digits.data(), end, value).ptr == end && !digits.empty()) return Argument(value);
        if (double value = 0; std::from_chars(digits.data(), end, value).ptr == end && !digits.empty()) return Argument(value);
        return std::nullopt;
    }

    void constant(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const ValueIndex result = node.outputs.at(0);
        const std::string& type = frame.graph.values[result].type;
        if (type == "Function") {
            frame.values[result] = {Binding::Kind::function, {}, node.callee.empty() ? node.name : node.callee, &scope};
        } else if (node.tensor) {
            if (*node.tensor >= module_.state.constants.size()) fault(&node, "there is no constant " + std::to_string(*node.tensor));
            const StoredTensor& stored = module_.state.constants[*node.tensor];
            bind(frame, result, NodeReference{lift(stored, InputSpec::Kind::tensor_constant, "c_", std::to_string(*node.tensor))}, *root_);
            frame.values[result].constant = *node.tensor;
        } else if (const auto number = printed_number(node, type)) {
            Node tensor;
            tensor.target = "torch.ops.aten.scalar_tensor.default";
            tensor.name = scope.graph.fresh_name("scalar_tensor");
            tensor.args = {*number};
            tensor.meta = value_meta(type);
            tensor.kwargs = {{"dtype", tensor_meta(type)->dtype}};
            bind(frame, result, NodeReference{append(scope, std::move(tensor))}, scope);
        } else if (is_tensor_type(type)) {
            // A text does not tell a tensor's elements.
            Node attribute;
            attribute.opcode = Opcode::get_attr;
            attribute.name = root_->graph.fresh_name("_tensor_constant" + std::to_string(tensor_constants_++));
            attribute.target = attribute.name;
            attribute.meta = value_meta(type);
            bind(frame, result, NodeReference{append(*root_, std::move(attribute))}, *root_);
        } else bind(frame, result, node.value.value_or(None{}), scope);
    }

    // --- lists and tuples --------------------------------------------------------------------------------------------

    Argument gathered(Frame& frame, const ScriptNode& node, BlockScope& scope, ArgumentList::Kind kind) {
        ArgumentList list;
        list.kind = kind;
        for (const ValueIndex input : node.inputs) list.items.push_back(use(frame, input, scope));
        return list;
    }

    void construct(Frame& frame, const ScriptNode& node, BlockScope& scope, ArgumentList::Kind kind) {
        const ValueIndex result = node.outputs.at(0);
        if (kind == ArgumentList::Kind::list && frame.kept_lists.contains(result)) {
            std::vector<Argument> items;
            for (const ValueIndex input : node.inputs) items.push_back(use(frame, input, scope));
            bind(frame, result, NodeReference{call(scope, "torch.ops.prim.ListConstruct", std::move(items), "list", origin(node, frame))}, scope);
        } else bind(frame, result, gathered(frame, node, scope, kind), scope);
    }

    NodeId item(BlockScope& scope, const Argument& list, std::int64_t index, std::string_view name, ValueMeta meta, NodeOrigin origin) {
        Node node;
        node.target = "operator.getitem";
        node.name = scope.graph.fresh_name(name.empty() ? "getitem" : name);
        node.args = {list, index};
        node.meta = std::move(meta);
        node.origin = std::move(origin);
        return append(scope, std::move(node));
    }

    void unpack(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const Binding whole = binding(frame, node.inputs.at(0));
        if (whole.kind == Binding::Kind::argument) {
            if (const auto* list = whole.argument.as<ArgumentList>()) {
                if (list->items.size() != node.outputs.size())
                    fault(&node, std::to_string(list->items.size()) + " values are unpacked into " + std::to_string(node.outputs.size()));
                for (std::size_t i = 0; i < node.outputs.size(); ++i)
                    frame.values[node.outputs[i]] = {Binding::Kind::argument, list->items[i], {}, whole.home};
                return;
            }
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i) take_item(frame, node, whole, static_cast<std::int64_t>(i), node.outputs[i], scope);
    }

    void take_item(Frame& frame, const ScriptNode& node, const Binding& whole, std::int64_t index, ValueIndex result, BlockScope& scope) {
        const ScriptValue& value = frame.graph.values[result];
        const Argument list = scope.import(whole.argument, *whole.home);
        const std::string name = base_name(value.name);
        if (whole.kind == Binding::Kind::sizes)
            return bind(frame, result, NodeReference{call(scope, "torch.ops.aten.sym_size.int", {list, index}, name.empty() ? "sym_size_int" : name, origin(node, frame))}, scope);
        const NodeId id = item(scope, list, index, name, value_meta(value.type), origin(node, frame));
        bind(frame, result, NodeReference{id}, scope);
    }

    /// False where the node has to be called: the index is no constant, or what it indexes is no list.
    bool index_list(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        if (node.inputs.size() != 2 || node.outputs.size() != 1) return false;
        const Binding whole = binding(frame, node.inputs[0]);
        const Binding& index = binding(frame, node.inputs[1]);
        const auto* position = index.kind == Binding::Kind::argument ? index.argument.as<std::int64_t>() : nullptr;
        const std::string& type = frame.graph.values[node.inputs[0]].type;
        if (!position || !(type.ends_with("[]") || type.ends_with(')'))) return false;
        if (const auto* list = whole.kind == Binding::Kind::argument ? whole.argument.as<ArgumentList>() : nullptr) {
            const auto count = static_cast<std::int64_t>(list->items.size());
            const std::int64_t place = *position < 0 ? *position + count : *position;
            if (place < 0 || place >= count) fault(&node, "there is no item " + std::to_string(*position) + " of " + std::to_string(count));
            frame.values[node.outputs[0]] = {Binding::Kind::argument, list->items[static_cast<std::size_t>(place)], {}, whole.home};
            return true;
        }
        if (whole.kind != Binding::Kind::argument && whole.kind != Binding::Kind::sizes) return false;
        take_item(frame, node, whole, *position, node.outputs[0], scope);
        return true;
    }

    // --- operators ---------------------------------------------------------------------------------------------------

    const Operator* schema(const Frame& frame, const ScriptNode& node) const {
        if (!node.overload) {
            std::vector<std::string_view> types;
            for (const ValueIndex input : node.inputs) types.emplace_back(frame.graph.values[input].type);
            return choose_overload(node.kind, types);
        }
        return OperatorTable::instance().find(target(node, *node.overload));
    }

    static std::string target(const ScriptNode& node, std::string_view overload) {
        std::string text = "torch.ops." + node.kind;
        if (const auto colons = text.find("::"); colons != std::string::npos) text.replace(colons, 2, ".");
        return text + "." + (overload.empty() ? "default" : std::string(overload));
    }

    void call_operator(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const Operator* op = schema(frame, node);
        Node made;
        made.origin = origin(node, frame);
        const auto python = op ? python_target(*op) : std::nullopt;
        if (python) made.target = *python;
        else if (op) made.target = "torch.ops." + op->short_target();
        else if (node.kind.starts_with("prim::")) made.target = "torch.ops.prim." + node.kind.substr(6);
        else if (node.kind.find("::") == std::string::npos) made.target = "torch.ops.prim." + (base_name(node.kind).empty() ? "PythonOp" : base_name(node.kind));
        else made.target = target(node, node.overload.value_or(""));

        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            Argument argument = use(frame, node.inputs[i], scope);
            if (!op || i >= op->arguments.size()) {
                made.args.push_back(std::move(argument));
                continue;
            }
            const SchemaArgument& parameter = op->arguments[i];
            argument = typed_constant(parameter.type, std::move(argument));
            if (!parameter.keyword_only) made.args.push_back(std::move(argument));
            else if (!is_default(argument, parameter)) made.kwargs.emplace_back(parameter.name, std::move(argument));
        }
        while (op && !made.args.empty() && made.args.size() <= op->arguments.size() && is_default(made.args.back(), op->arguments[made.args.size() - 1]))
            made.args.pop_back();
        if (scope.parent && writes_list(node.kind))
            for (std::size_t i = 1; i < made.args.size(); ++i) escape(scope, made.args[i], "");
        add_results(frame, node, std::move(made), scope);
    }

    void add_results(Frame& frame, const ScriptNode& node, Node made, BlockScope& scope) {
        const auto name_of = [&](std::size_t i) { return base_name(frame.graph.values[node.outputs[i]].name); };
        std::string name = node.outputs.size() == 1 ? name_of(0) : "";
        if (name.empty()) name = base_name(node.kind.substr(node.kind.rfind(':') + 1));
        made.name = scope.graph.fresh_name(name.empty() ? "call" : name);
        const bool is_primitive = made.target.starts_with("torch.ops.prim.");
        if (node.outputs.empty()) made.meta = NoneMeta{};
        else if (node.outputs.size() == 1 && !is_primitive) made.meta = value_meta(frame.graph.values[node.outputs[0]].type);
        const NodeOrigin from = made.origin;
        const NodeId id = append(scope, std::move(made));
        if (node.outputs.size() == 1) return bind(frame, node.outputs[0], NodeReference{id}, scope);
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            ValueMeta meta = is_primitive ? ValueMeta{} : value_meta(frame.graph.values[node.outputs[i]].type);
            bind(frame, node.outputs[i], NodeReference{item(scope, NodeReference{id}, static_cast<std::int64_t>(i), name_of(i), std::move(meta), from)}, scope);
        }
    }

    // --- calls -------------------------------------------------------------------------------------------------------

    void call_function(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const bool is_method = node.kind == "prim::CallMethod";
        std::string key = node.callee;
        const Binding& callee = binding(frame, node.inputs.at(0));
        if (!is_method && callee.kind == Binding::Kind::function) key = callee.text;
        if (is_method && callee.kind == Binding::Kind::module)
            if (const auto known = module_.state.objects.find(callee.text); known != module_.state.objects.end())
                key = known->second + "." + node.name;
        const auto found = module_.functions.find(key);
        if (found == module_.functions.end()) {
            add_note(program_, "the code of " + (key.empty() ? node.name : key) + ", which is called, is not in the file");
            return call_operator(frame, node, scope);
        }
        if (++calls_ > options_.limits.nodes) fault(&node, "there are more than " + std::to_string(options_.limits.nodes) + " calls");
        if (++depth_ > options_.limits.depth) fault(&node, "calls are nested deeper than " + std::to_string(options_.limits.depth));
        Frame inner = begin(found->second, key);
        const std::size_t first = is_method ? 0 : 1;
        const std::vector<ValueIndex>& parameters = found->second.body.inputs;
        if (node.inputs.size() - first != parameters.size())
            fault(&node, key + " takes " + std::to_string(parameters.size()) + " arguments and is given " + std::to_string(node.inputs.size() - first));
        for (std::size_t i = 0; i < parameters.size(); ++i) inner.values[parameters[i]] = frame.values[node.inputs[first + i]];
        visit(inner, found->second.body, scope);
        const std::vector<ValueIndex>& results = found->second.body.outputs;
        if (results.size() != node.outputs.size()) fault(&node, key + " returns " + count_text(results.size(), "value"));
        for (std::size_t i = 0; i < results.size(); ++i) frame.values[node.outputs[i]] = inner.values[results[i]];
        --depth_;
    }

    // --- blocks ------------------------------------------------------------------------------------------------------

    BlockScope begin_block(BlockScope& parent, const std::string& wanted) {
        BlockScope scope;
        scope.parent = &parent;
        scope.index = program_.graphs.size();
        const std::string attribute = wanted + "_" + std::to_string(parent.attributes[wanted]++);
        scope.id = !parent.parent && parent.id == "root" ? attribute : parent.id + "." + attribute;
        ProgramGraph shell;
        shell.id = scope.id;
        shell.kind = "subgraph";
        shell.parent = parent.index;
        shell.attribute = attribute;
        program_.graphs.push_back(std::move(shell));
        return scope;
    }

    void lower_block(Frame& frame, const ScriptBlock& block, BlockScope& scope) {
        if (++depth_ > options_.limits.depth) fault(nullptr, "blocks are nested deeper than " + std::to_string(options_.limits.depth));
        for (const ValueIndex input : block.inputs) {
            const ScriptValue& value = frame.graph.values[input];
            bind(frame, input, NodeReference{add_input(scope, value, value_meta(value.type))}, scope);
        }
        visit(frame, block, scope);
        ArgumentList results;
        results.kind = ArgumentList::Kind::tuple;
        for (const ValueIndex output : block.outputs) results.items.push_back(use(frame, output, scope));
        for (const auto& [value, path] : scope.escaped) results.items.push_back(value);
        add_output(scope, std::move(results));
        --depth_;
    }

    void add_output(BlockScope& scope, Argument result) {
        Node output;
        output.opcode = Opcode::output;
        output.name = scope.graph.fresh_name("output");
        output.target = "output";
        output.args.push_back(std::move(result));
        append(scope, std::move(output));
    }

    NodeId graph_attribute(BlockScope& scope, const BlockScope& nested) {
        Node node;
        node.opcode = Opcode::get_attr;
        node.target = program_.graphs[nested.index].attribute;
        node.name = scope.graph.fresh_name(node.target);
        return append(scope, std::move(node));
    }

    /// What a block is given are values of its surroundings, which may be views of each other: as if of one record.
    static Signature signature_of_block(const Graph& graph) {
        Signature signature;
        for (const NodeId id : graph.placeholders())
            signature.inputs.push_back({InputSpec::Kind::user_input, graph.node(id).name, {}, std::nullopt, "surroundings"});
        const auto* results = graph.node(graph.output()).args.front().as<ArgumentList>();
        for (const Argument& result : results->items)
            signature.outputs.push_back({OutputSpec::Kind::user_output, result.node() == no_node ? "" : graph.node(result.node()).name, {}});
        return signature;
    }

    void finish_block(BlockScope& scope) {
        if (scope.parent) program_.graphs[scope.index].signature = signature_of_block(scope.graph);
        scope.graph.forget_history();
        program_.graphs[scope.index].graph = std::move(scope.graph);
    }

    static ArgumentList tuple_of(const std::vector<NodeId>& nodes) {
        ArgumentList tuple;
        tuple.kind = ArgumentList::Kind::tuple;
        for (const NodeId node : nodes) tuple.items.push_back(NodeReference{node});
        return tuple;
    }

    void with_blocks(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        const bool is_if = node.kind == "prim::If" && node.blocks.size() == 2 && node.inputs.size() == 1;
        const bool is_loop = node.kind == "prim::Loop" && node.blocks.size() == 1 && node.inputs.size() >= 2;
        std::vector<BlockScope> blocks;
        blocks.reserve(node.blocks.size());
        std::vector<NodeId> captured;
        for (const ScriptBlock& block : node.blocks) {
            blocks.push_back(begin_block(scope, is_loop ? "body_graph" : !is_if ? "block" : blocks.empty() ? "true_graph" : "false_graph"));
            lower_block(frame, block, blocks.back());
            add_missing(captured, blocks.back().captured);
        }
        Node made;
        made.target = "torch.ops.prim." + node.kind.substr(node.kind.rfind(':') + 1);
        made.origin = origin(node, frame);
        std::vector<Argument> graphs;
        for (BlockScope& block : blocks) {
            block.arrange_captures(captured);
            graphs.emplace_back(NodeReference{graph_attribute(scope, block)});
            finish_block(block);
        }
        const std::size_t plain = is_loop ? 2 : node.inputs.size();
        for (std::size_t i = 0; i < plain; ++i) made.args.push_back(use(frame, node.inputs[i], scope));
        std::ranges::move(graphs, std::back_inserter(made.args));
        if (is_loop) {
            ArgumentList carried;
            carried.kind = ArgumentList::Kind::tuple;
            for (std::size_t i = 2; i < node.inputs.size(); ++i) carried.items.push_back(use(frame, node.inputs[i], scope));
            made.args.emplace_back(std::move(carried));
        }
        made.args.emplace_back(tuple_of(captured));
        std::string name = is_if ? "if" : is_loop ? "loop" : base_name(node.kind.substr(node.kind.rfind(':') + 1));
        made.name = scope.graph.fresh_name(name.empty() ? "call" : name);
        if (node.outputs.empty()) made.meta = NoneMeta{};
        const NodeOrigin from = made.origin;
        const NodeId id = append(scope, std::move(made));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const std::string item_name = base_name(frame.graph.values[node.outputs[i]].name);
            bind(frame, node.outputs[i], NodeReference{item(scope, NodeReference{id}, static_cast<std::int64_t>(i), item_name, {}, from)}, scope);
        }
    }

    // --- a block's nodes ---------------------------------------------------------------------------------------------

    /// The value of the number that a tensor was made of.
    bool number_of_tensor(Frame& frame, const ScriptNode& node) {
        const bool reads_number = node.kind == "aten::Int" || node.kind == "aten::Float" || node.kind == "aten::item" || node.kind == "aten::ScalarImplicit" ||
                                  node.kind == "aten::IntImplicit" || node.kind == "aten::FloatImplicit";
        if (!reads_number || node.inputs.size() != 1 || node.outputs.size() != 1) return false;
        const Binding from = binding(frame, node.inputs[0]);
        const bool to_float = node.kind == "aten::Float" || node.kind == "aten::FloatImplicit";
        if (from.kind != Binding::Kind::number_tensor || to_float != (from.text == "float")) return false;
        frame.values[node.outputs[0]] = {Binding::Kind::argument, from.argument, {}, from.home};
        return true;
    }

    /// The integer that a tensor holds; nullopt for other tensors.
    std::optional<Argument> integer_in(Frame& frame, ValueIndex value, BlockScope& scope) {
        const Binding& known = binding(frame, value);
        if (known.kind == Binding::Kind::number_tensor && known.text == "int") return scope.import(known.argument, *known.home);
        if (known.constant) {
            const auto number = module_.state.constant_numbers.find(*known.constant);
            if (number != module_.state.constant_numbers.end()) return Argument(number->second);
        }
        return std::nullopt;
    }

    /// Tracing computes sizes with tensors of one integer: as numbers, they tell the sizes of later tensors.
    bool arithmetic_of_integers(Frame& frame, const ScriptNode& node, BlockScope& scope) {
        using Pair = std::pair<std::string_view, std::string_view>;
        static constexpr std::array functions{Pair{"aten::add", "operator.add"}, Pair{"aten::sub", "operator.sub"}, Pair{"aten::mul", "operator.mul"},
                                              Pair{"aten::floor_divide", "operator.floordiv"}, Pair{"aten::remainder", "operator.mod"}};
        const auto function = std::ranges::find(functions, std::string_view(node.kind), &Pair::first);
        if (function == functions.end() || node.inputs.size() < 2 || node.inputs.size() > 3 || node.outputs.size() != 1) return false;
        const bool is_computed = binding(frame, node.inputs[0]).kind == Binding::Kind::number_tensor ||
                                 binding(frame, node.inputs[1]).kind == Binding::Kind::number_tensor;
        if (!is_computed) return false;
        // add and sub multiply their third argument in.
        if (node.inputs.size() == 3 && binding(frame, node.inputs[2]).argument != Argument(std::int64_t(1))) return false;
        auto left = integer_in(frame, node.inputs[0], scope), right = integer_in(frame, node.inputs[1], scope);
        if (!left || !right) return false;
        const std::string name = base_name(node.kind.substr(node.kind.rfind(':') + 1));
        const NodeId result = call(scope, std::string(function->second), {std::move(*left), std::move(*right)}, name, origin(node, frame));
        frame.values[node.outputs[0]] = {Binding::Kind::number_tensor, NodeReference{result}, "int", &scope};
        return true;
    }

    void visit(Frame& frame, const ScriptBlock& block, BlockScope& scope) {
        for (const ScriptNode& node : block.nodes) {
            const auto has = [&](std::size_t inputs, std::size_t outputs) { return node.inputs.size() == inputs && node.outputs.size() == outputs; };
            const std::string_view kind = node.kind;
            if (kind == "prim::Constant" && has(0, 1)) constant(frame, node, scope);
            else if (kind == "prim::GetAttr" && has(1, 1)) get_attribute(frame, node, scope);
            else if (kind == "prim::SetAttr" && has(2, 0)) set_attribute(frame, node, scope);
            else if (kind == "prim::ListConstruct" && node.outputs.size() == 1) construct(frame, node, scope, ArgumentList::Kind::list);
            else if (kind == "prim::TupleConstruct" && node.outputs.size() == 1) construct(frame, node, scope, ArgumentList::Kind::tuple);
            else if ((kind == "prim::ListUnpack" || kind == "prim::TupleUnpack") && node.inputs.size() == 1) unpack(frame, node, scope);
            else if ((kind == "prim::TupleIndex" || kind == "aten::__getitem__") && index_list(frame, node, scope)) continue;
            else if (kind == "prim::unchecked_cast" && has(1, 1)) frame.values[node.outputs[0]] = frame.values[node.inputs[0]];
            else if (kind == "prim::NumToTensor" && has(1, 1))
                frame.values[node.outputs[0]] = {Binding::Kind::number_tensor, use(frame, node.inputs[0], scope), frame.graph.values[node.inputs[0]].type, &scope};
            else if (number_of_tensor(frame, node) || arithmetic_of_integers(frame, node, scope)) continue;
            else if (kind == "aten::size" && has(1, 1) && !shapes_change_)
                frame.values[node.outputs[0]] = {Binding::Kind::sizes, use(frame, node.inputs[0], scope), {}, &scope};
            else if ((kind == "prim::CallMethod" || kind == "prim::CallFunction") && !node.inputs.empty()) call_function(frame, node, scope);
            else if (!node.blocks.empty()) with_blocks(frame, node, scope);
            else call_operator(frame, node, scope);
        }
    }

    Argument run(Frame& frame, const ScriptBlock& body, BlockScope& scope) {
        visit(frame, body, scope);
        if (body.outputs.size() == 1) return use(frame, body.outputs.front(), scope);
        ArgumentList results;
        results.kind = ArgumentList::Kind::tuple;
        for (const ValueIndex output : body.outputs) results.items.push_back(use(frame, output, scope));
        return results;
    }

    // --- the method --------------------------------------------------------------------------------------------------

    void finish_method(BlockScope& root, Argument result) {
        std::vector<OutputSpec> mutated;
        if (!root.escaped.empty()) {
            ArgumentList all;
            all.kind = ArgumentList::Kind::tuple;
            for (const auto& [value, path] : root.escaped) {
                all.items.push_back(value);
                mutated.push_back({OutputSpec::Kind::buffer_mutation, root.graph.node(value.node()).name, path});
            }
            if (const auto* list = result.as<ArgumentList>()) all.items.insert(all.items.end(), list->items.begin(), list->items.end());
            else all.items.push_back(result);
            result = std::move(all);
        }
        if (module_.is_archive || !mutated.empty()) describe(root.graph, result, std::move(mutated));
        add_output(root, std::move(result));
        finish_block(root);
        if (module_.is_archive || !signature_.outputs.empty()) program_.graphs[root.index].signature = std::move(signature_);
    }

    void describe(const Graph& graph, const Argument& result, std::vector<OutputSpec> mutated) {
        for (const NodeId id : graph.placeholders()) {
            const std::string& name = graph.node(id).name;
            if (std::ranges::none_of(signature_.inputs, [&](const InputSpec& spec) { return spec.placeholder == name; }))
                signature_.inputs.push_back({InputSpec::Kind::user_input, name, {}, std::nullopt});
        }
        const std::size_t already = mutated.size();
        signature_.outputs = std::move(mutated);
        const auto* list = result.as<ArgumentList>();
        const std::size_t count = list ? list->items.size() : 1;
        for (std::size_t i = already; i < count; ++i) {
            const NodeId node = (list ? list->items[i] : result).node();
            signature_.outputs.push_back({OutputSpec::Kind::user_output, node == no_node ? "" : graph.node(node).name, {}});
        }
    }

    const ScriptModule& module_;
    const ReadOptions& options_;
    Program& program_;
    std::set<std::string> set_attributes_; ///< that some function sets
    bool lists_change_ = false;
    bool shapes_change_ = false;

    BlockScope* root_ = nullptr;
    std::map<std::string, NodeId> lifted_; ///< attributes of the module as nodes of the root, by path
    NodeId last_lifted_ = no_node;
    Signature signature_;
    int tensor_constants_ = 0;
    std::uint64_t nodes_ = 0, calls_ = 0;
    std::uint32_t depth_ = 0;
};

} // namespace

Result<Program> lower(const ScriptModule& module, const ReadOptions& options) {
    Program program;
    program.format = "torchscript";
    for (const ScriptMethod& method : module.methods) {
        try {
            Lowering(module, options, program).lower(method);
        } catch (Error& error) {
            if (module.methods.size() > 1) error.place = method.id + (error.place.empty() ? "" : ", " + error.place);
            return tl::unexpected(std::move(error));
        }
    }
    if (module.is_archive) {
        for (const auto& [path, tensor] : module.state.tensors) program.tensors.push_back(tensor);
        program.tensors.insert(program.tensors.end(), module.state.constants.begin(), module.state.constants.end());
    }
    return program;
}

} // namespace inspector::torchscript
