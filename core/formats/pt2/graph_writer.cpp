#include "core/formats/pt2/graph_writer.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/formats/pt2/argument_reader.h"
#include "core/formats/pt2/argument_writer.h"
#include "core/formats/pt2/custom_metadata.h"
#include "core/formats/pt2/value_meta_writer.h"
#include "core/formats/pt2/value_names.h"
#include "core/operators/operator_table.h"

namespace inspector::pt2 {
namespace {

constexpr std::string_view getitem = "operator.getitem";
constexpr std::string_view value_tables[] = {"tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values",
                                             "custom_obj_values"};

/// Nodes that the format stores as such.
bool is_stored(const Node& node) { return node.opcode == Opcode::call_function && node.target != getitem; }

/// Whether two arguments say the same, with nodes compared by name.
bool same(const Graph& graph_a, const Argument& a, const Graph& graph_b, const Argument& b) {
    if (a.node() != no_node || b.node() != no_node)
        return a.node() != no_node && b.node() != no_node && graph_a.node(a.node()).name == graph_b.node(b.node()).name;
    const auto* list_a = a.as<ArgumentList>();
    const auto* list_b = b.as<ArgumentList>();
    if (list_a && list_b)
        return list_a->kind == list_b->kind &&
               std::equal(list_a->items.begin(), list_a->items.end(), list_b->items.begin(), list_b->items.end(),
                          [&](const Argument& x, const Argument& y) { return same(graph_a, x, graph_b, y); });
    const auto* dict_a = a.as<ArgumentDict>();
    const auto* dict_b = b.as<ArgumentDict>();
    if (dict_a && dict_b)
        return std::equal(dict_a->items.begin(), dict_a->items.end(), dict_b->items.begin(), dict_b->items.end(),
                          [&](const auto& x, const auto& y) {
                              return x.first == y.first && same(graph_a, x.second, graph_b, y.second);
                          });
    return a == b;
}

class GraphWriter {
public:
    GraphWriter(Json& json, const Graph& original, const Graph& rewritten, const std::map<std::string, std::string>& records)
        : json_(json), original_(original), rewritten_(rewritten), records_(records) {
        metas_.learn(json);
        for_each_nested(json, [&](Json& argument) { nested_.try_emplace(argument.at("name").text(), argument); });
    }

    bool write() {
        match_sources();
        check_ends();
        const std::size_t count = sources_.size();
        is_changed_ = !records_.empty();
        std::vector<NodeId> stored;
        std::ranges::copy_if(rewritten_, std::back_inserter(stored), [&](NodeId id) { return is_stored(rewritten_.node(id)); });
        Json::Array nodes;
        for_each_node(stored, [&](NodeId id, std::size_t) { nodes.push_back(write_node(id)); });
        is_changed_ |= nodes.size() != count;
        if (is_changed_) for_each_node(stored, [&](NodeId id, std::size_t i) { record(nodes[i], rewritten_.node(id).name); });
        json_.at("nodes").value = std::move(nodes);
        write_outputs();
        write_values();
        return is_changed_;
    }

private:
    /// What goes wrong in `visit` is told with the node's name.
    void for_each_node(const std::vector<NodeId>& nodes, const std::function<void(NodeId id, std::size_t position)>& visit) const {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            try {
                visit(nodes[i], i);
            } catch (Malformed& error) {
                error.within("node '" + rewritten_.node(nodes[i]).name + "'");
                throw;
            }
        }
    }

    /// What was decided before another rewrite holds no more.
    void record(Json& json, const std::string& node) const {
        const auto found = records_.find(node);
        if (found != records_.end()) set_custom(json, {"reinplace"}, found->second);
        else drop_custom(json, {"reinplace"});
    }

    /// Pairs the original's nodes with their JSON, by order: old files do not name all.
    void match_sources() {
        Json::Array& nodes = json_.at("nodes").items();
        std::size_t next = 0;
        for (const NodeId id : original_) {
            const Node& node = original_.node(id);
            if (!is_stored(node)) continue;
            if (next == nodes.size() || printed_target(nodes[next].at("target").text()) != node.target)
                throw Malformed("node " + std::to_string(next),
                                "is not '" + node.name + "' of the graph: the file is another than was read");
            sources_.emplace(node.name, &nodes[next++]);
        }
        if (next != nodes.size()) throw Malformed("has more nodes than the graph: the file is another than was read");
    }

    void check_ends() {
        if (rewritten_.output() == no_node) throw Malformed("the rewritten graph has no output");
        const auto names = [](const Graph& graph) {
            std::vector<std::string> result;
            for (const NodeId id : graph.placeholders()) result.push_back(graph.node(id).name);
            return result;
        };
        if (names(original_) != names(rewritten_)) throw Malformed("the inputs have changed, which cannot be written");
        for (Json& input : json_.at("inputs").items())
            if (const std::string* name = value_name(input.alternative())) values_.insert(*name);
    }

    Json nested(const Node& attribute) const {
        const auto found = nested_.find(attribute.target);
        if (found == nested_.end()) throw Malformed("the graph '" + attribute.target + "' is not in the file");
        return found->second;
    }

    Json write_argument(const Argument& argument, std::string_view type) const {
        return argument_json(rewritten_, argument, type, [&](const Node& attribute) { return nested(attribute); });
    }

    // --- nodes -----------------------------------------------------------------------------------------------------

    Json write_node(NodeId id) {
        const Node& node = rewritten_.node(id);
        const auto source = sources_.find(node.name);
        if (source == sources_.end()) {
            is_changed_ = true;
            return write_new_node(id);
        }
        Json json = std::move(*source->second);
        const Node& before = original_.node(original_.find(node.name));
        if (!same_arguments(before, node) || before.target != node.target) {
            is_changed_ = true;
            json.at("inputs") = write_inputs(node, stored_arguments(before, json.at("inputs")));
            json.at("target").value = serialized_target(node.target);
        }
        if (results_of(before) != results_of(node)) json.at("outputs").value = new_results(node);
        name_results(json.at("outputs").items(), id);
        return json;
    }

    bool same_arguments(const Node& before, const Node& after) const {
        return std::equal(before.args.begin(), before.args.end(), after.args.begin(), after.args.end(),
                          [&](const Argument& a, const Argument& b) { return same(original_, a, rewritten_, b); }) &&
               std::equal(before.kwargs.begin(), before.kwargs.end(), after.kwargs.begin(), after.kwargs.end(),
                          [&](const NamedArgument& a, const NamedArgument& b) {
                              return a.first == b.first && same(original_, a.second, rewritten_, b.second);
                          });
    }

    /// An argument as the file has it: what was read, and its JSON.
    struct StoredArgument {
        const Argument* argument;
        Json* json;
    };
    struct StoredArguments {
        std::vector<StoredArgument> by_position;
        std::unordered_map<std::string, StoredArgument> by_keyword;
    };

    /// The reader made a node's positional arguments, in order, of all inputs that it did not make keywords.
    static StoredArguments stored_arguments(const Node& node, Json& inputs) {
        StoredArguments stored;
        for (Json& input : inputs.items()) {
            const std::string& name = input.at("name").text();
            const auto keyword = std::find_if(node.kwargs.begin(), node.kwargs.end(),
                                              [&](const NamedArgument& each) { return each.first == name; });
            if (keyword != node.kwargs.end())
                stored.by_keyword.try_emplace(name, StoredArgument{&keyword->second, &input});
            else if (const std::size_t next = stored.by_position.size(); next < node.args.size())
                stored.by_position.push_back({&node.args[next], &input});
        }
        return stored;
    }

    Json write_inputs(const Node& node, const StoredArguments& stored) {
        enum : std::int64_t { positional = 1, keyword = 2 };
        const Operator* schema = OperatorTable::instance().find(node.target);
        Json::Array inputs;
        const auto add = [&](const std::string& name, const Argument& argument, const StoredArgument* before,
                             std::int64_t kind) {
            const bool is_unchanged = before && same(original_, *before->argument, rewritten_, argument);
            Json content = is_unchanged ? before->json->at("arg") : write_argument(argument, type_of(schema, name));
            inputs.push_back({Json::Object{{"name", {name}}, {"arg", std::move(content)}, {"kind", {kind}}}});
        };
        for (std::size_t i = 0; i < node.args.size(); ++i) {
            const StoredArgument* before = i < stored.by_position.size() ? &stored.by_position[i] : nullptr;
            std::string name;
            if (schema && i < schema->arguments.size()) name = schema->arguments[i].name;
            else if (before) name = before->json->at("name").text();
            else if (node.target.starts_with("torch.ops.") && !node.target.starts_with("torch.ops.higher_order."))
                throw Malformed("the operator " + node.target + " is unknown, so its arguments cannot be named");
            add(name, node.args[i], before, positional);
        }
        for (const auto& [name, argument] : node.kwargs) {
            const auto before = stored.by_keyword.find(name);
            add(name, argument, before == stored.by_keyword.end() ? nullptr : &before->second, keyword);
        }
        return {std::move(inputs)};
    }

    static std::string_view type_of(const Operator* schema, const std::string& name) {
        if (schema)
            for (const SchemaArgument& argument : schema->arguments)
                if (argument.name == name) return argument.type;
        return "";
    }

    Json write_new_node(NodeId id) {
        const Node& node = rewritten_.node(id);
        Json::Object metadata;
        if (!node.origin.stack_trace.empty()) metadata.push_back({"stack_trace", {node.origin.stack_trace}});
        for (const auto& [key, value] : node.origin.properties) metadata.push_back({key, {value}});
        Json json{Json::Object{{"target", {serialized_target(node.target)}},
                               {"inputs", write_inputs(node, {})},
                               {"outputs", {new_results(node)}},
                               {"metadata", {std::move(metadata)}},
                               {"is_hop_single_tensor_return", {}},
                               {"name", {node.name}}}};
        name_results(json.at("outputs").items(), id);
        return json;
    }

    /// Number of results; a single one that is no list counts apart from a list of one.
    static std::size_t results_of(const Node& node) {
        if (const auto* list = std::get_if<ListMeta>(&node.meta)) return 2 + list->items.size();
        return std::holds_alternative<NoneMeta>(node.meta) ? 0 : 1;
    }

    /// Several results are described in the writing of the node that makes them; "<node>_unused_<i>" until they are named.
    static Json::Array new_list(const Node& node, const ListMeta& list) {
        const Operator* schema = OperatorTable::instance().find(node.target);
        const auto is_tensor = [](const SchemaArgument& result) { return result.type == "Tensor"; };
        const bool is_one_list = schema && schema->returns.size() == 1 && schema->returns[0].type.ends_with("[]");
        const bool is_tuple = schema && schema->returns.size() == list.items.size() &&
                              std::all_of(schema->returns.begin(), schema->returns.end(), is_tensor);
        if (!is_one_list && !is_tuple) throw Malformed("a new node with results of several kinds cannot be written");
        Json::Array items;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            Json name{Json::Object{{"name", {unused_name(node.name, i)}}}};
            items.push_back(is_one_list ? std::move(name) : Json{Json::Object{{"as_tensor", std::move(name)}}});
        }
        if (!is_one_list) return items;
        return {Json{Json::Object{{"as_tensors", {std::move(items)}}}}};
    }

    static Json::Array new_results(const Node& node) {
        const auto named = [](std::string_view kind, std::string_view key, const std::string& name) {
            return Json{Json::Object{{std::string(kind), {Json::Object{{std::string(key), {name}}}}}}};
        };
        if (const auto* list = std::get_if<ListMeta>(&node.meta)) return new_list(node, *list);
        if (std::holds_alternative<NoneMeta>(node.meta)) return {};
        if (std::holds_alternative<TensorMeta>(node.meta)) return {named("as_tensor", "name", node.name)};
        if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta)) {
            static constexpr std::string_view kinds[] = {"as_sym_int", "as_sym_float", "as_sym_bool"};
            return {named(kinds[static_cast<std::size_t>(scalar->kind)], "as_name", node.name)};
        }
        throw Malformed("nothing is known of its result, which the file must describe");
    }

    // --- results ---------------------------------------------------------------------------------------------------

    /// The getitem nodes of `producer` by position. Of two with one position the first stands for both.
    std::map<std::int64_t, NodeId> items_of(NodeId producer) {
        std::map<std::int64_t, NodeId> items;
        for (const NodeId user : rewritten_.users(producer)) {
            const Node& node = rewritten_.node(user);
            if (node.target != getitem || node.args.size() != 2 || node.args[0].node() != producer) continue;
            const auto* position = node.args[1].as<std::int64_t>();
            if (!position)
                throw Malformed("its result is taken by '" + node.name + "' with an index that is no number");
            if (!items.emplace(*position, user).second)
                throw Malformed("its result " + std::to_string(*position) + " is taken twice");
        }
        return items;
    }

    void name_results(Json::Array& outputs, NodeId id) {
        const Node& node = rewritten_.node(id);
        if (outputs.empty()) return;
        JsonMember& first = outputs.front().alternative();
        if (outputs.size() == 1 && !std::holds_alternative<ListMeta>(node.meta)) {
            if (std::string* name = value_name(first)) values_.insert(*name = node.name);
            return;
        }
        auto* list = std::get_if<Json::Array>(&first.value.value);
        name_items(list && outputs.size() == 1 ? *list : outputs, id, node.name);
    }

    /// Gives each item the name of its getitem node; one without is "<node>_unused_<i>".
    void name_items(Json::Array& items, NodeId producer, const std::string& node) {
        const std::map<std::int64_t, NodeId> nodes =
            producer == no_node ? std::map<std::int64_t, NodeId>{} : items_of(producer);
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto found = nodes.find(static_cast<std::int64_t>(i));
            const NodeId item = found == nodes.end() ? no_node : found->second;
            if (std::string* name = result_name(items[i])) {
                std::string now = *name;
                if (item != no_node) now = rewritten_.node(item).name;
                else if (!is_unused_name(now)) now = unused_name(node, i);
                if (now != *name) renamed_.emplace(*name, now);
                values_.insert(*name = now);
                continue;
            }
            if (auto* inner = std::get_if<Json::Array>(&items[i].alternative().value.value))
                name_items(*inner, item, item == no_node ? unused_name(node, i) : rewritten_.node(item).name);
        }
    }

    // --- the rest --------------------------------------------------------------------------------------------------

    void write_outputs() {
        const auto results = [](const Graph& graph) {
            const Argument& returned = graph.node(graph.output()).args.front();
            const auto* list = returned.as<ArgumentList>();
            return list ? list->items : std::vector<Argument>{returned};
        };
        const std::vector<Argument> before = results(original_);
        const std::vector<Argument> after = results(rewritten_);
        Json::Array& outputs = json_.at("outputs").items();
        if (before.size() != outputs.size()) throw Malformed("outputs", "are others than the graph's: the file is another than was read");
        if (before.size() > after.size()) throw Malformed("outputs", "there are fewer than before, which cannot be written");
        const std::size_t added = after.size() - before.size();
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!same(original_, before[i], rewritten_, after[added + i])) outputs[i] = write_argument(after[added + i], "");
        Json::Array first;
        for (std::size_t i = 0; i < added; ++i) first.push_back(write_argument(after[i], ""));
        outputs.insert(outputs.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
    }

    /// Drops what describes values that are gone; adds what describes new ones, and results under their new names.
    void write_values() {
        std::unordered_set<std::string> described;
        for (const std::string_view table : value_tables) {
            Json* values = json_.find(table);
            if (!values) continue;
            Json::Object kept;
            for (auto& [name, value] : values->members()) {
                const auto [first, last] = renamed_.equal_range(name);
                for (auto now = first; now != last; ++now)
                    if (described.insert(now->second).second) kept.push_back({now->second, value});
                if (values_.contains(name) && described.insert(name).second) kept.push_back({name, std::move(value)});
            }
            values->value = std::move(kept);
        }
        for (const NodeId id : rewritten_) describe(rewritten_.node(id), described);
        for (const NodeId id : rewritten_) describe_unused(rewritten_.node(id), described);
    }

    void describe_unused(const Node& node, std::unordered_set<std::string>& described) {
        const auto* list = std::get_if<ListMeta>(&node.meta);
        if (!list || node.target == getitem) return;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const std::string name = unused_name(node.name, i);
            if (!values_.contains(name) || described.contains(name)) continue;
            if (!list->items[i]) throw Malformed("node '" + node.name + "'", "nothing is known of its result " + std::to_string(i));
            json_.at("tensor_values").members().push_back({name, metas_.tensor(*list->items[i])});
            described.insert(name);
        }
    }

    void describe(const Node& node, std::unordered_set<std::string>& described) {
        if (!values_.contains(node.name) || described.contains(node.name)) return;
        static constexpr std::string_view scalar_tables[] = {"sym_int_values", "sym_float_values", "sym_bool_values"};
        if (const auto* tensor = std::get_if<TensorMeta>(&node.meta)) {
            json_.at("tensor_values").members().push_back({node.name, metas_.tensor(*tensor)});
        } else if (const auto* scalar = std::get_if<ScalarMeta>(&node.meta)) {
            json_.at(scalar_tables[static_cast<std::size_t>(scalar->kind)])
                .members()
                .push_back({node.name, metas_.scalar(*scalar)});
        } else return;
        described.insert(node.name);
    }

    Json& json_;
    const Graph& original_;
    const Graph& rewritten_;
    const std::map<std::string, std::string>& records_;
    bool is_changed_ = false;
    ValueMetaWriter metas_;
    std::unordered_map<std::string, Json> nested_;    ///< by attribute
    std::unordered_map<std::string, Json*> sources_;  ///< by name of the original's node
    std::unordered_set<std::string> values_;          ///< names of all values that inputs and nodes define
    std::multimap<std::string, std::string> renamed_; ///< results: name in the file → name now
};

} // namespace

bool write_graph(Json& json, const Graph& original, const Graph& rewritten, const std::map<std::string, std::string>& records) {
    return GraphWriter(json, original, rewritten, records).write();
}

bool has_new_mutation(const Graph& original, const Graph& rewritten) {
    for (const NodeId id : rewritten) {
        const Node& node = rewritten.node(id);
        if (!is_stored(node)) continue;
        const NodeId before = original.find(node.name);
        if (before != no_node && original.node(before).target == node.target) continue;
        // An operator nobody knows may mutate.
        const Operator* op = OperatorTable::instance().find(node.target);
        if (!op || op->is_mutable) return true;
    }
    return false;
}

bool is_functional(const Graph& graph) {
    return std::none_of(graph.begin(), graph.end(), [&](NodeId id) {
        if (!is_stored(graph.node(id))) return false;
        const Operator* op = OperatorTable::instance().find(graph.node(id).target);
        return op && op->is_mutable;
    });
}

void for_each_nested(Json& graph, const std::function<void(Json& argument)>& visit) {
    const std::function<void(Json&)> search = [&](Json& json) {
        if (auto* items = std::get_if<Json::Array>(&json.value))
            for (Json& item : *items) search(item);
        if (auto* members = std::get_if<Json::Object>(&json.value)) {
            for (auto& [key, value] : *members) {
                if (key == "as_graph") visit(value);
                else search(value);
            }
        }
    };
    for (Json& node : graph.at("nodes").items()) search(node.at("inputs"));
}

} // namespace inspector::pt2
