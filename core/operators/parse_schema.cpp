#include "core/operators/parse_schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace inspector {
namespace {

constexpr int max_type_depth = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

/// A type and its annotation. An annotation inside a list ("Tensor(a!)[]") counts for the list, as in torch.
struct AnnotatedType {
    std::string type;
    std::optional<AliasAnnotation> alias;
};

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Result<Operator> run() {
        Operator op;
        op.schema_text = std::string(text_);
        if (!name(op) || !arguments(op) || !expect("->") || !returns(op)) return error();
        skip_spaces();
        if (at_ != text_.size()) return expected("the end of the schema"), error();
        op.is_mutable = std::any_of(op.arguments.begin(), op.arguments.end(),
                                    [](const SchemaArgument& a) { return a.alias && a.alias->is_write; });
        if (!op.arguments.empty() && op.arguments[0].alias && !op.arguments[0].alias->is_write)
            op.view = op.arguments[0].alias->becomes_wildcard ? ViewKind::multi : ViewKind::single;
        return op;
    }

private:
    tl::unexpected<Error> error() const { return fail("column " + std::to_string(at_ + 1), reason_); }
    bool expected(std::string_view what) {
        if (reason_.empty()) reason_ = "expected " + std::string(what) + " in an operator schema";
        return false;
    }

    void skip_spaces() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool next_is(std::string_view token) const { return text_.substr(at_, token.size()) == token; }
    bool take(std::string_view token) {
        skip_spaces();
        if (!next_is(token)) return false;
        at_ += token.size();
        return true;
    }
    bool expect(std::string_view token) { return take(token) || expected("'" + std::string(token) + "'"); }

    /// Letters, digits and underscores; `dotted` also dots ("__torch__.torch.classes.x").
    std::string word(bool dotted = false) {
        skip_spaces();
        const std::size_t start = at_;
        while (at_ < text_.size() && (is_word(text_[at_]) || (dotted && text_[at_] == '.'))) ++at_;
        return std::string(text_.substr(start, at_ - start));
    }

    bool name(Operator& op) {
        const std::string space = word(true);
        if (space.empty() || !next_is("::")) return expected("namespace::name");
        at_ += 2;
        const std::string base = word();
        if (base.empty()) return expected("an operator's name");
        op.name = space + "::" + base;
        if (take(".") && (op.overload = word()).empty()) return expected("an overload's name");
        return true;
    }

    bool arguments(Operator& op) {
        if (!expect("(")) return false;
        if (take(")")) return true;
        bool keyword_only = false;
        do {
            if (take("...")) {
                op.variadic_arguments = true;
            } else if (take("*")) {
                keyword_only = true;
            } else {
                SchemaArgument argument;
                if (!typed(argument, 0)) return false;
                argument.keyword_only = keyword_only;
                if ((argument.name = word()).empty()) return expected("an argument's name");
                if (take("=")) {
                    if (!default_value(argument.default_text.emplace())) return false;
                }
                op.arguments.push_back(std::move(argument));
            }
        } while (take(","));
        return expect(")");
    }

    bool returns(Operator& op) {
        if (take("...")) return op.variadic_returns = true;
        if (!take("(")) return one_return(op);
        if (take(")")) return true;
        do {
            if (take("...")) op.variadic_returns = true;
            else if (!one_return(op)) return false;
        } while (take(","));
        return expect(")");
    }

    bool one_return(Operator& op) {
        SchemaArgument result;
        if (!typed(result, 0)) return false;
        result.name = word();
        op.returns.push_back(std::move(result));
        return true;
    }

    bool typed(SchemaArgument& argument, int depth) {
        AnnotatedType type;
        if (!annotated_type(type, depth)) return false;
        argument.type = std::move(type.type);
        argument.alias = std::move(type.alias);
        return true;
    }

    bool annotated_type(AnnotatedType& out, int depth) {
        if (depth > max_type_depth) return expected("a type nested less deeply");
        skip_spaces();
        if (next_is("(")) {
            if (!type_parameters(out.type, depth)) return false; // a tuple: "(int, Tensor)"
        } else {
            out.type = word(true);
            if (out.type.empty()) return expected("a type");
            static constexpr std::array generic{"Dict", "Future", "RRef", "Await", "Union", "Optional"};
            const bool is_generic = std::find(generic.begin(), generic.end(), out.type) != generic.end();
            if (is_generic && next_is("(") && !type_parameters(out.type, depth)) return false;
        }
        if (!annotation(out.alias)) return false;
        for (;;) {
            if (next_is("[")) {
                const std::size_t start = at_++;
                while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
                if (!expect("]")) return false;
                out.type += text_.substr(start, at_ - start);
                if (!annotation(out.alias)) return false;
            } else if (next_is("?")) {
                ++at_;
                out.type += '?';
                if (!annotation(out.alias)) return false;
            } else {
                return true;
            }
        }
    }

    bool type_parameters(std::string& type, int depth) {
        if (!expect("(")) return false;
        type += '(';
        bool first = true;
        do {
            AnnotatedType inner;
            if (!annotated_type(inner, depth + 1)) return false;
            if (!first) type += ", ";
            type += inner.type;
            first = false;
        } while (take(","));
        type += ')';
        return expect(")");
    }

    /// "(a)", "(a!)", "(a|b -> *)", "(*)". Leaves `out` as it is where none follows.
    bool annotation(std::optional<AliasAnnotation>& out) {
        if (!next_is("(")) return true;
        ++at_;
        AliasAnnotation alias;
        if (!take("*")) {
            do {
                const std::string set = word();
                if (set.empty()) return expected("an alias set");
                if (!alias.set.empty()) alias.set += '|';
                alias.set += set;
            } while (take("|"));
        }
        alias.is_write = take("!");
        if (take("->")) {
            if (take("*")) {
                alias.becomes_wildcard = true;
            } else {
                do {
                    if (word().empty()) return expected("an alias set");
                } while (take("|"));
            }
        }
        if (!expect(")")) return false;
        out = std::move(alias);
        return true;
    }

    bool default_value(std::string& out) {
        skip_spaces();
        const std::size_t start = at_;
        int brackets = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                if (!skip_quoted(c)) return false;
                continue;
            }
            if (c == '[' || c == '(') ++brackets;
            else if (c == ']' || (c == ')' && brackets > 0)) --brackets;
            else if (brackets == 0 && (c == ',' || c == ')')) break;
            ++at_;
        }
        out = std::string(text_.substr(start, at_ - start));
        return !out.empty() || expected("a default value");
    }

    bool skip_quoted(char quote) {
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\') ++at_;
            else if (text_[at_] == quote) return ++at_, true;
        }
        at_ = text_.size(); // a trailing backslash steps one past
        return expected("the end of a string");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string reason_;
};

} // namespace

Result<Operator> parse_schema(std::string_view text) { return Parser(text).run(); }

std::string comparable_type(std::string_view type) {
    std::string out;
    for (std::size_t i = 0; i < type.size();) {
        if (is_word(type[i])) {
            const std::size_t start = i;
            while (i < type.size() && (is_word(type[i]) || type[i] == '.')) ++i;
            const std::string_view word = type.substr(start, i - start);
            const bool is_length = start > 0 && type[start - 1] == '[';
            if (word == "SymInt" || word == "ScalarType" || word == "Layout" || word == "MemoryFormat") out += "int";
            else if (!is_length) out += word;
        } else {
            out += type[i++];
        }
    }
    return out;
}

} // namespace inspector
