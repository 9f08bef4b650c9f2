#include "core/libtorch/execution/torch_values.h"

#include <cstring>
#include <unordered_map>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>

namespace inspector {
namespace {

using c10::IValue;

class StorageCopier {
public:
    IValue copy(const IValue& value) {
        if (value.isTensor()) return value.toTensor().defined() ? IValue(copy(value.toTensor())) : value;
        if (value.isTuple()) {
            std::vector<IValue> items;
            for (const IValue& item : value.toTupleRef().elements()) items.push_back(copy(item));
            return c10::ivalue::Tuple::create(std::move(items));
        }
        if (value.isTensorList()) {
            c10::List<at::Tensor> list;
            for (const IValue& item : value.toListRef()) list.push_back(copy(item.toTensor()));
            return list;
        }
        return value;
    }

private:
    at::Tensor copy(const at::Tensor& tensor) {
        if (tensor.layout() != c10::kStrided) return tensor.clone();
        auto [place, is_new] = copies_.try_emplace(tensor.storage().unsafeGetStorageImpl());
        if (is_new) {
            const auto bytes = static_cast<std::int64_t>(tensor.storage().nbytes());
            place->second = at::empty({bytes}, at::TensorOptions().dtype(c10::kByte)).storage();
            if (bytes > 0) std::memcpy(place->second.mutable_data(), tensor.storage().data(), tensor.storage().nbytes());
        }
        at::Tensor copied = at::empty({0}, tensor.options());
        copied.set_(place->second, tensor.storage_offset(), tensor.sizes(), tensor.strides());
        if (tensor.is_conj()) copied._set_conj(true);
        if (tensor.is_neg()) copied._set_neg(true);
        return copied;
    }

    std::unordered_map<const c10::StorageImpl*, c10::Storage> copies_;
};

} // namespace

std::vector<IValue> copy_with_storages(const std::vector<IValue>& values) {
    StorageCopier copier;
    std::vector<IValue> copies;
    for (const IValue& value : values) copies.push_back(copier.copy(value));
    return copies;
}

} // namespace inspector
