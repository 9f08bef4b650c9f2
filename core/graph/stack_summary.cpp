#include <optional>

#include "core/graph/print.h"

namespace inspector {
namespace {

std::string_view strip(std::string_view text) {
    constexpr std::string_view space = " \t\n\r\f\v";
    const std::size_t first = text.find_first_not_of(space);
    return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(space) - first + 1);
}

struct Frame {
    std::string_view file, line, function;
};

/// `File "PATH", line N, in FUNCTION`; the path is as long as it can be.
std::optional<Frame> parse_frame(std::string_view text) {
    constexpr std::string_view head = "File \"";
    constexpr std::string_view middle = "\", line ";
    constexpr std::string_view tail = ", in ";
    if (!text.starts_with(head)) return std::nullopt;
    text.remove_prefix(head.size());
    for (std::size_t at = text.rfind(middle); at != std::string_view::npos && at > 0; at = text.rfind(middle, at - 1)) {
        const std::string_view rest = text.substr(at + middle.size());
        const std::size_t digits = rest.find_first_not_of("0123456789");
        if (digits == 0 || digits == std::string_view::npos || !rest.substr(digits).starts_with(tail)) continue;
        const std::string_view function = rest.substr(digits + tail.size());
        if (!function.empty()) return Frame{text.substr(0, at), rest.substr(0, digits), function};
    }
    return std::nullopt;
}

} // namespace

std::string stack_summary(std::string_view stack_trace) {
    std::string_view rest = strip(stack_trace);
    std::string_view below; // the line after the one looked at: a frame's code
    bool is_last = true;
    for (;;) {
        const std::size_t line_break = rest.rfind('\n');
        const std::string_view line = strip(line_break == std::string_view::npos ? rest : rest.substr(line_break + 1));
        if (const auto frame = is_last ? std::nullopt : parse_frame(line)) {
            std::string text = "File: ";
            text.append(frame->file).append(":").append(frame->line).append(" in ").append(frame->function);
            return text.append(", code: ").append(below);
        }
        if (line_break == std::string_view::npos) return {};
        below = line;
        is_last = false;
        rest = rest.substr(0, line_break);
    }
}

} // namespace inspector
