// Text to parse, with the way back to the lines of the file it came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/result.h"

namespace inspector::fx_text {

/// Lines joined by '\n'. They need not be neighbours in the file, and a logger's prefix may have been cut off each.
class SourceText {
public:
    struct Line {
        std::size_t offset = 0;   ///< of its first character in text()
        std::uint32_t number = 0; ///< in the file, from 1
        std::uint32_t cut = 0;    ///< characters of the file's line that are not in text()
    };

    void append_line(std::string_view line, std::uint32_t number, std::uint32_t cut);
    void reserve(std::size_t bytes) { text_.reserve(bytes); }

    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    /// Without its line end.
    [[nodiscard]] std::string_view line_text(std::size_t index) const;
    /// Index into lines() of the line that holds `offset`. Precondition: there is a line.
    [[nodiscard]] std::size_t line_at(std::size_t offset) const;
    /// "line 12, column 5", both from 1; columns count bytes.
    [[nodiscard]] std::string place(std::size_t offset) const;
    [[nodiscard]] Error error(std::size_t offset, std::string reason) const;

private:
    std::string text_;
    std::vector<Line> lines_;
};

[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// First character of a Python identifier; every byte of a non-ASCII letter counts as one.
[[nodiscard]] inline bool is_identifier_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
[[nodiscard]] inline bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }
[[nodiscard]] bool is_identifier(std::string_view text);
/// Without blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// Number of leading blanks; a tab counts as one.
[[nodiscard]] std::size_t indentation(std::string_view line);

} // namespace inspector::fx_text
