#include "core/formats/fx_text/logged_reinplace.h"

#include <charconv>
#include <optional>

namespace inspector::fx_text {
namespace {

/// Takes text from the front, up to and with `mark`; nullopt where the mark is missing.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
    const std::size_t end = text.find(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end + mark.size());
    return taken;
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string_view unquoted(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
        return text.substr(1, text.size() - 2);
    return text;
}

/// "['x', 'y']" or "[0, 1]".
std::optional<std::vector<std::string>> list(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::vector<std::string> items;
    while (!trimmed(text).empty()) {
        const std::size_t comma = text.find(',');
        items.emplace_back(unquoted(text.substr(0, comma)));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return items;
}

/// A list, or "range(0, 2)".
std::optional<std::vector<std::string>> list_or_range(std::string_view text) {
    text = trimmed(text);
    constexpr std::string_view range = "range(";
    if (!text.starts_with(range) || !text.ends_with(')')) return list(text);
    text = text.substr(range.size(), text.size() - range.size() - 1);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    constexpr std::int64_t most = 100'000;
    const auto begin = number(trimmed(text.substr(0, comma)));
    const auto end = number(trimmed(text.substr(comma + 1)));
    if (!begin || !end || *begin < 0 || *end > most) return std::nullopt;
    std::vector<std::string> items;
    for (std::int64_t i = *begin; i < *end; ++i) items.push_back(std::to_string(i));
    return items;
}

std::optional<LoggedReinplace> one_op(std::string_view text) {
    if (!take_until(text, "Reinplace for ")) return std::nullopt;
    const auto op = take_until(text, " (wrapped by ");
    const auto node = take_until(text, "): candidates=");
    const auto candidates = take_until(text, ", successfully reinplaced=");
    const auto reinplaced = take_until(text, ", remain clones=");
    const auto cloned = take_until(text, ", missed opportunities=");
    const auto missed = take_until(text, ", missed static bytes=");
    if (!op || !node || !candidates || !reinplaced || !cloned || !missed) return std::nullopt;
    const auto bytes = number(text.substr(0, text.find('.')));
    auto candidate_list = list_or_range(*candidates);
    auto reinplaced_list = list(*reinplaced);
    auto cloned_list = list(*cloned);
    auto missed_list = list(*missed);
    if (!bytes || !candidate_list || !reinplaced_list || !cloned_list || !missed_list) return std::nullopt;
    LoggedReinplace logged;
    logged.op = *op;
    logged.node = *node;
    logged.candidates = std::move(*candidate_list);
    logged.reinplaced = std::move(*reinplaced_list);
    logged.cloned = std::move(*cloned_list);
    logged.missed = std::move(*missed_list);
    logged.missed_bytes = *bytes;
    return logged;
}

std::optional<std::vector<std::pair<std::string, std::int64_t>>> counters(std::string_view text) {
    if (!take_until(text, "inductor reinplace_counters: ") || !take_until(text, "{")) return std::nullopt;
    auto inside = take_until(text, "}");
    if (!inside) return std::nullopt;
    std::vector<std::pair<std::string, std::int64_t>> found;
    while (!trimmed(*inside).empty()) {
        const auto name = take_until(*inside, ":");
        if (!name) return std::nullopt;
        const std::size_t comma = inside->find(',');
        const auto value = number(trimmed(inside->substr(0, comma)));
        if (!value) return std::nullopt;
        found.emplace_back(unquoted(*name), *value);
        inside->remove_prefix(comma == std::string_view::npos ? inside->size() : comma + 1);
    }
    return found;
}

} // namespace

void append_logged_reinplace(const LogRecord& record, Program& program) {
    for (std::size_t i = 0; i < record.source.lines().size(); ++i) {
        const std::string_view line = trimmed(record.source.line_text(i));
        if (auto logged = one_op(line)) {
            logged->compile_id = record.compile_id;
            program.inductor.ops.push_back(std::move(*logged));
        } else if (auto counted = counters(line)) {
            program.inductor.counters.push_back({record.compile_id, std::move(*counted)});
        }
    }
}

} // namespace inspector::fx_text
