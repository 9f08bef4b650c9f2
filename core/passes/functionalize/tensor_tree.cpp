#include "core/passes/functionalize/tensor_tree.h"

namespace inspector {
namespace {

bool may_share(const std::optional<Region>& a, const std::optional<Region>& b) {
    return !a || !b || overlaps(*a, *b) != Overlap::no;
}

} // namespace

TensorTree::StorageState& TensorTree::storage_state(StorageId storage) {
    if (storage >= storages_.size()) storages_.resize(storage + 1);
    return storages_[storage];
}

TensorId TensorTree::of(NodeId node) const {
    return index_of(node) < by_node_.size() ? by_node_[index_of(node)] : no_tensor;
}

TensorId TensorTree::root_of(StorageId storage) const {
    return storage < storages_.size() ? storages_[storage].root : no_tensor;
}

std::size_t TensorTree::writes(StorageId storage) const {
    return storage < storages_.size() ? storages_[storage].writes.size() : 0;
}

TensorId TensorTree::add(ViewedTensor tensor) {
    const auto id = static_cast<TensorId>(tensors_.size());
    StorageState& storage = storage_state(tensor.storage);
    if (tensor.viewed == no_tensor) storage.root = id;
    const NodeId source = tensor.source;
    tensors_.push_back(std::move(tensor));
    if (source != no_node) name(source, id);
    return id;
}

void TensorTree::name(NodeId node, TensorId tensor) {
    if (index_of(node) >= by_node_.size()) by_node_.resize(index_of(node) + 1, no_tensor);
    by_node_[index_of(node)] = tensor;
}

bool TensorTree::is_current(TensorId id) {
    ViewedTensor& tensor = tensors_[static_cast<std::size_t>(id)];
    if (tensor.value == no_node) return false;
    const auto& writes = storages_[tensor.storage].writes;
    for (; tensor.value_at < writes.size(); ++tensor.value_at)
        if (may_share(writes[tensor.value_at], tensor.region)) return false;
    return true;
}

bool TensorTree::is_attached(TensorId id) const {
    const ViewedTensor& tensor = (*this)[id];
    return tensor.value != no_node && tensor.attached_at == writes(tensor.storage);
}

void TensorTree::set_value(TensorId id, NodeId value, std::optional<std::size_t> attached_at) {
    ViewedTensor& tensor = tensors_[static_cast<std::size_t>(id)];
    tensor.value = value;
    tensor.value_at = writes(tensor.storage);
    tensor.attached_at = attached_at;
}

void TensorTree::write(TensorId id) {
    const ViewedTensor& tensor = (*this)[id];
    storage_state(tensor.storage).writes.push_back(tensor.region);
}

bool TensorTree::may_overlap(const ViewedTensor& a, const ViewedTensor& b) {
    return a.storage == b.storage && may_share(a.region, b.region);
}

} // namespace inspector
