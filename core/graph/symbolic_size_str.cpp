// SymbolicSize from the text that sympy's str() and Python's operators give.
#include <algorithm>
#include <array>
#include <charconv>

#include "core/graph/symbolic_size.h"

namespace inspector {
namespace {

using Kind = SizeExpression::Kind;
using Expression = std::shared_ptr<const SizeExpression>;

/// An expression with the height of its tree, which the depth limit bounds.
struct Parsed {
    Expression expression;
    int depth = 1;
};

Parsed leaf(Kind kind, std::int64_t integer, std::string text) {
    return {std::make_shared<const SizeExpression>(SizeExpression{kind, integer, std::move(text), {}}), 1};
}
Parsed integer(std::int64_t value) { return leaf(Kind::integer, value, {}); }

Parsed node(Kind kind, const std::vector<Parsed>& operands, std::string text = {}) {
    SizeExpression expression{kind, 0, std::move(text), {}};
    int depth = 0;
    for (const Parsed& operand : operands) {
        expression.operands.push_back(operand.expression);
        depth = std::max(depth, operand.depth);
    }
    return {std::make_shared<const SizeExpression>(std::move(expression)), depth + 1};
}

Parsed negate(const Parsed& value) { return node(Kind::multiply, {integer(-1), value}); }
Parsed invert(const Parsed& value) { return node(Kind::power, {value, integer(-1)}); }
Parsed floor(const Parsed& value) { return node(Kind::floor_divide, {value, integer(1)}); }

struct Function {
    std::string_view name;
    std::size_t arity; ///< 0: two or more
    Kind kind;
};
// sympy's names and torch.utils._sympy.functions'.
constexpr std::array functions{
    Function{"Max", 0, Kind::maximum},          Function{"Min", 0, Kind::minimum},
    Function{"And", 0, Kind::logical_and},      Function{"Or", 0, Kind::logical_or},
    Function{"Not", 1, Kind::logical_not},      Function{"Mod", 2, Kind::modulo},
    Function{"PythonMod", 2, Kind::modulo},     Function{"FloorDiv", 2, Kind::floor_divide},
    Function{"CleanDiv", 2, Kind::floor_divide}, Function{"PowByNatural", 2, Kind::power},
    Function{"Eq", 2, Kind::equal},             Function{"Ne", 2, Kind::not_equal},
};

Parsed call(const std::string& name, const std::vector<Parsed>& arguments) {
    for (const Function& function : functions) {
        if (function.name != name) continue;
        if (function.arity == 0 ? arguments.size() >= 2 : arguments.size() == function.arity)
            return node(function.kind, arguments);
    }
    if (arguments.size() == 1) {
        if (name == "Identity") return arguments.front();
        if (name == "floor" || name == "FloorToInt") return floor(arguments.front());
        if (name == "ceiling" || name == "CeilToInt") return negate(floor(negate(arguments.front())));
    }
    return node(Kind::opaque, arguments, name);
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Recursive descent over Python's precedences, lowest first: or, and, not, comparison, |, ^, &, sum, product, sign,
/// power.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Result<Parsed> parse() {
        auto parsed = disjunction();
        skip_space();
        if (parsed && position_ != text_.size()) return error("unexpected text");
        return parsed;
    }

private:
    template <typename Operand>
    Result<Parsed> chain(Kind kind, std::string_view sign, std::string_view word, Operand operand) {
        auto first = operand();
        if (!first) return first;
        std::vector<Parsed> operands{*first};
        while (take(sign) || take_word(word)) {
            auto next = operand();
            if (!next) return next;
            operands.push_back(*next);
        }
        return operands.size() == 1 ? operands.front() : checked(node(kind, operands));
    }

    Result<Parsed> disjunction() {
        return chain(Kind::logical_or, {}, "or", [&] { return conjunction(); });
    }
    Result<Parsed> conjunction() {
        return chain(Kind::logical_and, {}, "and", [&] { return negation(); });
    }
    Result<Parsed> negation() {
        if (!take_word("not")) return comparison();
        const Nesting nesting(*this);
        if (nesting.too_deep()) return error("nested too deeply");
        auto operand = negation();
        return operand ? checked(node(Kind::logical_not, {*operand})) : operand;
    }

    Result<Parsed> comparison() {
        struct Sign { std::string_view text; Kind kind; };
        constexpr std::array signs{Sign{"==", Kind::equal},      Sign{"!=", Kind::not_equal},
                                   Sign{"<=", Kind::less_equal}, Sign{">=", Kind::greater_equal},
                                   Sign{"<", Kind::less},        Sign{">", Kind::greater}};
        auto left = bit_or();
        if (!left) return left;
        for (const Sign& sign : signs) {
            if (!take(sign.text)) continue;
            auto right = bit_or();
            return right ? checked(node(sign.kind, {*left, *right})) : right;
        }
        return left;
    }

    Result<Parsed> bit_or() {
        return chain(Kind::logical_or, "|", {}, [&] { return bit_xor(); });
    }
    Result<Parsed> bit_xor() {
        auto left = bit_and();
        while (left && take("^")) {
            auto right = bit_and();
            if (!right) return right;
            left = checked(node(Kind::opaque, {*left, *right}, "^"));
        }
        return left;
    }
    Result<Parsed> bit_and() {
        return chain(Kind::logical_and, "&", {}, [&] { return sum(); });
    }

    Result<Parsed> sum() {
        auto first = term();
        if (!first) return first;
        std::vector<Parsed> terms{*first};
        for (;;) {
            const bool minus = take("-");
            if (!minus && !take("+")) break;
            auto next = term();
            if (!next) return next;
            terms.push_back(minus ? negate(*next) : *next);
        }
        return terms.size() == 1 ? checked(terms.front()) : checked(node(Kind::add, terms));
    }

    Result<Parsed> term() {
        auto first = signed_factor();
        if (!first) return first;
        std::vector<Parsed> factors{*first};
        const auto product = [&] { return factors.size() == 1 ? factors.front() : node(Kind::multiply, factors); };
        for (;;) {
            const bool whole = take("//");
            const bool quotient = !whole && take("/");
            const bool remainder = !whole && !quotient && take("%");
            if (!whole && !quotient && !remainder && (peek("**") || !take("*"))) break;
            auto next = signed_factor();
            if (!next) return next;
            if (whole || remainder) factors = {node(whole ? Kind::floor_divide : Kind::modulo, {product(), *next})};
            else factors.push_back(quotient ? invert(*next) : *next);
            if (auto valid = checked(factors.front()); !valid) return valid;
        }
        return checked(product());
    }

    Result<Parsed> signed_factor() {
        const bool minus = take("-");
        const bool tilde = !minus && take("~");
        if (!minus && !tilde && !take("+")) return power();
        const Nesting nesting(*this);
        if (nesting.too_deep()) return error("nested too deeply");
        auto operand = signed_factor();
        if (!operand || (!minus && !tilde)) return operand;
        if (tilde) return checked(node(Kind::logical_not, {*operand}));
        const SizeExpression& value = *operand->expression;
        if (value.kind == Kind::integer && value.integer > 0) return integer(-value.integer);
        return checked(negate(*operand));
    }

    Result<Parsed> power() {
        auto base = atom();
        if (!base || !take("**")) return base;
        const Nesting nesting(*this);
        if (nesting.too_deep()) return error("nested too deeply");
        auto exponent = signed_factor();
        return exponent ? checked(node(Kind::power, {*base, *exponent})) : exponent;
    }

    Result<Parsed> atom() {
        skip_space();
        if (position_ == text_.size()) return error("an operand is missing");
        if (take("(")) {
            const Nesting nesting(*this);
            if (nesting.too_deep()) return error("nested too deeply");
            auto inside = disjunction();
            if (inside && !take(")")) return error("\")\" is missing");
            return inside;
        }
        if (is_digit(text_[position_]) || text_[position_] == '.') return number();
        if (is_name_start(text_[position_])) return name();
        return error("an operand is missing");
    }

    Result<Parsed> number() {
        const std::size_t start = position_;
        while (position_ < text_.size() && (is_digit(text_[position_]) || text_[position_] == '.')) ++position_;
        if (position_ < text_.size() && (text_[position_] == 'e' || text_[position_] == 'E')) {
            ++position_;
            if (position_ < text_.size() && (text_[position_] == '-' || text_[position_] == '+')) ++position_;
            while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
        }
        const std::string_view digits = text_.substr(start, position_ - start);
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (problem == std::errc{} && end == digits.data() + digits.size()) return integer(value);
        constexpr std::size_t most_digits = 19; // of 64 bits; -2**63 is read as the negative of what does not fit
        if (problem == std::errc::result_out_of_range && end == digits.data() + digits.size() && digits.size() > most_digits)
            return error("the integer has more than 64 bits");
        return leaf(Kind::opaque, 0, std::string(digits)); // a float
    }

    Result<Parsed> name() {
        const std::size_t start = position_;
        while (position_ < text_.size() &&
               (is_name_start(text_[position_]) || is_digit(text_[position_]) || text_[position_] == '.'))
            ++position_;
        std::string name(text_.substr(start, position_ - start));
        if (!take("(")) {
            if (name == "True" || name == "False") return integer(name == "True" ? 1 : 0);
            if (name == "oo" || name == "int_oo" || name == "zoo" || name == "nan")
                return leaf(Kind::opaque, 0, std::move(name));
            return leaf(Kind::symbol, 0, std::move(name));
        }
        const Nesting nesting(*this);
        if (nesting.too_deep()) return error("nested too deeply");
        std::vector<Parsed> arguments;
        while (!take(")")) {
            if (!arguments.empty() && !take(",")) return error("\",\" or \")\" is missing");
            auto argument = disjunction();
            if (!argument) return argument;
            arguments.push_back(*argument);
        }
        return checked(call(name, arguments));
    }

    /// Counts the recursion it stands in.
    class Nesting {
    public:
        explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        [[nodiscard]] bool too_deep() const { return parser_.nesting_ > SizeExpression::depth_limit; }

    private:
        Parser& parser_;
    };

    Result<Parsed> checked(Parsed parsed) const {
        if (parsed.depth > SizeExpression::depth_limit) return error("nested too deeply");
        return parsed;
    }

    void skip_space() {
        while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    }
    bool peek(std::string_view sign) {
        skip_space();
        return text_.substr(position_).starts_with(sign);
    }
    bool take(std::string_view sign) {
        if (sign.empty() || !peek(sign)) return false;
        position_ += sign.size();
        return true;
    }
    bool take_word(std::string_view word) {
        if (word.empty() || !peek(word)) return false;
        const std::size_t end = position_ + word.size();
        if (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) return false;
        position_ = end;
        return true;
    }
    [[nodiscard]] tl::unexpected<Error> error(std::string reason) const {
        return fail("size expression, column " + std::to_string(position_ + 1), std::move(reason));
    }

    std::string_view text_;
    std::size_t position_ = 0;
    int nesting_ = 0;
};

} // namespace

Result<SymbolicSize> SymbolicSize::parse(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    auto parsed = Parser(text).parse();
    if (!parsed) return tl::unexpected(parsed.error());
    const SizeExpression& expression = *parsed->expression;
    if (expression.kind == Kind::integer && text == std::to_string(expression.integer))
        return SymbolicSize(expression.integer);
    return SymbolicSize(parsed->expression, std::string(text), std::nullopt);
}

} // namespace inspector
