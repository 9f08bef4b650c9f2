#include "core/operators/infer.h"

#include "core/libtorch/library.h"

namespace inspector {

TensorMeta tensor_meta(const TensorLayout& layout) {
    TensorMeta meta;
    meta.dtype = layout.dtype;
    meta.sizes.assign(layout.sizes.begin(), layout.sizes.end());
    meta.strides.emplace(layout.strides.begin(), layout.strides.end());
    meta.storage_offset = layout.storage_offset;
    meta.device = layout.device;
    return meta;
}

MetaExecutor::MetaExecutor() = default;
MetaExecutor::~MetaExecutor() = default;

StorageId MetaExecutor::new_storage() { return next_++; }

Result<MetaValue> MetaExecutor::run(const Operator& op, const std::vector<MetaValue>& args,
                                    const std::vector<std::pair<std::string, MetaValue>>& kwargs) {
    const auto& torch = libtorch();
    if (!torch) return tl::unexpected(torch.error());
    if (!backend_) backend_ = (*torch)->make_meta_backend(next_);
    return backend_->run(op, args, kwargs);
}

bool MetaExecutor::has_kernel(const Operator& op) {
    const auto& torch = libtorch();
    return torch && (*torch)->has_meta_kernel(op);
}

bool has_own_meta_kernel(const Operator& op) {
    const auto& torch = libtorch();
    return torch && (*torch)->has_own_meta_kernel(op);
}

} // namespace inspector
