#include "core/formats/reproduction/example_inputs.h"

#include <set>

#include "core/formats/python/python_literal.h"

namespace inspector {
namespace {

class Example {
public:
    explicit Example(const std::map<std::string, std::int64_t>& hints) : hints_(hints) {}

    [[nodiscard]] std::string value(const ValueMeta& meta) const {
        if (const auto* tensor = std::get_if<TensorMeta>(&meta)) return this->tensor(*tensor);
        if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) {
            if (scalar->kind == ScalarMeta::Kind::boolean) return "True";
            return std::to_string(number(scalar->value)) + (scalar->kind == ScalarMeta::Kind::floating ? ".0" : "");
        }
        return "None";
    }

private:
    [[nodiscard]] std::int64_t number(const SymbolicSize& size) const {
        static constexpr std::int64_t assumed = 4;
        const auto value = size.evaluate([this](std::string_view symbol) -> std::optional<std::int64_t> {
            const auto known = hints_.find(std::string(symbol));
            return known == hints_.end() ? assumed : known->second;
        });
        return value.value_or(size.hint().value_or(assumed));
    }

    [[nodiscard]] std::string numbers(const std::vector<SymbolicSize>& sizes) const {
        std::string text;
        for (const SymbolicSize& size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(number(size));
        return '(' + text + (sizes.size() == 1 ? ",)" : ")");
    }

    [[nodiscard]] std::string tensor(const TensorMeta& meta) const {
        const bool is_drawn = meta.dtype == DType::f16 || meta.dtype == DType::bf16 || meta.dtype == DType::f32 ||
                              meta.dtype == DType::f64 || meta.dtype == DType::c64 || meta.dtype == DType::c128;
        const std::string made = is_drawn ? "torch.randn(" : "torch.zeros(";
        std::string options = ", dtype=torch." + std::string(torch_name(meta.dtype));
        if (meta.device) options += ", device=" + python_string(*meta.device);
        if (!meta.strides) return made + numbers(meta.sizes) + options + ')';
        // Several elements may be one cell, so the memory is filled before it is seen through the strides.
        std::int64_t cells = 1;
        for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
            const std::int64_t size = number(meta.sizes[i]);
            cells = size == 0 || cells == 0 ? 0 : cells + (size - 1) * number((*meta.strides)[i]);
        }
        return made + std::to_string(cells) + options + ").as_strided(" + numbers(meta.sizes) + ", " +
               numbers(*meta.strides) + ')';
    }

    const std::map<std::string, std::int64_t>& hints_;
};

} // namespace

std::string print_example_call(const Graph& graph, const std::map<std::string, std::int64_t>& hints) {
    const Example example(hints);
    std::string text = "\n\nif __name__ == \"__main__\":\n    inputs = [\n";
    for (const NodeId id : graph.placeholders()) text += "        " + example.value(graph.node(id).meta) + ",\n";
    text += "    ]\n";
    std::set<std::string> attributes;
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        if (node.opcode != Opcode::get_attr || !is_python_identifier(node.target) || !attributes.insert(node.target).second) continue;
        if (attributes.size() == 1) text += "    module = torch.nn.Module()\n";
        text += "    module." + node.target + " = " + example.value(node.meta) + '\n';
    }
    return text + (attributes.empty() ? "    print(forward(*inputs))\n" : "    print(forward(module, *inputs))\n");
}

} // namespace inspector
