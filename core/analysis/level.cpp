#include "core/analysis/level.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/operators/composite.h"
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

std::optional<Kind> obstacle_of_operator(const std::string& target) {
    if (target.starts_with("torch.ops.higher_order.")) return std::nullopt;
    const Operator* op = OperatorTable::instance().find(target);
    if (!op) return target.starts_with("torch.ops.prim.") ? Kind::not_an_operator : Kind::custom;
    if (op->is_mutable) return Kind::mutating;
    if (op->returns.empty() || op->has_tag("core")) return std::nullopt; // nothing returned: an assertion
    if (is_composite(*op)) return Kind::composite;
    return op->name.starts_with("aten::") ? Kind::not_core : Kind::custom;
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

LevelReport find_level(const Graph& graph) {
    LevelReport report;
    std::unordered_map<std::string_view, std::optional<Kind>> known; // by target: a graph has few
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        std::optional<Kind> kind;
        if (node.opcode == Opcode::call_method || node.opcode == Opcode::call_module) {
            kind = Kind::not_an_operator;
        } else if (node.opcode == Opcode::call_function) {
            if (node.target.starts_with("torch.ops.")) {
                const auto [entry, is_new] = known.try_emplace(node.target);
                if (is_new) entry->second = obstacle_of_operator(node.target);
                kind = entry->second;
            } else if (node.target != "operator.getitem" && !is_size_arithmetic(node)) {
                kind = Kind::not_an_operator;
            }
        }
        if (!kind) continue;
        report.obstacles.push_back({id, *kind});
        const auto highest = static_cast<Level>(static_cast<std::uint8_t>(stands_against(*kind)) - 1);
        report.level = std::min(report.level, highest);
    }
    return report;
}

} // namespace inspector
