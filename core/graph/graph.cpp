#include "core/graph/graph.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>
#include <variant>

#include "core/graph/name_table.h"
#include "core/graph/program_order.h"

namespace inspector {
namespace {

enum class UseId : std::uint32_t {};
constexpr UseId no_use{0xFFFFFFFFU};

/// One reference in a node's arguments, and its place in the list of the uses of the node it refers to. Argument trees
/// stay at their heap addresses from the moment they belong to a node, in the journal too.
struct Use {
    NodeId user = no_node;
    NodeId definition = no_node; ///< no_node: refers to a node that the graph did not contain
    Argument* location = nullptr;
    UseId previous = no_use; ///< kept when unlinked: undo puts the use back between the same neighbours
    UseId next = no_use;
};

/// The references of one node, in order of its arguments: neighbours in the arena of uses.
struct UseRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

struct Entry {
    Node node;
    UseRange references;
    UseId first_use = no_use;
    bool alive = true;
};

// What an edit leaves behind for undo.
struct Inserted { NodeId id; NameTable::Taken name; };
struct Erased { NodeId id; NodeId next; };
struct Moved { NodeId id; NodeId next; };
struct TargetSet { NodeId id; std::string target; };
struct ArgumentsSet { NodeId id; std::vector<Argument> args; std::vector<NamedArgument> kwargs; UseRange references; };
struct MetaSet { NodeId id; std::unique_ptr<ValueMeta> meta; };
struct NameSet { NodeId id; std::string name; NameTable::Taken taken; };
struct UseRedirected { UseId use; NodeId from; UseId previous; UseId next; };
using Edit = std::variant<Inserted, Erased, Moved, TargetSet, ArgumentsSet, MetaSet, NameSet, UseRedirected>;

template <typename Visit> void for_each_reference_place(Argument& argument, Visit&& visit) {
    if (std::holds_alternative<NodeReference>(argument.value)) {
        visit(argument);
    } else if (auto* list = std::get_if<ArgumentList>(&argument.value)) {
        for (Argument& item : list->items) for_each_reference_place(item, visit);
    } else if (auto* dict = std::get_if<ArgumentDict>(&argument.value)) {
        for (auto& [key, item] : dict->items) for_each_reference_place(item, visit);
    }
}

} // namespace

struct Graph::State {
    std::deque<Entry> entries; ///< by id; addresses are stable
    std::vector<Use> uses;
    ProgramOrder order;
    NameTable names;
    std::size_t size = 0;
    std::vector<Edit> journal;

    [[nodiscard]] Entry& entry(NodeId id) { return entries[index_of(id)]; }
    [[nodiscard]] Use& use(UseId id) { return uses[static_cast<std::uint32_t>(id)]; }
    [[nodiscard]] bool contains(NodeId id) const {
        return index_of(id) < entries.size() && entries[index_of(id)].alive;
    }

    // --- uses ----------------------------------------------------------------------------------------------------
    void relink(UseId id) {
        const Use& u = use(id);
        if (u.definition == no_node) return;
        (u.previous == no_use ? entry(u.definition).first_use : use(u.previous).next) = id;
        if (u.next != no_use) use(u.next).previous = id;
    }
    void unlink(UseId id) {
        const Use& u = use(id);
        if (u.definition == no_node) return;
        (u.previous == no_use ? entry(u.definition).first_use : use(u.previous).next) = u.next;
        if (u.next != no_use) use(u.next).previous = u.previous;
    }
    void link_first(UseId id, NodeId definition) {
        Use& u = use(id);
        u.definition = definition;
        u.previous = no_use;
        u.next = definition == no_node ? no_use : entry(definition).first_use;
        relink(id);
    }

    void add_references(NodeId user) {
        Entry& e = entry(user);
        e.references.begin = static_cast<std::uint32_t>(uses.size());
        const auto add = [&](Argument& place) {
            const auto id = static_cast<UseId>(uses.size());
            uses.push_back({user, no_node, &place, no_use, no_use});
            const NodeId definition = place.node();
            link_first(id, contains(definition) ? definition : no_node);
        };
        for (Argument& argument : e.node.args) for_each_reference_place(argument, add);
        for (auto& [name, argument] : e.node.kwargs) for_each_reference_place(argument, add);
        e.references.end = static_cast<std::uint32_t>(uses.size());
    }
    /// Undoes the add_references that was last.
    void remove_references(NodeId user) {
        const UseRange range = entry(user).references;
        unlink_all(range);
        uses.resize(range.begin);
    }
    void unlink_all(UseRange range) {
        for (std::uint32_t i = range.end; i > range.begin; --i) unlink(static_cast<UseId>(i - 1));
    }
    void relink_all(UseRange range) {
        for (std::uint32_t i = range.begin; i < range.end; ++i) relink(static_cast<UseId>(i));
    }
    void redirect(UseId id, NodeId to) {
        const Use& u = use(id);
        journal.emplace_back(UseRedirected{id, u.definition, u.previous, u.next});
        unlink(id);
        u.location->value = NodeReference{to};
        link_first(id, to);
    }

    // --- nodes ---------------------------------------------------------------------------------------------------
    NodeId insert(NodeId next, Node&& node) {
        const auto id = static_cast<NodeId>(entries.size());
        Entry& e = entries.emplace_back();
        e.node = std::move(node);
        order.add_index();
        order.link_before(id, next);
        add_references(id);
        ++size;
        journal.emplace_back(Inserted{id, names.take(e.node.name, id)});
        return id;
    }

    void undo(Inserted& edit) {
        names.take_back(entry(edit.id).node.name, edit.name);
        remove_references(edit.id);
        order.unlink(edit.id);
        order.remove_last_index();
        entries.pop_back();
        --size;
    }
    void undo(Erased& edit) {
        Entry& e = entry(edit.id);
        e.alive = true;
        order.link_before(edit.id, edit.next);
        relink_all(e.references);
        names.restore(e.node.name, edit.id);
        ++size;
    }
    void undo(Moved& edit) {
        order.unlink(edit.id);
        order.link_before(edit.id, edit.next);
    }
    void undo(TargetSet& edit) { entry(edit.id).node.target = std::move(edit.target); }
    void undo(ArgumentsSet& edit) {
        Entry& e = entry(edit.id);
        remove_references(edit.id);
        e.node.args = std::move(edit.args);
        e.node.kwargs = std::move(edit.kwargs);
        e.references = edit.references;
        relink_all(e.references);
    }
    void undo(MetaSet& edit) { entry(edit.id).node.meta = std::move(*edit.meta); }
    void undo(NameSet& edit) {
        Entry& e = entry(edit.id);
        names.take_back(e.node.name, edit.taken);
        e.node.name = std::move(edit.name);
        names.restore(e.node.name, edit.id);
    }
    void undo(UseRedirected& edit) {
        unlink(edit.use);
        Use& u = use(edit.use);
        u.location->value = NodeReference{edit.from};
        u.definition = edit.from;
        u.previous = edit.previous;
        u.next = edit.next;
        relink(edit.use);
    }

    /// The nodes whose arguments refer to `id`, once each, in any order.
    [[nodiscard]] std::vector<NodeId> distinct_users(NodeId id) const {
        std::vector<NodeId> users;
        for (UseId u = entries[index_of(id)].first_use; u != no_use; u = uses[static_cast<std::uint32_t>(u)].next)
            users.push_back(uses[static_cast<std::uint32_t>(u)].user);
        std::ranges::sort(users);
        const auto repeated = std::ranges::unique(users);
        users.erase(repeated.begin(), repeated.end());
        return users;
    }
};

Graph::Graph() : state_(std::make_unique<State>()) {}
Graph::~Graph() = default;
Graph::Graph(Graph&& other) noexcept = default;
Graph& Graph::operator=(Graph&& other) noexcept = default;

Graph::Graph(const Graph& other) : Graph() {
    State& state = *state_;
    state.entries = other.state_->entries;
    state.order = other.state_->order;
    state.names = other.state_->names;
    state.size = other.state_->size;
    for (Entry& e : state.entries) {
        e.first_use = no_use;
        e.references = {};
    }
    for (const NodeId id : *this) state.add_references(id);
}

Graph& Graph::operator=(const Graph& other) {
    if (this != &other) *this = Graph(other);
    return *this;
}

const Node& Graph::node(NodeId id) const { return state_->entry(id).node; }
bool Graph::contains(NodeId id) const { return state_->contains(id); }
std::size_t Graph::size() const { return state_->size; }
std::size_t Graph::id_limit() const { return state_->entries.size(); }
NodeId Graph::first() const { return state_->order.first(); }
NodeId Graph::last() const { return state_->order.last(); }
NodeId Graph::next(NodeId id) const { return state_->order.next(id); }
NodeId Graph::previous(NodeId id) const { return state_->order.previous(id); }
bool Graph::is_before(NodeId a, NodeId b) const { return state_->order.is_before(a, b); }
NodeId Graph::find(std::string_view name) const { return state_->names.owner(name); }
Graph::Iterator Graph::begin() const { return {this, first()}; }
Graph::Iterator Graph::end() const { return {this, no_node}; }

NodeId Graph::output() const {
    for (NodeId id = last(); id != no_node; id = previous(id))
        if (node(id).opcode == Opcode::output) return id;
    return no_node;
}

std::vector<NodeId> Graph::placeholders() const {
    std::vector<NodeId> found;
    for (const NodeId id : *this)
        if (node(id).opcode == Opcode::placeholder) found.push_back(id);
    return found;
}

std::vector<NodeId> Graph::users(NodeId id) const {
    std::vector<NodeId> users = state_->distinct_users(id);
    std::ranges::sort(users, {}, [&](NodeId user) { return state_->order.label(user); });
    return users;
}

std::size_t Graph::user_count(NodeId id) const { return state_->distinct_users(id).size(); }
bool Graph::has_users(NodeId id) const { return state_->entry(id).first_use != no_use; }

std::vector<NodeId> Graph::inputs(NodeId id) const {
    const UseRange range = state_->entry(id).references;
    std::vector<NodeId> found;
    std::unordered_set<std::uint32_t> seen;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const NodeId definition = state_->uses[i].definition;
        if (definition != no_node && seen.insert(index_of(definition)).second) found.push_back(definition);
    }
    return found;
}

NodeId Graph::append(Node node) { return state_->insert(no_node, std::move(node)); }
NodeId Graph::insert_before(NodeId position, Node node) { return state_->insert(position, std::move(node)); }
NodeId Graph::insert_after(NodeId position, Node node) {
    return state_->insert(position == no_node ? first() : next(position), std::move(node));
}

void Graph::set_target(NodeId id, std::string target) {
    state_->journal.emplace_back(TargetSet{id, std::exchange(state_->entry(id).node.target, std::move(target))});
}

void Graph::set_arguments(NodeId id, std::vector<Argument> args, std::vector<NamedArgument> kwargs) {
    Entry& e = state_->entry(id);
    state_->unlink_all(e.references);
    state_->journal.emplace_back(ArgumentsSet{id, std::exchange(e.node.args, std::move(args)),
                                              std::exchange(e.node.kwargs, std::move(kwargs)), e.references});
    state_->add_references(id);
}

void Graph::set_meta(NodeId id, ValueMeta meta) {
    ValueMeta& current = state_->entry(id).node.meta;
    state_->journal.emplace_back(MetaSet{id, std::make_unique<ValueMeta>(std::exchange(current, std::move(meta)))});
}

void Graph::set_name(NodeId id, std::string name) {
    std::string& current = state_->entry(id).node.name;
    if (current == name) return;
    state_->names.release(current, id);
    const NameTable::Taken taken = state_->names.take(name, id);
    state_->journal.emplace_back(NameSet{id, std::exchange(current, std::move(name)), taken});
}

void Graph::replace_input(NodeId user, NodeId from, NodeId to) {
    if (from == to) return;
    // The uses to change stand in two lists, the user's references and the uses of `from`: both are walked side by side
    // until the shorter one ends.
    const UseRange references = state_->entry(user).references;
    std::vector<UseId> by_reference;
    std::vector<UseId> by_definition;
    UseId use = state_->entry(from).first_use;
    std::uint32_t i = references.begin;
    for (; i < references.end && use != no_use; ++i, use = state_->use(use).next) {
        if (state_->uses[i].definition == from) by_reference.push_back(static_cast<UseId>(i));
        if (state_->use(use).user == user) by_definition.push_back(use);
    }
    for (const UseId found : i == references.end ? by_reference : by_definition) state_->redirect(found, to);
}

void Graph::erase(NodeId id) {
    Entry& e = state_->entry(id);
    state_->journal.emplace_back(Erased{id, next(id)});
    state_->unlink_all(e.references);
    state_->order.unlink(id);
    state_->names.release(e.node.name, id);
    e.alive = false;
    --state_->size;
}

void Graph::move_before(NodeId id, NodeId position) {
    if (id == position || next(id) == position) return;
    state_->journal.emplace_back(Moved{id, next(id)});
    state_->order.unlink(id);
    state_->order.link_before(id, position);
}

std::string Graph::fresh_name(std::string_view candidate) const { return state_->names.fresh(candidate); }

Graph::Mark Graph::mark() const { return state_->journal.size(); }

void Graph::undo_to(Mark mark) {
    while (state_->journal.size() > mark) {
        Edit edit = std::move(state_->journal.back());
        state_->journal.pop_back();
        std::visit([&](auto& what) { state_->undo(what); }, edit);
    }
}

void Graph::forget_history() { state_->journal.clear(); }

} // namespace inspector
