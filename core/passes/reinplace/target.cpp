#include "core/passes/reinplace/target.h"

#include <algorithm>

namespace inspector {
namespace {

constexpr std::string_view operators = "torch.ops.";
constexpr std::string_view higher_order = "torch.ops.higher_order.";

std::string python_name(std::string_view target) {
    if (target.starts_with(higher_order)) return std::string(target.substr(higher_order.size()));
    if (target.starts_with(operators)) return std::string(target.substr(operators.size()));
    for (const std::string_view module : {"operator.", "_operator.", "math."})
        if (target.starts_with(module)) return "<built-in function " + std::string(target.substr(module.size())) + ">";
    return std::string(target);
}

Reason why_no_inplace(const Operator& op) {
    if (op.view != ViewKind::none) return Reason::is_view;
    return OperatorTable::instance().overloads(op.name + "_").empty() ? Reason::name_missing : Reason::overload_missing;
}

Target look_up(const Node& node) {
    Target target;
    target.short_name = python_name(node.target);
    if (node.opcode != Opcode::call_function) return target;
    const std::string_view text = node.target;
    target.is_getitem = text == "operator.getitem" || text == "_operator.getitem";
    target.is_overload = text.starts_with(operators) && !text.starts_with(higher_order);
    target.op = target.is_overload ? OperatorTable::instance().find(text) : nullptr;
    if (!target.op) return target;
    const InplaceSearch search = OperatorTable::instance().find_inplace(*target.op);
    target.inplace = search.variant;
    target.inplace_search_raises = search.upstream_raises;
    if (target.inplace) {
        target.inplace_name = target.inplace->short_target();
        target.inplace_target = full_target(*target.inplace);
    } else {
        target.no_inplace = why_no_inplace(*target.op);
    }
    target.inverse_view = OperatorTable::instance().view_of_scatter(*target.op);
    return target;
}

} // namespace

const Target& Targets::of(const Node& node) {
    const auto known = by_text_.find(node.target);
    if (known != by_text_.end() && node.opcode == Opcode::call_function) return *known->second;
    const Target& target = targets_.emplace_back(look_up(node));
    if (node.opcode == Opcode::call_function) by_text_.emplace(node.target, &target);
    return target;
}

std::string full_target(const Operator& op) { return std::string(operators) + op.short_target(); }

} // namespace inspector
