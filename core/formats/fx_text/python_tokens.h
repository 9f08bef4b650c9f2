// Python's tokens, as far as generated graph code uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inspector::fx_text {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        newline,
        name,
        integer,
        floating,
        imaginary,
        string,
        symbol,
        comment, ///< only outside brackets; inside, comments are skipped like blanks
        unknown, ///< no Python: a stray character, a string that does not end on its line
    };
    Kind kind = Kind::end;
    std::string_view text;
    std::size_t offset = 0;

    [[nodiscard]] bool is(std::string_view symbol_text) const { return kind == Kind::symbol && text == symbol_text; }
    [[nodiscard]] bool is_name(std::string_view name) const { return kind == Kind::name && text == name; }
};

/// Reads tokens one by one; newlines inside brackets are blanks.
class Lexer {
public:
    Lexer(std::string_view text, std::size_t offset) : text_(text), position_(offset) {}

    [[nodiscard]] Token next();
    [[nodiscard]] std::size_t position() const { return position_; }
    /// Text from here to the end of the "<function f at 0x7f…>" that began with the '<' just read, which is how Python
    /// prints objects that have no literal; nullopt when it does not end on this line.
    [[nodiscard]] std::optional<std::string_view> rest_of_object(std::size_t begin);

private:
    [[nodiscard]] Token take(Token::Kind kind, std::size_t begin, std::size_t end);
    [[nodiscard]] Token number(std::size_t begin);
    [[nodiscard]] Token string(std::size_t begin, std::size_t quote);
    [[nodiscard]] Token symbol(std::size_t begin);

    std::string_view text_;
    std::size_t position_;
    std::size_t open_brackets_ = 0;
};

/// What a string literal stands for, in UTF-8; nullopt for bytes and formatted strings.
[[nodiscard]] std::optional<std::string> string_value(std::string_view literal);

} // namespace inspector::fx_text
