// The alias sets of the re-inplacing pass, and who still reads them later.
//
// torch.fx.passes.reinplace keeps, per storage, the set of nodes on it. An accepted rewrite merges the set of the result
// with the set of the operand and makes later users of the result use the operand instead. The question asked of every
// candidate is: does a later node use any member of self's set? A user that is itself a member and an operator (a view
// taken of the set) is transparent: only its own users count.
//
// Nothing is scanned to answer. Each storage keeps a log of the uses of the values born on it; a set is a version of a
// SetHistory plus the logs that may still matter, each with a cursor over what can never block it again: uses that lie
// behind, were redirected, or are by members. Cursors only move forward, so all questions together cost about as much as
// there are uses. Uses and sets carry the time at which they came and went, so evidence for an earlier decision can be
// collected whenever somebody asks for it.
//
// Time is the place of the deciding node in program order, counted from 1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/passes/reinplace/set_history.h"

namespace inspector {

class AliasSets {
public:
    using Time = std::uint32_t;
    /// What a node is to the sets; the policy says.
    struct Role {
        bool is_member = true;       ///< its value belongs to the sets of its storages
        bool counts = true;          ///< reading a value keeps that value from being overwritten earlier
        bool is_transparent = false; ///< as a member, it is no use
        bool is_scatter = false;     ///< may be dropped where it only writes back what was written in place
    };
    /// `user` reads the set through its member `through`.
    struct LaterUse {
        NodeId user = no_node;
        NodeId through = no_node;
        friend bool operator==(const LaterUse&, const LaterUse&) = default;
    };
    /// One state of one set, for questions about the past.
    using State = std::uint32_t;

    /// `times`: place of every node in program order from 1, by node index; 0 where the node is not in the graph.
    AliasSets(const Graph& graph, const GraphFacts& facts, std::vector<Time> times, std::span<const Role> roles);

    // --- now -----------------------------------------------------------------------------------------------------
    /// A use after `now` of the set of `storage` by a node that is no scatter; `user` is no_node where there is none.
    [[nodiscard]] LaterUse blocking_use(StorageId storage, Time now);
    /// The scatters after `now` that use the set of `storage`, in program order.
    [[nodiscard]] std::vector<NodeId> later_scatters(StorageId storage, Time now);
    [[nodiscard]] State state(StorageId storage) const { return state_of_[storage]; }
    [[nodiscard]] Time time(NodeId node) const { return index_of(node) < times_.size() ? times_[index_of(node)] : 0; }

    // --- then ----------------------------------------------------------------------------------------------------
    [[nodiscard]] bool contains(State state, NodeId node) const;
    /// Every use after `then`, scatters included, as the question at `then` saw it; in program order of users, then of
    /// what they use. `state` is the set's state at `then`.
    [[nodiscard]] std::vector<LaterUse> later_uses(State state, Time then) const;

    // --- changes -------------------------------------------------------------------------------------------------
    /// The sets of both storages become their union, each its own from here on.
    void merge(StorageId a, StorageId b, Time now);
    /// What nodes after `now` used as `from` they now use as `to`. Gives these nodes back, in program order.
    std::vector<NodeId> redirect(NodeId from, NodeId to, Time now);

    struct Mark {
        std::size_t uses, entries, states, logs, versions, changes;
    };
    [[nodiscard]] Mark mark() const;
    void undo_to(const Mark& mark);

private:
    static constexpr std::uint32_t none = 0;
    static constexpr Time never = 0xFFFFFFFFU;
    enum Kind : std::uint8_t { plain, scatter };

    struct Use {
        NodeId user = no_node;
        NodeId through = no_node;
        Time added = 0;
        Time removed = never;
        std::uint32_t next_of_through = none;
    };
    /// Place of a use in the log of one storage.
    struct Entry {
        std::uint32_t use = none;
        std::uint32_t next = none;
        std::uint32_t previous = none;
        StorageId storage = 0;
        Kind kind = plain;
    };
    struct Log {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };
    /// A log as one set reads it. Cursors name the last entry that can be passed over for good.
    struct ReadLog {
        StorageId storage = 0;
        std::array<std::uint32_t, 2> start{};  ///< cursors when the state came to be
        std::array<std::uint32_t, 2> cursor{};
    };
    struct StateRecord {
        SetHistory::Version version = 0;
        std::uint32_t first_log = 0;
        std::uint32_t log_count = 0;
    };
    struct Change {
        enum class What : std::uint8_t { removed_use, state, plain_cursor, scatter_cursor, last_use } what;
        std::uint32_t index;
        std::uint32_t before;
    };

    [[nodiscard]] bool is_in(SetHistory::Version version, NodeId node) const;
    [[nodiscard]] bool is_passed_over(const Use& use, SetHistory::Version version, Time now) const;
    [[nodiscard]] std::uint32_t after_cursor(const ReadLog& read, Kind kind, std::uint32_t cursor) const;
    std::uint32_t advance(std::uint32_t log, Kind kind, SetHistory::Version version, Time now);
    void add_use(NodeId user, NodeId through, Time now);
    void append(std::uint32_t use, StorageId storage);
    void raise_last_use(StorageId storage, Time time);
    void recount_last_use(StorageId storage);
    void add_read_log(std::uint32_t first, const ReadLog& log);

    const GraphFacts& facts_;
    std::vector<Time> times_;
    std::vector<Role> roles_;
    std::vector<std::vector<NodeId>> members_; ///< per storage: the values born on it
    std::vector<std::uint32_t> first_use_of_;  ///< per node: head of its list of uses

    std::vector<Use> uses_;
    std::vector<Entry> entries_;
    std::vector<std::array<Log, 2>> logs_;     ///< per storage
    std::vector<Time> last_use_;               ///< per storage: no use of a member is later
    SetHistory history_;
    std::vector<StateRecord> states_;
    std::vector<ReadLog> read_logs_;
    std::vector<State> state_of_;              ///< per storage
    std::vector<Change> changes_;
};

} // namespace inspector
