// SymbolicSize from sympy's srepr form: printed the way sympy's StrPrinter prints it, then read as that text.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/graph/symbolic_size.h"

namespace inspector {
namespace {

struct Term;
using TermPointer = std::shared_ptr<const Term>;

/// One call of srepr's text. Numbers and symbols are leaves.
struct Term {
    enum class Kind : std::uint8_t { number, symbol, constant, call };
    Kind kind = Kind::call;
    std::string head;              ///< a call's class; a symbol's or constant's name; a number's text
    double value = 0;              ///< numbers: for order and sign
    bool is_integer = false;       ///< numbers
    std::vector<TermPointer> args;
    /// The order sympy sorts by where it is not that of args: factors of Mul, operands of Max and Min.
    std::vector<TermPointer> ordered;

    [[nodiscard]] bool is(std::string_view name) const { return kind == Kind::call && head == name; }
    [[nodiscard]] bool is_number() const { return kind == Kind::number; }
    [[nodiscard]] bool is_atom() const { return kind != Kind::call; }
    [[nodiscard]] bool is_integer_of(double wanted) const { return is_integer && value == wanted; }
};

// --- order: sympy's Expr.sort_key ---------------------------------------------------------------------------------

struct ClassKey {
    int group = 0;
    int place = 0;
    std::string_view name;
    friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

ClassKey class_key(const Term& term) {
    switch (term.kind) {
    case Term::Kind::number: return {1, 0, "Number"};
    case Term::Kind::symbol: return {2, 0, "Symbol"};
    case Term::Kind::constant: return {2, 0, term.head};
    case Term::Kind::call: break;
    }
    if (term.head == "Mul") return {3, 0, term.head};
    if (term.head == "Add") return {3, 1, term.head};
    if (term.head == "Pow") return {3, 2, term.head};
    if (is_one_of(term.head, {"Max", "Min", "And", "Or", "Not", "Equality", "Unequality", "LessThan", "StrictLessThan",
                              "GreaterThan", "StrictGreaterThan"}))
        return {5, 0, term.head};
    return {4, term.head == "Identity" ? 0 : 10000, term.head};
}

/// coefficient * base ** exponent, the parts a sort key is made of. `factors` is used where the base is a product.
struct Power {
    const Term* base = nullptr;
    std::vector<TermPointer> factors; ///< of a product base, in order
    const Term* exponent = nullptr;   ///< null: 1
    double coefficient = 1;
    std::string_view coefficient_text = "1";
};

Power as_power(const Term& term) {
    Power power;
    power.base = &term;
    if (term.is("Mul") && term.args.size() > 1 && term.args.front()->is_number()) {
        power.coefficient = term.args.front()->value;
        if (term.args.size() == 2) power.base = term.args.back().get();
    }
    if (power.base->is("Mul")) {
        power.factors = power.base->ordered;
        if (power.base == &term && term.args.size() > 1 && term.args.front()->is_number())
            std::erase(power.factors, term.args.front());
    } else if (power.base->is("Pow") && power.base->args.size() == 2) {
        power.exponent = power.base->args[1].get();
        power.base = power.base->args[0].get();
        if (power.base->is("Mul")) power.factors = power.base->ordered;
    }
    return power;
}

std::weak_ordering compare(const Term& a, const Term& b);

std::weak_ordering compare_all(const std::vector<TermPointer>& a, const std::vector<TermPointer>& b) {
    if (a.size() != b.size()) return a.size() <=> b.size();
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const auto order = compare(*a[i], *b[i]); order != 0) return order;
    return std::weak_ordering::equivalent;
}

std::weak_ordering compare_numbers(double a, double b) {
    return a < b ? std::weak_ordering::less : a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

std::weak_ordering compare(const Term& a, const Term& b) {
    if (a.is_number() && b.is_number()) return compare_numbers(a.value, b.value);
    const Power left = as_power(a);
    const Power right = as_power(b);
    if (const auto order = class_key(*left.base) <=> class_key(*right.base); order != 0) return order;
    if (left.base->is_atom()) {
        // A number that stands alone has no arguments in its key; as the base of a power it has its text.
        if (a.is_number() != b.is_number()) return b.is_number() <=> a.is_number();
        if (const auto order = left.base->head <=> right.base->head; order != 0) return order;
    } else {
        const bool is_product = left.base->is("Mul");
        const auto order = compare_all(is_product ? left.factors : left.base->args,
                                       is_product ? right.factors : right.base->args);
        if (order != 0) return order;
    }
    static const Term one{Term::Kind::number, "1", 1, true, {}, {}};
    if (const auto order = left.exponent || right.exponent ? compare(left.exponent ? *left.exponent : one,
                                                                     right.exponent ? *right.exponent : one)
                                                           : std::weak_ordering::equivalent;
        order != 0)
        return order;
    return compare_numbers(left.coefficient, right.coefficient);
}

// --- printing: sympy's StrPrinter ---------------------------------------------------------------------------------

// sympy.printing.precedence.PRECEDENCE, doubled so that "just below an atom" is an integer.
enum Precedence : int {
    lowest = 0, identity = 20, disjunction = 40, conjunction = 60, relation = 70, bit_or = 72, bit_and = 76,
    addition = 80, product = 100, raised = 120, function = 140, complement = 200, below_atom = 1999, atom = 2000,
};

bool is_negative_number(const Term& term) { return term.is_number() && term.value < 0; }

int precedence(const Term& term) {
    switch (term.kind) {
    case Term::Kind::number:
        if (is_negative_number(term)) return addition;
        return term.head.find('/') == std::string::npos ? atom : product;
    case Term::Kind::symbol: return atom;
    case Term::Kind::constant: return term.head.starts_with('-') ? addition : atom;
    case Term::Kind::call: break;
    }
    if (term.head == "Add") return addition;
    if (term.head == "Pow") return raised;
    if (term.head == "Mul") {
        const bool has_loose_function = std::ranges::any_of(term.args, [](const TermPointer& factor) {
            return factor->kind == Term::Kind::call && class_key(*factor).group == 4 && precedence(*factor) < product;
        });
        return !has_loose_function && !term.args.empty() && is_negative_number(*term.args.front()) ? addition : product;
    }
    if (is_one_of(term.head, {"FloorDiv", "CleanDiv", "ModularIndexing", "Where", "PythonMod", "Mod", "FloatTrueDiv",
                              "IntTrueDiv", "LessThan", "StrictLessThan", "GreaterThan", "StrictGreaterThan"}))
        return relation;
    if (is_one_of(term.head, {"PowByNatural", "Equality", "Unequality"})) return product;
    if (term.head == "FloatPow") return raised;
    if (term.head == "Identity") return identity;
    if (term.head == "BitwiseFn_bitwise_and") return bit_and;
    if (term.head == "BitwiseFn_bitwise_xor") return bit_and - 2;
    if (term.head == "BitwiseFn_bitwise_or") return bit_or;
    if (term.head == "And") return conjunction;
    if (term.head == "Or") return disjunction;
    if (term.head == "Not") return complement;
    if (term.head == "Max" || term.head == "Min") return atom;
    return function;
}

std::string print(const Term& term);

std::string parenthesize(const Term& term, int level) {
    return precedence(term) <= level ? "(" + print(term) + ")" : print(term);
}

std::string join(const std::vector<TermPointer>& terms, std::string_view separator, int level) {
    std::string text;
    for (const TermPointer& term : terms) {
        if (&term != &terms.front()) text += separator;
        text += parenthesize(*term, level);
    }
    return text;
}

std::string print_sum(const Term& sum) {
    std::string text;
    for (const TermPointer& term : sum.args) {
        std::string part = print(*term);
        const bool minus = part.starts_with('-') && !term->is("Add");
        if (minus) part.erase(0, 1);
        if (precedence(*term) < addition || term->is("Add")) part = "(" + part + ")";
        if (text.empty()) text = minus ? "-" : "";
        else text += minus ? " - " : " + ";
        text += part;
    }
    return text;
}

/// base**n for the factor base**-n, which belongs below the fraction line.
struct Denominator {
    bool holds = false;
    std::string text; ///< parenthesized as the product's precedence demands
};

std::string negated(const std::string& number) { return number.starts_with('-') ? number.substr(1) : "-" + number; }

Denominator as_denominator(const Term& factor, int level) {
    if (!factor.is("Pow") || factor.args.size() != 2) return {};
    const Term& base = *factor.args[0];
    const Term& exponent = *factor.args[1];
    Term positive = exponent;
    if (is_negative_number(exponent)) {
        if (exponent.is_integer_of(-1)) {
            const bool compound = base.is("Mul") || base.is("Pow");
            const std::string text = parenthesize(base, level);
            return {true, compound && base.args.size() != 1 && !text.starts_with('(') ? "(" + text + ")" : text};
        }
        positive.value = -positive.value;
        positive.head = negated(positive.head);
    } else if (exponent.is("Mul") && !exponent.args.empty() && is_negative_number(*exponent.args.front())) {
        Term coefficient = *exponent.args.front();
        coefficient.value = -coefficient.value;
        coefficient.head = negated(coefficient.head);
        const bool vanishes = coefficient.is_integer_of(1);
        const auto replacement = std::make_shared<const Term>(std::move(coefficient));
        for (auto* list : {&positive.args, &positive.ordered}) {
            const auto place = std::ranges::find(*list, exponent.args.front());
            if (place == list->end()) continue;
            if (vanishes) list->erase(place);
            else *place = replacement;
        }
        if (positive.args.size() == 1) positive = Term(*positive.args.front());
    } else {
        return {};
    }
    Term power = factor;
    power.args[1] = std::make_shared<const Term>(std::move(positive));
    return {true, parenthesize(power, level)};
}

std::string print_product(const Term& product_term) {
    const int level = precedence(product_term);
    if (product_term.args.empty()) return "1";
    const Term& first = *product_term.args.front();
    // Factors that sympy would have combined are shown in the order they have.
    const auto is_integer = [](const TermPointer& term) { return term->is_number() && term->is_integer; };
    const auto is_combinable = [&](const TermPointer& factor) {
        return factor->is_number() || (factor->is("Pow") && std::ranges::all_of(factor->args, is_integer));
    };
    const bool unevaluated =
        first.is_integer_of(1) || std::any_of(product_term.args.begin() + 1, product_term.args.end(), is_combinable);
    std::string sign;
    std::vector<std::string> above;
    std::vector<std::string> below;
    for (const TermPointer& factor : unevaluated ? product_term.args : product_term.ordered) {
        if (Denominator denominator = as_denominator(*factor, level); denominator.holds) {
            below.push_back(std::move(denominator.text));
        } else if (factor == product_term.args.front() && factor->is_number() && !unevaluated) {
            std::string text = factor->head;
            if (factor->value < 0) {
                sign = "-";
                text.erase(0, 1);
            }
            const std::size_t line = text.find('/');
            if (const std::string numerator = text.substr(0, line); numerator != "1") above.push_back(numerator);
            if (line != std::string::npos) below.push_back(text.substr(line + 1));
        } else {
            const bool leads = unevaluated && above.empty() && is_negative_number(*factor);
            above.push_back(leads ? print(*factor) : parenthesize(*factor, level));
        }
    }
    const auto joined = [](const std::vector<std::string>& factors) {
        std::string text;
        for (const std::string& factor : factors) text += (text.empty() ? "" : "*") + factor;
        return text;
    };
    const std::string numerator = sign + (above.empty() ? "1" : joined(above));
    if (below.empty()) return numerator;
    return numerator + "/" + (below.size() == 1 ? below.front() : "(" + joined(below) + ")");
}

std::string print_power(const Term& power) {
    const Term& base = *power.args[0];
    const Term& exponent = *power.args[1];
    if (exponent.is_number() && exponent.head == "1/2") return "sqrt(" + print(base) + ")";
    if (exponent.is_number() && exponent.head == "-1/2") return "1/sqrt(" + print(base) + ")";
    if (exponent.is_integer_of(-1)) return "1/" + parenthesize(base, raised);
    return parenthesize(base, raised) + "**" + parenthesize(exponent, raised);
}

std::string print(const Term& term) {
    if (term.is_atom()) return term.head;
    const auto& args = term.args;
    if (term.head == "Add") return print_sum(term);
    if (term.head == "Mul") return print_product(term);
    if (term.head == "And") return join(args, " & ", bit_and);
    if (term.head == "Or") return join(args, " | ", bit_or);
    if (term.head == "Max" || term.head == "Min") return term.head + "(" + join(term.ordered, ", ", lowest) + ")";
    if (args.size() == 1) {
        if (term.head == "Not") return "~" + parenthesize(*args[0], complement);
        if (term.head == "Identity") return "(" + print(*args[0]) + ")";
    }
    if (args.size() == 2) {
        if (term.head == "Pow") return print_power(term);
        if (term.head == "FloorDiv" || term.head == "CleanDiv")
            return "(" + parenthesize(*args[0], below_atom) + "//" + parenthesize(*args[1], below_atom) + ")";
        struct Relation { std::string_view head, sign; };
        constexpr std::array relations{Relation{"LessThan", " <= "}, Relation{"StrictLessThan", " < "},
                                       Relation{"GreaterThan", " >= "}, Relation{"StrictGreaterThan", " > "}};
        for (const Relation& r : relations)
            if (r.head == term.head) return join(args, r.sign, relation);
        if (term.head == "Equality") return "Eq(" + join(args, ", ", lowest) + ")";
        if (term.head == "Unequality") return "Ne(" + join(args, ", ", lowest) + ")";
    }
    return term.head + "(" + join(args, ", ", lowest) + ")";
}

// --- reading ------------------------------------------------------------------------------------------------------

/// sympy prints 15 digits, and trims zeros because such a number never stands alone here.
std::string print_float(double value) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.14e", std::fabs(value));
    const std::string text(buffer.data());
    const std::size_t mark = text.find('e');
    const int exponent = std::atoi(text.c_str() + mark + 1);
    std::string digits = text.substr(0, 1) + text.substr(2, mark - 2);
    const auto trim = [](std::string fraction) {
        while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
        return fraction;
    };
    std::string printed = value < 0 ? "-" : "";
    if (exponent <= -5 || exponent >= 15)
        return printed + digits.substr(0, 1) + "." + trim(digits.substr(1)) + "e" + (exponent > 0 ? "+" : "") +
               std::to_string(exponent);
    if (exponent < 0) return printed + "0." + trim(std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits);
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    const std::string fraction = trim(digits.substr(whole));
    return printed + digits.substr(0, whole) + "." + (fraction.empty() ? "0" : fraction);
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<TermPointer> read() {
        auto term = read_term(0);
        skip_space();
        if (term && position_ != text_.size()) return error("unexpected text");
        return term;
    }

private:
    Result<TermPointer> read_term(int depth) {
        if (depth > SizeExpression::depth_limit) return error("nested too deeply");
        skip_space();
        if (position_ < text_.size() && (is_digit(text_[position_]) || text_[position_] == '-')) return read_literal();
        const std::string head = read_name();
        if (head.empty()) return error("a name is missing");
        if (!take('(')) return make_constant(head);
        if (head == "Symbol" || head == "Dummy") return read_symbol();
        if (head == "Float") return read_float();
        std::vector<TermPointer> args;
        while (!take(')')) {
            if (!args.empty() && !take(',')) return error("\",\" or \")\" is missing");
            auto argument = read_term(depth + 1);
            if (!argument) return argument;
            args.push_back(std::move(*argument));
        }
        return make_call(head, std::move(args));
    }

    Result<TermPointer> make_constant(const std::string& name) const {
        Term term{Term::Kind::constant, name, 0, false, {}, {}};
        if (name == "true" || name == "false") term.head = name == "true" ? "True" : "False";
        return std::make_shared<const Term>(std::move(term));
    }

    Result<TermPointer> make_call(const std::string& head, std::vector<TermPointer> args) const {
        const auto is_integer = [](const TermPointer& term) { return term->is_number() && term->is_integer; };
        const bool whole = std::ranges::all_of(args, is_integer);
        if (head == "Integer" && args.size() == 1 && whole) return args.front();
        if (head == "Rational" && args.size() == 2 && whole) {
            const double value = args[0]->value / args[1]->value;
            Term term{Term::Kind::number, args[0]->head + "/" + args[1]->head, value, false, {}, {}};
            return std::make_shared<const Term>(std::move(term));
        }
        if (head == "Integer" || head == "Rational") return error("a number is malformed");
        Term term{Term::Kind::call, head, 0, false, std::move(args), {}};
        if (head == "Mul") join_sign(term.args);
        if (head == "Mul" || head == "Max" || head == "Min") {
            term.ordered = term.args;
            const auto is_less = [](const TermPointer& a, const TermPointer& b) { return compare(*a, *b) < 0; };
            std::ranges::stable_sort(term.ordered, is_less);
        }
        return std::make_shared<const Term>(std::move(term));
    }

    /// srepr writes the factor -2 as the two factors -1 and 2.
    static void join_sign(std::vector<TermPointer>& factors) {
        if (factors.size() < 2 || !factors[0]->is_integer_of(-1)) return;
        if (!factors[1]->is_number() || factors[1]->value <= 0) return;
        Term negative = *factors[1];
        negative.value = -negative.value;
        negative.head = "-" + negative.head;
        factors[1] = std::make_shared<const Term>(std::move(negative));
        factors.erase(factors.begin());
    }

    Result<TermPointer> read_literal() {
        const std::size_t start = position_;
        if (text_[position_] == '-') ++position_;
        while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
        Term term{Term::Kind::number, std::string(text_.substr(start, position_ - start)), 0, true, {}, {}};
        if (term.head == "-") { // srepr writes -oo bare
            const std::string name = read_name();
            if (name.empty()) return error("a number is missing");
            return make_constant("-" + name);
        }
        term.value = std::strtod(term.head.c_str(), nullptr);
        return std::make_shared<const Term>(std::move(term));
    }

    /// After "Symbol(": the name, then assumptions that do not matter here.
    Result<TermPointer> read_symbol() {
        auto name = read_string();
        if (!name) return tl::unexpected(name.error());
        while (take(',')) {
            if (read_name().empty() || !take('=') || (read_name().empty() && !take_number()))
                return error("an assumption is malformed");
        }
        if (!take(')')) return error("\")\" is missing");
        return std::make_shared<const Term>(Term{Term::Kind::symbol, std::move(*name), 0, false, {}, {}});
    }

    Result<TermPointer> read_float() {
        auto digits = read_string();
        if (!digits) return tl::unexpected(digits.error());
        bool is_double = true;
        if (take(',')) {
            if (read_name().empty() || !take('=')) return error("a precision is malformed");
            skip_space();
            is_double = text_.substr(position_).starts_with("53");
            if (!take_number()) return error("a precision is malformed");
        }
        if (!take(')')) return error("\")\" is missing");
        double value = 0;
        const auto [end, problem] = std::from_chars(digits->data(), digits->data() + digits->size(), value);
        if (problem != std::errc{} || end != digits->data() + digits->size() || !std::isfinite(value))
            return error("a number is malformed");
        Term term{Term::Kind::number, is_double ? print_float(value) : *digits, value, false, {}, {}};
        return std::make_shared<const Term>(std::move(term));
    }

    Result<std::string> read_string() {
        skip_space();
        if (position_ == text_.size() || (text_[position_] != '\'' && text_[position_] != '"'))
            return error("a quoted name is missing");
        const std::size_t end = text_.find(text_[position_], position_ + 1);
        if (end == std::string_view::npos) return error("a quote is not closed");
        const std::size_t start = std::exchange(position_, end + 1) + 1;
        return std::string(text_.substr(start, end - start));
    }

    std::string read_name() {
        skip_space();
        const std::size_t start = position_;
        while (position_ < text_.size() && is_name_character(text_[position_])) ++position_;
        return std::string(text_.substr(start, position_ - start));
    }
    bool take_number() {
        skip_space();
        const std::size_t start = position_;
        while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
        return position_ != start;
    }
    bool take(char sign) {
        skip_space();
        if (position_ == text_.size() || text_[position_] != sign) return false;
        ++position_;
        return true;
    }
    void skip_space() {
        while (position_ < text_.size() && text_[position_] == ' ') ++position_;
    }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_name_character(char c) {
        return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
    }
    [[nodiscard]] tl::unexpected<Error> error(std::string reason) const {
        return fail("size expression, column " + std::to_string(position_ + 1), std::move(reason));
    }

    std::string_view text_;
    std::size_t position_ = 0;
};

} // namespace

Result<SymbolicSize> SymbolicSize::parse_srepr(std::string_view text, std::optional<std::int64_t> hint) {
    auto term = Reader(text).read();
    // Files of older versions have str() here, which quotes nothing and does not name Integer.
    const bool is_srepr = text.find('\'') != std::string_view::npos || text.find("Integer(") != std::string_view::npos;
    if (!term && is_srepr) return tl::unexpected(term.error());
    auto size = parse(term ? print(**term) : text);
    if (!size || size->is_constant()) return size;
    return SymbolicSize(size->symbolic_->expression, size->symbolic_->printed, hint);
}

} // namespace inspector
