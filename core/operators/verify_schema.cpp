#include "core/operators/verify_schema.h"

#include <algorithm>
#include <string>

#include "core/operators/operator_table.h"

namespace inspector {

std::vector<Error> verify_call(const Node& node, const Operator& op) {
    std::vector<Error> errors;
    const auto complain = [&](std::string reason) { errors.push_back({{}, "%" + node.name, std::move(reason)}); };

    const auto positional = static_cast<std::size_t>(
        std::count_if(op.arguments.begin(), op.arguments.end(), [](const SchemaArgument& a) { return !a.keyword_only; }));
    if (node.args.size() > positional && !op.variadic_arguments)
        complain(op.short_target() + " takes " + std::to_string(positional) + " positional arguments, but " +
                 std::to_string(node.args.size()) + " are given");

    std::vector<bool> given(op.arguments.size(), false);
    std::fill_n(given.begin(), std::min({node.args.size(), positional, given.size()}), true);
    for (const auto& [name, value] : node.kwargs) {
        const auto found = std::find_if(op.arguments.begin(), op.arguments.end(),
                                        [&wanted = name](const SchemaArgument& a) { return a.name == wanted; });
        if (found == op.arguments.end()) {
            complain(op.short_target() + " has no argument " + name);
            continue;
        }
        const auto place = static_cast<std::size_t>(found - op.arguments.begin());
        if (given[place]) complain("the argument " + name + " of " + op.short_target() + " is given twice");
        given[place] = true;
    }
    for (std::size_t i = 0; i < op.arguments.size(); ++i)
        if (!given[i] && !op.arguments[i].default_text)
            complain("the argument " + op.arguments[i].name + " of " + op.short_target() + " is missing");
    return errors;
}

std::vector<Error> verify_schemas(const Graph& graph) {
    std::vector<Error> errors;
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        if (node.opcode != Opcode::call_function) continue;
        const Operator* op = OperatorTable::instance().find(node.target);
        if (!op) continue;
        auto found = verify_call(node, *op);
        errors.insert(errors.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return errors;
}

} // namespace inspector
