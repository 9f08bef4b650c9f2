#include "core/formats/fx_text/repro_inputs.h"

#include <optional>
#include <unordered_map>

#include "core/formats/fx_text/graph_builder.h"
#include "core/formats/fx_text/python_argument.h"
#include "core/formats/fx_text/python_expression.h"
#include "core/graph/symbolic_arithmetic.h"

namespace inspector::fx_text {
namespace {

using Kind = Expression::Kind;

class InputReader {
public:
    InputReader(const SourceText& source, const ReadLimits& limits, ProgramGraph& graph)
        : source_(source), limits_(limits), graph_(graph) {}

    void read_line(std::size_t offset) {
        ExpressionParser parser(source_.text(), offset, limits_.depth);
        Expression call;
        std::string_view buffer;
        if (!parser.parse_expression(call)) return;
        if (call.kind == Kind::name && parser.accept("=")) {
            buffer = call.text;
            call = {};
            if (!parser.parse_expression(call)) return;
        }
        if (call.kind != Kind::call) return;
        const std::string_view function = text(call.items[0]);
        if (function == "reader.storage" && !buffer.empty()) devices_[buffer] = device(call);
        if (parser.token().kind != Token::Kind::comment) return;
        const NodeId node = graph_.graph.find(trimmed(parser.token().text.substr(1)));
        if (node == no_node || graph_.graph.node(node).opcode != Opcode::placeholder) return;
        if (function == "reader.tensor") read_tensor(call, node);
        if (function == "reader.symint") read_symbol(call, node);
    }

private:
    std::string_view text(const Expression& e) const { return source_.text().substr(e.begin, e.end - e.begin); }

    static const Expression* keyword(const Expression& call, std::string_view name) {
        for (std::size_t i = 0; i < call.keywords.size(); ++i)
            if (call.keywords[i] == name) return &call.items[i + 1];
        return nullptr;
    }
    /// Positional argument number `index`, from 0.
    static const Expression* positional(const Expression& call, std::size_t index) {
        return index < call.keywords.size() && call.keywords[index].empty() ? &call.items[index + 1] : nullptr;
    }

    std::string device(const Expression& storage) const {
        const Expression* given = keyword(storage, "device");
        const auto name = given && given->kind == Kind::call ? device_name(*given) : std::nullopt;
        return name.value_or("cpu");
    }

    std::optional<std::vector<SymbolicSize>> sizes(const Expression& tuple) const {
        if (tuple.kind != Kind::tuple) return std::nullopt;
        std::vector<SymbolicSize> sizes;
        for (const Expression& item : tuple.items) {
            auto size = SymbolicSize::parse(text(item));
            if (!size || size->constant().value_or(0) < 0) return std::nullopt;
            sizes.push_back(std::move(*size));
        }
        return sizes;
    }

    void read_tensor(const Expression& call, NodeId node) {
        const Expression* buffer = positional(call, 0);
        const Expression* shape = positional(call, 1);
        auto tensor_sizes = shape ? sizes(*shape) : std::nullopt;
        if (!buffer || !tensor_sizes) return;
        TensorMeta meta;
        meta.sizes = std::move(*tensor_sizes);
        const Expression* strides = positional(call, 2);
        meta.strides = strides ? sizes(*strides) : contiguous_strides(meta.sizes);
        if (meta.strides && meta.strides->size() != meta.sizes.size()) return;
        if (const Expression* type = keyword(call, "dtype")) {
            const auto dtype = dtype_from_torch_name(text(*type));
            if (!dtype) return;
            meta.dtype = *dtype;
        }
        meta.storage_offset = 0;
        if (const Expression* offset = keyword(call, "storage_offset"))
            if (auto value = SymbolicSize::parse(text(*offset))) meta.storage_offset = std::move(*value);
        const auto known = devices_.find(text(*buffer));
        meta.device = known == devices_.end() ? "cpu" : known->second;
        set(node, std::move(meta));
    }

    void read_symbol(const Expression& call, NodeId node) {
        const Expression* hint = positional(call, 0);
        if (!hint) return;
        const Expression* expression = keyword(call, "expr");
        const auto symbol =
            expression && expression->kind == Kind::string ? string_value(expression->text) : std::nullopt;
        auto value = SymbolicSize::parse(symbol ? std::string_view(*symbol) : text(*hint));
        const auto number = SymbolicSize::parse(text(*hint));
        if (!value) return;
        if (number && number->is_constant() && value->expression() &&
            value->expression()->kind == SizeExpression::Kind::symbol)
            graph_.hints.emplace(value->expression()->text, *number->constant());
        set(node, ScalarMeta{ScalarMeta::Kind::integer, std::move(*value)});
    }

    void set(NodeId node, ValueMeta meta) {
        if (std::holds_alternative<UnknownMeta>(graph_.graph.node(node).meta))
            graph_.graph.set_meta(node, std::move(meta));
    }

    const SourceText& source_;
    const ReadLimits& limits_;
    ProgramGraph& graph_;
    std::unordered_map<std::string_view, std::string> devices_; ///< by the storage's name
};

} // namespace

bool is_repro_inputs_start(std::string_view line) { return trimmed(line).starts_with("def load_args("); }

void read_repro_inputs(const SourceText& source, std::size_t& line, const ReadLimits& limits, ProgramGraph& graph) {
    InputReader reader(source, limits, graph);
    const std::size_t definition = indentation(source.line_text(line));
    for (++line; line < source.lines().size(); ++line) {
        const std::string_view text = source.line_text(line);
        if (trimmed(text).empty()) continue;
        if (indentation(text) <= definition) break;
        reader.read_line(source.lines()[line].offset + indentation(text));
    }
    graph.graph.forget_history();
}

} // namespace inspector::fx_text
