#include <algorithm>

#include "tests/random_programs/random_program.h"

namespace inspector {
namespace {

void drop_dead(Graph& graph) {
    std::vector<NodeId> nodes(graph.begin(), graph.end());
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
        const Node& node = graph.node(*id);
        const bool writes = node.target.find("_.") != std::string::npos;
        if (node.opcode == Opcode::call_function && !writes && !graph.has_users(*id)) graph.erase(*id);
    }
}

/// Erases a call that nobody uses, then what it alone needed; other dead nodes stay, since they may be the fault.
void drop_chain(Graph& graph, NodeId id) {
    if (!graph.contains(id) || graph.has_users(id) || graph.node(id).opcode != Opcode::call_function) return;
    const std::vector<NodeId> inputs = graph.inputs(id);
    graph.erase(id);
    for (const NodeId input : inputs) drop_chain(graph, input);
}

class Shrinker {
public:
    Shrinker(Program program, const std::function<bool(const Program&)>& fails) : best_(std::move(program)), fails_(fails) {}

    Program run() {
        for (bool smaller = true; smaller;) smaller = drop_outputs() || replace_values() || drop_unused();
        return std::move(best_);
    }

private:
    /// Takes the candidate if it is smaller and still fails: without its dead nodes, or with them where they matter.
    bool accept(Program candidate) {
        Program lean = candidate;
        drop_dead(lean.graphs[0].graph);
        return accept_as_is(std::move(lean)) || accept_as_is(std::move(candidate));
    }

    bool accept_as_is(Program candidate) {
        candidate.graphs[0].graph.forget_history();
        if (candidate.graphs[0].graph.size() >= best_.graphs[0].graph.size() && weight(candidate) >= weight(best_)) return false;
        if (!fails_(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    static std::size_t outputs(const Program& program) {
        const Graph& graph = program.graphs[0].graph;
        const auto* list = graph.node(graph.output()).args.front().as<ArgumentList>();
        return list ? list->items.size() : 1;
    }
    static std::size_t weight(const Program& program) { return program.graphs[0].graph.size() * 8 + outputs(program); }

    bool drop_outputs() {
        const Graph& graph = best_.graphs[0].graph;
        const auto* list = graph.node(graph.output()).args.front().as<ArgumentList>();
        if (!list || list->items.size() < 2) return false;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            Program candidate = best_;
            Graph& changed = candidate.graphs[0].graph;
            ArgumentList fewer = *list;
            fewer.items.erase(fewer.items.begin() + std::ptrdiff_t(i));
            changed.set_arguments(changed.output(), {Argument(std::move(fewer))}, {});
            if (accept(std::move(candidate))) return true;
        }
        return false;
    }

    /// Puts an earlier value of the same layout in a node's place, everywhere.
    bool replace_values() {
        const std::vector<NodeId> nodes(best_.graphs[0].graph.begin(), best_.graphs[0].graph.end());
        for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
            const Node& node = best_.graphs[0].graph.node(*id);
            if (node.opcode != Opcode::call_function) continue;
            const auto* meta = std::get_if<TensorMeta>(&node.meta);
            if (!meta) continue;
            for (const NodeId other : nodes) {
                if (other == *id) break;
                const auto* earlier = std::get_if<TensorMeta>(&best_.graphs[0].graph.node(other).meta);
                if (!earlier || !(*earlier == *meta)) continue;
                Program candidate = best_;
                Graph& changed = candidate.graphs[0].graph;
                for (const NodeId user : changed.users(*id)) changed.replace_input(user, *id, other);
                drop_chain(changed, *id);
                if (accept(std::move(candidate))) return true;
            }
        }
        return false;
    }

    bool drop_unused() {
        const std::vector<NodeId> nodes(best_.graphs[0].graph.begin(), best_.graphs[0].graph.end());
        for (const NodeId id : nodes) {
            if (best_.graphs[0].graph.node(id).opcode != Opcode::call_function || best_.graphs[0].graph.has_users(id)) continue;
            Program candidate = best_;
            candidate.graphs[0].graph.erase(id);
            if (accept(std::move(candidate))) return true;
        }
        return false;
    }

    Program best_;
    const std::function<bool(const Program&)>& fails_;
};

} // namespace

Program without_dead_code(Program program) {
    drop_dead(program.graphs[0].graph);
    program.graphs[0].graph.forget_history();
    return program;
}

Program shrink(Program program, const std::function<bool(const Program&)>& fails) { return Shrinker(std::move(program), fails).run(); }

} // namespace inspector
