#include "core/passes/reinplace/alias_sets.h"

#include <algorithm>
#include <tuple>

namespace inspector {

AliasSets::AliasSets(const Graph& graph, const GraphFacts& facts, std::vector<Time> times, std::span<const Role> roles)
    : facts_(facts), times_(std::move(times)), roles_(roles.begin(), roles.end()), members_(facts.storage_limit()),
      first_use_of_(graph.id_limit(), none), uses_(1), entries_(1), logs_(facts.storage_limit()),
      last_use_(facts.storage_limit(), 0), history_(facts.storage_limit()), states_(facts.storage_limit()),
      read_logs_(facts.storage_limit()), state_of_(facts.storage_limit()) {
    for (StorageId storage = 0; storage < facts.storage_limit(); ++storage) {
        states_[storage] = {.version = storage, .first_log = storage, .log_count = 1};
        read_logs_[storage].storage = storage;
        state_of_[storage] = storage;
    }
    for (const NodeId node : graph) {
        for (const NodeId input : graph.inputs(node)) add_use(node, input, 0);
        if (!roles_[index_of(node)].is_member) continue;
        for (const StorageId storage : facts.storages(node)) members_[storage].push_back(node);
    }
    changes_.clear();
}

bool AliasSets::is_in(SetHistory::Version version, NodeId node) const {
    return roles_[index_of(node)].is_member &&
           std::ranges::any_of(facts_.storages(node), [&](StorageId s) { return history_.contains(version, s); });
}

bool AliasSets::contains(State state, NodeId node) const { return is_in(states_[state].version, node); }

// --- asking ----------------------------------------------------------------------------------------------------------

bool AliasSets::is_passed_over(const Use& use, SetHistory::Version version, Time now) const {
    return use.removed != never || time(use.user) <= now ||
           (roles_[index_of(use.user)].is_transparent && is_in(version, use.user));
}

std::uint32_t AliasSets::after_cursor(const ReadLog& read, Kind kind, std::uint32_t cursor) const {
    return cursor == none ? logs_[read.storage][kind].first : entries_[cursor].next;
}

/// Moves the cursor over what no longer matters; gives the entry after it, or none.
std::uint32_t AliasSets::advance(std::uint32_t log, Kind kind, SetHistory::Version version, Time now) {
    ReadLog& read = read_logs_[log];
    const std::uint32_t before = read.cursor[kind];
    std::uint32_t entry = after_cursor(read, kind, before);
    while (entry != none && is_passed_over(uses_[entries_[entry].use], version, now)) {
        read.cursor[kind] = entry;
        entry = entries_[entry].next;
    }
    if (read.cursor[kind] != before)
        changes_.push_back({kind == plain ? Change::What::plain_cursor : Change::What::scatter_cursor, log, before});
    return entry;
}

AliasSets::LaterUse AliasSets::blocking_use(StorageId storage, Time now) {
    const StateRecord state = states_[state_of_[storage]];
    for (std::uint32_t log = state.first_log; log < state.first_log + state.log_count; ++log) {
        const std::uint32_t entry = advance(log, plain, state.version, now);
        if (entry == none) continue;
        const Use& use = uses_[entries_[entry].use];
        return {use.user, use.through};
    }
    return {};
}

std::vector<NodeId> AliasSets::later_scatters(StorageId storage, Time now) {
    std::vector<NodeId> found;
    const StateRecord state = states_[state_of_[storage]];
    for (std::uint32_t log = state.first_log; log < state.first_log + state.log_count; ++log) {
        for (std::uint32_t e = advance(log, scatter, state.version, now); e != none; e = entries_[e].next) {
            const Use& use = uses_[entries_[e].use];
            if (!is_passed_over(use, state.version, now)) found.push_back(use.user);
        }
    }
    std::ranges::sort(found, {}, [&](NodeId node) { return time(node); });
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

std::vector<AliasSets::LaterUse> AliasSets::later_uses(State state, Time then) const {
    std::vector<LaterUse> found;
    const StateRecord& record = states_[state];
    for (std::uint32_t log = record.first_log; log < record.first_log + record.log_count; ++log) {
        const ReadLog& read = read_logs_[log];
        for (const Kind kind : {plain, scatter}) {
            for (std::uint32_t e = after_cursor(read, kind, read.start[kind]); e != none; e = entries_[e].next) {
                const Use& use = uses_[entries_[e].use];
                const bool stood = use.added < then && then <= use.removed;
                if (!stood || time(use.user) <= then) continue;
                if (roles_[index_of(use.user)].is_transparent && is_in(record.version, use.user)) continue;
                found.push_back({use.user, use.through});
            }
        }
    }
    std::ranges::sort(found, {}, [&](const LaterUse& use) { return std::pair(time(use.user), time(use.through)); });
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

// --- changing --------------------------------------------------------------------------------------------------------

void AliasSets::add_use(NodeId user, NodeId through, Time now) {
    const auto id = static_cast<std::uint32_t>(uses_.size());
    std::uint32_t& head = first_use_of_[index_of(through)];
    uses_.push_back({.user = user, .through = through, .added = now, .removed = never, .next_of_through = head});
    head = id;
    if (!roles_[index_of(through)].is_member) return;
    for (const StorageId storage : facts_.storages(through)) {
        raise_last_use(storage, time(user));
        if (!roles_[index_of(user)].counts) continue;
        // A transparent user born on the same storage is a member of every set that has `through`.
        const bool always_member = roles_[index_of(user)].is_transparent && roles_[index_of(user)].is_member &&
                                   std::ranges::find(facts_.storages(user), storage) != facts_.storages(user).end();
        if (!always_member) append(id, storage);
    }
}

void AliasSets::append(std::uint32_t use, StorageId storage) {
    const Kind kind = roles_[index_of(uses_[use].user)].is_scatter ? scatter : plain;
    const auto id = static_cast<std::uint32_t>(entries_.size());
    Log& log = logs_[storage][kind];
    entries_.push_back({.use = use, .next = none, .previous = log.last, .storage = storage, .kind = kind});
    (log.last == none ? log.first : entries_[log.last].next) = id;
    log.last = id;
}

void AliasSets::raise_last_use(StorageId storage, Time time) {
    if (time <= last_use_[storage]) return;
    changes_.push_back({Change::What::last_use, storage, last_use_[storage]});
    last_use_[storage] = time;
}

/// After uses went away. Storages with many values keep the bound they have.
void AliasSets::recount_last_use(StorageId storage) {
    constexpr std::size_t few = 8;
    if (members_[storage].size() > few) return;
    Time last = 0;
    for (const NodeId member : members_[storage])
        for (std::uint32_t use = first_use_of_[index_of(member)]; use != none; use = uses_[use].next_of_through)
            if (uses_[use].removed == never) last = std::max(last, time(uses_[use].user));
    if (last == last_use_[storage]) return;
    changes_.push_back({Change::What::last_use, storage, last_use_[storage]});
    last_use_[storage] = last;
}

std::vector<NodeId> AliasSets::redirect(NodeId from, NodeId to, Time now) {
    std::vector<NodeId> users;
    for (std::uint32_t use = first_use_of_[index_of(from)]; use != none; use = uses_[use].next_of_through) {
        if (uses_[use].removed != never || time(uses_[use].user) <= now) continue;
        uses_[use].removed = now;
        changes_.push_back({Change::What::removed_use, use, never});
        users.push_back(uses_[use].user);
    }
    std::ranges::sort(users, {}, [&](NodeId user) { return time(user); });
    const auto repeated = std::ranges::unique(users);
    users.erase(repeated.begin(), repeated.end());
    for (const NodeId user : users) add_use(user, to, now);
    if (!users.empty())
        for (const StorageId storage : facts_.storages(from)) recount_last_use(storage);
    return users;
}

void AliasSets::add_read_log(std::uint32_t first, const ReadLog& log) {
    for (std::uint32_t i = first; i < read_logs_.size(); ++i) {
        if (read_logs_[i].storage != log.storage) continue;
        for (const Kind kind : {plain, scatter}) {
            // What was passed over for one of two sets is passed over for their union. Entries count up along a log.
            read_logs_[i].cursor[kind] = std::max(read_logs_[i].cursor[kind], log.cursor[kind]);
            read_logs_[i].start[kind] = read_logs_[i].cursor[kind];
        }
        return;
    }
    read_logs_.push_back(log);
    read_logs_.back().start = log.cursor;
}

void AliasSets::merge(StorageId a, StorageId b, Time now) {
    const State before_a = state_of_[a], before_b = state_of_[b];
    if (before_a == before_b) return;
    const StateRecord of_a = states_[before_a], of_b = states_[before_b];
    const auto merged = static_cast<State>(states_.size());
    const auto first = static_cast<std::uint32_t>(read_logs_.size());
    const SetHistory::Version version = history_.unite(of_a.version, of_b.version);
    for (const StateRecord& part : {of_a, of_b}) {
        for (std::uint32_t i = part.first_log; i < part.first_log + part.log_count; ++i) {
            const ReadLog log = read_logs_[i];
            // A storage whose values nobody uses from here on gets no further uses either: only users of a value hand
            // theirs over to it.
            if (last_use_[log.storage] > now) add_read_log(first, log);
        }
    }
    states_.push_back({version, first, static_cast<std::uint32_t>(read_logs_.size()) - first});
    changes_.push_back({Change::What::state, a, before_a});
    changes_.push_back({Change::What::state, b, before_b});
    state_of_[a] = state_of_[b] = merged;
}

// --- undo ------------------------------------------------------------------------------------------------------------

AliasSets::Mark AliasSets::mark() const {
    return {uses_.size(), entries_.size(), states_.size(), read_logs_.size(), history_.size(), changes_.size()};
}

void AliasSets::undo_to(const Mark& mark) {
    while (changes_.size() > mark.changes) {
        const Change change = changes_.back();
        changes_.pop_back();
        switch (change.what) {
        case Change::What::removed_use: uses_[change.index].removed = change.before; break;
        case Change::What::state: state_of_[change.index] = change.before; break;
        case Change::What::plain_cursor: read_logs_[change.index].cursor[plain] = change.before; break;
        case Change::What::scatter_cursor: read_logs_[change.index].cursor[scatter] = change.before; break;
        case Change::What::last_use: last_use_[change.index] = change.before; break;
        }
    }
    while (entries_.size() > mark.entries) {
        const Entry& entry = entries_.back();
        Log& log = logs_[entry.storage][entry.kind];
        log.last = entry.previous;
        (entry.previous == none ? log.first : entries_[entry.previous].next) = none;
        entries_.pop_back();
    }
    while (uses_.size() > mark.uses) {
        first_use_of_[index_of(uses_.back().through)] = uses_.back().next_of_through;
        uses_.pop_back();
    }
    states_.resize(mark.states);
    read_logs_.resize(mark.logs);
    history_.undo_to(mark.versions);
}

} // namespace inspector
