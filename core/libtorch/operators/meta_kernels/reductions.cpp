// Fewer dimensions out than in.
#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

/// Sums and products of small integers are taken as int64.
c10::ScalarType accumulated(c10::ScalarType type) { return c10::isIntegralType(type, true) ? c10::kLong : type; }

Results to_one_number(const MetaCall& call) { return {empty({}, call.self())}; }
Results to_two_numbers(const MetaCall& call) { return {empty({}, call.self()), empty({}, call.self())}; }

Results product(const MetaCall& call) {
    return {empty({}, call.self(), call.dtype().value_or(accumulated(call.self().scalar_type())))};
}
Results sum_without_nan(const MetaCall& call) {
    const at::Tensor& self = call.self();
    return {empty(reduced_sizes(self, call.integers("dim"), call.flag("keepdim")), self,
                  call.dtype().value_or(accumulated(self.scalar_type())))};
}
Results count_nonzero(const MetaCall& call) {
    return {empty(reduced_sizes(call.self(), call.integers("dim"), false), call.self(), c10::kLong)};
}

/// A value and its index for each slice along `dim`.
Results values_and_indices(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const std::int64_t dim = wrap(call.integer("dim"), self.dim());
    TORCH_CHECK(self.dim() == 0 || self.size(dim) != 0, "Expected reduction dim ", dim, " to have non-zero size");
    const Sizes sizes = reduced_sizes(self, {dim}, call.flag("keepdim"));
    return {empty(sizes, self), empty(sizes, self, c10::kLong)};
}
Results kth_value(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const std::int64_t length = self.dim() == 0 ? 1 : self.size(wrap(call.integer("dim"), self.dim()));
    TORCH_CHECK(call.integer("k") >= 1 && call.integer("k") <= length, "kthvalue(): selected number k out of range for dimension ",
                call.integer("dim"));
    return values_and_indices(call);
}

Sizes moment_sizes(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(at::isFloatingType(self.scalar_type()) || at::isComplexType(self.scalar_type()),
                "std and var only support floating point and complex dtypes");
    return reduced_sizes(self, call.integers("dim"), call.flag("keepdim"));
}
Results spread(const MetaCall& call) {
    return {empty(moment_sizes(call), call.self(), c10::toRealValueType(call.self().scalar_type()))};
}
Results spread_and_mean(const MetaCall& call) {
    const Sizes sizes = moment_sizes(call);
    return {empty(sizes, call.self(), c10::toRealValueType(call.self().scalar_type())), empty(sizes, call.self())};
}

Results trace(const MetaCall& call) {
    TORCH_CHECK(call.self().dim() == 2, "trace: expected a matrix");
    return {empty({}, call.self(), accumulated(call.self().scalar_type()))};
}

Results smallest_and_largest(const MetaCall& call) {
    const Sizes sizes = reduced_sizes(call.self(), {call.integer("dim")}, call.flag("keepdim"));
    return {empty(sizes, call.self()), empty(sizes, call.self())};
}

/// Fills the arguments it is given and returns nothing.
Results nothing(const MetaCall&) { return {}; }

Results histc(const MetaCall& call) { return {empty({call.integer("bins")}, call.self())}; }
Results histogram_of_count(const MetaCall& call) {
    return {empty({call.integer("bins")}, call.self()), empty({call.integer("bins") + 1}, call.self())};
}
Results histogram_of_edges(const MetaCall& call) {
    const at::Tensor& edges = call.tensor("bins");
    TORCH_CHECK(edges.numel() > 0, "histogram(): bins tensor should have at least 1 element, but got ", edges.numel());
    return {empty({edges.numel() - 1}, call.self()), empty(edges.sizes(), edges)};
}
Results histogram_edges(const MetaCall& call) {
    Results edges;
    for (const std::int64_t count : call.integers("bins")) edges.push_back(empty({count + 1}, call.self()));
    return edges;
}
Results histogram_of_counts(const MetaCall& call) { return {empty(call.integers("bins"), call.self())}; }
Results histogram_of_edge_tensors(const MetaCall& call) {
    Sizes sizes;
    for (const at::Tensor& edges : call.tensors("bins")) sizes.push_back(edges.numel() - 1);
    return {empty(sizes, call.self())};
}

/// Segments of `axis` given by lengths or offsets, one of which may have batch dimensions before it.
Results segment_reduce(const MetaCall& call) {
    const at::Tensor& data = call.tensor("data");
    const at::Tensor& lengths = call.tensor("lengths");
    const at::Tensor& offsets = call.tensor("offsets");
    TORCH_CHECK(lengths.defined() || offsets.defined(), "segment_reduce(): lengths or offsets must be given");
    const auto axis = static_cast<std::size_t>(wrap(call.integer("axis"), data.dim()));
    Sizes sizes = data.sizes().vec();
    sizes[axis] = lengths.defined() ? lengths.size(-1) : offsets.size(-1) - 1;
    return {empty(sizes, data)};
}
Results like_data(const MetaCall& call) { return {contiguous_like(call.tensor("data"))}; }

constexpr Kernel kernels[] = {
    {"_aminmax", to_two_numbers},
    {"_aminmax.dim", smallest_and_largest},
    {"_cummax_helper", nothing},
    {"_cummin_helper", nothing},
    {"_histogramdd_bin_edges", histogram_edges},
    {"_histogramdd_from_bin_cts", histogram_of_counts},
    {"_histogramdd_from_bin_tensors", histogram_of_edge_tensors},
    {"_segment_reduce_backward", like_data},
    {"count_nonzero.dim_IntList", count_nonzero},
    {"histc", histc},
    {"histc.out", histc},
    {"histogram.bin_ct", histogram_of_count},
    {"histogram.bin_ct_out", histogram_of_count},
    {"histogram.bins_tensor", histogram_of_edges},
    {"histogram.bins_tensor_out", histogram_of_edges},
    {"kthvalue.values", kth_value},
    {"max", to_one_number},
    {"max.unary_out", to_one_number},
    {"median", to_one_number},
    {"median.dim_values", values_and_indices},
    {"min", to_one_number},
    {"min.unary_out", to_one_number},
    {"mode", values_and_indices},
    {"nanmedian", to_one_number},
    {"nanmedian.dim_values", values_and_indices},
    {"nansum", sum_without_nan},
    {"nansum.out", sum_without_nan},
    {"prod", product},
    {"segment_reduce", segment_reduce},
    {"std.correction", spread},
    {"std.correction_out", spread},
    {"std_mean.correction", spread_and_mean},
    {"trace", trace},
    {"var.correction", spread},
    {"var.correction_out", spread},
    {"var_mean.correction", spread_and_mean},
};

} // namespace

std::span<const Kernel> reduction_kernels() { return kernels; }

} // namespace inspector::meta_kernels
