#include "core/formats/pt2/graph_reader.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "core/formats/pt2/argument_reader.h"
#include "core/formats/pt2/value_names.h"
#include "core/graph/count_text.h"
#include "core/operators/operator_table.h"

namespace inspector::pt2 {
namespace {

constexpr std::string_view higher_order_prefix = "torch.ops.higher_order.";

/// Arguments that are tuples in FX graphs, which the format stores as lists.
struct TupleArgument {
    std::string_view target;
    std::size_t position;
};
constexpr std::array tuple_arguments{
    TupleArgument{"torch.ops.higher_order.cond", 3},
    TupleArgument{"torch.ops.higher_order.while_loop", 2},
    TupleArgument{"torch.ops.higher_order.while_loop", 3},
    TupleArgument{"torch.ops.higher_order.while_loop_stack_output", 2},
    TupleArgument{"torch.ops.higher_order.while_loop_stack_output", 3},
    TupleArgument{"torch.ops.higher_order.scan", 3},
};

/// Python's keywords that operator schemas use as argument names; such an argument can only be given by position.
bool is_python_keyword(std::string_view name) {
    static constexpr std::array<std::string_view, 35> keywords{
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

/// One graph while it is read.
class GraphReader {
public:
    GraphReader(ValueMetaReader& metas, const ReadOptions& options, const std::vector<std::string>& constant_inputs,
                std::vector<ProgramGraph>& graphs)
        : metas_(metas), options_(options), constant_inputs_(constant_inputs), graphs_(graphs) {}

    /// `shell` has all but the graph.
    void read(Json& json, ProgramGraph shell) {
        index_ = graphs_.size();
        id_ = shell.id;
        graphs_.push_back(std::move(shell));

        collect_values(json);
        Json::Array& inputs = json.at("inputs").items();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            located("input " + std::to_string(i), [&] { read_input(inputs[i], i); });

        Json::Array& nodes = json.at("nodes").items();
        for (std::size_t i = 0; i < nodes.size(); ++i)
            located("node " + std::to_string(i), [&] { collect_uses_of_unused(nodes[i].at("inputs")); });
        collect_uses_of_unused(json.at("outputs"));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i % 1024 == 0) report(i, nodes.size());
            read_node(nodes, i);
        }
        located("outputs", [&] { read_outputs(json); });

        graph_.forget_history();
        graphs_[index_].graph = std::move(graph_);
    }

private:
    /// Where the file says what a value is.
    struct Declared {
        enum class Kind { tensor, integer, boolean, floating, object } kind;
        Json* json;
    };

    template <typename Action> void located(const std::string& place, Action&& action) {
        try {
            action();
        } catch (Malformed& error) {
            error.within(place);
            throw;
        }
    }

    void report(std::size_t done, std::size_t all) const {
        if (options_.cancelled && *options_.cancelled) throw Malformed("reading was cancelled");
        if (options_.progress && index_ == 0) options_.progress(static_cast<int>(50 + 50 * done / all));
    }

    // --- values ----------------------------------------------------------------------------------------------------

    void collect_values(Json& json) {
        using Kind = Declared::Kind;
        static constexpr std::pair<std::string_view, Kind> tables[] = {{"tensor_values", Kind::tensor},
                                                                       {"sym_int_values", Kind::integer},
                                                                       {"sym_bool_values", Kind::boolean},
                                                                       {"sym_float_values", Kind::floating},
                                                                       {"custom_obj_values", Kind::object}};
        for (const auto& [table, kind] : tables) {
            Json* values = json.find(table);
            if (!values) continue;
            for (auto& [name, value] : values->members())
                if (!declared_.try_emplace(name, Declared{kind, &value}).second)
                    throw Malformed(std::string(table), "describes '" + name + "' twice");
        }
    }

    ValueMeta meta_of(const std::string& name) {
        const auto found = declared_.find(name);
        if (found == declared_.end()) throw Malformed("nothing is said of the value '" + name + "'");
        ValueMeta meta;
        located("value '" + name + "'", [&] {
            switch (const auto [kind, json] = found->second; kind) {
            case Declared::Kind::tensor: meta = metas_.tensor(*json); break;
            case Declared::Kind::integer: meta = metas_.scalar(ScalarMeta::Kind::integer, *json); break;
            case Declared::Kind::boolean: meta = metas_.scalar(ScalarMeta::Kind::boolean, *json); break;
            case Declared::Kind::floating: meta = metas_.scalar(ScalarMeta::Kind::floating, *json); break;
            case Declared::Kind::object: break;
            }
        });
        return meta;
    }

    /// Names ending in "_unused_N" that something refers to after all: a program edited after it was loaded.
    void collect_uses_of_unused(Json& json) {
        if (const auto* text = std::get_if<std::string>(&json.value)) {
            if (is_unused_name(*text)) used_although_unused_.insert(*text);
        } else if (auto* array = std::get_if<Json::Array>(&json.value)) {
            for (Json& item : *array) collect_uses_of_unused(item);
        } else if (auto* object = std::get_if<Json::Object>(&json.value)) {
            for (auto& [key, value] : *object)
                if (key != "as_graph") collect_uses_of_unused(value);
        }
    }

    bool is_unused(const std::string& name) const {
        return is_unused_name(name) && !used_although_unused_.contains(name);
    }

    /// A name for a node that has none in the file. Never one that the file gives another value.
    std::string free_name(const std::string& base) {
        std::string name = base;
        for (int& number = last_number_[base]; graph_.find(name) != no_node || declared_.contains(name);)
            name = base + "_" + std::to_string(++number);
        return name;
    }

    NodeId add(Node node) {
        if (!is_identifier(node.name)) throw Malformed("the name '" + node.name + "' is no identifier");
        if (graph_.find(node.name) != no_node) throw Malformed("the name '" + node.name + "' is given twice");
        if (graph_.size() >= options_.limits.nodes)
            throw Malformed("the graph has more than " + std::to_string(options_.limits.nodes) + " nodes");
        return graph_.append(std::move(node));
    }

    // --- arguments -------------------------------------------------------------------------------------------------

    ArgumentContext context() {
        return {[this](const std::string& name) {
                    const NodeId node = graph_.find(name);
                    if (node == no_node)
                        throw Malformed("uses '" + name + "', which " +
                                        (declared_.contains(name) ? "is not defined before it" : "nothing defines"));
                    return node;
                },
                [this](const std::string& name) { return graph_.find(name); },
                [this](Json& argument) { return read_nested(argument); }};
    }

    /// The attribute node stands before the node whose argument it is; the graph becomes one of the program's.
    NodeId read_nested(Json& argument) {
        const std::string attribute = argument.at("name").text();
        if (!is_identifier(attribute)) throw Malformed("the name '" + attribute + "' is no identifier");
        ProgramGraph nested;
        nested.id = id_ == "root" && attribute != id_ ? attribute : id_ + "." + attribute;
        nested.kind = "subgraph";
        nested.parent = index_;
        nested.attribute = attribute;
        // A graph that is called twice is stored twice.
        if (nested_.insert(attribute).second)
            located("graph '" + nested.id + "'", [&] {
                GraphReader(metas_, options_, constant_inputs_, graphs_).read(argument.at("graph"), std::move(nested));
            });
        Node node;
        node.opcode = Opcode::get_attr;
        node.name = free_name(attribute);
        node.target = attribute;
        node.origin = origin_;
        return add(std::move(node));
    }

    /// Whether an argument without "kind", as files of torch before 2.7 have them, stands by position.
    static bool is_positional(const Operator* schema, std::string_view target, std::string_view name) {
        if (!schema) return name.empty() || !target.starts_with(higher_order_prefix);
        for (const SchemaArgument& argument : schema->arguments)
            if (argument.name == name) return !argument.keyword_only && !argument.default_text;
        return true;
    }

    void read_arguments(Json& inputs, Node& node) {
        enum : std::int64_t { positional = 1, keyword = 2 };
        const ArgumentContext uses = context();
        const Operator* schema = nullptr;
        for (Json& input : inputs.items()) {
            std::string& name = input.at("name").text();
            bool by_position = name.empty();
            if (Json* kind = input.find("kind")) {
                if (kind->integer() != positional && kind->integer() != keyword)
                    throw Malformed("argument '" + name + "' is neither positional nor keyword");
                by_position = by_position || kind->integer() == positional;
            } else {
                if (!schema) schema = OperatorTable::instance().find(node.target);
                by_position = is_positional(schema, node.target, name);
            }
            Argument argument;
            located("argument '" + name + "'", [&] { argument = read_argument(input.at("arg"), uses); });
            if (!by_position && is_python_keyword(name)) {
                // It can be given by position alone, and so must those before it.
                for (auto& [key, value] : node.kwargs) node.args.push_back(std::move(value));
                node.kwargs.clear();
                by_position = true;
            }
            if (by_position) node.args.push_back(std::move(argument));
            else node.kwargs.emplace_back(std::move(name), std::move(argument));
        }
        for (const auto& [target, position] : tuple_arguments)
            if (target == node.target && position < node.args.size())
                if (auto* list = std::get_if<ArgumentList>(&node.args[position].value))
                    list->kind = ArgumentList::Kind::tuple;
    }

    // --- nodes -----------------------------------------------------------------------------------------------------

    void read_input(Json& input, std::size_t position) {
        static constexpr std::array<std::string_view, 5> constants{"as_int", "as_float", "as_bool", "as_none",
                                                                   "as_string"};
        JsonMember& argument = input.alternative();
        Node node;
        node.opcode = Opcode::placeholder;
        if (const std::string* name = value_name(argument)) {
            node.name = *name;
            node.meta = meta_of(*name);
        } else if (std::find(constants.begin(), constants.end(), argument.key) != constants.end()) {
            const bool named = position < constant_inputs_.size() && !constant_inputs_[position].empty();
            node.name = free_name(named ? constant_inputs_[position] : "arg" + std::to_string(position));
            if (argument.key == "as_none") node.meta = NoneMeta{};
            if (argument.key == "as_int" && std::holds_alternative<std::int64_t>(argument.value.value))
                node.meta = ScalarMeta{ScalarMeta::Kind::integer, argument.value.integer()};
            if (argument.key == "as_bool")
                node.meta = ScalarMeta{ScalarMeta::Kind::boolean, argument.value.boolean() ? 1 : 0};
        } else throw Malformed("'" + argument.key + "' cannot be an input");
        node.target = node.name;
        add(std::move(node));
    }

    void read_node(Json::Array& nodes, std::size_t position) {
        Json& json = nodes[position];
        try {
            Node node;
            node.target = printed_target(json.at("target").text());
            if (std::any_of(node.target.begin(), node.target.end(),
                            [](unsigned char c) { return c <= ' ' || c == 0x7F; }))
                throw Malformed("the target '" + node.target + "' has a space or control character in it");
            read_origin(json);
            read_arguments(json.at("inputs"), node);
            read_results(json, std::move(node));
        } catch (Malformed& error) {
            Json* name = json.find("name");
            error.within("node " + std::to_string(position) + (name ? " (" + name->text() + ")" : ""));
            throw;
        }
    }

    void read_origin(Json& json) {
        origin_ = {};
        for (auto& [key, value] : json.at("metadata").members()) {
            if (key == "stack_trace") origin_.stack_trace = std::move(value.text());
            // from_node lists the passes that copied a node, with the addresses of graphs: long, and other in each run.
            else if (key != "from_node") origin_.properties.emplace_back(std::move(key), std::move(value.text()));
        }
    }

    /// Adds the node, named by its result where it has one, and getitem nodes where it has several.
    void read_results(Json& json, Node node) {
        Json::Array& outputs = json.at("outputs").items();
        Json* given = json.find("name");
        node.name = given ? given->text() : "";
        node.origin = origin_;
        if (outputs.empty()) {
            node.meta = NoneMeta{};
            name_if_nameless(node);
            add(std::move(node));
            return;
        }
        JsonMember& first = outputs.front().alternative();
        const bool is_higher_order = node.target.starts_with(higher_order_prefix);
        Json* single = json.find("is_hop_single_tensor_return");
        const bool is_tuple_of_one = is_higher_order && !(single && single->boolean()) && first.key != "as_none";
        if (outputs.size() == 1 && !is_tuple_of_one) {
            if (first.key == "as_none") {
                node.meta = NoneMeta{};
                name_if_nameless(node, "_unused");
                add(std::move(node));
                return;
            }
            if (const std::string* name = value_name(first)) {
                node.name = *name;
                node.meta = meta_of(*name);
                add(std::move(node));
                return;
            }
        }
        name_if_nameless(node);
        const NodeId producer = add(std::move(node));
        if (auto* list = std::get_if<Json::Array>(&first.value.value); list && outputs.size() == 1)
            add_items(producer, *list);
        else add_items(producer, outputs);
    }

    void name_if_nameless(Node& node, std::string_view suffix = "") {
        if (node.name.empty()) node.name = free_name(name_from_target(node.target).append(suffix));
    }

    NodeId add_getitem(NodeId producer, std::size_t position, std::string name, ValueMeta meta) {
        Node node;
        node.name = std::move(name);
        node.target = "operator.getitem";
        node.args = {NodeReference{producer}, static_cast<std::int64_t>(position)};
        node.meta = std::move(meta);
        node.origin = origin_;
        return add(std::move(node));
    }

    void add_items(NodeId producer, Json::Array& items) {
        ListMeta list;
        for (std::size_t i = 0; i < items.size(); ++i) {
            list.items.emplace_back();
            list.names.emplace_back();
            if (const std::string* name = result_name(items[i])) {
                ValueMeta meta = meta_of(*name);
                list.names.back() = *name;
                if (const auto* tensor = std::get_if<TensorMeta>(&meta)) list.items.back() = *tensor;
                if (!is_unused(*name)) add_getitem(producer, i, *name, std::move(meta));
                continue;
            }
            auto& [kind, content] = items[i].alternative();
            if (kind == "as_none") continue;
            auto* inner = std::get_if<Json::Array>(&content.value);
            if (!inner) throw Malformed("'" + kind + "' cannot be a result");
            const bool is_used = std::any_of(inner->begin(), inner->end(), [&](Json& item) {
                const std::string* name = result_name(item);
                return !name || !is_unused(*name);
            });
            if (!is_used) continue;
            list.names.back() = list_name(*inner);
            add_items(add_getitem(producer, i, list.names.back(), ListMeta{}), *inner);
        }
        graph_.set_meta(producer, std::move(list));
    }

    /// A list inside a tuple has no name in the file, but unused items tell it: "getitem_9_unused_1".
    std::string list_name(Json::Array& items) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string* item = result_name(items[i]);
            const std::string ending = unused_name("", i);
            if (!item || !item->ends_with(ending)) continue;
            if (std::string name = item->substr(0, item->size() - ending.size()); free_name(name) == name) return name;
        }
        return free_name("getitem");
    }

    void read_outputs(Json& json) {
        const ArgumentContext uses = context();
        ArgumentList results;
        results.kind = ArgumentList::Kind::tuple;
        for (Json& output : json.at("outputs").items()) results.items.push_back(read_argument(output, uses));
        Node node;
        node.opcode = Opcode::output;
        node.name = free_name("output");
        node.target = "output";
        if (Json* single = json.find("is_single_tensor_return"); single && single->boolean()) {
            if (results.items.size() != 1)
                throw Malformed("a graph that returns one tensor has " + count_text(results.items.size(), "output"));
            node.args.push_back(std::move(results.items.front()));
        } else node.args.emplace_back(std::move(results));
        add(std::move(node));
    }

    ValueMetaReader& metas_;
    const ReadOptions& options_;
    const std::vector<std::string>& constant_inputs_;
    std::vector<ProgramGraph>& graphs_;

    std::size_t index_ = 0; ///< of this graph in graphs_
    std::string id_;
    Graph graph_;
    NodeOrigin origin_; ///< of the node being read; nodes made for it share it
    std::unordered_map<std::string, Declared> declared_;
    std::unordered_set<std::string> used_although_unused_;
    std::unordered_set<std::string> nested_; ///< attributes of the graphs read so far
    std::unordered_map<std::string, int> last_number_;
};

} // namespace

void read_graphs(Json& graph, const std::string& id, const std::vector<std::string>& constant_inputs, ValueMetaReader& metas,
                 const ReadOptions& options, std::vector<ProgramGraph>& graphs) {
    ProgramGraph root;
    root.id = id;
    root.kind = "pt2";
    GraphReader(metas, options, constant_inputs, graphs).read(graph, std::move(root));
}

} // namespace inspector::pt2
