// The alias sets and their history against plain sets of nodes, kept and copied the way torch.fx.passes.reinplace does.
#include <random>
#include <set>

#include <QtTest>

#include "core/passes/reinplace/alias_sets.h"
#include "core/passes/reinplace/set_history.h"

using namespace inspector;

namespace {

NodeId node_of(std::size_t index) { return static_cast<NodeId>(index); }

/// A random graph of views, operators and scatters, with the facts that go with it.
struct RandomGraph {
    ProgramGraph program;
    GraphFacts facts;
    std::vector<AliasSets::Role> roles;
    std::vector<AliasSets::Time> times;

    explicit RandomGraph(std::mt19937& random, std::size_t count) {
        Graph& graph = program.graph;
        const auto tensor = [] {
            TensorMeta meta;
            meta.sizes = {4, 4};
            meta.strides.emplace({SymbolicSize(4), SymbolicSize(1)});
            return meta;
        };
        const auto add = [&](std::string target, std::vector<Argument> args, Opcode opcode = Opcode::call_function) {
            Node node;
            node.opcode = opcode;
            node.name = "n" + std::to_string(graph.size());
            node.target = std::move(target);
            node.args = std::move(args);
            node.meta = tensor();
            return graph.append(std::move(node));
        };
        add("x", {}, Opcode::placeholder);
        for (std::size_t i = 1; i < count; ++i) {
            const auto any = [&] {
                return NodeReference{node_of(i > 8 && random() % 2 ? i - 1 - random() % 8 : random() % i)};
            };
            switch (random() % 5) {
            case 0:
            case 1: add("torch.ops.aten.alias.default", {any()}); break;
            case 2: add("torch.ops.aten.add.Tensor", {any(), any()}); break;
            case 3: add("torch.ops.aten.neg.default", {any()}); break;
            case 4: add("torch.ops.aten.slice_scatter.default", {any(), any()}); break;
            }
        }
        add("output", {NodeReference{node_of(random() % count)}}, Opcode::output);
        facts = GraphFacts::run(program);
        for (const NodeId id : graph) {
            times.push_back(static_cast<AliasSets::Time>(times.size() + 1));
            const Node& node = graph.node(id);
            roles.push_back({.is_member = true,
                             .counts = random() % 20 != 0,
                             .is_transparent = node.opcode == Opcode::call_function && random() % 10 != 0,
                             .is_scatter = node.target.find("scatter") != std::string::npos});
        }
    }
};

/// torch.fx.passes.reinplace's storage_to_nodes, literally: a set of nodes per storage, copied on merging.
struct PlainSets {
    const RandomGraph* graph;
    std::map<StorageId, std::set<std::size_t>> nodes;
    std::vector<std::set<std::size_t>> users;
    std::vector<std::size_t> first_argument; ///< as redirected so far

    explicit PlainSets(const RandomGraph& from) : graph(&from), users(from.roles.size()) {
        for (const NodeId id : graph->program.graph) {
            for (const StorageId storage : graph->facts.storages(id)) nodes[storage].insert(index_of(id));
            const auto& args = from.program.graph.node(id).args;
            first_argument.push_back(args.empty() ? 0 : index_of(args[0].node()));
            for (const NodeId input : graph->program.graph.inputs(id)) users[index_of(input)].insert(index_of(id));
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> later_uses(StorageId storage, AliasSets::Time now) const {
        std::vector<std::pair<std::size_t, std::size_t>> found;
        const auto set = nodes.find(storage);
        if (set == nodes.end()) return found;
        for (const std::size_t member : set->second)
            for (const std::size_t user : users[member]) {
                const auto& role = graph->roles[user];
                if (graph->times[user] <= now || !role.counts || (role.is_transparent && set->second.contains(user)))
                    continue;
                found.emplace_back(user, member);
            }
        std::ranges::sort(found);
        return found;
    }
    void merge(StorageId a, StorageId b) {
        nodes[a].insert(nodes[b].begin(), nodes[b].end());
        nodes[b].insert(nodes[a].begin(), nodes[a].end());
    }
    void redirect(std::size_t from, std::size_t to, AliasSets::Time now) {
        std::erase_if(users[from], [&](std::size_t user) {
            if (graph->times[user] <= now) return false;
            users[to].insert(user);
            if (first_argument[user] == from) first_argument[user] = to;
            return true;
        });
    }
};

std::vector<std::pair<std::size_t, std::size_t>> plain(const std::vector<AliasSets::LaterUse>& uses) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (const auto& use : uses) out.emplace_back(index_of(use.user), index_of(use.through));
    return out;
}

} // namespace

class TestAliasSets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void historyKeepsEveryState();
    void setsAnswerAsPlainOnesDo();
};

void TestAliasSets::historyKeepsEveryState() {
    std::mt19937 random(7);
    constexpr StorageId count = 60;
    SetHistory history(count);
    std::vector<std::pair<SetHistory::Version, std::set<StorageId>>> states;
    for (StorageId storage = 0; storage < count; ++storage) states.push_back({storage, {storage}});
    for (int step = 0; step < 400; ++step) {
        const auto& [a, in_a] = states[random() % states.size()];
        const auto& [b, in_b] = states[random() % states.size()];
        std::set<StorageId> both = in_a;
        both.insert(in_b.begin(), in_b.end());
        const auto version = history.unite(a, b);
        states.emplace_back(version, std::move(both));
    }
    for (const auto& [version, expected] : states)
        for (StorageId storage = 0; storage < count; ++storage)
            QCOMPARE(history.contains(version, storage), expected.contains(storage));

    // After undo, the same unions give the same versions, and nothing is left of what was taken back.
    const std::size_t size = history.size();
    const auto version = history.unite(states[3].first, states[4].first);
    history.undo_to(size);
    QVERIFY(!history.contains(states[3].first, 4));
    QCOMPARE(history.unite(states[3].first, states[4].first), version);
}

void TestAliasSets::setsAnswerAsPlainOnesDo() {
    std::mt19937 random(11);
    std::size_t blocked = 0, free = 0, merged = 0;
    for (int round = 0; round < 120; ++round) {
        const RandomGraph graph(random, 5 + random() % 60);
        AliasSets sets(graph.program.graph, graph.facts, graph.times, graph.roles);
        PlainSets expected(graph);
        struct Asked {
            AliasSets::State state;
            AliasSets::Time time;
            std::vector<std::pair<std::size_t, std::size_t>> uses;
        };
        std::vector<Asked> asked;
        std::vector<std::pair<AliasSets::Mark, PlainSets>> steps;
        const auto storage_of = [&](std::size_t i) { return graph.facts.storages(node_of(i)).front(); };
        for (std::size_t i = 1; i + 1 < graph.times.size(); ++i) {
            steps.emplace_back(sets.mark(), expected);
            if (random() % 12 == 0 && i > 3) {
                // Back to an earlier moment, and on from there.
                const std::size_t back = 1 + random() % i;
                sets.undo_to(steps[back - 1].first);
                expected.nodes = steps[back - 1].second.nodes;
                expected.users = steps[back - 1].second.users;
                expected.first_argument = steps[back - 1].second.first_argument;
                std::erase_if(asked, [&](const Asked& one) { return one.time >= graph.times[back]; });
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(back), steps.end());
                i = back;
            }
            const AliasSets::Time now = graph.times[i];
            const std::size_t self = expected.first_argument[i];
            const auto uses = expected.later_uses(storage_of(self), now);
            asked.push_back({sets.state(storage_of(self)), now, uses});

            std::set<std::size_t> plain_users, scatters;
            for (const auto& [user, through] : uses)
                (graph.roles[user].is_scatter ? scatters : plain_users).insert(user);
            const auto use = sets.blocking_use(storage_of(self), now);
            if (plain_users.empty()) QCOMPARE(use.user, no_node);
            else
                QVERIFY(std::ranges::find(uses, std::pair<std::size_t, std::size_t>(
                                                    index_of(use.user), index_of(use.through))) != uses.end());
            std::set<std::size_t> found;
            for (const NodeId scatter : sets.later_scatters(storage_of(self), now)) found.insert(index_of(scatter));
            QCOMPARE(found, scatters);
            (plain_users.empty() ? free : blocked) += 1;

            // Accept what is free, as upstream does, and now and then what is not, as force does.
            if ((!plain_users.empty() && random() % 6 != 0) || storage_of(self) == storage_of(i)) continue;
            ++merged;
            QCOMPARE(sets.redirect(node_of(i), node_of(self), now).size(),
                     static_cast<std::size_t>(std::ranges::count_if(
                         expected.users[i], [&](std::size_t u) { return graph.times[u] > now; })));
            expected.redirect(i, self, now);
            sets.merge(storage_of(self), storage_of(i), now);
            expected.merge(storage_of(self), storage_of(i));
            for (const std::size_t scatter : scatters) {
                const std::size_t base = expected.first_argument[scatter];
                if (random() % 2) continue;
                sets.redirect(node_of(scatter), node_of(base), now);
                expected.redirect(scatter, base, now);
                sets.merge(storage_of(scatter), storage_of(base), now);
                expected.merge(storage_of(scatter), storage_of(base));
            }
        }
        // Every question can be asked again later.
        for (const Asked& one : asked) QCOMPARE(plain(sets.later_uses(one.state, one.time)), one.uses);
    }
    QVERIFY(blocked > 500 && free > 500 && merged > 500);
}

QTEST_APPLESS_MAIN(TestAliasSets)
#include "test_alias_sets.moc"
