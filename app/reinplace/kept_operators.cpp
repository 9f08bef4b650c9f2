#include "app/reinplace/kept_operators.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/passes/decompose/session.h"

namespace inspector {
namespace {

constexpr std::size_t most_meant = 3;

/// "aten.layer_norm.default" of every operator that is called.
std::set<std::string> called_in(const Program& program, std::size_t graph) {
    constexpr std::string_view prefix = "torch.ops.";
    std::set<std::string> called;
    for (const std::size_t each : graphs_within(program, graph))
        for (const NodeId id : program.graphs[each].graph)
            if (const std::string& target = program.graphs[each].graph.node(id).target; target.starts_with(prefix))
                called.insert(target.substr(prefix.size()));
    return called;
}

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts{""};
    for (const char c : name)
        if (c != '.' && c != ':') parts.back() += c;
        else if (!parts.back().empty()) parts.emplace_back();
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

/// Letters to insert, remove or replace.
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

/// Of an operator's name from what was given; nothing where they have little in common.
std::optional<std::size_t> distance(const std::vector<std::string>& given, const std::string& operator_name) {
    std::optional<std::size_t> least;
    for (const std::string& part : given) {
        const std::size_t edits = edits_between(part, operator_name);
        const bool is_part = part.size() > 3 && operator_name.find(part) != std::string::npos;
        if (is_part || edits <= operator_name.size() / 4) least = std::min(least.value_or(edits), edits);
    }
    return least;
}

} // namespace

std::string unknown_operator(const std::vector<std::string>& names) {
    const auto unknown = std::ranges::find_if(names, [](const std::string& name) { return !kept_overloads({name}); });
    return unknown != names.end() ? *unknown : std::string();
}

std::string meant_operators(const std::string& name, const Program& program, std::size_t graph) {
    const std::vector<std::string> given = parts_of(name.substr(0, 200));
    std::set<std::pair<std::size_t, std::string>> near;
    for (const std::string& called : called_in(program, graph)) {
        const std::vector<std::string> parts = parts_of(called);
        if (parts.size() < 2) continue;
        if (const auto edits = distance(given, parts[1])) near.emplace(*edits, called);
    }
    if (near.empty() && kept_overloads({"aten." + name})) return "; is aten." + name + " meant?";
    std::string text;
    std::size_t told = 0;
    for (auto each = near.begin(); each != near.end() && told < most_meant; ++each, ++told)
        text += (text.empty() ? "; is " : " or ") + each->second;
    return text.empty() ? text : text + " meant?";
}

std::vector<std::string> not_called(const std::vector<std::string>& names, const Program& program, std::size_t graph) {
    const std::set<std::string> called = called_in(program, graph);
    std::vector<std::string> missing;
    for (const std::string& name : std::set(names.begin(), names.end())) {
        const auto overloads = kept_overloads({name});
        if (overloads && std::ranges::none_of(*overloads, [&](const std::string& each) { return called.contains(each); }))
            missing.push_back(name);
    }
    return missing;
}

} // namespace inspector
