#include "core/analysis/aliasing_operators.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/analysis/call_arguments.h"

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

bool converts_type(const Operator& op) {
    return op.name == "aten::to" || op.name == "aten::type_as" || op.name == "aten::_autocast_to_reduced_precision" ||
           op.name == "aten::_autocast_to_full_precision";
}

bool first_result_is_input(const Operator& op, const Node& node) {
    if (op.name != "aten::native_dropout") return false;
    const Argument *probability = given_argument(node, 1, "p"), *training = given_argument(node, 2, "train");
    const bool* is_training = training ? training->as<bool>() : nullptr;
    if (!is_training || !*is_training) return true; // None too
    const auto* number = probability ? probability->as<double>() : nullptr;
    const auto* integer = probability ? probability->as<std::int64_t>() : nullptr;
    return (number && *number == 0) || (integer && *integer == 0);
}

std::optional<TracedAlias> traced_alias(const Operator& op, const Node& node) {
    if (op.name == "aten::lift") return TracedAlias{};
    if (op.name == "aten::_functional_assert_async" && op.overload == "msg") return TracedAlias{given_argument(node, 2, "dep_token")};
    if (op.name == "aten::_functional_sym_constrain_range" || op.name == "aten::_functional_sym_constrain_range_for_size")
        return TracedAlias{given_argument(node, 3, "dep_token")};
    // To the device it is on: what layout, pin_memory and non_blocking say does not matter.
    const auto is_given = [&](std::string_view name) {
        const Argument* argument = keyword_argument(node, name);
        return argument && !argument->as<None>();
    };
    if (op.name == "aten::_to_copy" && is_given("device") && !is_given("dtype") && !is_given("memory_format"))
        return TracedAlias{given_argument(node, 0, "self")};
    return std::nullopt;
}

bool may_keep_offset(const Operator& op) {
    return op.name == "aten::select_scatter" || op.name == "aten::slice_scatter" ||
           op.name == "aten::diagonal_scatter" || op.name == "aten::as_strided_scatter";
}

} // namespace inspector
