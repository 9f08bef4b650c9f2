// Arguments of a node: a tree whose leaves are constants or references to other nodes.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/dtype.h"
#include "core/graph/symbolic_size.h"
#include "core/graph/tensor_meta.h"

namespace inspector {

/// Names a node of one Graph. Stable for the node's life; erasing does not free it for another node.
enum class NodeId : std::uint32_t {};
inline constexpr NodeId no_node{0xFFFFFFFFU};
[[nodiscard]] constexpr std::uint32_t index_of(NodeId id) { return static_cast<std::uint32_t>(id); }

struct Argument;

struct None {
    friend bool operator==(const None&, const None&) = default;
};
struct NodeReference {
    NodeId node = no_node;
    friend bool operator==(const NodeReference&, const NodeReference&) = default;
};
struct DeviceName {
    std::string text; ///< "cpu", "cuda:0"
    friend bool operator==(const DeviceName&, const DeviceName&) = default;
};
enum class MemoryFormat : std::uint8_t { contiguous, channels_last, channels_last_3d, preserve };
/// A Python list, tuple or slice(start, stop, step): FX prints them differently.
struct ArgumentList {
    enum class Kind : std::uint8_t { list, tuple, slice };
    Kind kind = Kind::list;
    std::vector<Argument> items;
    friend bool operator==(const ArgumentList&, const ArgumentList&);
};
struct ArgumentDict {
    std::vector<std::pair<std::string, Argument>> items;
    friend bool operator==(const ArgumentDict&, const ArgumentDict&);
};
/// Anything else, kept literally: Ellipsis, a custom object, text no rule reads, an operator passed as a value
/// ("torch.ops.aten.add.Tensor", which str(graph) shortens).
struct OpaqueText {
    std::string text;
    friend bool operator==(const OpaqueText&, const OpaqueText&) = default;
};

struct Argument {
    using Value = std::variant<None, NodeReference, bool, std::int64_t, double, std::complex<double>, std::string,
                               DType, DeviceName, Layout, MemoryFormat, SymbolicSize, ArgumentList, ArgumentDict,
                               OpaqueText>;
    Value value;

    Argument() = default;
    template <typename T>
        requires std::is_constructible_v<Value, T> && (!std::is_same_v<std::remove_cvref_t<T>, Argument>)
    Argument(T&& v) : value(std::forward<T>(v)) {}

    template <typename T> [[nodiscard]] const T* as() const { return std::get_if<T>(&value); }
    /// The node referred to, or no_node where the argument is not a node itself (a list of nodes is not).
    [[nodiscard]] NodeId node() const { const auto* r = as<NodeReference>(); return r ? r->node : no_node; }
    friend bool operator==(const Argument&, const Argument&) = default;
};

inline bool operator==(const ArgumentList& a, const ArgumentList& b) { return a.kind == b.kind && a.items == b.items; }
inline bool operator==(const ArgumentDict& a, const ArgumentDict& b) { return a.items == b.items; }

using NamedArgument = std::pair<std::string, Argument>;

/// Calls `visit(NodeId)` for every node reference in the tree, depth first, in order.
template <typename Visit> void for_each_reference(const Argument& argument, Visit&& visit) {
    if (const auto* reference = argument.as<NodeReference>()) {
        visit(reference->node);
    } else if (const auto* list = argument.as<ArgumentList>()) {
        for (const Argument& item : list->items) for_each_reference(item, visit);
    } else if (const auto* dict = argument.as<ArgumentDict>()) {
        for (const auto& [key, item] : dict->items) for_each_reference(item, visit);
    }
}

} // namespace inspector
