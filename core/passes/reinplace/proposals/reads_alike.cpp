#include "core/passes/reinplace/proposals/reads_alike.h"

#include "core/analysis/tensor_extent.h"
#include "core/passes/reinplace/infer_call.h"
#include "core/passes/reinplace/layout_sensitivity.h"

namespace inspector {
namespace {

bool names_cells(const Operator& op) {
    return op.name == "aten::as_strided_scatter" || op.name == "aten::as_strided_copy";
}

bool stands_first_alone(const Node& call) {
    std::size_t places = 0;
    for (const Argument& argument : call.args)
        for_each_reference(argument, [&](NodeId id) { places += id == the_copy; });
    for (const auto& [name, argument] : call.kwargs)
        for_each_reference(argument, [&](NodeId id) { places += id == the_copy; });
    return places == 1 && !call.args.empty() && call.args[0].node() == the_copy;
}

/// The call's result with the copy in place has the layout that the graph gives the reader's.
bool has_same_result(const RefusedNode& refused, const Operator& op, NodeId reader, const Node& call,
                     const TensorLayout& copy) {
    MetaExecutor executor;
    const auto inferred = infer_call(executor, op, call, [&](NodeId operand) -> std::optional<MetaValue> {
        if (operand == the_copy) return MetaValue{copy};
        if (const TensorLayout* known = refused.layout(operand)) return MetaValue{*known};
        if (const auto& number = refused.facts().of(operand).number) return MetaValue{*number};
        return std::nullopt;
    });
    const auto* after = inferred ? std::get_if<TensorLayout>(&inferred->value) : nullptr;
    const TensorLayout* before = refused.layout(reader);
    // Strides of dimensions of size 1 too: operators order the dimensions of their results by them.
    return before && after && before->dtype == after->dtype && before->sizes == after->sizes &&
           before->strides == after->strides;
}

} // namespace

bool reads_alike(const RefusedNode& refused, NodeId reader, const Node& call, NodeId value, const TensorLayout& copy,
                 bool is_promotion) {
    const Operator* op = refused.op(reader);
    const TensorLayout* original = refused.layout(value);
    if (!op || !original) return false;
    const bool keeps_strides = same_strides(*original, copy);
    if (names_cells(*op) && !call.args.empty() && call.args[0].node() == the_copy &&
        !(keeps_strides && original->storage_offset == 0 && is_dense(*original)))
        return false;
    const std::int64_t shift = -original->storage_offset * element_size(original->dtype);
    const bool is_copied = starts_from_copy(*op) && stands_first_alone(call);
    if (!is_promotion && !is_copied && !gives_same_bits(*op, call, original->dtype, keeps_strides, shift)) return false;
    if (op->is_mutable) return true;
    const bool is_alike =
        copy.sizes == original->sizes && copy.strides == original->strides && copy.dtype == original->dtype;
    return is_alike || has_same_result(refused, *op, reader, call, copy);
}

} // namespace inspector
