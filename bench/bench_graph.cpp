// What a graph costs to build, edit, undo and print: element-wise chains of up to 100,000 nodes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/graph/graph.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"

using namespace inspector;

namespace {

/// x → add_1 → add_2 → …
Graph chain(const benchmark::State& state) {
    TensorMeta meta;
    meta.sizes = {4, 4};
    meta.strides = std::vector<SymbolicSize>{4, 1};
    meta.device = "cpu";
    Graph graph;
    NodeId last = no_node;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        Node node;
        node.opcode = i == 0 ? Opcode::placeholder : Opcode::call_function;
        node.name = i == 0 ? "x" : "add_" + std::to_string(i);
        node.target = i == 0 ? "x" : "torch.ops.aten.add.Tensor";
        if (i > 0) node.args = {NodeReference{last}, std::int64_t{1}};
        node.meta = meta;
        last = graph.append(std::move(node));
    }
    graph.forget_history();
    return graph;
}

void build(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(chain(state).size());
}

void copy(benchmark::State& state) {
    const Graph graph = chain(state);
    for (auto _ : state) benchmark::DoNotOptimize(Graph(graph).size());
}

void verify_whole(benchmark::State& state) {
    const Graph graph = chain(state);
    for (auto _ : state) benchmark::DoNotOptimize(verify(graph).empty());
}

void set_every_target_and_undo(benchmark::State& state) {
    Graph graph = chain(state);
    for (auto _ : state) {
        for (const NodeId id : graph) graph.set_target(id, "torch.ops.aten.add_.Tensor");
        graph.undo_to(0);
    }
}

void redirect_every_use_to_one_node_and_undo(benchmark::State& state) {
    Graph graph = chain(state);
    const NodeId x = graph.first();
    for (auto _ : state) {
        for (NodeId id = graph.last(); graph.previous(id) != x; id = graph.previous(id))
            graph.replace_input(id, graph.previous(id), x);
        graph.undo_to(0);
    }
}

void insert_at_one_place_and_undo(benchmark::State& state) {
    Graph graph = chain(state);
    const NodeId last = graph.last();
    for (auto _ : state) {
        for (std::int64_t i = 0; i < state.range(0); ++i) {
            Node node;
            node.name = graph.fresh_name("copy__default");
            node.target = "torch.ops.aten.copy_.default";
            graph.insert_before(last, std::move(node));
        }
        graph.undo_to(0);
    }
}

void print_fx_text(benchmark::State& state) {
    const Graph graph = chain(state);
    for (auto _ : state) benchmark::DoNotOptimize(print_fx(graph).size());
}

void print_readable_text(benchmark::State& state) {
    const Graph graph = chain(state);
    for (auto _ : state) benchmark::DoNotOptimize(print_readable(graph, {}).size());
}

void lengths(benchmark::internal::Benchmark* benchmark) {
    benchmark->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
}

BENCHMARK(build)->Apply(lengths);
BENCHMARK(copy)->Apply(lengths);
BENCHMARK(verify_whole)->Apply(lengths);
BENCHMARK(set_every_target_and_undo)->Apply(lengths);
BENCHMARK(redirect_every_use_to_one_node_and_undo)->Apply(lengths);
BENCHMARK(insert_at_one_place_and_undo)->Apply(lengths);
BENCHMARK(print_fx_text)->Apply(lengths);
BENCHMARK(print_readable_text)->Apply(lengths);

} // namespace
