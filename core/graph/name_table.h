// Names of a graph's nodes, and the free names FX would give next (torch.fx.graph._Namespace).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/argument.h"

namespace inspector {

/// A name once given is never free again, also when its node is gone: names in a before and an after picture of one
/// graph mean the same node.
class NameTable {
public:
    /// What `take` changed, to be given back to `take_back`: the last taken first.
    struct Taken {
        bool was_known = false;
        NodeId previous_owner = no_node;
        std::optional<std::uint64_t> previous_count; ///< nullopt: its base had none
        bool counted = false;
    };

    /// no_node where nobody has the name now.
    [[nodiscard]] NodeId owner(std::string_view name) const;
    /// Gives `name` to `id`. A name that another node has stays with it.
    Taken take(const std::string& name, NodeId id);
    void take_back(const std::string& name, const Taken& taken);
    /// The name belongs to nobody but stays used.
    void release(const std::string& name, NodeId id);
    void restore(const std::string& name, NodeId id);

    /// What _Namespace.create_name(candidate, None) returns: characters that Python has not in a name become "_", names
    /// of builtins get a number, and the number goes on from the last one given for the base.
    [[nodiscard]] std::string fresh(std::string_view candidate) const;

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    struct Name {
        std::string text;
        NodeId owner = no_node; ///< no_node once its node is gone
    };
    struct Slot {
        std::uint32_t entry = 0; ///< index in names_ + 1, or 0 where free
        std::uint32_t hash = 0;
    };
    /// Where `text` is in slots_, or the free slot where it would be put.
    [[nodiscard]] std::size_t slot_of(std::string_view text, std::uint32_t hash) const;
    [[nodiscard]] const Name* find(std::string_view text) const;
    [[nodiscard]] Name* find(std::string_view text);
    void grow();
    [[nodiscard]] static std::uint32_t hash_of(std::string_view text) { return static_cast<std::uint32_t>(Hash{}(text)); }

    std::vector<Name> names_; ///< every name ever given, in that order
    /// Hash table over names_, by linear probing. A power of two, at most half full. Only the last name is ever removed,
    /// so that no probe sequence runs over its slot.
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> counts_; ///< last number given, per base
};

} // namespace inspector
