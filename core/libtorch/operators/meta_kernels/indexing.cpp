// Choosing, moving and counting cells by indices.
#include "core/libtorch/operators/meta_kernels/layouts.h"

namespace inspector::meta_kernels {
namespace {

Results index_select(const MetaCall& call) {
    const at::Tensor& self = call.self();
    const at::Tensor& index = call.tensor("index");
    TORCH_CHECK(index.dim() <= 1, "index_select(): Index is supposed to be a vector, but got dim: ", index.dim());
    const std::int64_t dim = wrap(call.integer("dim"), self.dim());
    Sizes sizes = self.sizes().vec();
    if (self.dim() > 0) sizes[static_cast<std::size_t>(dim)] = index.numel();
    return {empty(sizes, self)};
}

Results take(const MetaCall& call) { return {empty(call.tensor("index").sizes(), call.self())}; }

Results flip(const MetaCall& call) {
    const Sizes dims = call.integers("dims");
    if (!dims.empty()) (void)reduced_dims(call.self().dim(), dims);
    return {dense_like(call.self())};
}
/// Pieces put together in another order, in the format that cat chooses.
Results roll(const MetaCall& call) { return {empty(call.self().sizes(), call.self(), memory_format_of(call.self()))}; }

c10::ScalarType index_type(const MetaCall& call) { return call.flag("out_int32") ? c10::kInt : c10::kLong; }
Results positions_of_tensor(const MetaCall& call) { return {empty(call.self().sizes(), call.self(), index_type(call))}; }
Results bucket_of_number(const MetaCall& call) { return {empty({}, call.tensor("boundaries"), index_type(call))}; }
Results position_of_number(const MetaCall& call) { return {empty({}, call.tensor("sorted_sequence"), index_type(call))}; }

Results multinomial(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "prob_dist must be 1 or 2 dim");
    Sizes sizes = self.sizes().vec();
    sizes.back() = call.integer("num_samples");
    return {empty(sizes, self, c10::kLong)};
}

Results nonzero_static(const MetaCall& call) {
    return {empty({call.integer("size"), call.self().dim()}, call.self(), c10::kLong)};
}

Results repeat_interleave(const MetaCall& call) {
    const auto length = call.optional_integer("output_size");
    TORCH_CHECK(length, "the result's size depends on data");
    return {empty({*length}, call.tensor("repeats"))};
}

Results unfold_backward(const MetaCall& call) { return {empty(call.integers("input_sizes"), call.tensor("grad_in"))}; }

Results masked_scatter_backward(const MetaCall& call) { return {empty(call.integers("sizes"), call.tensor("grad_output"))}; }

Results embedding_dense_backward(const MetaCall& call) {
    const at::Tensor& gradient = call.tensor("grad_output");
    return {empty({call.integer("num_weights"), gradient.size(-1)}, gradient)};
}

Results channel_shuffle(const MetaCall& call) {
    const at::Tensor& self = call.self();
    TORCH_CHECK(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ", self.sizes());
    TORCH_CHECK(call.integer("groups") > 0 && self.size(1) % call.integer("groups") == 0,
                "Number of channels must be divisible by groups");
    return {contiguous_like(self)};
}

/// Bags of rows of `weight`, reduced by mode 0 sum, 1 mean, 2 max. Besides the output: which bag each index is in (left
/// empty by the kernel for plain sums), the bags' sizes, and which rows maxima come from.
Results bags_of_rows(const MetaCall& call, bool forward_only) {
    enum Mode : std::int64_t { sum, mean, max };
    const at::Tensor& weight = call.tensor("weight");
    const at::Tensor& indices = call.tensor("indices");
    const at::Tensor& offsets = call.tensor("offsets");
    TORCH_CHECK(weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1,
                "embedding_bag: expected weight, indices and offsets of 2, 1 and 1 dimensions");
    const std::int64_t bags = offsets.size(0) - (call.flag("include_last_offset") ? 1 : 0);
    TORCH_CHECK(bags >= 0, "include_last_offset: number of offsets should be at least 1");

    const std::int64_t mode = call.integer("mode");
    const at::Tensor& scale = call.tensor("per_sample_weights");
    const bool small_float = weight.scalar_type() == c10::kFloat || weight.scalar_type() == c10::kHalf;
    const bool plain_sum = mode == sum && small_float && weight.stride(1) == 1 && call.integer("padding_idx") < 0 &&
                           (!scale.defined() || scale.stride(0) == 1);
    return {empty({bags, weight.size(1)}, weight), empty({plain_sum ? 0 : indices.size(0)}, offsets),
            empty({forward_only ? offsets.size(0) : bags}, offsets),
            mode == max ? empty({bags, weight.size(1)}, offsets) : empty({bags}, offsets)};
}
Results embedding_bag(const MetaCall& call) { return bags_of_rows(call, false); }
Results embedding_bag_forward_only(const MetaCall& call) { return bags_of_rows(call, true); }
Results embedding_bag_backward(const MetaCall& call) {
    return {empty({call.integer("num_weights"), call.tensor("grad").size(1)}, call.tensor("grad"))};
}
Results embedding_bag_scale_backward(const MetaCall& call) {
    return {empty({call.tensor("indices").size(0)}, call.tensor("grad"))};
}

constexpr Kernel kernels[] = {
    {"_embedding_bag", embedding_bag},
    {"_embedding_bag_backward", embedding_bag_backward},
    {"_embedding_bag_dense_backward", embedding_bag_backward},
    {"_embedding_bag_forward_only", embedding_bag_forward_only},
    {"_embedding_bag_per_sample_weights_backward", embedding_bag_scale_backward},
    {"bucketize.Scalar", bucket_of_number},
    {"bucketize.Tensor", positions_of_tensor},
    {"bucketize.Tensor_out", positions_of_tensor},
    {"channel_shuffle", channel_shuffle},
    {"embedding_dense_backward", embedding_dense_backward},
    {"flip", flip},
    {"index_select", index_select},
    {"index_select.out", index_select},
    {"masked_scatter_backward", masked_scatter_backward},
    {"multinomial", multinomial},
    {"multinomial.out", multinomial},
    {"nonzero_static", nonzero_static},
    {"nonzero_static.out", nonzero_static},
    {"repeat_interleave.Tensor", repeat_interleave},
    {"roll", roll},
    {"searchsorted.Scalar", position_of_number},
    {"searchsorted.Scalar_out", position_of_number},
    {"searchsorted.Tensor", positions_of_tensor},
    {"searchsorted.Tensor_out", positions_of_tensor},
    {"take", take},
    {"take.out", take},
    {"unfold_backward", unfold_backward},
};

} // namespace

std::span<const Kernel> indexing_kernels() { return kernels; }

} // namespace inspector::meta_kernels
