// Where every value lies under the decisions made so far: what the `sound` policy reasons about.
//
//     before            add: f32[4] on storage 2, offset 0          after add was written into %half
//     %half: storage 1, offset 4                                     add: storage 1, offset 4
//
// A value written in place moves, with all views of it, onto the storage of its operand. Each storage moves at most once,
// so all moves together cost as much as there are values.
#pragma once

#include <cstdint>
#include <optional>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/region.h"
#include "core/analysis/symbolic_region.h"
#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/target.h"
#include "core/passes/reinplace/unit_strides.h"

namespace inspector {

/// Both name the same cells, index by index, and read the same values there: same storage, type, lazy bits, sizes, offset, and
/// strides of dimensions above 1.
[[nodiscard]] bool is_same_place(const TensorLayout& a, const TensorLayout& b);

class Placements {
public:
    using Time = std::uint32_t; ///< place in program order, from 1

    /// A node that needs the elements of a value.
    struct Read {
        NodeId reader = no_node;
        Time time = 0;
        bool writes = false;
    };
    /// All of an input is overwritten: by a copy_ into it, or at the output by a mutation of the signature.
    struct Overwrite {
        NodeId by = no_node;
        Time time = 0;
        NodeId source = no_node;
    };
    struct Moved {
        NodeId value = no_node;
        TensorLayout layout;
        std::optional<SymbolicLayout> symbolic{}; ///< in graphs with symbols: for all sizes, where that is known
    };
    /// Part of a storage that is, or would be, written.
    struct Area {
        TensorLayout layout;
        bool is_fixed = false;                    ///< its numbers hold in every run
        std::optional<SymbolicLayout> symbolic{}; ///< where they do not: for all sizes
    };

    /// `graph` and `facts` must outlive this; `graph` is source's, or a copy of it. `targets` and `times` by node index.
    Placements(const ProgramGraph& source, const Graph& graph, const GraphFacts& facts,
               const std::vector<const Target*>& targets, const std::vector<Time>& times, const std::vector<std::string>& donated);

    // --- values ------------------------------------------------------------------------------------------------------
    /// Present layout, its storage the one it has moved to; nullptr where it is not one tensor of known layout. Strides of
    /// dimensions of size 1 are the kernels' where those are known and shown (unit_strides.h), else the file's.
    [[nodiscard]] const TensorLayout* layout(NodeId node) const;
    /// The numbers of the layout hold in every run: no symbol in them, and a layout the kernels keep (layout_trust.h).
    [[nodiscard]] bool is_fixed(NodeId node) const { return fixed_[index_of(node)]; }
    /// Views through which cells may coincide, whatever the sizes are at the sample: of an expand or as_strided, for example.
    [[nodiscard]] bool may_repeat_cells(NodeId node) const { return may_repeat_[index_of(node)]; }
    /// For all sizes of the symbols, where kernels keep the layout and the file tells it; nullptr elsewhere, and in graphs
    /// without symbols.
    [[nodiscard]] const SymbolicLayout* symbolic_layout(NodeId node) const;
    /// All that lies there; nullopt where the layout is not known.
    [[nodiscard]] std::optional<Area> area(NodeId node) const;
    /// Both name the same cells, index by index, in every run.
    [[nodiscard]] bool surely_same_place(NodeId a, NodeId b) const;
    /// Sizes and strides of both are the same for all sizes of the symbols.
    [[nodiscard]] bool same_layout_for_all_sizes(NodeId a, NodeId b) const;
    /// What the caller may see of strides of dimensions of size 1, and whether they are known.
    [[nodiscard]] const UnitStrides& unit_strides() const { return unit_strides_; }
    [[nodiscard]] const SizeOrder& order() const { return order_; }
    [[nodiscard]] const std::vector<Read>& reads(NodeId node) const { return reads_[index_of(node)]; }
    /// Values born on the storage, in program order.
    [[nodiscard]] const std::vector<NodeId>& values_on(StorageId storage) const { return values_on_[storage]; }
    /// A node of the graph itself that writes a value born on the storage; no_node where none does.
    [[nodiscard]] NodeId writer_on(StorageId storage) const;

    // --- storages ----------------------------------------------------------------------------------------------------
    /// The storage that values born on `storage` lie on now.
    [[nodiscard]] StorageId home(StorageId storage) const { return home_[storage]; }
    [[nodiscard]] bool is_input(StorageId storage) const { return facts_of_[home(storage)].input != no_node; }
    [[nodiscard]] NodeId input_on(StorageId storage) const { return facts_of_[home(storage)].input; }
    /// Memory this graph does not own alone: a constant's, an unknown operator's result, one that a reshape may share, or that
    /// of an input where as_strided looks at more than the input.
    [[nodiscard]] bool is_foreign(StorageId storage) const { return facts_of_[home(storage)].foreign; }
    /// Foreign since this node gives a tensor on it another layout or other memory (changed_layouts.h).
    [[nodiscard]] NodeId changed_by(StorageId storage) const { return facts_of_[home(storage)].changed_by; }
    /// The detach_ of a value on it, which torch refuses of views; no_node: there is none.
    [[nodiscard]] NodeId detached_by(StorageId storage) const { return facts_of_[home(storage)].detached_by; }
    /// A node before `now` that may have returned a view of it, though nothing says so; no_node: there is none.
    [[nodiscard]] NodeId exposed_by(StorageId storage, Time now) const {
        const StorageFacts& known = facts_of_[home(storage)];
        return known.exposed_at < now ? known.exposed_by : no_node;
    }
    /// A value on it is returned to the caller (not only written back into an input).
    [[nodiscard]] bool is_returned(StorageId storage) const { return returned_on(storage) != no_node; }
    /// One such value; no_node: there is none.
    [[nodiscard]] NodeId returned_on(StorageId storage) const { return facts_of_[home(storage)].returned; }
    /// The first complete overwrite after `now` of the input on `storage`; nullopt where there is none.
    [[nodiscard]] std::optional<Overwrite> next_overwrite(StorageId storage, Time now) const;
    /// Calls `visit(value)` for each value on the storage that is read after `now`; stops when it gives false.
    template <typename Visit> void for_each_read_after(StorageId storage, Time now, const Visit& visit) const {
        for (const auto& [last_read, value] : readable_[home(storage)]) {
            if (last_read <= now || !visit(value)) return;
        }
    }

    // --- overlap -----------------------------------------------------------------------------------------------------
    /// Whether `value` shares a byte with `written` of the same storage. yes where it cannot be told.
    [[nodiscard]] bool may_overlap(NodeId value, const Area& written) const { return apart(value, written).truth != Truth::always; }
    /// Whether they share none.
    [[nodiscard]] SizeAnswer apart(NodeId value, const Area& written) const;
    /// Overlap questions that were not decided and counted as yes.
    [[nodiscard]] std::size_t undecided() const { return undecided_; }

    // --- changes -----------------------------------------------------------------------------------------------------
    /// Values born on `result` move to the storage of `self`, each to the layout given.
    void join(StorageId result, StorageId self, const std::vector<Moved>& moved);
    struct Mark {
        std::size_t joins, layouts;
    };
    [[nodiscard]] Mark mark() const { return {joins_.size(), moved_.size()}; }
    void undo_to(const Mark& mark);

private:
    struct StorageFacts {
        NodeId input = no_node;
        bool foreign = false;
        NodeId changed_by = no_node;
        NodeId detached_by = no_node;
        Time exposed_at = std::numeric_limits<Time>::max();
        NodeId exposed_by = no_node;
        NodeId returned = no_node;
    };
    struct Join {
        StorageId from = 0;
        StorageId into = 0;
        StorageFacts before;
    };
    /// Of what is_fixed() so far: the file leaves most offsets out, and those of the facts follow from samples of symbols.
    [[nodiscard]] bool has_constant_offset(NodeId id) const;
    void note_repeats(const std::vector<const Target*>& targets);
    void note_change(NodeId value, NodeId by);
    void note_possible_views(NodeId id, Time time);
    void note_detached(NodeId id);
    /// Whether what `id` looks at or replaces is surely a part of `whole`.
    [[nodiscard]] bool stays_inside(NodeId id, const Target& target, NodeId whole) const;
    void note_memory_beyond(NodeId id, const Target& target);
    void note_storages(const std::vector<const Target*>& targets, const std::vector<Time>& times,
                       const std::vector<std::string>& donated);
    void note_reads(const std::vector<const Target*>& targets, const std::vector<Time>& times);
    void note_outputs(const ProgramGraph& source, const std::vector<Time>& times);

    const Graph& graph_;
    const GraphFacts& facts_;
    SizeOrder order_;
    std::vector<std::optional<TensorLayout>> layouts_;
    std::vector<std::optional<SymbolicLayout>> symbolic_; ///< empty without symbols
    std::vector<bool> fixed_;
    std::vector<bool> may_repeat_;
    UnitStrides unit_strides_;
    std::vector<std::vector<Read>> reads_;
    std::vector<std::vector<NodeId>> values_on_;
    std::vector<StorageId> home_;
    std::vector<StorageFacts> facts_of_;
    std::vector<std::set<std::pair<Time, NodeId>, std::greater<>>> readable_; ///< last read, value
    std::vector<std::vector<Overwrite>> overwrites_;                           ///< per storage, in order of time
    std::vector<Join> joins_;
    std::vector<Moved> moved_;                                                 ///< layouts before
    mutable std::size_t undecided_ = 0;
};

} // namespace inspector
