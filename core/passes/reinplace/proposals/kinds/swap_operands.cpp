// The result is written into the other operand, of an operator that gives the same bits with its operands swapped.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/passes/reinplace/layout_sensitivity.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/reads_alike.h"

namespace inspector {
namespace {

/// Of floats too. Not maximum and minimum: of two zeros with other signs they may give either.
constexpr std::array commutative{std::string_view("aten.add.Tensor"), std::string_view("aten.mul.Tensor")};
constexpr std::array commutative_on_integers{
    std::string_view("aten.bitwise_and.Tensor"), std::string_view("aten.bitwise_or.Tensor"),
    std::string_view("aten.bitwise_xor.Tensor"), std::string_view("aten.logical_and.default"),
    std::string_view("aten.logical_or.default"), std::string_view("aten.logical_xor.default"),
    std::string_view("aten.maximum.default"),    std::string_view("aten.minimum.default"),
};

bool is_commutative(const Operator& op, DType type) {
    const std::string target = op.short_target();
    if (is_complex(type)) return false;
    return std::ranges::find(commutative, target) != commutative.end() ||
           (!is_floating_point(type) &&
            std::ranges::find(commutative_on_integers, target) != commutative_on_integers.end());
}

} // namespace

std::vector<Change> swap_operands(const RefusedNode& refused) {
    const Operator* op = refused.op(refused.node);
    const Node& node = refused.graph().node(refused.node);
    const TensorLayout* result = refused.layout(refused.node);
    if (!op || !result || node.args.size() != 2 || !node.kwargs.empty() || !is_commutative(*op, result->dtype))
        return {};
    const NodeId other = node.args[1].node();
    const TensorLayout* layout = refused.layout(other);
    if (other == refused.self || refused.self == no_node || !layout || layout->dtype != result->dtype ||
        !same_strides(*layout, *result))
        return {};
    SentenceWriter words(refused.graph());
    words << "swap the operands of " << refused.node << ", so that it can write into " << other;
    return {
        {ChangeKind::swap_operands, {refused.node, other}, words.take(), [id = refused.node](ChangedProgram& changed) {
             Graph& graph = changed.program.graph;
             const auto args = graph.node(id).args;
             graph.set_arguments(id, {args[1], args[0]}, {});
         }}};
}

} // namespace inspector
