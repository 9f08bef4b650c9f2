// The tensors of a graph as a tree per storage: the root holds the storage's elements, every other tensor is a view of its
// parent. Which value stands for a tensor now, and whether a write since made it stale.
//
//     %clone ◄─ %view ◄─ %slice        add_(%slice, 1) makes %view and %clone stale, and not a slice beside it
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/region.h"
#include "core/analysis/value_facts.h"
#include "core/passes/functionalize/view_link.h"

namespace inspector {

enum class TensorId : std::uint32_t {};
inline constexpr TensorId no_tensor{0xFFFFFFFFU};

/// Several nodes may name one tensor: what is written in place returns self.
struct ViewedTensor {
    NodeId source = no_node;         ///< first node that names it; no_node for a step inside a view (real, imag)
    StorageId storage = 0;
    TensorId viewed = no_tensor;     ///< no_tensor: the root
    ViewLink link;                   ///< how it is a view of `viewed`
    std::optional<TensorLayout> layout;
    std::optional<Region> region;    ///< nullopt where it depends on symbols, or nothing is known: overlaps all

    NodeId value = no_node;          ///< stands for it, if it is not stale
    std::size_t value_at = 0;        ///< number of writes to the storage that `value` is known to show
    /// `value` was a view of the root's value after this many writes; nullopt: it lies in memory of its own.
    std::optional<std::size_t> attached_at;
};

class TensorTree {
public:
    /// no_tensor: the node holds none, or several.
    [[nodiscard]] TensorId of(NodeId node) const;
    [[nodiscard]] const ViewedTensor& operator[](TensorId id) const { return tensors_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] TensorId root_of(StorageId storage) const;
    [[nodiscard]] std::size_t writes(StorageId storage) const;
    /// Some tensor is laid over the storage by absolute place (as_strided).
    [[nodiscard]] bool is_placed_absolutely(StorageId storage) const { return storages_[storage].is_placed_absolutely; }

    /// `tensor.source` is named at once, and it is its own value.
    TensorId add(ViewedTensor tensor);
    void name(NodeId node, TensorId tensor); ///< another node for the same tensor
    void place_absolutely(StorageId storage) { storage_state(storage).is_placed_absolutely = true; }

    /// Whether the value still shows the tensor's elements.
    [[nodiscard]] bool is_current(TensorId id);
    /// Whether the value is a view of the root's present value.
    [[nodiscard]] bool is_attached(TensorId id) const;
    void set_value(TensorId id, NodeId value, std::optional<std::size_t> attached_at);
    /// From now on, whatever overlaps `id` is stale until it gets a value.
    void write(TensorId id);
    [[nodiscard]] static bool may_overlap(const ViewedTensor& a, const ViewedTensor& b);

private:
    struct StorageState {
        TensorId root = no_tensor;
        std::vector<std::optional<Region>> writes;
        bool is_placed_absolutely = false;
    };
    StorageState& storage_state(StorageId storage);

    std::vector<ViewedTensor> tensors_;
    std::vector<TensorId> by_node_;
    std::vector<StorageState> storages_; ///< by storage id
};

} // namespace inspector
