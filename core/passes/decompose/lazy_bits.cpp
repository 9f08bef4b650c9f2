#include "core/passes/decompose/lazy_bits.h"

#include <algorithm>
#include <array>

#include "core/operators/operator_table.h"

namespace inspector {
namespace {

constexpr std::array<std::string_view, 6> lazy{"_conj", "conj", "_neg_view", "adjoint", "mH", "matrix_H"};

/// "imag" of "torch.ops.aten.imag.default"; empty for what is not ATen's.
std::string_view aten_name(std::string_view target) {
    constexpr std::string_view operators = "torch.ops.", aten = "aten.";
    if (target.starts_with(operators)) target.remove_prefix(operators.size());
    if (!target.starts_with(aten)) return {};
    target.remove_prefix(aten.size());
    return target.substr(0, target.find('.'));
}

bool is_getitem(const Node& node) { return node.target == "operator.getitem" || node.target == "_operator.getitem"; }

bool is_complex_tensor(const Node& node) {
    const auto* tensor = std::get_if<TensorMeta>(&node.meta);
    return tensor && is_complex(tensor->dtype);
}

} // namespace

bool may_make_lazy(std::string_view target) { return std::ranges::find(lazy, aten_name(target)) != lazy.end(); }

LazyBits lazy_bits(const Graph& graph, NodeId id) {
    // What the views met so far, from the last to the first, do to the bits of what they are of.
    LazyBits toggled;
    bool drops_conjugation = false; // what a real view is of may be conjugated; the view is not
    for (;;) {
        const Node& node = graph.node(id);
        const NodeId viewed = node.args.empty() ? no_node : node.args.front().node();
        if (node.opcode != Opcode::call_function || viewed == no_node) break;
        if (!is_getitem(node)) {
            const Operator* op = OperatorTable::instance().find(node.target);
            const std::string_view name = aten_name(node.target);
            if (!op || op->view == ViewKind::none || name == "resolve_conj" || name == "resolve_neg") break;
            const bool is_of_complex = is_complex_tensor(graph.node(viewed));
            if (name == "_neg_view") {
                toggled.negated = !toggled.negated;
            } else if (is_of_complex && (name == "imag" || name == "real")) {
                if (name == "imag" && lazy_bits(graph, viewed).conjugated) toggled.negated = !toggled.negated;
                drops_conjugation = true;
            } else if (is_of_complex && may_make_lazy(node.target) && !drops_conjugation) {
                toggled.conjugated = !toggled.conjugated;
            } else if (name == "view_as_real") {
                drops_conjugation = true;
            }
        }
        id = viewed;
    }
    return toggled;
}

} // namespace inspector
