#include "core/formats/fx_text/log_records.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace inspector::fx_text {
namespace {

constexpr char escape = '\x1b';

/// Moves through a line; every function leaves the position alone where it does not match.
class Scanner {
public:
    explicit Scanner(std::string_view text, std::size_t position = 0) : text_(text), position_(position) {}

    [[nodiscard]] std::size_t position() const { return position_; }
    bool skip(char c) {
        if (position_ >= text_.size() || text_[position_] != c) return false;
        ++position_;
        return true;
    }
    bool skip(std::string_view word) {
        if (!text_.substr(position_).starts_with(word)) return false;
        position_ += word.size();
        return true;
    }
    bool skip_digits(std::size_t at_least = 1, std::size_t at_most = 20) {
        std::size_t end = position_;
        while (end < text_.size() && is_digit(text_[end]) && end - position_ < at_most) ++end;
        if (end - position_ < at_least) return false;
        position_ = end;
        return true;
    }
    /// "12:00:00"
    bool skip_time() {
        const std::size_t start = position_;
        if (skip_digits(2, 2) && skip(':') && skip_digits(2, 2) && skip(':') && skip_digits(2, 2)) return true;
        position_ = start;
        return false;
    }
    /// What stands in brackets here, if all of it is made of `allowed` characters.
    template <typename Allowed> std::optional<std::string_view> bracketed(Allowed allowed) {
        if (position_ >= text_.size() || text_[position_] != '[') return std::nullopt;
        std::size_t end = position_ + 1;
        while (end < text_.size() && allowed(text_[end])) ++end;
        if (end == position_ + 1 || end >= text_.size() || text_[end] != ']') return std::nullopt;
        const std::string_view inside = text_.substr(position_ + 1, end - position_ - 1);
        position_ = end + 1;
        return inside;
    }

private:
    std::string_view text_;
    std::size_t position_;
};

bool is_compile_id_part(char c) { return is_digit(c) || c == '/' || c == '_' || c == '!' || c == '-' || c == '?'; }

struct Prefix {
    std::size_t length = 0;
    std::string_view artifact;
    std::string_view compile_id;
};

std::string_view without_underscores(std::string_view name) {
    while (name.starts_with('_')) name.remove_prefix(1);
    return name;
}

/// ` [0/0] [__aot_graphs] ` after a place in the code; both optional.
void read_labels(Scanner& scanner, Prefix& prefix) {
    const auto labelled = [&](auto allowed) -> std::optional<std::string_view> {
        Scanner ahead = scanner;
        if (!ahead.skip(' ')) return std::nullopt;
        const auto label = ahead.bracketed(allowed);
        if (label) scanner = ahead;
        return label;
    };
    if (const auto id = labelled(is_compile_id_part)) prefix.compile_id = *id;
    Scanner before = scanner;
    if (const auto name = labelled(is_identifier_part)) {
        if (name->starts_with("__")) prefix.artifact = without_underscores(*name);
        else scanner = before;
    }
    scanner.skip(' ');
}

/// torch._logging's format since 2.2, also where something else ("[rank0]:", a container's time stamp) stands before
/// it.
std::optional<Prefix> glog_prefix(std::string_view line) {
    constexpr std::size_t longest_foreign_prefix = 96;
    for (std::size_t start = 0; start + 20 < line.size() && start < longest_foreign_prefix; ++start) {
        if (!is_digit(line[start + 1]) || std::string_view("VDIWEC").find(line[start]) == std::string_view::npos)
            continue;
        if (start > 0 && is_identifier_part(line[start - 1])) continue;
        Scanner scanner(line, start + 1);
        if (!scanner.skip_digits(4, 4) || !scanner.skip(' ') || !scanner.skip_time()) continue;
        if (scanner.skip('.')) scanner.skip_digits();
        if (!scanner.skip(' ') || !scanner.skip_digits() || !scanner.skip(' ')) continue;
        for (std::size_t end = line.find(']', scanner.position()); end != std::string_view::npos;
             end = line.find(']', end + 1)) {
            std::size_t digits = end;
            while (digits > 0 && is_digit(line[digits - 1])) --digits;
            if (digits == end || digits == 0 || line[digits - 1] != ':') continue;
            Prefix prefix;
            Scanner labels(line, end + 1);
            read_labels(labels, prefix);
            prefix.length = labels.position();
            return prefix;
        }
    }
    return std::nullopt;
}

std::string_view artifact_of_logger(std::string_view logger) {
    const std::size_t dot = logger.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? logger : logger.substr(dot + 1);
    return last.starts_with("__") ? without_underscores(last) : std::string_view{};
}

std::string_view logger_name(std::string_view line, std::size_t begin) {
    std::size_t end = begin;
    while (end < line.size() && (is_identifier_part(line[end]) || line[end] == '.')) ++end;
    return line.substr(begin, end - begin);
}

constexpr std::array<std::string_view, 5> levels{"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"};

/// "[2023-10-04 15:16:31,115] [0/0] torch._dynamo.output_graph.__graph_code: [DEBUG] text": torch 2.1.
std::optional<Prefix> dated_prefix(std::string_view line) {
    Scanner scanner(line);
    if (!scanner.skip('[') || !scanner.skip_digits(4, 4) || !scanner.skip('-') || !scanner.skip_digits(2, 2) ||
        !scanner.skip('-') || !scanner.skip_digits(2, 2) || !scanner.skip(' ') || !scanner.skip_time())
        return std::nullopt;
    if (scanner.skip(',')) scanner.skip_digits();
    if (!scanner.skip("] ")) return std::nullopt;
    Prefix prefix;
    if (const auto id = scanner.bracketed(is_compile_id_part)) {
        prefix.compile_id = *id;
        if (!scanner.skip(' ')) return std::nullopt;
    }
    const std::string_view logger = logger_name(line, scanner.position());
    Scanner rest(line, scanner.position() + logger.size());
    if (logger.empty() || !rest.skip(": [")) return std::nullopt;
    for (const std::string_view level : levels) {
        Scanner after = rest;
        if (!after.skip(level) || !after.skip(']')) continue;
        after.skip(' ');
        prefix.artifact = artifact_of_logger(logger);
        prefix.length = after.position();
        return prefix;
    }
    return std::nullopt;
}

/// "DEBUG:torch._dynamo.output_graph.__graph_code:TRACED GRAPH": only the first line of a message has it.
std::optional<Prefix> short_prefix(std::string_view line) {
    for (const std::string_view level : levels) {
        Scanner scanner(line);
        if (!scanner.skip(level) || !scanner.skip(':')) continue;
        const std::string_view logger = logger_name(line, scanner.position());
        Scanner rest(line, scanner.position() + logger.size());
        if (logger.empty() || !rest.skip(':')) return std::nullopt;
        Prefix prefix;
        prefix.artifact = artifact_of_logger(logger);
        prefix.length = rest.position();
        return prefix;
    }
    return std::nullopt;
}

/// Without the control sequences terminals take: ESC [ … letter, ESC ] … BEL, ESC and one character.
std::string without_colours(std::string_view line) {
    std::string plain;
    plain.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != escape) {
            plain += line[i];
            continue;
        }
        if (++i >= line.size()) break;
        if (line[i] == '[') {
            while (++i < line.size() && !(line[i] >= '@' && line[i] <= '~')) {}
        } else if (line[i] == ']') {
            while (++i < line.size() && line[i] != '\a' && line[i] != escape) {}
            if (i < line.size() && line[i] == escape) ++i;
        }
    }
    return plain;
}

/// Of a line that is not empty.
std::optional<Prefix> repeated_prefix(std::string_view line) {
    if (line.front() == '[')
        if (const auto prefix = dated_prefix(line)) return prefix;
    return glog_prefix(line);
}

class RecordSplitter {
public:
    void add(std::string_view line, std::uint32_t number) {
        if (const auto prefix = line.empty() ? std::nullopt : repeated_prefix(line)) {
            const auto [entry, is_new] =
                by_prefix_.try_emplace(std::string(line.substr(0, prefix->length)), records_.size());
            if (is_new) start(*prefix);
            append(entry->second, line, number, prefix->length);
            return;
        }
        if (const auto prefix = short_prefix(line)) {
            plain_ = records_.size();
            start(*prefix);
            append(*plain_, line, number, prefix->length);
            return;
        }
        if (!plain_) {
            plain_ = records_.size();
            records_.emplace_back();
        }
        append(*plain_, line, number, 0);
    }

    std::vector<LogRecord> take() { return std::move(records_); }

private:
    void start(const Prefix& prefix) {
        LogRecord& record = records_.emplace_back();
        record.artifact = prefix.artifact;
        record.compile_id = prefix.compile_id;
        record.is_logged = true;
    }
    void append(std::size_t record, std::string_view line, std::uint32_t number, std::size_t cut) {
        records_[record].source.append_line(line.substr(cut), number, static_cast<std::uint32_t>(cut));
    }

    std::vector<LogRecord> records_;
    std::unordered_map<std::string, std::size_t> by_prefix_;
    std::optional<std::size_t> plain_; ///< record that takes lines without a prefix
};

} // namespace

std::vector<LogRecord> split_records(std::string_view text) {
    RecordSplitter splitter;
    std::uint32_t number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        while (line.ends_with('\r')) line.remove_suffix(1);
        ++number;
        if (line.find(escape) == std::string_view::npos) splitter.add(line, number);
        else splitter.add(without_colours(line), number);
    }
    return splitter.take();
}

bool begins_as_log(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (!trimmed(line).empty()) return repeated_prefix(line).has_value() || short_prefix(line).has_value();
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return false;
}

bool may_hold_graphs(std::string_view text) {
    const auto has = [text](std::string_view words) { return text.find(words) != std::string_view::npos; };
    constexpr std::string_view loop_body_argument = "%ops : [num_users=";
    return has("def forward(") || has("Reinplace for ") || (has("[num_users=") && !has(loop_body_argument));
}

} // namespace inspector::fx_text
