#include "core/analysis/aliasing_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

/// Found by running every aten operator of torch 2.13 on fake tensors and comparing storages. Sorted.
constexpr auto unannotated = std::to_array<std::string_view>({
    "_autocast_to_full_precision",
    "_autocast_to_reduced_precision",
    "_cast_Byte",
    "_cast_Char",
    "_cast_Double",
    "_cast_Float",
    "_cast_Half",
    "_cast_Int",
    "_cast_Long",
    "_cast_Short",
    "_functional_assert_async",
    "_functional_assert_scalar",
    "_functional_sym_constrain_range",
    "_functional_sym_constrain_range_for_size",
    "_to_cpu",
    "_unsafe_view",
    "alpha_dropout",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_tensors",
    "cartesian_prod",
    "channel_shuffle",
    "conj_physical",
    "dropout",
    "einsum",
    "feature_alpha_dropout",
    "feature_dropout",
    "flatten_dense_tensors",
    "lift",
    "meshgrid",
    "native_channel_shuffle",
    "set",
    "sum_to_size",
    "to_dense",
    "type_as",
    "unflatten_dense_tensors",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
});
static_assert(std::ranges::is_sorted(unannotated));

} // namespace

bool may_return_argument(const Operator& op) {
    if (op.view != ViewKind::none || op.is_mutable) return true;
    if (std::ranges::any_of(op.returns, [](const SchemaArgument& result) { return result.alias.has_value(); }))
        return true;
    constexpr std::string_view aten = "aten::";
    return op.name.starts_with(aten) &&
           std::ranges::binary_search(unannotated, std::string_view(op.name).substr(aten.size()));
}

bool first_result_is_input(const Operator& op, const std::vector<Argument>& args) {
    if (op.name != "aten::native_dropout" || args.size() < 3) return false;
    const auto* probability = args[1].as<double>();
    const auto* training = args[2].as<bool>();
    return (training && !*training) || (probability && *probability == 0);
}

bool may_keep_offset(const Operator& op) {
    return op.name == "aten::select_scatter" || op.name == "aten::slice_scatter" ||
           op.name == "aten::diagonal_scatter" || op.name == "aten::as_strided_scatter";
}

} // namespace inspector
