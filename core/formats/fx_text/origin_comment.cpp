#include "core/formats/fx_text/origin_comment.h"

#include <utility>

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

/// Takes " label: value" off the end of `text`; empty where it does not end so.
std::string take_label(std::string_view& text, std::string_view label) {
    const std::size_t at = text.rfind(label);
    if (at == std::string_view::npos) return {};
    std::string value(trimmed(text.substr(at + label.size())));
    text = text.substr(0, at);
    return value;
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
    std::string recompute = take_label(before, " recompute: ");
    std::string checkpoint = take_label(before, " ac_graph_id: "); // with both: "ac_graph_id: 3 - MUST_SAVE"
    if (const std::size_t dash = checkpoint.find(" - "); dash != std::string::npos) {
        recompute = checkpoint.substr(dash + 3);
        checkpoint.resize(dash);
    }
    std::string custom = take_label(before, " Annotation: ");
    for (auto [name, value] :
         {std::pair("custom", &custom), std::pair("ac_graph_id", &checkpoint), std::pair("recompute", &recompute)})
        if (!value->empty()) origin.properties.emplace_back(name, std::move(*value));
    return origin;
}

} // namespace inspector::fx_text
