#include "core/formats/python/python_function_body.h"

#include <unordered_set>
#include <utility>
#include <vector>

#include "core/formats/python/python_literal.h"
#include "core/formats/python/python_target.h"
#include "core/graph/utf8.h"
#include "core/graph/print.h"

namespace inspector {
namespace {

class FunctionWriter {
public:
    FunctionWriter(const Graph& graph, const std::map<std::string, std::string>& subgraphs,
                   const std::set<std::string>& taken, PythonModuleNames& module)
        : graph_(graph), subgraphs_(subgraphs), module_(module) {
        name_nodes(taken);
        find_last_uses();
        find_defaults();
    }

    Result<std::string> write(std::string_view name) {
        std::string parameters;
        std::string body;
        bool returns = false;
        for (const NodeId id : graph_) {
            const Node& node = graph_.node(id);
            if (node.opcode == Opcode::placeholder) {
                auto parameter = write_parameter(id, node);
                if (!parameter) return at_node(node, parameter.error());
                parameters += (parameters.empty() ? "" : ", ") + *parameter;
                continue;
            }
            auto expression = write_expression(id);
            if (!expression) return at_node(node, expression.error());
            if (node.opcode == Opcode::output) {
                body += "    return " + *expression + '\n';
                returns = true;
                break;
            }
            body += "    " + names_[index_of(id)] + annotated(node) + " = " + *expression + freed_after(id) + '\n';
        }
        if (!returns) body += "    return None\n";
        if (reads_self_) parameters = parameters.empty() ? "self" : "self, " + parameters;
        return "def " + std::string(name) + '(' + parameters + "):\n" + body;
    }

private:
    static tl::unexpected<Error> at_node(const Node& node, Error error) {
        error.place = '%' + one_line(node.name);
        return tl::unexpected<Error>(std::move(error));
    }

    void name_nodes(const std::set<std::string>& taken) {
        names_.resize(graph_.id_limit());
        std::unordered_set<std::string> used(taken.begin(), taken.end());
        // Names that are fine as they are come first, so that a repaired one never takes them away.
        std::vector<NodeId> repaired;
        for (const NodeId id : graph_) {
            const std::string& name = graph_.node(id).name;
            if (python_identifier(name) == name && used.insert(name).second) names_[index_of(id)] = name;
            else repaired.push_back(id);
        }
        for (const NodeId id : repaired) {
            const std::string base = python_identifier(graph_.node(id).name);
            std::string candidate = base;
            for (std::size_t& number = next_number_[base]; !used.insert(candidate).second;)
                candidate = base + '_' + std::to_string(++number);
            names_[index_of(id)] = candidate;
        }
    }

    void find_last_uses() {
        dying_.resize(graph_.id_limit());
        std::vector<bool> seen(graph_.id_limit());
        for (NodeId id = graph_.last(); id != no_node; id = graph_.previous(id)) {
            const Opcode opcode = graph_.node(id).opcode;
            if (opcode == Opcode::output) {
                for (const NodeId input : graph_.inputs(id)) seen[index_of(input)] = true;
                continue;
            }
            if (!seen[index_of(id)] && opcode != Opcode::placeholder) dying_[index_of(id)].push_back(id);
            for (const NodeId input : graph_.inputs(id)) {
                if (seen[index_of(input)]) continue;
                seen[index_of(input)] = true;
                dying_[index_of(id)].push_back(input);
            }
        }
    }

    /// ";  a = b = None": lets go of values at their last use, so that the function needs no more memory than the graph.
    std::string freed_after(NodeId id) const {
        if (dying_[index_of(id)].empty()) return {};
        std::string text = ";  ";
        for (const NodeId dead : dying_[index_of(id)]) text += names_[index_of(dead)] + " = ";
        return text + "None";
    }

    /// Python takes defaults only behind the last parameter without one.
    void find_defaults() {
        for (const NodeId id : graph_)
            if (const Node& node = graph_.node(id); node.opcode == Opcode::placeholder && node.args.empty())
                last_required_ = id;
    }

    /// ": "f32[4][1]cpu"", which Python takes for a text and the reader of FX text for what is known.
    std::string annotated(const Node& node) const {
        const std::string known = module_.annotate ? annotation(node.meta, ReadableOptions{}) : "";
        return known.empty() ? "" : ": " + python_string(known);
    }

    /// "*args" is one value of the graph, so it is one parameter here.
    Result<std::string> write_parameter(NodeId id, const Node& node) const {
        const std::string& name = names_[index_of(id)];
        const bool is_required = last_required_ != no_node && !graph_.is_before(last_required_, id);
        if (is_required || node.args.empty()) return name + annotated(node);
        auto value = write_argument(node.args.front());
        if (!value) return value;
        return name + annotated(node) + '=' + *value;
    }

    Result<std::string> write_expression(NodeId id) {
        const Node& node = graph_.node(id);
        switch (node.opcode) {
        case Opcode::placeholder: break;
        case Opcode::get_attr: return attribute(node);
        case Opcode::output: return node.args.empty() ? Result<std::string>("None") : write_argument(node.args.front());
        case Opcode::call_function: return call_function(node);
        case Opcode::call_module: {
            module_.modules.insert(node.target);
            return call("modules[" + python_string(node.target) + ']', node, 0);
        }
        case Opcode::call_method: {
            if (!is_callable_method(node.target) || node.args.empty())
                return fail({}, "the method " + one_line(node.target) + " is none of a tensor's that this program knows");
            auto self = write_argument(node.args.front());
            if (!self) return self;
            return call(*self + '.' + node.target, node, 1);
        }
        }
        return fail({}, "has no form in Python");
    }

    Result<std::string> attribute(const Node& node) {
        if (const auto subgraph = subgraphs_.find(node.target); subgraph != subgraphs_.end()) return subgraph->second;
        if (module_.annotate && is_python_identifier(node.target) && !is_python_keyword(node.target)) {
            reads_self_ = true;
            return "self." + node.target;
        }
        module_.attributes.try_emplace(node.target, annotation(node.meta, ReadableOptions{}));
        return "attributes[" + python_string(node.target) + ']';
    }

    Result<std::string> call_function(const Node& node) {
        if (is_item_access(node)) {
            auto list = write_argument(node.args[0]);
            auto item = write_argument(node.args[1]);
            if (!list || !item) return list ? item : list;
            return *list + '[' + *item + ']';
        }
        if (node.target == "builtins.getattr" && node.args.size() == 2 && node.kwargs.empty()) {
            const auto* name = node.args[1].as<std::string>();
            if (name && is_readable_attribute(*name) && node.args[0].node() != no_node)
                return names_[index_of(node.args[0].node())] + '.' + *name;
        }
        const auto function = python_function(node.target);
        if (!function)
            return fail({}, "the target " + one_line(node.target) + " is not among those a written module may call "
                            "(operators, and what torch's graphs call besides them)");
        note_needs(node.target);
        return call(*function, node, 0);
    }

    static bool is_item_access(const Node& node) {
        return (node.target == "operator.getitem" || node.target == "_operator.getitem") && node.args.size() == 2 &&
               node.kwargs.empty() && node.args[0].node() != no_node;
    }

    void note_needs(std::string_view target) {
        for (const std::string_view name : {"operator", "math"})
            if (target.starts_with(std::string(name) + '.') || target.starts_with('_' + std::string(name) + '.'))
                module_.imports.emplace(name);
        constexpr std::string_view prefix = "torch.ops.";
        if (!target.starts_with(prefix)) return;
        const std::string_view library = target.substr(prefix.size(), target.find('.', prefix.size()) - prefix.size());
        if (library != "aten" && library != "prims" && library != "higher_order")
            module_.operator_libraries.emplace(library);
    }

    Result<std::string> call(const std::string& function, const Node& node, std::size_t first_argument) const {
        std::string text = function + '(';
        const char* separator = "";
        for (std::size_t i = first_argument; i < node.args.size(); ++i) {
            auto argument = write_argument(node.args[i]);
            if (!argument) return argument;
            text += separator + *argument;
            separator = ", ";
        }
        std::string unnameable; // keywords of the call that are keywords of Python
        for (const auto& [name, value] : node.kwargs) {
            auto argument = write_argument(value);
            if (!argument) return argument;
            if (is_python_identifier(name) && !is_python_keyword(name)) {
                text += separator + name + '=' + *argument;
                separator = ", ";
            } else {
                unnameable += (unnameable.empty() ? "" : ", ") + python_string(name) + ": " + *argument;
            }
        }
        if (!unnameable.empty()) text += separator + ("**{" + unnameable + '}');
        return text + ')';
    }

    Result<std::string> write_argument(const Argument& argument) const {
        if (const NodeId id = argument.node(); id != no_node) return names_[index_of(id)];
        if (const auto* list = argument.as<ArgumentList>()) return write_list(*list);
        if (const auto* dict = argument.as<ArgumentDict>()) {
            std::string text = "{";
            for (const auto& [key, item] : dict->items) {
                auto value = write_argument(item);
                if (!value) return value;
                if (text.size() > 1) text += ", ";
                text += python_string(key) + ": " + *value;
            }
            return text + '}';
        }
        return python_constant(argument);
    }

    Result<std::string> write_list(const ArgumentList& list) const {
        std::string items;
        for (const Argument& item : list.items) {
            auto value = write_argument(item);
            if (!value) return value;
            if (!items.empty()) items += ", ";
            items += *value;
        }
        switch (list.kind) {
        case ArgumentList::Kind::list: return '[' + items + ']';
        case ArgumentList::Kind::slice: return "slice(" + items + ')';
        case ArgumentList::Kind::tuple: break;
        }
        return '(' + items + (list.items.size() == 1 ? ",)" : ")");
    }

    const Graph& graph_;
    const std::map<std::string, std::string>& subgraphs_;
    PythonModuleNames& module_;
    std::vector<std::string> names_;             ///< by node
    std::vector<std::vector<NodeId>> dying_;     ///< values last used by a node
    std::map<std::string, std::size_t> next_number_;
    NodeId last_required_ = no_node;             ///< last placeholder without a default
    bool reads_self_ = false;
};

} // namespace

Result<std::string> print_python_function(const Graph& graph, std::string_view name,
                                          const std::map<std::string, std::string>& subgraphs,
                                          const std::set<std::string>& taken, PythonModuleNames& module) {
    return FunctionWriter(graph, subgraphs, taken, module).write(name);
}

} // namespace inspector
