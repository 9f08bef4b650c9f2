#include "core/formats/fx_text/python_tokens.h"

#include <algorithm>
#include <array>

#include "core/formats/fx_text/source_text.h"
#include "core/graph/utf8.h"

namespace inspector::fx_text {
namespace {

constexpr std::array<std::string_view, 23> long_symbols{
    "**=", "//=", "<<=", ">>=", "...", "->", "**", "//", "<<", ">>", "<=", ">=",
    "==",  "!=",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "@=",
};
constexpr std::string_view single_symbols = "()[]{}.,:;=+-*/%&|^~@<>!";

bool is_string_prefix(std::string_view name) {
    return name.size() <= 2 && name.find_first_not_of("rRbBuUfF") == std::string_view::npos;
}

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Reads an escape sequence; `position` is behind the backslash and moves behind the sequence.
void append_escape(std::string& value, std::string_view body, std::size_t& position) {
    const char c = body[position++];
    const auto code = [&](std::size_t digits) {
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < digits && position < body.size() && hex_value(body[position]) >= 0; ++i)
            number = number * 16 + static_cast<std::uint32_t>(hex_value(body[position++]));
        const bool is_character = number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF);
        append_utf8(value, is_character ? static_cast<char32_t>(number) : U'\uFFFD');
    };
    switch (c) {
    case '\n': return;
    case 'n': value += '\n'; return;
    case 't': value += '\t'; return;
    case 'r': value += '\r'; return;
    case 'a': value += '\a'; return;
    case 'b': value += '\b'; return;
    case 'f': value += '\f'; return;
    case 'v': value += '\v'; return;
    case 'x': return code(2);
    case 'u': return code(4);
    case 'U': return code(8);
    case '\\':
    case '\'':
    case '"': value += c; return;
    default: break;
    }
    if (c >= '0' && c <= '7') {
        std::uint32_t number = static_cast<std::uint32_t>(c - '0');
        for (int i = 0; i < 2 && position < body.size() && body[position] >= '0' && body[position] <= '7'; ++i)
            number = number * 8 + static_cast<std::uint32_t>(body[position++] - '0');
        append_utf8(value, static_cast<char32_t>(number));
        return;
    }
    value += '\\';
    value += c;
}

} // namespace

Token Lexer::take(Token::Kind kind, std::size_t begin, std::size_t end) {
    position_ = end;
    return {kind, text_.substr(begin, end - begin), begin};
}

Token Lexer::next() {
    while (true) {
        while (position_ < text_.size() &&
               (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\f' ||
                (open_brackets_ > 0 && text_[position_] == '\n')))
            ++position_;
        if (position_ >= text_.size()) return take(Token::Kind::end, text_.size(), text_.size());
        const std::size_t begin = position_;
        const char c = text_[begin];
        if (c == '\\' && begin + 1 < text_.size() && text_[begin + 1] == '\n') {
            position_ += 2;
            continue;
        }
        if (c == '\n') return take(Token::Kind::newline, begin, begin + 1);
        if (c == '#') {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            if (open_brackets_ == 0) return take(Token::Kind::comment, begin, end);
            position_ = end;
            continue;
        }
        if (c == '"' || c == '\'') return string(begin, begin);
        if (is_digit(c) || (c == '.' && begin + 1 < text_.size() && is_digit(text_[begin + 1]))) return number(begin);
        if (is_identifier_start(c)) {
            std::size_t end = begin;
            while (end < text_.size() && is_identifier_part(text_[end])) ++end;
            if (end < text_.size() && (text_[end] == '"' || text_[end] == '\'') &&
                is_string_prefix(text_.substr(begin, end - begin)))
                return string(begin, end);
            return take(Token::Kind::name, begin, end);
        }
        return symbol(begin);
    }
}

Token Lexer::number(std::size_t begin) {
    std::size_t end = begin;
    const auto skip_digits = [&] {
        while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '_')) ++end;
    };
    bool is_floating = false;
    if (text_[begin] == '0' && begin + 1 < text_.size() &&
        std::string_view("xXoObB").find(text_[begin + 1]) != std::string_view::npos) {
        end = begin + 2;
        while (end < text_.size() && is_identifier_part(text_[end])) ++end;
        return take(Token::Kind::integer, begin, end);
    }
    skip_digits();
    if (end < text_.size() && text_[end] == '.') {
        is_floating = true;
        ++end;
        skip_digits();
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        std::size_t exponent = end + 1;
        if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
        if (exponent < text_.size() && is_digit(text_[exponent])) {
            is_floating = true;
            end = exponent;
            skip_digits();
        }
    }
    if (end < text_.size() && (text_[end] == 'j' || text_[end] == 'J'))
        return take(Token::Kind::imaginary, begin, end + 1);
    if (end < text_.size() && is_identifier_start(text_[end])) return take(Token::Kind::unknown, begin, end + 1);
    return take(is_floating ? Token::Kind::floating : Token::Kind::integer, begin, end);
}

Token Lexer::string(std::size_t begin, std::size_t quote) {
    const char mark = text_[quote];
    const bool is_triple = text_.substr(quote, 3) == std::string(3, mark);
    const std::size_t quotes = is_triple ? 3 : 1;
    for (std::size_t end = quote + quotes; end < text_.size(); ++end) {
        if (text_[end] == '\\') ++end;
        else if (text_[end] == '\n' && !is_triple) return take(Token::Kind::unknown, begin, end);
        else if (text_[end] == mark && (!is_triple || text_.substr(end, 3) == std::string(3, mark)))
            return take(Token::Kind::string, begin, end + quotes);
    }
    return take(Token::Kind::unknown, begin, text_.size());
}

Token Lexer::symbol(std::size_t begin) {
    const char c = text_[begin];
    const bool may_go_on =
        begin + 1 < text_.size() && std::string_view("=*/<>.").find(text_[begin + 1]) != std::string_view::npos;
    for (std::size_t i = 0; may_go_on && i < long_symbols.size(); ++i)
        if (text_.substr(begin).starts_with(long_symbols[i]))
            return take(Token::Kind::symbol, begin, begin + long_symbols[i].size());
    if (single_symbols.find(c) == std::string_view::npos) return take(Token::Kind::unknown, begin, begin + 1);
    if (c == '(' || c == '[' || c == '{') ++open_brackets_;
    if ((c == ')' || c == ']' || c == '}') && open_brackets_ > 0) --open_brackets_;
    return take(Token::Kind::symbol, begin, begin + 1);
}

std::optional<std::string_view> Lexer::rest_of_object(std::size_t begin) {
    std::size_t depth = 1;
    for (std::size_t end = position_; end < text_.size() && text_[end] != '\n'; ++end) {
        if (text_[end] == '<') ++depth;
        if (text_[end] != '>' || --depth > 0) continue;
        position_ = end + 1;
        return text_.substr(begin, position_ - begin);
    }
    return std::nullopt;
}

std::optional<std::string> string_value(std::string_view literal) {
    bool is_raw = false;
    while (!literal.empty() && literal.front() != '"' && literal.front() != '\'') {
        if (std::string_view("bBfF").find(literal.front()) != std::string_view::npos) return std::nullopt;
        is_raw = is_raw || literal.front() == 'r' || literal.front() == 'R';
        literal.remove_prefix(1);
    }
    if (literal.size() < 2) return std::nullopt;
    const std::size_t quotes = literal.size() >= 6 && literal[1] == literal[0] && literal[2] == literal[0] ? 3 : 1;
    const std::string_view body = literal.substr(quotes, literal.size() - 2 * quotes);
    if (is_raw || body.find('\\') == std::string_view::npos) return std::string(body);
    std::string value;
    value.reserve(body.size());
    for (std::size_t position = 0; position < body.size();) {
        if (body[position] == '\\' && position + 1 < body.size()) append_escape(value, body, ++position);
        else value += body[position++];
    }
    return value;
}

} // namespace inspector::fx_text
