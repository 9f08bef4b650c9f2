#include "app/reinplace/level_text.h"

#include "core/analysis/level.h"
#include "core/analysis/operator_forms.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

constexpr std::size_t most_nodes = 8;

/// "%add, %add_1 and 3 more"; a nested graph's nodes with its id before them.
std::string nodes_text(const Program& program, std::size_t own, const std::vector<NestedLevel::Place>& places) {
    std::string text;
    for (std::size_t i = 0; i < std::min(places.size(), most_nodes); ++i) {
        const ProgramGraph& graph = program.graphs[places[i].graph];
        text += (i == 0 ? "" : ", ") + (places[i].graph == own ? std::string() : graph.id + ':') + '%' +
                graph.graph.node(places[i].node).name;
    }
    if (places.size() > most_nodes) text += " and " + std::to_string(places.size() - most_nodes) + " more";
    return text;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// "core; in place aten.add_.Tensor; out aten.add.out; meta kernel; tags pointwise".
std::string properties(const Operator& op) {
    const OperatorForms forms = forms_of(op);
    std::string text = op.has_tag("core") ? "core" : op.is_composite ? "made of others" : "not core";
    if (!op.is_composite) text += op.has_decomposition ? ", decomposable" : ", not decomposable";
    const auto add = [&](std::string_view what, const Operator* form) {
        if (form && form != &op) text += "; " + std::string(what) + ' ' + form->short_target();
    };
    add("functional", forms.functional);
    add("in place", forms.in_place);
    add("out", forms.out);
    text += "; " + std::string(meta_words(op));
    if (!op.tags.empty()) text += "; tags " + joined(op.tags);
    return text;
}

} // namespace

std::string level_text(const Program& program, std::size_t graph, const Nesting& nesting) {
    const NestedLevel found = find_level(program, graph, nesting);
    std::string text =
        one_line(program.path + "  " + program.graphs[graph].id) + "\n  " + std::string(level_name(found.level));
    if (found.own_level != found.level)
        text += " (without nested graphs " + std::string(level_name(found.own_level)) + ')';
    text += ": " + why_not_higher(found) + '\n';

    for (const Level level : {Level::training, Level::functional_aten, Level::core_aten}) {
        std::string lines;
        for (const NestedLevel::Use& use : found.operators)
            if (use.obstacle && stands_against(*use.obstacle) == level)
                lines += "    " + one_line(short_name(use) + "  " + std::string(kind_name(*use.obstacle)) + "  " +
                                           nodes_text(program, graph, use.places)) + '\n';
        if (!lines.empty()) text += "  against " + std::string(level_name(level)) + '\n' + lines;
    }
    if (!found.operators.empty()) text += "  operators\n";
    for (const NestedLevel::Use& use : found.operators) {
        text += "    " + one_line(short_name(use)) + "  " + count_text(use.places.size(), "node") + '\n';
        if (use.op) text += "      " + one_line(use.op->schema_text) + "\n      " + properties(*use.op) + '\n';
    }
    std::string missing;
    for (const NestedLevel::Use& use : found.operators)
        if (const std::string needed = needed_for_metadata(use); !needed.empty())
            missing += "    " + one_line(short_name(use) + "  " + nodes_text(program, graph, use.places)) + "\n      " +
                       one_line(needed) + '\n';
    if (!missing.empty()) text += "  without meta kernel\n" + missing;
    return text;
}

} // namespace inspector
