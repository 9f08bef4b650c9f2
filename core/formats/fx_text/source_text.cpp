#include "core/formats/fx_text/source_text.h"

#include <algorithm>

namespace inspector::fx_text {

void SourceText::append_line(std::string_view line, std::uint32_t number, std::uint32_t cut) {
    lines_.push_back({text_.size(), number, cut});
    text_ += line;
    text_ += '\n';
}

std::string_view SourceText::line_text(std::size_t index) const {
    const std::size_t begin = lines_[index].offset;
    const std::size_t end = index + 1 < lines_.size() ? lines_[index + 1].offset : text_.size();
    return std::string_view(text_).substr(begin, end - begin - 1);
}

std::size_t SourceText::line_at(std::size_t offset) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset,
                                        [](std::size_t value, const Line& line) { return value < line.offset; });
    return after == lines_.begin() ? 0 : static_cast<std::size_t>(after - lines_.begin()) - 1;
}

std::string SourceText::place(std::size_t offset) const {
    if (lines_.empty()) return {};
    const Line& line = lines_[line_at(offset)];
    const std::size_t column = offset - line.offset + line.cut + 1;
    return "line " + std::to_string(line.number) + ", column " + std::to_string(column);
}

Error SourceText::error(std::size_t offset, std::string reason) const { return {{}, place(offset), std::move(reason)}; }

bool is_identifier(std::string_view text) {
    return !text.empty() && is_identifier_start(text.front()) && std::ranges::all_of(text, is_identifier_part);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::size_t indentation(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string_view::npos ? line.size() : begin;
}

} // namespace inspector::fx_text
