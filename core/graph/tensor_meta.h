// What is known of a node's result: a tensor's layout, a list of tensors, a symbolic number, nothing.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/dtype.h"
#include "core/graph/symbolic_size.h"

namespace inspector {

enum class Layout : std::uint8_t {
    strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc, mkldnn, jagged,
};

/// Layout of one tensor. Sizes, strides and offset count elements, not bytes.
/// A field that the file does not give is nullopt until analysis fills it.
struct TensorMeta {
    DType dtype = DType::f32;
    std::vector<SymbolicSize> sizes;
    std::optional<std::vector<SymbolicSize>> strides; ///< as many as sizes
    std::optional<SymbolicSize> storage_offset;
    std::optional<std::string> device; ///< "cpu", "cuda:0"
    Layout layout = Layout::strided;
    std::optional<bool> requires_grad;
    std::string class_name;   ///< print_readable's "Parameter(" wrapper; empty for a plain tensor
    std::string class_detail; ///< what a DTensor's annotation says after its layout ("S(0)"); mostly empty

    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

/// A result that is a symbolic or plain Python number ("Sym(s13)").
struct ScalarMeta {
    enum class Kind : std::uint8_t { integer, floating, boolean };
    Kind kind = Kind::integer;
    SymbolicSize value;
    bool is_python_number = false; ///< an int, float or bool and not a SymInt: print_readable does not show it
    friend bool operator==(const ScalarMeta&, const ScalarMeta&) = default;
};

/// The file does not say.
struct UnknownMeta {
    friend bool operator==(const UnknownMeta&, const UnknownMeta&) = default;
};
/// The op returns nothing.
struct NoneMeta {
    friend bool operator==(const NoneMeta&, const NoneMeta&) = default;
};

/// A list or tuple result; its items are reached by getitem nodes. nullopt items: not a tensor (None, a number).
struct ListMeta {
    std::vector<std::optional<TensorMeta>> items;
    /// The file's names for the items (.pt2 keeps "<node>_unused_<i>" for those without getitem); may be empty.
    std::vector<std::string> names;
    friend bool operator==(const ListMeta&, const ListMeta&) = default;
};

using ValueMeta = std::variant<UnknownMeta, NoneMeta, TensorMeta, ScalarMeta, ListMeta>;

/// Calls `visit(tensor)` for a tensor, and for each one of a list.
template <typename Visit> void for_each_tensor(const ValueMeta& meta, const Visit& visit) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta)) visit(*tensor);
    if (const auto* list = std::get_if<ListMeta>(&meta))
        for (const auto& item : list->items)
            if (item) visit(*item);
}

/// Calls `visit(size)` for sizes, strides and offset, as far as the file gives them.
template <typename Visit> void for_each_size(const TensorMeta& tensor, const Visit& visit) {
    for (const SymbolicSize& size : tensor.sizes) visit(size);
    if (tensor.strides)
        for (const SymbolicSize& stride : *tensor.strides) visit(stride);
    if (tensor.storage_offset) visit(*tensor.storage_offset);
}
/// The same for all tensors of a value, or for the number that it is.
template <typename Visit> void for_each_size(const ValueMeta& meta, const Visit& visit) {
    for_each_tensor(meta, [&](const TensorMeta& tensor) { for_each_size(tensor, visit); });
    if (const auto* scalar = std::get_if<ScalarMeta>(&meta)) visit(scalar->value);
}

/// Something that for_each_size() visits is no plain number.
[[nodiscard]] inline bool has_symbols(const TensorMeta& tensor) {
    bool found = false;
    for_each_size(tensor, [&](const SymbolicSize& size) { found |= !size.is_constant(); });
    return found;
}

} // namespace inspector
