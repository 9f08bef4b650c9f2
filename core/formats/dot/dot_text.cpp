#include "core/formats/dot/dot_text.h"

#include <string_view>

namespace inspector {
namespace {

/// Inside a quoted string: Graphviz reads backslash sequences and, as HTML does, entities.
void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '&') out += "&amp;";
        else out += c;
    }
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    append_escaped(out, text);
    return out + '"';
}

std::string label(const PictureNode& node) {
    std::string out = "\"";
    if (node.look->letter != ' ') out.append({'[', node.look->letter, ']', ' '});
    append_escaped(out, node.name);
    for (const std::string* line : {&node.operation, &node.layout}) {
        if (line->empty()) continue;
        out += "\\n";
        append_escaped(out, *line);
    }
    return out + '"';
}

} // namespace

std::string print_dot(const Picture& picture) {
    std::string text = "digraph " + quoted(picture.title) + " {\n";
    text += "  graph [rankdir=TB, ranksep=0.35, nodesep=0.2];\n"
            "  node [fontname=\"Helvetica\", fontsize=10, penwidth=2, style=filled, margin=\"0.12,0.05\"];\n"
            "  edge [arrowsize=0.6];\n";
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const PictureNode& node = picture.nodes[i];
        text.append("  n").append(std::to_string(i)).append(" [label=").append(label(node));
        text.append(", shape=").append(node.look->dot_shape).append(", fillcolor=").append(quoted(node.look->fill));
        text.append(", color=").append(quoted(storage_colour(node.storage)));
        if (!node.look->word.empty()) text.append(", tooltip=").append(quoted(node.name + ": " + std::string(node.look->word)));
        text += "];\n";
    }
    for (const PictureEdge& edge : picture.edges) {
        text.append("  n").append(std::to_string(edge.from)).append(" -> n").append(std::to_string(edge.to));
        const std::string_view colour = storage_colour(edge.is_view ? picture.nodes[edge.to].storage : 0);
        text.append(" [color=").append(quoted(colour)).append(edge.is_view ? ", style=dashed];\n" : "];\n");
    }
    return text + "}\n";
}

} // namespace inspector
