#include "core/formats/fx_text/graph_ids.h"

#include <algorithm>

#include "core/formats/fx_text/source_text.h"
#include "core/formats/unique_ids.h"

namespace inspector::fx_text {
namespace {

bool is_hex(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

/// Without "_8_4_4_4_12 hexadecimal digits" at the end: a UUID with underscores.
std::string_view without_uuid(std::string_view title) {
    constexpr std::size_t groups[] = {12, 4, 4, 4, 8};
    std::string_view rest = title;
    for (const std::size_t digits : groups) {
        if (rest.size() <= digits || rest[rest.size() - digits - 1] != '_' ||
            !is_hex(rest.substr(rest.size() - digits)))
            return title;
        rest.remove_suffix(digits + 1);
    }
    return rest.empty() ? title : rest;
}

std::string slug(std::string_view title) {
    std::string words;
    for (const char c : without_uuid(title)) {
        const bool is_word = (is_identifier_part(c) && c != '_') || c == '.';
        if (is_word) words += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        else if (!words.empty() && words.back() != '_') words += '_';
    }
    while (words.ends_with('_')) words.pop_back();
    return words.empty() ? "graph" : words;
}

} // namespace

void set_graph_ids(std::vector<ProgramGraph>& graphs) {
    const auto roots = std::ranges::count_if(graphs, [](const ProgramGraph& graph) { return !graph.parent; });
    UniqueIds ids;
    for (ProgramGraph& graph : graphs) {
        if (!graph.parent) {
            graph.id = ids.unique(roots == 1 ? "root" : slug(graph.title));
            continue;
        }
        const std::string& parent = graphs[*graph.parent].id;
        const bool is_in_root = roots == 1 && !graphs[*graph.parent].parent;
        graph.id = ids.unique(is_in_root ? graph.attribute : parent + "." + graph.attribute);
    }
}

} // namespace inspector::fx_text
