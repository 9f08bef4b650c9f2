#include "core/analysis/level.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using Kind = LevelObstacle::Kind;

bool is_size_arithmetic(const Node& node) {
    const std::string_view target = node.target;
    const bool is_function = target.starts_with("operator.") || target.starts_with("_operator.") ||
                             target.starts_with("math.") || target.starts_with("torch.sym_") ||
                             target.starts_with("torch._sym_");
    return is_function && !std::holds_alternative<TensorMeta>(node.meta);
}

std::optional<Kind> obstacle_of(const std::string& target, const Operator* op) {
    if (!op) return target.starts_with("torch.ops.prim.") ? Kind::not_an_operator : Kind::custom;
    if (op->is_mutable) return Kind::mutating;
    if (op->returns.empty() || op->has_tag("core")) return std::nullopt; // nothing returned: an assertion
    if (op->is_composite) return Kind::composite;
    return op->name.starts_with("aten::") ? Kind::not_core : Kind::custom;
}

OperatorUse use_of(const Node& node, bool is_arithmetic) {
    OperatorUse use;
    use.target = node.target;
    if (node.opcode != Opcode::call_function) {
        use.obstacle = Kind::not_an_operator;
    } else if (node.target.starts_with("torch.ops.higher_order.")) {
        return use;
    } else if (node.target.starts_with("torch.ops.")) {
        use.op = OperatorTable::instance().find(node.target);
        use.obstacle = obstacle_of(use.target, use.op);
    } else if (node.target != "operator.getitem" && !is_arithmetic) {
        use.obstacle = Kind::not_an_operator;
    }
    return use;
}

/// After a number.
std::string_view words_for(Kind kind, bool is_one) {
    switch (kind) {
    case Kind::not_an_operator: return is_one ? "callee is no operator" : "callees are no operators";
    case Kind::mutating: return is_one ? "operator writes an argument" : "operators write an argument";
    case Kind::custom: return is_one ? "operator is not ATen's" : "operators are not ATen's";
    case Kind::composite: return is_one ? "operator is made of others" : "operators are made of others";
    case Kind::not_core: break;
    }
    return is_one ? "operator is not tagged core" : "operators are not tagged core";
}

} // namespace

std::string_view level_name(Level level) {
    switch (level) {
    case Level::not_aten: return "not ATen";
    case Level::training: return "training";
    case Level::functional_aten: return "functional ATen";
    case Level::core_aten: return "Core ATen";
    }
    return "not ATen";
}

Level stands_against(Kind kind) {
    switch (kind) {
    case Kind::not_an_operator: return Level::training;
    case Kind::mutating: return Level::functional_aten;
    case Kind::custom:
    case Kind::composite:
    case Kind::not_core: break;
    }
    return Level::core_aten;
}

std::string_view kind_name(Kind kind) {
    switch (kind) {
    case Kind::not_an_operator: return "not an operator";
    case Kind::mutating: return "mutating";
    case Kind::custom: return "custom";
    case Kind::composite: return "composite";
    case Kind::not_core: break;
    }
    return "not core";
}

LevelReport find_level(const Graph& graph) {
    LevelReport report;
    std::map<std::pair<std::string_view, bool>, std::size_t> known; // of report.operators, by target; arithmetic apart
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr || node.opcode == Opcode::output)
            continue;
        const bool is_arithmetic = is_size_arithmetic(node);
        const auto [entry, is_new] = known.try_emplace({node.target, is_arithmetic}, report.operators.size());
        if (is_new) report.operators.push_back(use_of(node, is_arithmetic));
        OperatorUse& use = report.operators[entry->second];
        use.nodes.push_back(id);
        if (!use.obstacle) continue;
        report.obstacles.push_back({id, *use.obstacle});
        const auto highest = static_cast<Level>(static_cast<std::uint8_t>(stands_against(*use.obstacle)) - 1);
        report.level = std::min(report.level, highest);
    }
    return report;
}

namespace {

/// `within`: `graph` and those nested in it.
NestedLevel level_of(const Program& program, std::size_t graph, const Graph& shown, const std::vector<std::size_t>& within) {
    NestedLevel found;
    std::map<std::pair<std::string, std::optional<Kind>>, std::size_t> known;
    for (const std::size_t i : within) {
        const LevelReport report = find_level(i == graph ? shown : program.graphs[i].graph);
        if (i == graph) found.own_level = report.level;
        found.level = std::min(i == graph ? Level::core_aten : found.level, report.level);
        for (const OperatorUse& use : report.operators) {
            const auto [entry, is_new] = known.try_emplace({use.target, use.obstacle}, found.operators.size());
            if (is_new) found.operators.push_back({use.target, use.op, use.obstacle, {}});
            for (const NodeId node : use.nodes) found.operators[entry->second].places.push_back({i, node});
        }
    }
    return found;
}

} // namespace

NestedLevel find_level(const Program& program, std::size_t graph) {
    return find_level(program, graph, program.graphs[graph].graph);
}

NestedLevel find_level(const Program& program, std::size_t graph, const Nesting& nesting) {
    return level_of(program, graph, program.graphs[graph].graph, nesting.within(graph));
}

NestedLevel find_level(const Program& program, std::size_t graph, const Graph& shown) {
    return level_of(program, graph, shown, graphs_within(program, graph));
}

std::vector<Level> find_levels(const Program& program) {
    std::vector<Level> levels;
    levels.reserve(program.graphs.size());
    for (const ProgramGraph& graph : program.graphs) levels.push_back(find_level(graph.graph).level);
    for (std::size_t i = levels.size(); i-- > 0;) // a parent stands before what is nested in it
        if (const auto& parent = program.graphs[i].parent) levels[*parent] = std::min(levels[*parent], levels[i]);
    return levels;
}

std::string short_name(const NestedLevel::Use& use) {
    constexpr std::string_view prefix = "torch.ops.";
    return use.target.starts_with(prefix) ? use.target.substr(prefix.size()) : use.target;
}

std::string why_not_higher(const NestedLevel& level) {
    if (level.level == Level::core_aten) return "every operator is tagged core";
    const auto next = static_cast<Level>(static_cast<std::uint8_t>(level.level) + 1);
    std::map<Kind, std::size_t> counts;
    for (const NestedLevel::Use& use : level.operators)
        if (use.obstacle && stands_against(*use.obstacle) == next) ++counts[*use.obstacle];
    std::string text;
    for (const auto& [kind, count] : counts)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + std::string(words_for(kind, count == 1));
    return text;
}

} // namespace inspector
