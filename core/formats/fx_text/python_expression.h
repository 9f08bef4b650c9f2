// Python expressions as a tree: what stands right of `=`, in brackets and behind `return`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/fx_text/python_tokens.h"

namespace inspector::fx_text {

struct Expression {
    enum class Kind : std::uint8_t {
        name,
        integer,
        floating,
        imaginary,
        string,
        unary,     ///< text: operator; one item
        binary,    ///< text: operator; two items
        attribute, ///< text: attribute's name; one item
        subscript, ///< two items
        call,      ///< callee, then arguments
        tuple,
        list,
        set,
        dict,    ///< key, value, key, value, …
        slice,   ///< start:stop:step as three items; a missing one is the name None
        literal, ///< kept as text: `...`, "<function f at 0x7f…>"
    };
    Kind kind = Kind::name;
    std::string_view text;
    std::size_t begin = 0; ///< in the source
    std::size_t end = 0;
    std::vector<Expression> items;
    std::vector<std::string_view> keywords; ///< call: one per argument, empty for a positional one

    [[nodiscard]] bool is_name(std::string_view name) const { return kind == Kind::name && text == name; }
};

struct SyntaxError {
    std::size_t offset = 0;
    std::string reason;
};

/// Recursive descent with one token of lookahead. After an error every function returns false and error() tells.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, std::size_t offset, std::uint32_t depth_limit);

    [[nodiscard]] const Token& token() const { return token_; }
    void advance();
    /// Goes past `symbol`; an error where something else stands.
    bool expect(std::string_view symbol);
    bool accept(std::string_view symbol);

    bool parse_expression(Expression& result);
    /// One expression, or a tuple without parentheses ("a, b,").
    bool parse_expression_list(Expression& result);

    bool fail(std::size_t offset, std::string reason);
    [[nodiscard]] const std::optional<SyntaxError>& error() const { return error_; }
    [[nodiscard]] std::string_view source() const { return text_; }
    [[nodiscard]] std::string_view source(const Expression& e) const { return text_.substr(e.begin, e.end - e.begin); }

private:
    bool parse_binary(Expression& result, int least_precedence);
    bool parse_unary(Expression& result);
    bool parse_power(Expression& result);
    bool parse_postfix(Expression& result);
    bool parse_atom(Expression& result);
    bool parse_items(Expression& result, std::string_view closing, bool& has_trailing_comma);
    bool parse_braces(Expression& result);
    bool parse_arguments(Expression& call);
    bool parse_subscript(Expression& result);
    bool parse_subscript_item(Expression& result);
    bool take_token(Expression& result, Expression::Kind kind);
    bool unexpected();
    bool is_too_deep();

    class Nesting;
    std::string_view text_;
    Lexer lexer_;
    Token token_;
    std::size_t end_of_last_ = 0; ///< end of the token before token_
    std::uint32_t depth_ = 0;
    std::uint32_t depth_limit_;
    std::optional<SyntaxError> error_;
};

} // namespace inspector::fx_text
