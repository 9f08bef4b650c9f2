#include "core/formats/torchscript/ir_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace inspector::torchscript {
namespace {

constexpr std::string_view graph_start = "graph(";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view without_indentation(std::string_view line) {
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    return line;
}

/// Where a line begins that starts a graph, from `from`; npos where none does.
std::size_t find_graph(std::string_view text, std::size_t from) {
    while (from < text.size()) {
        const std::string_view line = without_indentation(text.substr(from, text.find('\n', from) - from));
        const auto start = static_cast<std::size_t>(line.data() - text.data());
        if (line.starts_with(graph_start)) {
            const std::string_view inside = without_indentation(line.substr(graph_start.size()));
            if (inside.starts_with('%')) return start;
            const std::string_view body = text.substr(start, 4096);
            if (inside.starts_with("):") && (body.find(" = prim::") != body.npos || body.find(" = aten::") != body.npos)) return start;
        }
        from = text.find('\n', from);
        if (from != text.npos) ++from;
    }
    return text.npos;
}

/// One graph while it is read. Faults are thrown as Error inside this file.
class Parser {
public:
    Parser(std::string_view text, std::size_t start, const ReadOptions& options) : text_(text), at_(start), options_(options) {}

    ScriptGraph parse() {
        expect(graph_start);
        graph_.body.inputs = parameters();
        expect(":");
        end_line();
        statements(graph_.body, 0);
        expect("return");
        expect("(");
        graph_.body.outputs = references();
        return std::move(graph_);
    }

    std::size_t place() const { return at_; }

private:
    // --- characters --------------------------------------------------------------------------------------------------

    [[noreturn]] void fault(std::string reason) const { fault_at(at_, std::move(reason)); }

    [[noreturn]] void fault_at(std::size_t at, std::string reason) const {
        const std::string_view before = text_.substr(0, at);
        const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
        const auto last = before.rfind('\n');
        const std::size_t column = at - (last == before.npos ? 0 : last + 1) + 1;
        throw Error{{}, "line " + std::to_string(line) + ", column " + std::to_string(column), std::move(reason)};
    }

    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
    void skip_spaces() {
        while (!at_end() && is_space(peek())) ++at_;
    }
    void skip_lines() {
        while (!at_end() && (is_space(peek()) || peek() == '\n')) ++at_;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word) {
        skip_spaces();
        if (take(word)) return;
        fault("expected '" + std::string(word) + "'" + (at_end() ? ", but the text ends" : ""));
    }
    void end_line() {
        skip_spaces();
        if (!at_end() && peek() != '\n') fault("expected the line to end");
        skip_lines();
    }

    /// Text up to a character of `stops` outside of brackets and strings.
    std::string_view until(std::string_view stops, bool may_span_lines = false) {
        const std::size_t start = at_;
        std::uint32_t depth = 0;
        for (; !at_end(); ++at_) {
            const char c = peek();
            if (depth == 0 && stops.find(c) != stops.npos) return text_.substr(start, at_ - start);
            if (c == '"') {
                for (++at_; !at_end() && peek() != '"'; ++at_)
                    if (peek() == '\\') ++at_;
                if (at_end()) break;
            } else if (c == '(' || c == '[' || c == '{') {
                if (++depth > options_.limits.depth) fault("brackets are nested deeper than " + std::to_string(options_.limits.depth));
            } else if (c == ')' || c == ']' || c == '}') {
                if (depth-- == 0) fault(std::string("'") + c + "' closes nothing");
            } else if (c == '\n' && !may_span_lines && depth == 0) break;
        }
        fault_at(std::min(at_, text_.size()), "expected '" + std::string(1, stops.front()) + "'" + (at_end() ? ", but the text ends" : ""));
    }

    // --- values ------------------------------------------------------------------------------------------------------

    std::string_view value_name() {
        skip_lines();
        if (!take("%")) fault(at_end() ? "expected a value, but the text ends" : "expected a value, which begins with %");
        const std::size_t start = at_;
        while (!at_end() && (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '.')) ++at_;
        if (at_ == start) fault("a value has no name");
        return text_.substr(start, at_ - start);
    }

    ValueIndex define(std::string_view name, std::string_view type, std::size_t at) {
        while (type.ends_with(' ')) type.remove_suffix(1);
        if (graph_.values.size() >= options_.limits.nodes) fault_at(at, "the graph has more than " + std::to_string(options_.limits.nodes) + " values");
        const auto index = static_cast<ValueIndex>(graph_.values.size());
        if (!scope_.try_emplace(std::string(name), index).second) fault_at(at, "%" + std::string(name) + " is defined twice");
        graph_.values.push_back({std::string(name), std::string(type)});
        return index;
    }

    /// "(%x : Tensor, %n : int)", behind the parenthesis.
    std::vector<ValueIndex> parameters() {
        std::vector<ValueIndex> values;
        skip_lines();
        while (!take(")")) {
            const std::size_t at = at_;
            const std::string_view name = value_name();
            expect(":");
            skip_spaces();
            values.push_back(define(name, until(",)"), at));
            take(",");
            skip_lines();
        }
        return values;
    }

    /// "(%1, %2)", behind the parenthesis.
    std::vector<ValueIndex> references() {
        std::vector<ValueIndex> values;
        skip_lines();
        while (!take(")")) {
            const std::size_t at = at_;
            const std::string name(value_name());
            const auto known = scope_.find(name);
            if (known == scope_.end()) fault_at(at, "%" + name + " is used where nothing defines it");
            values.push_back(known->second);
            skip_spaces();
            if (!take(",") && peek() != ')') fault(at_end() ? "expected ')', but the text ends" : "expected ',' or ')'");
            skip_lines();
        }
        return values;
    }

    // --- nodes -------------------------------------------------------------------------------------------------------

    void statements(ScriptBlock& block, std::uint32_t depth) {
        if (depth > options_.limits.depth) fault("blocks are nested deeper than " + std::to_string(options_.limits.depth));
        for (skip_lines(); peek() == '%' || peek() == '='; skip_lines()) {
            if (options_.cancelled && *options_.cancelled) fault("reading was cancelled");
            block.nodes.push_back(statement(depth));
        }
    }

    ScriptNode statement(std::uint32_t depth) {
        struct Output { std::string_view name, type; std::size_t at; };
        std::vector<Output> outputs;
        const std::size_t first = at_;
        while (peek() == '%') {
            const std::size_t at = at_;
            const std::string_view name = value_name();
            expect(":");
            skip_spaces();
            outputs.push_back({name, until(",="), at});
            if (take(",")) skip_spaces();
            else break;
        }
        expect("=");
        ScriptNode node;
        node.line = static_cast<std::size_t>(std::ranges::count(text_.substr(counted_to_, first - counted_to_), '\n')) + lines_;
        lines_ = node.line;
        counted_to_ = first;
        skip_spaces();
        node.kind = kind();
        if (take("[")) attributes(node, outputs.empty() ? "" : outputs.front().type);
        expect("(");
        node.inputs = references();
        remark(node);
        // What its blocks define is not seen outside; what it gives is not seen inside.
        while (peek() == 'b' && is_block_start()) node.blocks.push_back(nested(depth));
        for (const Output& output : outputs) node.outputs.push_back(define(output.name, output.type, output.at));
        return node;
    }

    std::string kind() {
        const std::size_t start = at_;
        if (take("^")) {
            (void)until("[(");
            if (peek() == '(') {
                ++at_;
                (void)until(")");
                ++at_;
                return std::string(text_.substr(start, at_ - start));
            }
        }
        while (!at_end() && peek() != '[' && peek() != '(' && peek() != '\n' && !is_space(peek())) ++at_;
        if (at_ == start) fault("expected an operator's name");
        return std::string(text_.substr(start, at_ - start));
    }

    void attributes(ScriptNode& node, std::string_view type) {
        while (!take("]")) {
            skip_spaces();
            const std::string_view name = until("=,]");
            if (peek() != '=') fault("an attribute has no value");
            ++at_;
            skip_spaces();
            const std::string_view text = until(",]", true);
            if (name == "value") node.value = constant(text, type);
            if (name == "name" && text.size() > 1 && text.front() == '"') node.name = text.substr(1, text.size() - 2);
            if (peek() == ',') ++at_;
            skip_spaces();
        }
    }

    Argument constant(std::string_view text, std::string_view type) {
        while (type.ends_with(' ')) type.remove_suffix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
        return item(text, type);
    }

    Argument item(std::string_view text, std::string_view type) {
        if (type.ends_with('?')) type.remove_suffix(1);
        const char* const end = text.data() + text.size();
        if (type == "bool") return text == "1" || text == "True" || text == "true";
        if (type == "int")
            if (std::int64_t value = 0; std::from_chars(text.data(), end, value).ptr == end && !text.empty()) return value;
        if (type == "float")
            if (double value = 0; std::from_chars(text.data(), end, value).ptr == end && !text.empty()) return value;
        if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
            if (type == "Device") return DeviceName{std::string(text.substr(1, text.size() - 2))};
            return unquoted(text.substr(1, text.size() - 2));
        }
        if (type.ends_with("[]") && text.size() > 1 && text.front() == '[' && text.back() == ']') {
            ArgumentList list;
            for (const std::string_view each : items_of(text.substr(1, text.size() - 2)))
                list.items.push_back(item(each, type.substr(0, type.size() - 2)));
            return list;
        }
        return OpaqueText{std::string(text)};
    }

    static std::string unquoted(std::string_view text) {
        std::string result;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\\' && i + 1 < text.size()) {
                const char next = text[++i];
                result += next == 'n' ? '\n' : next == 't' ? '\t' : next;
            } else result += text[i];
        }
        return result;
    }

    /// Parts of a list of plain items.
    static std::vector<std::string_view> items_of(std::string_view text) {
        std::vector<std::string_view> items;
        for (std::size_t start = 0; start < text.size();) {
            const auto comma = std::min(text.find(',', start), text.size());
            items.push_back(without_indentation(text.substr(start, comma - start)));
            start = comma + 1;
        }
        return items;
    }

    /// ", scope: …" and "# file:line:column" behind a node.
    void remark(ScriptNode& node) {
        const std::string_view rest = text_.substr(at_, text_.find('\n', at_) - at_);
        at_ += rest.size();
        if (const auto hash = rest.find("# "); hash != rest.npos) {
            std::string_view place = rest.substr(hash + 2);
            while (!place.empty() && is_space(place.back())) place.remove_suffix(1);
            node.place = place;
        } else if (std::string_view left = without_indentation(rest); !left.empty() && !left.starts_with(", scope:")) {
            at_ -= left.size();
            fault("expected the line to end");
        }
        skip_lines();
    }

    [[nodiscard]] bool is_block_start() const {
        std::string_view rest = text_.substr(at_);
        if (!rest.starts_with("block")) return false;
        rest.remove_prefix(5);
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        return digits > 0 && rest.substr(digits).starts_with('(');
    }

    ScriptBlock nested(std::uint32_t depth) {
        at_ = text_.find('(', at_) + 1;
        const std::size_t before = graph_.values.size();
        ScriptBlock block;
        block.inputs = parameters();
        expect(":");
        end_line();
        statements(block, depth + 1);
        expect("->");
        expect("(");
        block.outputs = references();
        end_line();
        for (std::size_t i = before; i < graph_.values.size(); ++i) scope_.erase(graph_.values[i].name);
        return block;
    }

    std::string_view text_;
    std::size_t at_;
    const ReadOptions& options_;
    ScriptGraph graph_;
    std::unordered_map<std::string, ValueIndex> scope_;
    std::size_t counted_to_ = 0; ///< lines before are counted in lines_
    std::size_t lines_ = 1;
};

} // namespace

bool is_ir_text(std::string_view text) { return find_graph(text, 0) != text.npos; }

Result<std::vector<ScriptGraph>> parse_ir_text(std::string_view text, const ReadOptions& options) {
    std::vector<ScriptGraph> graphs;
    try {
        for (std::size_t at = find_graph(text, 0); at != text.npos; at = find_graph(text, at)) {
            if (graphs.size() >= options.limits.graphs) return fail({}, "there are more than " + std::to_string(options.limits.graphs) + " graphs");
            Parser parser(text, at, options);
            graphs.push_back(parser.parse());
            at = std::min(parser.place(), text.size());
        }
    } catch (Error& error) {
        return tl::unexpected(std::move(error));
    }
    if (graphs.empty()) return fail({}, "there is no TorchScript graph in the text");
    return graphs;
}

} // namespace inspector::torchscript
