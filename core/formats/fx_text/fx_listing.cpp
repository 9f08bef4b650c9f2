#include "core/formats/fx_text/fx_listing.h"

#include <charconv>

#include "core/formats/fx_text/annotation.h"
#include "core/formats/fx_text/python_argument.h"
#include "core/formats/fx_text/python_expression.h"

namespace inspector::fx_text {
namespace {

constexpr std::size_t npos = std::string_view::npos;

std::optional<Opcode> opcode_from_name(std::string_view name) {
    if (name == "placeholder") return Opcode::placeholder;
    if (name == "get_attr") return Opcode::get_attr;
    if (name == "call_function") return Opcode::call_function;
    if (name == "call_method") return Opcode::call_method;
    if (name == "call_module") return Opcode::call_module;
    return std::nullopt;
}

/// "%name : " or "return …": begins a node.
bool starts_node(std::string_view line) {
    line = trimmed(line);
    if (line == "return" || line.starts_with("return ")) return true;
    if (!line.starts_with('%')) return false;
    const std::size_t end = line.find(' ');
    return end != npos && is_identifier(line.substr(1, end - 1)) && line.substr(end).starts_with(" : ");
}

/// A node's text ends in its arguments or its target.
bool ends_node(std::string_view text) { return text.ends_with(')') || text.ends_with(']'); }

class ListingReader {
public:
    ListingReader(const SourceText& source, std::size_t first, const ReadOptions& options,
                  const FindOperator& find_operator)
        : source_(source), line_(first), builder_(source, options), arguments_(builder_, find_operator) {}

    Result<ParsedGraph> read() {
        read_head(trimmed(source_.line_text(line_++)));
        while (line_ < source_.lines().size()) {
            const std::string_view line = trimmed(source_.line_text(line_));
            if (line.empty()) {
                ++line_;
                continue;
            }
            if (!starts_node(line)) return refuse(line, "a node (\"%name : …\") or \"return\" is expected");
            const bool is_return = line.starts_with("return");
            const std::string_view text = is_return ? line : node_text();
            if (is_return) ++line_;
            auto done = is_return ? read_return(text) : read_node(text);
            if (!done) {
                const bool is_cut = !is_return && line_ >= source_.lines().size() && !ends_node(text);
                if (is_cut)
                    return tl::unexpected(
                        source_.error(offset_of(text) + text.size(), "the text ends inside this node"));
                return tl::unexpected(done.error());
            }
            if (is_return) return finish();
        }
        const std::size_t end = source_.text().empty() ? 0 : source_.text().size() - 1;
        return tl::unexpected(source_.error(end, "the text ends inside this graph, before its return"));
    }

private:
    tl::unexpected<Error> refuse(std::string_view part, std::string reason) const {
        return tl::unexpected(source_.error(offset_of(part), std::move(reason)));
    }
    std::size_t offset_of(std::string_view part) const {
        return static_cast<std::size_t>(part.data() - source_.text().data());
    }

    /// "graph() -> Tensor:"
    void read_head(std::string_view line) {
        const std::size_t arrow = line.find(" -> ");
        if (arrow != npos && line.ends_with(':'))
            return_type_ = trimmed(line.substr(arrow + 4, line.size() - arrow - 5));
    }

    /// The node that begins at line_, with the lines that continue it; line_ moves behind.
    std::string_view node_text() {
        const std::string_view first = source_.line_text(line_);
        const std::size_t begin = offset_of(trimmed(first));
        std::size_t end = offset_of(first) + first.size();
        while (++line_ < source_.lines().size()) {
            const std::string_view so_far = trimmed(source_.text().substr(begin, end - begin));
            if (ends_node(so_far)) break;
            const std::string_view next = source_.line_text(line_);
            if (starts_node(next) || is_fx_listing_start(next)) break;
            end = offset_of(next) + next.size();
        }
        return trimmed(source_.text().substr(begin, end - begin));
    }

    Result<void> read_node(std::string_view text) {
        Node node;
        const std::size_t name_end = text.find(' ');
        node.name = text.substr(1, name_end - 1);
        std::string_view rest = text.substr(name_end + 3);
        std::size_t users = rest.find("[num_users=");
        if (users == npos) users = rest.find("[#users="); // torch before 2.1
        const std::size_t users_end = users == npos ? npos : rest.find("] = ", users);
        if (users_end == npos) return refuse(rest, "\"[num_users=N] = \" is expected");
        if (auto done = read_type(trimmed(rest.substr(0, users)), node); !done) return done;
        const std::size_t equals = rest.find('=', users);
        const std::string_view user_count = rest.substr(equals + 1, users_end - equals - 1);
        rest.remove_prefix(users_end + 4);
        const std::size_t bracket = rest.find("[target=");
        const auto opcode = opcode_from_name(rest.substr(0, bracket));
        if (bracket == npos || !opcode)
            return refuse(rest, "an operation of FX is expected: placeholder, get_attr, call_function, call_method or "
                                "call_module with its target");
        node.opcode = *opcode;
        rest.remove_prefix(bracket + 8);
        auto done = is_call(node.opcode) ? read_call(rest, node) : read_input(rest, node);
        if (!done) return done;
        const std::size_t offset = offset_of(text);
        auto added = builder_.add(std::move(node), offset);
        if (!added) return tl::unexpected(added.error());
        std::size_t count = 0;
        const auto [end, status] = std::from_chars(user_count.data(), user_count.data() + user_count.size(), count);
        if (status != std::errc{} || end != user_count.data() + user_count.size())
            return refuse(user_count, "num_users is no number");
        declared_users_.push_back({*added, count, offset});
        return {};
    }

    static bool is_call(Opcode opcode) { return opcode != Opcode::placeholder && opcode != Opcode::get_attr; }

    /// `torch.Tensor`, or `Tensor "f32[2][1]cpu"` of Graph.print with tensor metadata.
    Result<void> read_type(std::string_view type, Node& node) {
        constexpr std::string_view metadata = "Tensor \"";
        if (!type.starts_with(metadata) || !type.ends_with('"')) {
            node.type = type;
            return {};
        }
        auto meta = parse_annotation(type.substr(metadata.size(), type.size() - metadata.size() - 1));
        if (!meta) return refuse(type, meta.error().reason);
        node.meta = std::move(*meta);
        return {};
    }

    /// `x](default=None)`, `layers.0.weight]`
    Result<void> read_input(std::string_view rest, Node& node) {
        constexpr std::string_view default_mark = "](default=";
        const std::size_t mark = rest.find(default_mark);
        if (mark != npos && rest.ends_with(')')) {
            node.target = rest.substr(0, mark);
            auto value = arguments_.read_default(
                rest.substr(mark + default_mark.size(), rest.size() - mark - default_mark.size() - 1));
            if (!value) return tl::unexpected(value.error());
            node.args.push_back(std::move(*value));
            return {};
        }
        if (!rest.ends_with(']')) return refuse(rest, "\"]\" is expected at the end of the line");
        node.target = rest.substr(0, rest.size() - 1);
        return {};
    }

    /// `torch.ops.aten.add.Tensor](args = (%x, 1), kwargs = {alpha: 2})`
    Result<void> read_call(std::string_view rest, Node& node) {
        constexpr std::string_view args_mark = "](args = (";
        constexpr std::string_view kwargs_mark = "), kwargs = {";
        const std::size_t args_begin = rest.find(args_mark);
        const std::size_t kwargs_begin = rest.rfind(kwargs_mark);
        if (args_begin == npos || kwargs_begin == npos || kwargs_begin < args_begin + args_mark.size() ||
            !rest.ends_with("})"))
            return refuse(rest, "\"args = (…), kwargs = {…})\" is expected behind the target");
        node.target = rest.substr(0, args_begin);
        const std::size_t first = args_begin + args_mark.size();
        auto args = arguments_.read_args(rest.substr(first, kwargs_begin - first), node.target);
        if (!args) return tl::unexpected(args.error());
        node.args = std::move(*args);
        const std::size_t second = kwargs_begin + kwargs_mark.size();
        auto kwargs = arguments_.read_kwargs(rest.substr(second, rest.size() - 2 - second), node.target);
        if (!kwargs) return tl::unexpected(kwargs.error());
        node.kwargs = std::move(*kwargs);
        return {};
    }

    Result<void> read_return(std::string_view text) {
        const std::size_t offset = offset_of(text);
        ExpressionParser parser(source_.text(), offset + std::string_view("return").size(),
                                builder_.options().limits.depth);
        Argument value = None{};
        if (parser.token().kind != Token::Kind::newline && parser.token().kind != Token::Kind::end) {
            Expression e;
            if (!parser.parse_expression_list(e))
                return tl::unexpected(source_.error(parser.error()->offset, parser.error()->reason));
            ArgumentReader reader(builder_, source_.text());
            auto argument = reader.read(e);
            if (!argument) return tl::unexpected(argument.error());
            value = std::move(*argument);
        }
        if (const Token& token = parser.token(); token.kind != Token::Kind::newline && token.kind != Token::Kind::end)
            return tl::unexpected(source_.error(token.offset, "the line should end here"));
        auto added = builder_.add_output(std::move(value), return_type_, offset);
        if (!added) return tl::unexpected(added.error());
        return {};
    }

    Result<ParsedGraph> finish() {
        ParsedGraph parsed;
        parsed.end = line_ < source_.lines().size() ? source_.lines()[line_].offset : source_.text().size();
        for (const auto& [node, count, offset] : declared_users_) {
            const std::size_t used = builder_.graph().user_count(node);
            if (used != count)
                parsed.notes.push_back(source_.place(offset) + ": %" + builder_.graph().node(node).name +
                                       " is said to have " + std::to_string(count) + " users, but has " +
                                       std::to_string(used));
        }
        parsed.graph = builder_.take();
        return parsed;
    }

    struct DeclaredUsers {
        NodeId node;
        std::size_t count;
        std::size_t offset;
    };

    const SourceText& source_;
    std::size_t line_;
    GraphBuilder builder_;
    BareArgumentReader arguments_;
    std::string return_type_;
    std::vector<DeclaredUsers> declared_users_;
};

} // namespace

bool is_fx_listing_start(std::string_view line) {
    line = trimmed(line);
    return line.starts_with("graph(") && line.ends_with(':') && line.find(')') != npos;
}

Result<ParsedGraph> parse_fx_listing(const SourceText& source, std::size_t first, const ReadOptions& options,
                                     const FindOperator& find_operator) {
    return ListingReader(source, first, options, find_operator).read();
}

} // namespace inspector::fx_text
