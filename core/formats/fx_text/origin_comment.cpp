#include "core/formats/fx_text/origin_comment.h"

#include <array>

#include "core/formats/fx_text/source_text.h"

namespace inspector::fx_text {
namespace {

constexpr std::string_view no_trace = "No stacktrace found for following nodes";

/// "model.py:6 in forward, code: h = x @ w" as a frame of a Python traceback; empty where it is none.
std::string stack_frame(std::string_view summary) {
    constexpr std::string_view code_mark = ", code: ";
    const std::size_t code = summary.find(code_mark);
    if (code == std::string_view::npos) return {};
    std::string_view place = summary.substr(0, code);
    std::string_view function = "<unknown>"; // torch before 2.3 did not print it
    if (const std::size_t in = place.rfind(" in "); in != std::string_view::npos) {
        function = place.substr(in + 4);
        place = place.substr(0, in);
    }
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == place.size()) return {};
    std::string frame = "  File \"";
    frame += place.substr(0, colon);
    frame += "\", line ";
    frame += place.substr(colon + 1);
    frame += ", in ";
    frame += function;
    frame += "\n    ";
    frame += summary.substr(code + code_mark.size());
    return frame;
}

/// Takes " label: value" off the end of `text` and keeps it as a property.
void take_property(std::string_view& text, std::string_view label, std::string name, NodeOrigin& origin) {
    const std::size_t at = text.rfind(label);
    if (at == std::string_view::npos) return;
    origin.properties.insert(origin.properties.begin(), {std::move(name), std::string(trimmed(text.substr(at + label.size())))});
    text = text.substr(0, at);
}

} // namespace

std::optional<NodeOrigin> parse_origin_comment(std::string_view comment) {
    NodeOrigin origin;
    std::size_t end = comment.find(no_trace);
    if (end == std::string_view::npos) {
        constexpr std::string_view file_mark = " File: ";
        end = comment.find(file_mark);
        if (end == std::string_view::npos) return std::nullopt;
        origin.stack_trace = stack_frame(comment.substr(end + file_mark.size()));
        if (origin.stack_trace.empty()) return std::nullopt;
    }
    std::string_view before = comment.substr(0, end);
    take_property(before, " recompute: ", "recompute", origin);
    take_property(before, " ac_graph_id: ", "ac_graph_id", origin);
    take_property(before, " Annotation: ", "custom", origin);
    return origin;
}

} // namespace inspector::fx_text
