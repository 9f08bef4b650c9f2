#include "core/formats/python/python_module.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/formats/python/python_function_body.h"
#include "core/formats/python/python_literal.h"
#include "core/formats/python/python_loader.h"
#include "core/formats/python/python_target.h"
#include "core/graph/print.h"

namespace inspector {
namespace {

/// `graph` and the graphs nested in it, parents first.
std::vector<std::size_t> with_nested(const Program& program, std::size_t graph) {
    std::vector<std::size_t> found{graph};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t child = 0; child < program.graphs.size(); ++child)
            if (program.graphs[child].parent == found[i]) found.push_back(child);
    return found;
}

std::map<std::size_t, std::string> function_names(const Program& program, const std::vector<std::size_t>& graphs,
                                                  std::set<std::string>& taken) {
    std::map<std::size_t, std::string> names;
    for (const std::size_t graph : graphs) {
        const std::string base = names.empty() ? "forward" : python_identifier(program.graphs[graph].id);
        std::string name = base;
        for (int number = 1; !taken.insert(name).second; ++number) name = base + '_' + std::to_string(number);
        names[graph] = name;
    }
    return names;
}

std::string list_of(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + python_comment(name);
    return text;
}

std::string dictionary_to_fill(std::string_view name, const std::map<std::string, std::string>& entries) {
    std::string text = std::string(name) + " = {\n";
    for (const auto& [key, known] : entries) {
        text += "    " + python_string(key) + ": None,";
        if (!known.empty()) text += "  # " + python_comment(known);
        text += '\n';
    }
    return text + "}\n";
}

std::string parameters_comment(const Graph& graph) {
    std::string text;
    for (const NodeId id : graph.placeholders()) {
        const Node& node = graph.node(id);
        const std::string known = annotation(node.meta, ReadableOptions{});
        if (!known.empty()) text += "#   " + python_comment(node.name) + ": " + python_comment(known) + '\n';
    }
    return text.empty() ? text : "# forward's parameters:\n" + text;
}

} // namespace

Result<std::string> print_python_module(const Program& program, std::size_t graph, const Graph& rewritten,
                                        const std::string& weights_path, const PythonModuleOptions& options) {
    const ProgramGraph& source = program.graphs[graph];
    const std::vector<std::size_t> graphs = with_nested(program, graph);
    const PythonLoader loader = make_python_loader(program, source, weights_path);

    std::set<std::string> taken{"torch", "operator", "math", "zipfile", "load", "lifted_tensors", "attributes", "modules"};
    for (std::string& name : used_builtins()) taken.insert(std::move(name));
    const std::map<std::size_t, std::string> names = function_names(program, graphs, taken);

    if (options.annotate) taken.insert("self");
    PythonModuleNames needs;
    needs.annotate = options.annotate;
    std::string functions;
    for (const std::size_t index : graphs) {
        std::map<std::string, std::string> subgraphs;
        for (const std::size_t child : graphs)
            if (program.graphs[child].parent == index && child != graph)
                subgraphs[program.graphs[child].attribute] = names.at(child);
        auto function = print_python_function(index == graph ? rewritten : program.graphs[index].graph, names.at(index),
                                              subgraphs, taken, needs);
        if (!function) {
            Error error = function.error();
            error.file = program.path;
            if (index != graph) error.place = "graph " + program.graphs[index].id + ", " + error.place;
            return tl::unexpected<Error>(std::move(error));
        }
        functions += "\n\n" + *function;
    }

    std::string text = options.comment;
    if (text.empty())
        text = "# Graph " + python_string(source.id) + " of " + python_string(program.path) +
               ", written by Reinplace Inspector.\n";
    if (!needs.operator_libraries.empty())
        text += "# Import what registers these operators before calling forward: " + list_of(needs.operator_libraries) + '\n';
    if (!options.annotate) text += parameters_comment(rewritten);
    for (const std::string& name : needs.imports) text += "import " + name + '\n';
    text += loader.imports + "\nimport torch\n";
    if (!needs.attributes.empty())
        text += "\n# What the graph reads from its module. The file holds no values: set them before calling forward.\n" +
                dictionary_to_fill("attributes", needs.attributes);
    if (!needs.modules.empty()) {
        std::map<std::string, std::string> entries;
        for (const std::string& name : needs.modules) entries[name];
        text += "\n# Modules the graph calls. The file holds only their names: set them before calling forward.\n" +
                dictionary_to_fill("modules", entries);
    }
    return text + functions + loader.functions + options.ending;
}

} // namespace inspector
