#include "core/graph/print.h"

#include <array>
#include <variant>

#include "core/graph/python_repr.h"

namespace inspector {
namespace {

std::string join(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += ", ";
        text += part;
    }
    return text;
}

std::string_view torch_text(MemoryFormat format) {
    switch (format) {
    case MemoryFormat::contiguous: return "torch.contiguous_format";
    case MemoryFormat::channels_last: return "torch.channels_last";
    case MemoryFormat::channels_last_3d: return "torch.channels_last_3d";
    case MemoryFormat::preserve: return "torch.preserve_format";
    }
    return {};
}

std::string_view torch_text(Layout layout) {
    constexpr std::array<std::string_view, 8> names{
        "torch.strided",    "torch.sparse_coo", "torch.sparse_csr", "torch.sparse_csc",
        "torch.sparse_bsr", "torch.sparse_bsc", "torch._mkldnn",    "torch.jagged",
    };
    return names[static_cast<std::size_t>(layout)];
}

/// repr(torch.device): "cuda:1" is device(type='cuda', index=1).
std::string device_repr(std::string_view text) {
    const std::size_t colon = text.find(':');
    std::string repr = "device(type='" + std::string(text.substr(0, colon)) + "'";
    if (colon != std::string_view::npos) repr += ", index=" + std::string(text.substr(colon + 1));
    return repr + ")";
}

/// Python has two ways to make text of a value. FX text uses str() with "%" before nodes, code uses repr().
enum class Style { str, repr };

class Formatter {
public:
    Formatter(const Graph& graph, Style style) : graph_(graph), style_(style) {}

    std::string operator()(const Argument& argument) const { return std::visit(*this, argument.value); }

    std::string operator()(const None&) const { return "None"; }
    std::string operator()(const NodeReference& reference) const {
        const std::string name = graph_.contains(reference.node) ? graph_.node(reference.node).name : "<missing>";
        return style_ == Style::str ? "%" + name : name;
    }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return python_repr(value); }
    std::string operator()(const std::complex<double>& value) const { return python_repr(value); }
    std::string operator()(const std::string& text) const { return style_ == Style::str ? text : python_repr(text); }
    std::string operator()(DType dtype) const { return "torch." + std::string(torch_name(dtype)); }
    std::string operator()(const DeviceName& device) const {
        return style_ == Style::str ? device.text : device_repr(device.text);
    }
    std::string operator()(Layout layout) const { return std::string(torch_text(layout)); }
    std::string operator()(MemoryFormat format) const { return std::string(torch_text(format)); }
    std::string operator()(const SymbolicSize& size) const { return size.to_string(); }
    std::string operator()(const OpaqueText& opaque) const {
        if (style_ == Style::repr) return opaque.text;
        // str() of an operator leaves out where torch keeps it: "torch.ops.aten.add.Tensor" is "aten.add.Tensor".
        for (const std::string_view module : {"torch.ops.higher_order.", "torch.ops."})
            if (opaque.text.starts_with(module)) return opaque.text.substr(module.size());
        return opaque.text;
    }

    std::string operator()(const ArgumentList& list) const {
        if (list.kind == ArgumentList::Kind::list) return "[" + items(list.items) + "]";
        if (list.kind == ArgumentList::Kind::tuple) return tuple(list.items);
        // str() of a slice is its repr, down to the nodes in it.
        return "slice(" + Formatter(graph_, Style::repr).items(list.items) + ")";
    }
    std::string operator()(const ArgumentDict& dict) const { return (*this)(dict.items); }
    std::string operator()(const std::vector<NamedArgument>& items) const {
        std::vector<std::string> parts;
        for (const auto& [key, item] : items)
            parts.push_back((style_ == Style::str ? key : python_repr(key)) + ": " + (*this)(item));
        return "{" + join(parts) + "}";
    }
    std::string tuple(const std::vector<Argument>& list) const {
        return "(" + items(list) + (list.size() == 1 ? ",)" : ")");
    }

private:
    std::string items(const std::vector<Argument>& list) const {
        std::vector<std::string> parts;
        for (const Argument& item : list) parts.push_back((*this)(item));
        return join(parts);
    }

    const Graph& graph_;
    Style style_;
};

std::string_view opcode_text(Opcode opcode) {
    constexpr std::array<std::string_view, 6> names{"placeholder", "get_attr",    "call_function",
                                                    "call_method", "call_module", "output"};
    return names[static_cast<std::size_t>(opcode)];
}

} // namespace

std::string format_argument_fx(const Graph& graph, const Argument& argument) {
    return Formatter(graph, Style::str)(argument);
}

std::string format_argument_python(const Graph& graph, const Argument& argument) {
    return Formatter(graph, Style::repr)(argument);
}

std::string print_fx_node(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    if (node.opcode == Opcode::output)
        return "return " + (node.args.empty() ? "None" : format_argument_python(graph, node.args.front()));
    std::string line = "%" + node.name + " : ";
    if (!node.type.empty()) line += node.type + " ";
    line += "[num_users=" + std::to_string(graph.user_count(id)) + "] = ";
    line += opcode_text(node.opcode);
    line += "[target=" + node.target + "]";
    if (node.opcode == Opcode::get_attr) return line;
    const Formatter format(graph, Style::str);
    if (node.opcode == Opcode::placeholder) {
        if (!node.args.empty()) {
            // The default is not part of an argument list: its own str(), nodes and strings in containers as repr.
            const bool container = node.args.front().as<ArgumentList>() || node.args.front().as<ArgumentDict>();
            line += "(default=" + Formatter(graph, container ? Style::repr : Style::str)(node.args.front()) + ")";
        }
        return line;
    }
    return line + "(args = " + format.tuple(node.args) + ", kwargs = " + format(node.kwargs) + ")";
}

std::string print_fx(const Graph& graph) {
    std::string text = "graph():";
    for (const NodeId id : graph) text += "\n    " + print_fx_node(graph, id);
    return text;
}

} // namespace inspector
