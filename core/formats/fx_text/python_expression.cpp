#include "core/formats/fx_text/python_expression.h"

#include <array>
#include <utility>

namespace inspector::fx_text {
namespace {

struct BinaryOperator {
    std::string_view text;
    int precedence;
};
// Python's precedences from weak to strong; `**` binds on its own level, tighter than a sign at its left.
constexpr std::array<BinaryOperator, 22> binary_operators{{
    {"or", 1}, {"and", 2}, {"==", 3}, {"!=", 3}, {"<", 3}, {">", 3},  {"<=", 3}, {">=", 3},
    {"in", 3}, {"is", 3},  {"|", 4},  {"^", 5},  {"&", 6}, {"<<", 7}, {">>", 7}, {"+", 8},
    {"-", 8},  {"*", 9},   {"/", 9},  {"//", 9}, {"%", 9}, {"@", 9},
}};

int precedence_of(const Token& token) {
    if (token.kind != Token::Kind::symbol && token.kind != Token::Kind::name) return 0;
    for (const BinaryOperator& candidate : binary_operators)
        if (candidate.text == token.text) return candidate.precedence;
    return 0;
}

std::string describe(const Token& token) {
    switch (token.kind) {
    case Token::Kind::end: return "the text ends here";
    case Token::Kind::newline: return "the line ends here";
    case Token::Kind::comment: return "a comment stands here";
    case Token::Kind::unknown: break;
    default: return "\"" + std::string(token.text.substr(0, 40)) + "\" stands here";
    }
    if (token.text.starts_with('"') || token.text.starts_with('\'')) return "a string is not closed";
    return "this is no Python";
}

} // namespace

/// Counts one level of nesting for as long as it lives.
class ExpressionParser::Nesting {
public:
    explicit Nesting(ExpressionParser& parser, std::uint32_t levels = 1) : parser_(parser), levels_(levels) {
        parser_.depth_ += levels_;
    }
    ~Nesting() { parser_.depth_ -= levels_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    void deepen() { ++parser_.depth_, ++levels_; }

private:
    ExpressionParser& parser_;
    std::uint32_t levels_;
};

ExpressionParser::ExpressionParser(std::string_view text, std::size_t offset, std::uint32_t depth_limit)
    : text_(text), lexer_(text, offset), depth_limit_(depth_limit) {
    token_ = lexer_.next();
}

void ExpressionParser::advance() {
    end_of_last_ = token_.offset + token_.text.size();
    token_ = lexer_.next();
}

bool ExpressionParser::fail(std::size_t offset, std::string reason) {
    if (!error_) error_ = SyntaxError{offset, std::move(reason)};
    return false;
}

bool ExpressionParser::unexpected() { return fail(token_.offset, describe(token_) + ", where a value is expected"); }

bool ExpressionParser::is_too_deep() {
    if (depth_ <= depth_limit_) return false;
    fail(token_.offset, "the expression is nested deeper than " + std::to_string(depth_limit_) + " levels");
    return true;
}

bool ExpressionParser::accept(std::string_view symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
}

bool ExpressionParser::expect(std::string_view symbol) {
    if (accept(symbol)) return true;
    return fail(token_.offset, describe(token_) + ", where \"" + std::string(symbol) + "\" is expected");
}

bool ExpressionParser::parse_expression(Expression& result) { return parse_binary(result, 1); }

bool ExpressionParser::parse_expression_list(Expression& result) {
    if (!parse_expression(result)) return false;
    if (!token_.is(",")) return true;
    Expression tuple{.kind = Expression::Kind::tuple,
                     .text = {},
                     .begin = result.begin,
                     .end = result.end,
                     .items = {},
                     .keywords = {}};
    tuple.items.push_back(std::move(result));
    while (accept(",")) {
        if (token_.is("=") || token_.is(";") || token_.is(":") || token_.kind == Token::Kind::newline ||
            token_.kind == Token::Kind::end)
            break;
        if (!parse_expression(tuple.items.emplace_back())) return false;
    }
    tuple.end = end_of_last_;
    result = std::move(tuple);
    return true;
}

bool ExpressionParser::parse_binary(Expression& result, int least_precedence) {
    Nesting nesting(*this);
    if (is_too_deep() || !parse_unary(result)) return false;
    for (int precedence = precedence_of(token_); precedence >= least_precedence && precedence > 0;
         precedence = precedence_of(token_)) {
        nesting.deepen();
        if (is_too_deep()) return false;
        Expression operation{.kind = Expression::Kind::binary,
                             .text = token_.text,
                             .begin = result.begin,
                             .end = 0,
                             .items = {},
                             .keywords = {}};
        advance();
        operation.items.resize(2);
        if (!parse_binary(operation.items[1], precedence + 1)) return false;
        operation.items[0] = std::move(result);
        operation.end = end_of_last_;
        result = std::move(operation);
    }
    return true;
}

bool ExpressionParser::parse_unary(Expression& result) {
    if (!token_.is("-") && !token_.is("+") && !token_.is("~") && !token_.is_name("not")) return parse_power(result);
    Nesting nesting(*this);
    if (is_too_deep()) return false;
    result.kind = Expression::Kind::unary;
    result.text = token_.text;
    result.begin = token_.offset;
    advance();
    if (!parse_unary(result.items.emplace_back())) return false;
    result.end = end_of_last_;
    return true;
}

bool ExpressionParser::parse_power(Expression& result) {
    if (!parse_postfix(result)) return false;
    if (!token_.is("**")) return true;
    Nesting nesting(*this);
    if (is_too_deep()) return false;
    Expression operation{.kind = Expression::Kind::binary,
                         .text = token_.text,
                         .begin = result.begin,
                         .end = 0,
                         .items = {},
                         .keywords = {}};
    advance();
    operation.items.push_back(std::move(result));
    if (!parse_unary(operation.items.emplace_back())) return false;
    operation.end = end_of_last_;
    result = std::move(operation);
    return true;
}

bool ExpressionParser::parse_postfix(Expression& result) {
    if (!parse_atom(result)) return false;
    Nesting nesting(*this);
    while (token_.is(".") || token_.is("(") || token_.is("[")) {
        nesting.deepen();
        if (is_too_deep()) return false;
        Expression outer;
        outer.begin = result.begin;
        outer.items.push_back(std::move(result));
        if (accept(".")) {
            outer.kind = Expression::Kind::attribute;
            outer.text = token_.text;
            if (token_.kind != Token::Kind::name)
                return fail(token_.offset, describe(token_) + ", where a name is expected");
            advance();
        } else if (token_.is("(")) {
            outer.kind = Expression::Kind::call;
            if (!parse_arguments(outer)) return false;
        } else {
            outer.kind = Expression::Kind::subscript;
            if (!parse_subscript(outer.items.emplace_back())) return false;
        }
        outer.end = end_of_last_;
        result = std::move(outer);
    }
    return true;
}

bool ExpressionParser::take_token(Expression& result, Expression::Kind kind) {
    result.kind = kind;
    result.text = token_.text;
    result.begin = token_.offset;
    result.end = token_.offset + token_.text.size();
    advance();
    return true;
}

bool ExpressionParser::parse_atom(Expression& result) {
    const std::size_t begin = token_.offset;
    switch (token_.kind) {
    case Token::Kind::name: return take_token(result, Expression::Kind::name);
    case Token::Kind::integer: return take_token(result, Expression::Kind::integer);
    case Token::Kind::floating: return take_token(result, Expression::Kind::floating);
    case Token::Kind::imaginary: return take_token(result, Expression::Kind::imaginary);
    case Token::Kind::string: return take_token(result, Expression::Kind::string);
    case Token::Kind::symbol: break;
    default: return unexpected();
    }
    if (token_.is("...")) return take_token(result, Expression::Kind::literal);
    if (token_.is("<")) {
        const auto object = lexer_.rest_of_object(begin);
        if (!object) return unexpected();
        token_.text = *object;
        return take_token(result, Expression::Kind::literal);
    }
    result.begin = begin;
    bool has_trailing_comma = false;
    if (accept("(")) {
        result.kind = Expression::Kind::tuple;
        if (!parse_items(result, ")", has_trailing_comma)) return false;
        if (result.items.size() == 1 && !has_trailing_comma) { // plain parentheses
            Expression inner = std::move(result.items.front());
            result = std::move(inner);
            result.begin = begin;
        }
    } else if (accept("[")) {
        result.kind = Expression::Kind::list;
        if (!parse_items(result, "]", has_trailing_comma)) return false;
    } else if (accept("{")) {
        if (!parse_braces(result)) return false;
    } else {
        return unexpected();
    }
    result.end = end_of_last_;
    return true;
}

bool ExpressionParser::parse_items(Expression& result, std::string_view closing, bool& has_trailing_comma) {
    while (!accept(closing)) {
        if (!parse_expression(result.items.emplace_back())) return false;
        has_trailing_comma = accept(",");
        if (!has_trailing_comma && !token_.is(closing)) return expect(closing);
    }
    return true;
}

bool ExpressionParser::parse_braces(Expression& result) {
    result.kind = Expression::Kind::dict;
    while (!accept("}")) {
        if (!parse_expression(result.items.emplace_back())) return false;
        if (result.items.size() == 1 && !token_.is(":")) result.kind = Expression::Kind::set;
        if (result.kind == Expression::Kind::dict && (!expect(":") || !parse_expression(result.items.emplace_back())))
            return false;
        if (!accept(",") && !token_.is("}")) return expect("}");
    }
    return true;
}

bool ExpressionParser::parse_arguments(Expression& call) {
    advance();
    while (!accept(")")) {
        Expression argument;
        std::string_view keyword;
        if (!parse_expression(argument)) return false;
        if (token_.is("=") && argument.kind == Expression::Kind::name) {
            keyword = argument.text;
            advance();
            argument = {};
            if (!parse_expression(argument)) return false;
        }
        call.items.push_back(std::move(argument));
        call.keywords.push_back(keyword);
        if (!accept(",") && !token_.is(")")) return expect(")");
    }
    return true;
}

bool ExpressionParser::parse_subscript(Expression& result) {
    advance();
    if (!parse_subscript_item(result)) return false;
    if (token_.is(",")) {
        Expression tuple{
            .kind = Expression::Kind::tuple, .text = {}, .begin = result.begin, .end = 0, .items = {}, .keywords = {}};
        tuple.items.push_back(std::move(result));
        while (accept(",")) {
            if (token_.is("]")) break;
            if (!parse_subscript_item(tuple.items.emplace_back())) return false;
        }
        tuple.end = end_of_last_;
        result = std::move(tuple);
    }
    return expect("]");
}

bool ExpressionParser::parse_subscript_item(Expression& result) {
    const std::size_t begin = token_.offset;
    const auto none = [&] {
        return Expression{
            .kind = Expression::Kind::name, .text = "None", .begin = begin, .end = begin, .items = {}, .keywords = {}};
    };
    Expression first = none();
    if (!token_.is(":") && !parse_expression(first)) return false;
    if (!token_.is(":")) {
        result = std::move(first);
        return true;
    }
    result.kind = Expression::Kind::slice;
    result.begin = begin;
    result.items = {std::move(first), none(), none()};
    for (std::size_t part = 1; part <= 2 && accept(":"); ++part)
        if (!token_.is(":") && !token_.is(",") && !token_.is("]") && !parse_expression(result.items[part]))
            return false;
    result.end = end_of_last_;
    return true;
}

} // namespace inspector::fx_text
