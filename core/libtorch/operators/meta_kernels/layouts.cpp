#include "core/libtorch/operators/meta_kernels/layouts.h"

#include <algorithm>
#include <numeric>

#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_strided.h>

namespace inspector::meta_kernels {

at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like) { return at::empty(sizes, like.options()); }

at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like, c10::ScalarType dtype) {
    return at::empty(sizes, like.options().dtype(dtype));
}

at::Tensor empty(c10::IntArrayRef sizes, const at::Tensor& like, c10::MemoryFormat format) {
    return at::empty(sizes, like.options(), format);
}

at::Tensor dense_like(const at::Tensor& like) { return at::empty_like(like); }
at::Tensor dense_like(const at::Tensor& like, c10::ScalarType dtype) {
    return at::empty_like(like, like.options().dtype(dtype));
}
at::Tensor contiguous_like(const at::Tensor& like) { return empty(like.sizes(), like); }

at::Tensor empty_column_major(c10::IntArrayRef sizes, const at::Tensor& like, c10::ScalarType dtype) {
    Sizes transposed = sizes.vec();
    std::swap(transposed[transposed.size() - 1], transposed[transposed.size() - 2]);
    return empty(transposed, like, dtype).transpose(-2, -1);
}

at::Tensor elementwise(c10::ScalarType dtype, std::initializer_list<at::Tensor> inputs) {
    at::TensorIteratorConfig config;
    config.set_check_mem_overlap(false).check_all_same_dtype(false).add_owned_output(at::Tensor());
    for (const at::Tensor& input : inputs) config.add_owned_const_input(input);
    config.declare_static_dtype_and_device(dtype, c10::Device(c10::kMeta));
    return config.build().output();
}

c10::ScalarType float_type(c10::ScalarType type) {
    return c10::isIntegralType(type, true) ? c10::typeMetaToScalarType(c10::get_default_dtype()) : type;
}

std::int64_t wrap(std::int64_t dim, std::int64_t rank) { return c10::maybe_wrap_dim(dim, rank); }

std::vector<bool> reduced_dims(std::int64_t rank, const Sizes& dims) {
    std::vector<bool> reduced(static_cast<std::size_t>(rank), dims.empty());
    for (const std::int64_t dim : dims) {
        const std::int64_t wrapped = wrap(dim, rank);
        if (rank == 0) continue;
        TORCH_CHECK(!reduced[static_cast<std::size_t>(wrapped)], "dim ", wrapped, " appears multiple times in the list of dims");
        reduced[static_cast<std::size_t>(wrapped)] = true;
    }
    return reduced;
}

Sizes reduced_sizes(const at::Tensor& self, const Sizes& dims, bool keepdim) {
    const std::vector<bool> reduced = reduced_dims(self.dim(), dims);
    Sizes sizes;
    for (std::int64_t i = 0; i < self.dim(); ++i) {
        if (!reduced[static_cast<std::size_t>(i)]) sizes.push_back(self.size(i));
        else if (keepdim) sizes.push_back(1);
    }
    return sizes;
}

c10::MemoryFormat memory_format_of(const at::Tensor& tensor) { return tensor.suggest_memory_format(); }

} // namespace inspector::meta_kernels
