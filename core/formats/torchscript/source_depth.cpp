#include "core/formats/torchscript/source_depth.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace inspector::torchscript {
namespace {

constexpr std::size_t most_operators = 2'000;
constexpr std::string_view nesting_words[] = {"and", "or", "not", "if", "else", "in", "is", "lambda", "for"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

} // namespace

Result<std::size_t> measure_nesting(std::string_view source, std::uint32_t depth) {
    std::size_t total = 0, deepest = 0, operators = 0, line = 1, indentation = 0;
    std::uint32_t brackets = 0;
    bool at_line_start = true;
    const auto place = [&] { return "line " + std::to_string(line); };
    for (std::size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        if (at_line_start && brackets == 0 && c != ' ' && c != '\n') {
            at_line_start = false;
            deepest = std::max(deepest, operators + indentation);
            operators = 0;
            if (source.substr(i).starts_with("def ")) {
                total += deepest + 1;
                deepest = 0;
            }
            // The printer indents by two.
            if (indentation / 2 > depth) return fail(place(), "blocks are nested deeper than " + std::to_string(depth));
        }
        if (c == '\n') {
            ++line;
            if (brackets == 0) at_line_start = true;
            indentation = 0;
        } else if (c == ' ') {
            if (at_line_start) ++indentation;
        } else if (c == '#') {
            while (i + 1 < source.size() && source[i + 1] != '\n') ++i;
        } else if (c == '"' || c == '\'') {
            const std::string_view three(source.data() + i, std::min<std::size_t>(3, source.size() - i));
            const bool is_long = three == std::string(3, c);
            i += is_long ? 3 : 1;
            for (; i < source.size(); ++i) {
                if (source[i] == '\n') ++line;
                if (source[i] == '\\') ++i;
                else if (is_long ? source.substr(i, 3) == three : source[i] == c) break;
            }
            if (is_long) i += 2;
        } else if (c == '(' || c == '[' || c == '{') {
            if (++brackets > depth) return fail(place(), "brackets are nested deeper than " + std::to_string(depth));
            ++operators;
        } else if (c == ')' || c == ']' || c == '}') {
            if (brackets > 0) --brackets;
        } else if (is_word(c)) {
            const std::size_t start = i;
            const bool is_number = std::isdigit(static_cast<unsigned char>(c)) != 0;
            while (i + 1 < source.size() && (is_word(source[i + 1]) || (is_number && source[i + 1] == '.'))) ++i;
            const std::string_view word = source.substr(start, i + 1 - start);
            if (std::ranges::find(nesting_words, word) != std::end(nesting_words)) ++operators;
        } else if (c != ',' && c != ':') {
            ++operators;
        }
        if (operators > most_operators) return fail(place(), "a statement has more than " + std::to_string(most_operators) + " operators");
    }
    return total + std::max(deepest, operators + indentation) + 1;
}

} // namespace inspector::torchscript
