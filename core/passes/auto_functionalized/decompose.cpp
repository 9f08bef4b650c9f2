#include "core/passes/auto_functionalized/decompose.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "core/analysis/call_arguments.h"
#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

bool is_getitem(const Node& node) {
    return (node.target == "operator.getitem" || node.target == "_operator.getitem") && node.args.size() == 2 &&
           node.args[1].as<std::int64_t>();
}

std::size_t index_taken(const Node& getitem) { return static_cast<std::size_t>(*getitem.args[1].as<std::int64_t>()); }

Argument numbers(const std::vector<std::int64_t>& values) {
    ArgumentList list;
    for (const std::int64_t value : values) list.items.emplace_back(value);
    return list;
}

/// The name FX gives a call of "torch.ops.mylib.scale_.default": "scale__default".
std::string name_of_call(std::string_view target) {
    const std::size_t overload = target.rfind('.');
    const std::size_t name = target.rfind('.', overload - 1);
    std::string text(target.substr(name + 1));
    text[overload - name - 1] = '_';
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

const CustomCall::Written* written_at(const CustomCall& call, std::size_t item) {
    const auto found = std::ranges::find(call.written, item, &CustomCall::Written::item);
    return found != call.written.end() ? &*found : nullptr;
}

class Decomposition {
public:
    Decomposition(Graph& graph, NodeId node, const CustomCall& call, const LayoutOfValue& layout)
        : graph_(graph), node_(node), source_(graph.node(node)), call_(call), layout_(layout) {}

    DecomposedCall run(const std::vector<bool>& in_place) {
        for (std::size_t i = 0; i < call_.written.size(); ++i)
            for (const NodeId value : call_.written[i].values) values_[i].push_back(in_place[i] ? value : clone(value));
        DecomposedCall done;
        done.call = call_operator();
        done.superfluous.push_back(node_);
        for (const NodeId user : graph_.users(node_)) take_over(user, done);
        return done;
    }

private:
    NodeId insert(const std::string& target, std::vector<Argument> args, std::vector<NamedArgument> kwargs,
                  ValueMeta meta) {
        Node node;
        node.name = graph_.fresh_name(name_of_call(target));
        node.target = target;
        node.args = std::move(args);
        node.kwargs = std::move(kwargs);
        node.meta = std::move(meta);
        node.origin.created_by_pass = true;
        return graph_.insert_before(node_, std::move(node));
    }

    /// A clone with the strides and the offset of the value, whatever they are: the operator's views count from the
    /// start of the storage.
    NodeId clone(NodeId value) {
        const ValueMeta meta = graph_.node(value).meta;
        const TensorLayout* layout = layout_(value);
        const bool keeps_layout = !layout || (layout->storage_offset == 0 && is_dense(*layout));
        if (keeps_layout) return insert("torch.ops.aten.clone.default", {NodeReference{value}}, {}, meta);
        const std::vector<std::int64_t> sizes = layout->sizes, strides = layout->strides;
        const std::int64_t offset = layout->storage_offset;
        const Argument whole = numbers({end_element(*layout)});
        const NodeId storage = insert("torch.ops.aten.as_strided.default",
                                      {NodeReference{value}, whole, numbers({1}), std::int64_t(0)}, {}, UnknownMeta{});
        const NodeId copy = insert("torch.ops.aten.clone.default", {NodeReference{storage}}, {}, UnknownMeta{});
        return insert("torch.ops.aten.as_strided.default",
                      {NodeReference{copy}, numbers(sizes), numbers(strides), offset}, {}, meta);
    }

    [[nodiscard]] const Argument* keyword(const std::string& name) const { return keyword_argument(source_, name); }

    /// The view of a base that `prefix` ("_x", "_x_0") describes.
    Argument view_of_base(const std::string& prefix) {
        const auto* index = keyword(prefix + "_base_index")->as<std::int64_t>();
        if (!index || *index < 0) return None{};
        const auto number = std::ranges::find(call_.written, std::to_string(*index), &CustomCall::Written::name);
        if (number == call_.written.end()) return None{};
        const NodeId base = values_[static_cast<std::size_t>(number - call_.written.begin())].front();
        const auto given = [&](const char* name) { return *keyword(prefix + name); };
        const bool is_complete_slice = keyword(prefix + "_slice_start") && keyword(prefix + "_slice_end");
        const bool is_complete_view = keyword(prefix + "_size") && keyword(prefix + "_stride");
        if (keyword(prefix + "_alias"))
            return NodeReference{
                insert("torch.ops.aten.alias.default", {NodeReference{base}}, {}, graph_.node(base).meta)};
        if (keyword(prefix + "_storage_offset") && is_complete_view)
            return NodeReference{insert(
                "torch.ops.aten.as_strided.default",
                {NodeReference{base}, given("_size"), given("_stride"), given("_storage_offset")}, {}, UnknownMeta{})};
        if (keyword(prefix + "_slice_dim") && is_complete_slice)
            return NodeReference{
                insert("torch.ops.aten.slice.Tensor",
                       {NodeReference{base}, given("_slice_dim"), given("_slice_start"), given("_slice_end")}, {},
                       UnknownMeta{})};
        return NodeReference{base};
    }

    /// Arguments of the operator by name: what it reads as given, what it writes as clones, bases or views of them.
    std::vector<NamedArgument> arguments() {
        std::vector<NamedArgument> named;
        if (!call_.on_bases) {
            for (const auto& [name, argument] : source_.kwargs) {
                const auto written = std::ranges::find(call_.written, name, &CustomCall::Written::name);
                if (written == call_.written.end()) {
                    named.emplace_back(name, argument);
                    continue;
                }
                const auto& values = values_[static_cast<std::size_t>(written - call_.written.begin())];
                ArgumentList list;
                for (const NodeId value : values) list.items.emplace_back(NodeReference{value});
                named.emplace_back(name, written->is_list ? Argument(list) : list.items.front());
            }
            return named;
        }
        // "_x_base_index" describes x, "_x_length" says that x is a list of "_x_0", "_x_1"…; the rest is given as it
        // is.
        constexpr std::string_view is_view = "_base_index", is_list = "_length";
        std::vector<std::string> described;
        for (const auto& [key, argument] : source_.kwargs) {
            if (!key.starts_with('_') || !key.ends_with(is_list)) continue;
            const std::string prefix = key.substr(0, key.size() - is_list.size());
            described.push_back(prefix);
            const auto* length = argument.as<std::int64_t>();
            ArgumentList list;
            for (std::int64_t i = 0; length && i < *length && keyword(prefix + "_" + std::to_string(i) + "_base_index");
                 ++i)
                list.items.push_back(view_of_base(prefix + "_" + std::to_string(i)));
            named.emplace_back(prefix.substr(1), length ? Argument(list) : Argument(None{}));
        }
        const std::vector<std::string> lists = described;
        for (const auto& [key, argument] : source_.kwargs) {
            if (!key.starts_with('_') || !key.ends_with(is_view)) continue;
            const std::string prefix = key.substr(0, key.size() - is_view.size());
            if (std::ranges::any_of(lists, [&](const std::string& list) { return prefix.starts_with(list + "_"); }))
                continue;
            described.push_back(prefix);
            named.emplace_back(prefix.substr(1), view_of_base(prefix));
        }
        for (const auto& [key, argument] : source_.kwargs) {
            const bool belongs_to_view = std::ranges::any_of(
                described, [&](const std::string& prefix) { return key.starts_with(prefix + "_"); });
            if (key != "_all_bases" && !belongs_to_view) named.emplace_back(key, argument);
        }
        return named;
    }

    NodeId call_operator() {
        std::vector<NamedArgument> named = arguments();
        std::vector<Argument> positional;
        if (call_.op) {
            for (const SchemaArgument& argument : call_.op->arguments) {
                const auto given = std::ranges::find(named, argument.name, &NamedArgument::first);
                if (argument.keyword_only || given == named.end()) break;
                positional.push_back(given->second);
                named.erase(given);
            }
        }
        ValueMeta meta = UnknownMeta{};
        for (const NodeId user : graph_.users(node_))
            if (call_.result_count == 1 && index_taken(graph_.node(user)) == 0) meta = graph_.node(user).meta;
        return insert(call_.target, std::move(positional), std::move(named), std::move(meta));
    }

    void take_over(NodeId getitem, DecomposedCall& done) {
        const std::size_t index = index_taken(graph_.node(getitem));
        const CustomCall::Written* written = written_at(call_, index);
        if (!written && call_.result_count > 1) return graph_.replace_input(getitem, node_, done.call);
        done.superfluous.push_back(getitem);
        if (!written) return replace(getitem, done.call, done);
        const auto& values = values_[static_cast<std::size_t>(written - call_.written.data())];
        if (!written->is_list) return replace(getitem, values.front(), done);
        for (const NodeId item : graph_.users(getitem)) {
            replace(item, values[index_taken(graph_.node(item))], done);
            done.superfluous.push_back(item);
        }
    }

    void replace(NodeId old, NodeId by, DecomposedCall& done) {
        for (const NodeId user : graph_.users(old)) graph_.replace_input(user, old, by);
        done.replacements.emplace_back(old, by);
    }

    Graph& graph_;
    NodeId node_;
    Node source_; ///< a copy: the graph changes meanwhile
    const CustomCall& call_;
    const LayoutOfValue& layout_;
    std::map<std::size_t, std::vector<NodeId>> values_; ///< by place in call.written: what the operator writes
};

} // namespace

bool is_decomposable(const Graph& graph, NodeId node, const CustomCall& call) {
    for (const NodeId user : graph.users(node)) {
        if (!is_getitem(graph.node(user))) return false;
        const std::size_t index = index_taken(graph.node(user));
        const CustomCall::Written* written = written_at(call, index);
        if (!written && index >= call.result_count) return false;
        if (!written || !written->is_list) continue;
        for (const NodeId item : graph.users(user))
            if (!is_getitem(graph.node(item)) || index_taken(graph.node(item)) >= written->values.size()) return false;
    }
    return true;
}

std::optional<DecomposedCall> decompose_custom_call(Graph& graph, NodeId node, const CustomCall& call,
                                                    const std::vector<bool>& in_place, const LayoutOfValue& layout) {
    if (!is_decomposable(graph, node, call)) return std::nullopt;
    return Decomposition(graph, node, call, layout).run(in_place);
}

void decompose_custom_calls(Graph& graph, const LayoutOfValue& layout) {
    std::vector<NodeId> calls;
    for (const NodeId id : graph)
        if (is_custom_call(graph.node(id))) calls.push_back(id);
    for (const NodeId id : calls) {
        const auto call = read_custom_call(graph, id);
        if (!call) continue;
        const auto done = decompose_custom_call(graph, id, *call, std::vector(call->written.size(), false), layout);
        if (!done) continue;
        for (auto node = done->superfluous.rbegin(); node != done->superfluous.rend(); ++node) graph.erase(*node);
    }
}

} // namespace inspector
