#include "core/formats/fx_text/python_function.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/formats/fx_text/annotation.h"
#include "core/formats/fx_text/function_names.h"
#include "core/formats/fx_text/graph_builder.h"
#include "core/formats/fx_text/origin_comment.h"
#include "core/formats/fx_text/python_argument.h"
#include "core/formats/fx_text/python_expression.h"

namespace inspector::fx_text {
namespace {

using Kind = Expression::Kind;

constexpr std::array<std::string_view, 20> other_statements{
    "for", "while",  "if",      "elif",  "else",   "with", "class",  "def",   "import", "from",
    "try", "except", "finally", "raise", "assert", "del",  "global", "yield", "lambda", "async"};

/// A parameter of `forward` until it becomes a placeholder.
struct Parameter {
    std::string target; ///< with its stars
    std::string name;   ///< the node's, after renaming
    std::string type;
    ValueMeta meta;
    std::optional<Argument> default_value;
    std::size_t offset = 0;
};

/// A chain of attributes: getattr(self.layers, "0").weight is self, {layers, 0, weight}.
struct AttributePath {
    const Expression* root = nullptr;
    std::vector<std::string> parts;

    [[nodiscard]] std::string joined() const {
        std::string text;
        for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
        return text;
    }
};

AttributePath attribute_path(const Expression& e) {
    if (e.kind == Kind::attribute) {
        AttributePath path = attribute_path(e.items[0]);
        path.parts.emplace_back(e.text);
        return path;
    }
    if (e.kind == Kind::call && e.items.size() == 3 && e.items[0].is_name("getattr") &&
        e.items[2].kind == Kind::string && e.keywords[0].empty() && e.keywords[1].empty()) {
        AttributePath path = attribute_path(e.items[1]);
        path.parts.push_back(string_value(e.items[2].text).value_or(std::string{}));
        return path;
    }
    return {&e, {}};
}

class FunctionReader {
public:
    FunctionReader(const SourceText& source, std::size_t offset, const ReadOptions& options)
        : source_(source), parser_(source.text(), offset, options.limits.depth), builder_(source, options),
          arguments_(builder_, source.text()), line_begin_(source.lines()[source.line_at(offset)].offset),
          definition_indent_(offset - line_begin_) {}

    Result<ParsedGraph> read() {
        parser_.advance(); // def
        parser_.advance(); // its name
        if (auto done = read_parameters(); !done) return tl::unexpected(done.error());
        while (!has_returned_)
            if (auto done = read_line_part(); !done) return tl::unexpected(done.error());
        if (auto done = check_called_names(); !done) return tl::unexpected(done.error());
        ParsedGraph parsed;
        parsed.end = parser_.token().offset;
        parsed.is_annotated = is_annotated_;
        for (const std::string& object : arguments_.objects_read_as_tuples())
            parsed.notes.push_back("objects of class " + object + " are read as plain tuples of what they hold");
        parsed.graph = builder_.take();
        return parsed;
    }

private:
    using Done = Result<void>;

    tl::unexpected<Error> refuse(std::size_t offset, std::string reason) const {
        return tl::unexpected(source_.error(offset, std::move(reason)));
    }
    tl::unexpected<Error> syntax_error() const { return refuse(parser_.error()->offset, parser_.error()->reason); }
    std::string quoted(const Expression& e) const { return "\"" + std::string(parser_.source(e).substr(0, 80)) + "\""; }

    // --- the head ------------------------------------------------------------------------------------------------
    Done read_parameters() {
        if (!parser_.expect("(")) return syntax_error();
        while (!parser_.accept(")")) {
            if (auto done = read_parameter(); !done) return done;
            if (!parser_.accept(",") && !parser_.token().is(")")) {
                parser_.expect(",");
                return syntax_error();
            }
        }
        if (parser_.accept("->")) {
            Expression type;
            if (!parser_.parse_expression(type)) return syntax_error();
            return_type_ = parser_.source(type);
        }
        if (!parser_.expect(":")) return syntax_error();
        return {};
    }

    Done read_parameter() {
        Parameter parameter;
        parameter.offset = parser_.token().offset;
        for (const std::string_view stars : {std::string_view("*"), std::string_view("**")})
            if (parser_.accept(stars)) parameter.target = stars;
        if (parser_.token().kind != Token::Kind::name)
            return refuse(parser_.token().offset, "a parameter's name is expected");
        parameter.name = parser_.token().text;
        parameter.target += parameter.name;
        parser_.advance();
        if (auto done = read_annotation(parameter.meta, parameter.type); !done) return done;
        if (parser_.accept("=")) {
            Expression value;
            if (!parser_.parse_expression(value)) return syntax_error();
            auto argument = arguments_.read(value);
            if (!argument) return tl::unexpected(argument.error());
            parameter.default_value = std::move(*argument);
        }
        if (parameter.name == "self" && parameters_.empty() && !has_self_) has_self_ = true;
        else add_parameter(std::move(parameter));
        return {};
    }

    void add_parameter(Parameter parameter) {
        parameter_of_name_.try_emplace(parameter.name, parameters_.size());
        parameters_.push_back(std::move(parameter));
    }

    /// `: "f32[2]"` or `: torch.Tensor`, where one stands here.
    Done read_annotation(ValueMeta& meta, std::string& type) {
        if (!parser_.accept(":")) return {};
        Expression annotation;
        if (!parser_.parse_expression(annotation)) return syntax_error();
        const auto text = annotation.kind == Kind::string ? string_value(annotation.text) : std::nullopt;
        if (!text || text->find_first_of("[(") == std::string::npos) {
            type = parser_.source(annotation);
            return {};
        }
        auto parsed = parse_annotation(*text);
        if (!parsed) return refuse(annotation.begin, parsed.error().reason);
        meta = std::move(*parsed);
        is_annotated_ = true;
        return {};
    }

    /// Parameters become placeholders at the first line that is no rename.
    Done finish_parameters() {
        if (std::exchange(has_placeholders_, true)) return {};
        for (Parameter& parameter : parameters_)
            if (auto done = add_placeholder(std::move(parameter)); !done) return done;
        return {};
    }

    Done add_placeholder(Parameter parameter) {
        Node node;
        node.opcode = Opcode::placeholder;
        node.name = std::move(parameter.name);
        node.target = std::move(parameter.target);
        node.type = std::move(parameter.type);
        node.meta = std::move(parameter.meta);
        if (parameter.default_value) node.args.push_back(std::move(*parameter.default_value));
        auto added = builder_.add(std::move(node), parameter.offset);
        if (!added) return tl::unexpected(added.error());
        return {};
    }

    /// `forward` takes other arguments than the graph; the placeholders are named in the lines that follow.
    void drop_parameters() {
        parameters_.clear();
        parameter_of_name_.clear();
        has_placeholders_ = true;
    }

    // --- the body ------------------------------------------------------------------------------------------------
    Done read_line_part() {
        const Token token = parser_.token();
        switch (token.kind) {
        case Token::Kind::end: return refuse(token.offset, "the text ends inside this graph, before its return");
        case Token::Kind::newline:
            line_begin_ = token.offset + 1;
            parser_.advance();
            return {};
        case Token::Kind::comment:
            if (auto origin = parse_origin_comment(token.text)) {
                origin_ = std::move(*origin);
                is_annotated_ = true;
            }
            parser_.advance();
            return {};
        default: break;
        }
        if (parser_.accept(";")) return {};
        if (token.offset - line_begin_ <= definition_indent_ && token.offset >= line_begin_ && is_first_on_line(token))
            return refuse(token.offset, "the graph ends here without a return");
        return read_statement();
    }

    bool is_first_on_line(const Token& token) const {
        return source_.text().substr(line_begin_, token.offset - line_begin_).find_first_not_of(" \t") ==
               std::string_view::npos;
    }

    Done read_statement() {
        const Token first = parser_.token();
        if (first.is_name("return")) return read_return();
        if (first.is_name("pass")) {
            parser_.advance();
            return end_statement();
        }
        if (first.kind == Token::Kind::name &&
            std::ranges::find(other_statements, first.text) != other_statements.end())
            return refuse(first.offset, "\"" + std::string(first.text) + "\" is no statement of a graph's code");
        Expression target;
        if (!parser_.parse_expression_list(target)) return syntax_error();
        ValueMeta meta;
        std::string type;
        const bool has_annotation = parser_.token().is(":");
        if (auto done = read_annotation(meta, type); !done) return done;
        if (parser_.accept("=")) {
            std::vector<Expression> values(1);
            do {
                if (!parser_.parse_expression_list(values.back())) return syntax_error();
            } while (parser_.accept("=") && (values.emplace_back(), true));
            if (values.back().is_name("None") && !target_is_subscript(target)) return end_statement(); // frees values
            if (values.size() > 1)
                return refuse(target.begin, "only None is assigned to several names in a graph's code");
            if (auto done = read_assignment(target, std::move(meta), std::move(type), values.front()); !done)
                return done;
        } else if (const std::string inplace = inplace_operator_target(parser_.token().text);
                   parser_.token().kind == Token::Kind::symbol && !inplace.empty()) {
            parser_.advance();
            Expression value;
            if (!parser_.parse_expression_list(value)) return syntax_error();
            if (auto done = begin_inplace(inplace, target, {&target, &value}); !done) return done;
        } else if (has_annotation) {
            if (auto done = declare(target, std::move(meta), std::move(type)); !done) return done;
        } else if (!is_ignored(target)) {
            return refuse(target.begin, quoted(target) + " is no operation of a graph: nothing is assigned");
        }
        return end_statement();
    }

    Done end_statement() {
        const Token& token = parser_.token();
        if (token.is(";") || token.kind == Token::Kind::newline || token.kind == Token::Kind::end ||
            token.kind == Token::Kind::comment)
            return {};
        return refuse(token.offset,
                      "the statement should end before \"" + std::string(token.text.substr(0, 40)) + "\"");
    }

    static bool target_is_subscript(const Expression& target) { return target.kind == Kind::subscript; }

    /// Lines that belong to the calling convention, the profiler or FX_GRAPH_SHOW_META, not to the graph.
    bool is_ignored(const Expression& e) const {
        if (e.kind == Kind::string) return true;
        if (e.kind != Kind::call || e.items[0].kind != Kind::attribute) return false;
        const std::string_view method = e.items[0].text;
        const Expression& object = e.items[0].items[0];
        if (object.kind != Kind::name) return false;
        return (method == "clear" && object.text == boxed_arguments_ && !boxed_arguments_.empty()) ||
               ((method == "__enter__" || method == "__exit__") && object.text.starts_with("_rf"));
    }

    /// `primals_1: "f32[4]"`: what a flattened input is, given before the line that flattens.
    Done declare(const Expression& target, ValueMeta meta, std::string type) {
        if (target.kind != Kind::name) return refuse(target.begin, quoted(target) + " is annotated, but is no name");
        Parameter& declared = declared_[target.text];
        declared.meta = std::move(meta);
        declared.type = std::move(type);
        return {};
    }

    Done read_assignment(const Expression& target, ValueMeta meta, std::string type, const Expression& value) {
        if (target.kind == Kind::tuple) return read_flattened_inputs(target, value);
        if (target.kind == Kind::subscript)
            return begin_inplace("operator.setitem", target.items[0], {&target.items[0], &target.items[1], &value});
        if (target.kind != Kind::name) return refuse(target.begin, quoted(target) + " is no name a value can have");
        if (inplace_) return finish_inplace(target, std::move(meta), std::move(type), value);
        if (value.kind == Kind::name) return read_rename(target, value);
        if (value.kind == Kind::call) {
            if (target.text.starts_with("_rf") && parser_.source(value.items[0]).ends_with("_RecordFunctionFast"))
                return {};
            if (const auto done = read_boxed_input(target, value)) return *done;
        }
        if (auto done = finish_parameters(); !done) return done;
        Node node;
        if (auto done = read_operation(node, value); !done) return done;
        return add_node(std::move(node), target, std::move(meta), std::move(type));
    }

    Done add_node(Node node, const Expression& target, ValueMeta meta, std::string type) {
        node.name = std::string(target.text);
        node.meta = std::move(meta);
        node.type = std::move(type);
        node.origin = origin_;
        auto added = builder_.add(std::move(node), target.begin);
        if (!added) return tl::unexpected(added.error());
        return {};
    }

    /// `a, b, = fx_pytree.tree_flatten_spec([x, y], self._in_spec)`
    Done read_flattened_inputs(const Expression& names, const Expression& value) {
        if (value.kind != Kind::call || !parser_.source(value.items[0]).ends_with("tree_flatten_spec"))
            return refuse(names.begin,
                          "several names are assigned at once; a graph does that only where it flattens its inputs");
        drop_parameters();
        for (const Expression& name : names.items) {
            if (name.kind != Kind::name) return refuse(name.begin, quoted(name) + " is no name an input can have");
            Parameter parameter;
            if (const auto declared = declared_.find(name.text); declared != declared_.end())
                parameter = declared->second;
            parameter.name = parameter.target = std::string(name.text);
            parameter.offset = name.begin;
            if (auto done = add_placeholder(std::move(parameter)); !done) return done;
        }
        return {};
    }

    /// `args_iter = iter(args_list)`, `x = next(args_iter)`; nullopt for other calls.
    std::optional<Done> read_boxed_input(const Expression& target, const Expression& call) {
        if (call.items.size() != 2 || call.items[1].kind != Kind::name) return std::nullopt;
        const Expression& callee = call.items[0];
        if (callee.is_name("iter") && !has_placeholders_ && parameters_.size() == 1 &&
            parameters_[0].name == call.items[1].text) {
            boxed_arguments_ = call.items[1].text;
            boxed_iterator_ = target.text;
            drop_parameters();
            return Done{};
        }
        if (!callee.is_name("next") || boxed_iterator_.empty() || call.items[1].text != boxed_iterator_)
            return std::nullopt;
        Parameter parameter;
        parameter.name = parameter.target = std::string(target.text);
        parameter.offset = target.begin;
        return add_placeholder(std::move(parameter));
    }

    /// `l_x_ = L_x_`: the node of parameter L_x_ is named l_x_.
    Done read_rename(const Expression& target, const Expression& value) {
        if (!has_placeholders_) {
            const auto found = parameter_of_name_.find(std::string(value.text));
            if (found != parameter_of_name_.end() && parameters_[found->second].name == value.text) {
                parameters_[found->second].name = std::string(target.text);
                return {};
            }
        }
        if (auto done = finish_parameters(); !done) return done;
        const NodeId node = builder_.find(value.text);
        if (node == no_node)
            return refuse(value.begin, quoted(value) + " is used, but no node of that name stands before this line");
        if (builder_.graph().node(node).opcode != Opcode::placeholder)
            return refuse(target.begin, "\"" + std::string(target.text) + "\" only names " + quoted(value) +
                                            " again; FX gives every value one name");
        return builder_.rename(node, target.text, target.begin);
    }

    // --- in-place operators: `a += b;  n = a` ----------------------------------------------------------------------
    Done begin_inplace(std::string function, const Expression& changed,
                       const std::vector<const Expression*>& operands) {
        if (inplace_)
            return refuse(changed.begin, "the result of the in-place operation before this one is given no name");
        if (auto done = finish_parameters(); !done) return done;
        Node node;
        node.target = std::move(function);
        for (const Expression* operand : operands)
            if (auto done = add_argument(node, *operand); !done) return done;
        inplace_ = std::move(node);
        changed_ = parser_.source(changed);
        return {};
    }

    Done finish_inplace(const Expression& target, ValueMeta meta, std::string type, const Expression& value) {
        if (parser_.source(value) != changed_)
            return refuse(value.begin, "the result of an in-place operation on \"" + std::string(changed_) +
                                           "\" is expected to be named here");
        Node node = std::move(*inplace_);
        inplace_.reset();
        return add_node(std::move(node), target, std::move(meta), std::move(type));
    }

    // --- operations ------------------------------------------------------------------------------------------------
    Done add_argument(Node& node, const Expression& e) {
        auto argument = arguments_.read(e);
        if (!argument) return tl::unexpected(argument.error());
        node.args.push_back(std::move(*argument));
        return {};
    }

    Done add_arguments(Node& node, const Expression& call) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            if (call.keywords[i].empty()) {
                if (auto done = add_argument(node, call.items[i + 1]); !done) return done;
                continue;
            }
            auto argument = arguments_.read(call.items[i + 1]);
            if (!argument) return tl::unexpected(argument.error());
            node.kwargs.emplace_back(std::string(call.keywords[i]), std::move(*argument));
        }
        return {};
    }

    Done read_operation(Node& node, const Expression& value) {
        switch (value.kind) {
        case Kind::unary:
        case Kind::binary:
            node.target = operator_target(value.text, value.items.size());
            if (node.target.empty())
                return refuse(value.begin, "\"" + std::string(value.text) + "\" is no operator of a graph");
            return add_operands(node, value);
        case Kind::subscript: node.target = "operator.getitem"; return add_operands(node, value);
        case Kind::attribute: return read_attribute(node, value);
        case Kind::call: return read_call(node, value);
        default: return refuse(value.begin, quoted(value) + " is no operation of a graph");
        }
    }

    Done add_operands(Node& node, const Expression& value) {
        for (const Expression& operand : value.items)
            if (auto done = add_argument(node, operand); !done) return done;
        return {};
    }

    bool is_self(const Expression& e) const {
        return has_self_ && e.is_name("self") && builder_.find("self") == no_node;
    }

    /// self.w, getattr(self.layers, "0").weight, x.shape
    Done read_attribute(Node& node, const Expression& value) {
        const AttributePath path = attribute_path(value);
        if (is_self(*path.root)) {
            node.opcode = Opcode::get_attr;
            node.target = path.joined();
            return {};
        }
        if (value.kind == Kind::attribute && path.parts.size() > 1 && builder_.find(path.root->text) == no_node)
            return refuse(value.begin, quoted(value) + " is no operation of a graph: it is not called");
        node.target = "builtins.getattr";
        if (auto done = add_argument(node, value.items[0]); !done) return done;
        node.args.emplace_back(std::string(value.text));
        return {};
    }

    Done read_call(Node& node, const Expression& call) {
        const Expression& callee = call.items[0];
        if (callee.is_name("getattr") && is_self(*attribute_path(call).root)) return read_attribute(node, call);
        const AttributePath path = attribute_path(callee);
        if (is_self(*path.root)) {
            if (path.parts.empty()) return refuse(callee.begin, "a graph does not call itself");
            node.opcode = Opcode::call_module;
            node.target = path.joined();
            return add_arguments(node, call);
        }
        const bool is_function = path.root->kind == Kind::name && builder_.find(path.root->text) == no_node;
        if (is_function) {
            if (callee.kind != Kind::name && callee.kind != Kind::attribute)
                return refuse(callee.begin, quoted(callee) + " is no function's name");
            node.target = function_target(parser_.source(callee));
            called_.emplace_back(path.root->text, callee.begin);
            return add_arguments(node, call);
        }
        if (path.parts.empty()) return refuse(callee.begin, quoted(callee) + " is a value, not a function");
        node.opcode = Opcode::call_method;
        node.target = path.joined();
        if (auto done = add_argument(node, *path.root); !done) return done;
        return add_arguments(node, call);
    }

    /// `x.relu()` was read as a call of a function where no node x stood before it; one that comes later is an error.
    Done check_called_names() const {
        for (const auto& [name, offset] : called_)
            if (builder_.find(name) != no_node)
                return refuse(offset, "\"" + std::string(name) + "\" is used before it is defined");
        return {};
    }

    // --- return ----------------------------------------------------------------------------------------------------
    Done read_return() {
        const std::size_t offset = parser_.token().offset;
        if (inplace_) return refuse(offset, "the result of the in-place operation before this line is given no name");
        if (auto done = finish_parameters(); !done) return done;
        parser_.advance();
        Argument value = None{};
        if (parser_.token().kind != Token::Kind::newline && parser_.token().kind != Token::Kind::end) {
            Expression e;
            if (!parser_.parse_expression_list(e)) return syntax_error();
            const bool is_unflattened =
                e.kind == Kind::call && e.items.size() > 1 && parser_.source(e.items[0]).ends_with("tree_unflatten");
            auto argument = arguments_.read(is_unflattened ? e.items[1] : e);
            if (!argument) return tl::unexpected(argument.error());
            value = std::move(*argument);
        }
        auto added = builder_.add_output(std::move(value), return_type_, offset);
        if (!added) return tl::unexpected(added.error());
        has_returned_ = true;
        return end_statement();
    }

    const SourceText& source_;
    ExpressionParser parser_;
    GraphBuilder builder_;
    ArgumentReader arguments_;
    std::size_t line_begin_;
    std::size_t definition_indent_;

    std::vector<Parameter> parameters_;
    std::unordered_map<std::string, std::size_t> parameter_of_name_;
    std::unordered_map<std::string_view, Parameter> declared_;
    std::string return_type_;
    std::string_view boxed_arguments_;
    std::string_view boxed_iterator_;
    bool has_self_ = false;
    bool has_placeholders_ = false;
    bool has_returned_ = false;
    bool is_annotated_ = false;
    NodeOrigin origin_;
    std::optional<Node> inplace_; ///< waits for its name
    std::string_view changed_;    ///< what it changes, as written
    std::vector<std::pair<std::string_view, std::size_t>> called_;
};

} // namespace

Result<ParsedGraph> parse_python_function(const SourceText& source, std::size_t offset, const ReadOptions& options) {
    return FunctionReader(source, offset, options).read();
}

} // namespace inspector::fx_text
