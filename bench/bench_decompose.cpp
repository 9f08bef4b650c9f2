// Decomposition on graphs of the same calls over and over: time has to grow with the number of nodes.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/passes/decompose/session.h"

using namespace inspector;

namespace {

TensorMeta matrix(const SymbolicSize& rows) {
    TensorMeta meta;
    meta.sizes = {rows, std::int64_t{16}};
    meta.strides.emplace(std::vector<SymbolicSize>{std::int64_t{16}, std::int64_t{1}});
    meta.storage_offset = std::int64_t{0};
    meta.device = "cpu";
    return meta;
}

NodeId add(Graph& graph, Opcode opcode, std::string name, std::string target, std::vector<Argument> args, ValueMeta meta) {
    Node node;
    node.opcode = opcode;
    node.name = std::move(name);
    node.target = std::move(target);
    node.args = std::move(args);
    node.meta = std::move(meta);
    return graph.append(std::move(node));
}

/// x → linear → silu → linear → silu → …
ProgramGraph layers(std::int64_t nodes, const SymbolicSize& rows) {
    ProgramGraph made;
    made.id = "root";
    Graph& graph = made.graph;
    NodeId last = add(graph, Opcode::placeholder, "x", "x", {}, matrix(rows));
    const NodeId weight = add(graph, Opcode::placeholder, "w", "w", {}, matrix(std::int64_t{16}));
    for (std::int64_t i = 0; i < nodes / 2; ++i) {
        const std::string number = std::to_string(i);
        last = add(graph, Opcode::call_function, "linear_" + number, "torch.ops.aten.linear.default",
                   {NodeReference{last}, NodeReference{weight}}, matrix(rows));
        last = add(graph, Opcode::call_function, "silu_" + number, "torch.ops.aten.silu.default", {NodeReference{last}}, matrix(rows));
    }
    ArgumentList returned{ArgumentList::Kind::tuple, {NodeReference{last}}};
    add(graph, Opcode::output, "output", "output", {Argument(std::move(returned))}, UnknownMeta{});
    return made;
}

void run(benchmark::State& state, const ProgramGraph& graph) {
    std::unique_ptr<DecomposeSession> session;
    for (auto _ : state) {
        state.PauseTiming();
        session = std::move(*DecomposeSession::start(graph, {}));
        state.ResumeTiming();
        session->run_to_end();
    }
    state.counters["steps"] = session->position();
}

void constant(benchmark::State& state) { run(state, layers(state.range(0), std::int64_t{8})); }
void symbolic(benchmark::State& state) { run(state, layers(state.range(0), *SymbolicSize::parse("s0"))); }

/// From the end to the start.
void back(benchmark::State& state) {
    const auto session = std::move(*DecomposeSession::start(layers(state.range(0), std::int64_t{8}), {}));
    for (auto _ : state) {
        state.PauseTiming();
        session->run_to_end();
        state.ResumeTiming();
        session->restart();
    }
}

} // namespace

BENCHMARK(constant)->Name("decompose")->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(symbolic)->Name("decompose/symbolic")->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);
BENCHMARK(back)->Name("back")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
