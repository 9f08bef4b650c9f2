#include "core/analysis/layout_trust.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/operators/operator_table.h"

namespace inspector {
namespace {

/// Parts of names of operators whose kernels choose the memory format themselves.
constexpr std::array chooses_format{
    std::string_view("conv"), std::string_view("pool"), std::string_view("upsample"), std::string_view("interpolate"),
    std::string_view("grid_sampler"), std::string_view("scaled_dot_product"), std::string_view("attention"),
    std::string_view("lstm"), std::string_view("gru"), std::string_view("rnn"), std::string_view("mkldnn"),
    std::string_view("fft"), std::string_view("pixel_"), std::string_view("channel_shuffle"), std::string_view("batch_norm"),
    std::string_view("group_norm"), std::string_view("linalg"), std::string_view("cholesky"), std::string_view("svd"),
    std::string_view("einsum"), std::string_view("unique"), std::string_view("nonzero"), std::string_view("lu_"),
};

/// Always contiguous, whatever the layout of the arguments.
constexpr std::array always_contiguous{
    std::string_view("aten::addmm"), std::string_view("aten::arange"), std::string_view("aten::baddbmm"), std::string_view("aten::bmm"),
    std::string_view("aten::embedding"), std::string_view("aten::eye"), std::string_view("aten::full"), std::string_view("aten::linear"),
    std::string_view("aten::mm"), std::string_view("aten::native_layer_norm"), std::string_view("aten::ones"),
    std::string_view("aten::scalar_tensor"), std::string_view("aten::zeros"),
};
static_assert(std::ranges::is_sorted(always_contiguous));

bool may_choose_format(const Operator& op) {
    return std::ranges::any_of(chooses_format, [&](std::string_view part) { return op.name.find(part) != std::string::npos; });
}

} // namespace

std::vector<bool> trusted_layouts(const ProgramGraph& source, const GraphFacts& facts) {
    const Graph& graph = source.graph;
    std::vector<bool> trusted(graph.id_limit(), false);
    const auto inputs_trusted = [&](NodeId id) {
        const auto inputs = graph.inputs(id);
        return std::ranges::all_of(inputs, [&](NodeId input) { return trusted[index_of(input)] || facts.of(input).number; });
    };
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        const std::size_t index = index_of(id);
        if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr) {
            const auto* meta = std::get_if<TensorMeta>(&node.meta);
            trusted[index] = meta && (meta->strides || meta->sizes.empty());
        } else if (node.target == "operator.getitem" || node.target == "_operator.getitem") {
            trusted[index] = inputs_trusted(id);
        } else if (node.opcode == Opcode::call_function) {
            const Operator* op = OperatorTable::instance().find(node.target);
            const bool is_known = op && (op->name.starts_with("aten::") || op->name.starts_with("prims::"));
            if (!is_known || may_choose_format(*op)) continue;
            trusted[index] = std::ranges::binary_search(always_contiguous, std::string_view(op->name)) || inputs_trusted(id);
        }
    }
    return trusted;
}

} // namespace inspector
