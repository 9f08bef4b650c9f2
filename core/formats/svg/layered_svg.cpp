#include "core/formats/svg/layered_svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/formats/svg/layered_layout.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

constexpr double box_height = 44;
constexpr double layer_height = 84;
constexpr double margin = 16;
constexpr double badge = 18;           ///< side of the square a verdict's badge stands in
constexpr double character_width = 6.2; ///< of the 10 px sans-serif text, generously

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
        }
    }
}

/// Tenths of a pixel, without a final ".0": "12", "12.5".
std::string number(double value) {
    const long long tenths = std::llround(value * 10);
    std::string text = tenths < 0 ? "-" : "";
    const long long size = std::llabs(tenths);
    text += std::to_string(size / 10);
    if (size % 10 != 0) text += '.' + std::to_string(size % 10);
    return text;
}

std::size_t characters(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t position = 0; position < text.size(); ++count) position += decode_utf8(text, position).bytes;
    return count;
}

double width_of(const PictureNode& node) {
    const std::size_t longest = std::max({characters(node.name), characters(node.operation), characters(node.layout)});
    return 16 + (node.look->letter == ' ' ? 0 : badge + 4) + character_width * static_cast<double>(longest);
}

/// The verdict's outline in a square of side `badge`, by the shape it has in DOT.
std::string badge_path(std::string_view shape) {
    if (shape == "ellipse") return "M0 9a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z";
    if (shape == "box3d") return "M1 1h16v16h-16z";
    if (shape == "note") return "M0 3h18v12h-18z";
    if (shape == "hexagon") return "M9 0l9 9l-9 9l-9 -9z";
    if (shape == "box") return "M5 3h8a6 6 0 0 1 0 12h-8a6 6 0 0 1 0 -12z";
    if (shape == "house") return "M9 -1l10 19h-20z";
    if (shape == "parallelogram") return "M5 1h13l-5 16h-13z";
    return "M5 0h8l5 5v8l-5 5h-8l-5 -5v-8z"; // octagon
}

class SvgWriter {
public:
    explicit SvgWriter(const Picture& picture) : picture_(picture) {
        std::vector<double> widths;
        for (const PictureNode& node : picture.nodes) widths.push_back(width_of(node));
        for (const PictureEdge& edge : picture.edges) edges_.push_back({edge.from, edge.to});
        layout_ = lay_out_layers(widths, edges_, 24);
    }

    std::string write() {
        const double width = layout_.width + 2 * margin;
        const double height = layout_.layers * layer_height - (layer_height - box_height) + 2 * margin;
        text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
                number(width) + "\" height=\"" + number(std::max(height, 2 * margin)) + "\" font-family=\"Helvetica,sans-serif\" "
                "font-size=\"10\">\n<title>";
        append_escaped(text_, picture_.title);
        text_ += "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<g fill=\"none\">\n";
        for (std::size_t i = 0; i < picture_.edges.size(); ++i) write_edge(i);
        text_ += "</g>\n";
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) write_node(i);
        return std::move(text_) + "</svg>\n";
    }

private:
    double centre(std::size_t node) const { return margin + layout_.places[node].centre; }
    double top(std::size_t node) const { return margin + layout_.places[node].layer * layer_height; }

    void write_edge(std::size_t i) {
        const PictureEdge& edge = picture_.edges[i];
        const std::string_view colour = storage_colour(edge.is_view ? picture_.nodes[edge.to].storage : 0);
        text_.append("<path stroke=\"").append(colour).append(edge.is_view ? "\" stroke-dasharray=\"5 3\" d=\"" : "\" d=\"");
        if (layout_.is_stub(edges_[i])) {
            text_ += 'M' + number(centre(edge.from)) + ' ' + number(top(edge.from) + box_height) + "v10M" +
                     number(centre(edge.to)) + ' ' + number(top(edge.to)) + "v-10\"><title>";
            append_escaped(text_, picture_.nodes[edge.from].name + " → " + picture_.nodes[edge.to].name);
            text_ += "</title></path>\n";
            return;
        }
        double x = centre(edge.from);
        double y = top(edge.from) + box_height;
        text_ += 'M' + number(x) + ' ' + number(y);
        for (const double lane : layout_.lanes[i]) {
            curve_to(x, y, margin + lane, y + layer_height - box_height);
            x = margin + lane;
            y += layer_height;
            text_ += 'V' + number(y);
        }
        curve_to(x, y, centre(edge.to), top(edge.to));
        text_ += "\"/>\n";
    }

    void curve_to(double x1, double y1, double x2, double y2) {
        const std::string bend = number((y1 + y2) / 2);
        text_ += 'C' + number(x1) + ' ' + bend + ' ' + number(x2) + ' ' + bend + ' ' + number(x2) + ' ' + number(y2);
    }

    void write_line(double x, double y, std::string_view text, std::string_view attributes) {
        if (text.empty()) return;
        text_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + '"';
        text_.append(attributes).append(">");
        append_escaped(text_, text);
        text_ += "</text>\n";
    }

    void write_node(std::size_t i) {
        const PictureNode& node = picture_.nodes[i];
        const double width = width_of(node);
        const double left = centre(i) - width / 2;
        text_ += "<rect x=\"" + number(left) + "\" y=\"" + number(top(i)) + "\" width=\"" + number(width) + "\" height=\"" +
                 number(box_height) + "\" rx=\"4\" stroke-width=\"2\" fill=\"";
        text_.append(node.look->fill).append("\" stroke=\"").append(storage_colour(node.storage)).append("\"/>\n");
        double text_left = left + 8;
        if (node.look->letter != ' ') {
            const double y = top(i) + (box_height - badge) / 2;
            text_ += "<path transform=\"translate(" + number(text_left) + ' ' + number(y) + ")\" fill=\"#ffffff\" "
                     "stroke=\"#1f2328\" d=\"" + badge_path(node.look->dot_shape) + "\"><title>";
            text_.append(node.look->word).append("</title></path>\n");
            write_line(text_left + badge / 2, y + 12.5, std::string_view(&node.look->letter, 1),
                       " text-anchor=\"middle\" font-weight=\"bold\"");
            text_left += badge + 4;
        }
        write_line(text_left, top(i) + 14, node.name, " font-weight=\"bold\"");
        write_line(text_left, top(i) + 26, node.operation, "");
        write_line(text_left, top(i) + 38, node.layout, " fill=\"#57606a\"");
    }

    const Picture& picture_;
    std::vector<LayerEdge> edges_;
    LayeredLayout layout_;
    std::string text_;
};

} // namespace

std::string print_layered_svg(const Picture& picture) { return SvgWriter(picture).write(); }

} // namespace inspector
