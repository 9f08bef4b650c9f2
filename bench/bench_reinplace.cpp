// The re-inplacing pass on graphs whose cost is known to grow badly in a naive implementation. Times are of the pass
// alone, without metadata and without copying the graph.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/passes/reinplace/session.h"

using namespace inspector;

namespace {

/// Builds graphs of 4×4 float tensors by name of operator.
class Builder {
public:
    Builder() { x_ = add(Opcode::placeholder, "x", "x", {}, matrix()); }

    static TensorMeta matrix() { return tensor({4, 4}, {4, 1}); }
    static TensorMeta row() { return tensor({4}, {1}); }

    NodeId input() const { return x_; }
    NodeId call(const std::string& op, std::vector<Argument> args, ValueMeta meta) {
        return add(Opcode::call_function, "n" + std::to_string(++count_), "torch.ops.aten." + op, std::move(args),
                   std::move(meta));
    }
    NodeId elementwise(NodeId operand) { return call("neg.default", {NodeReference{operand}}, matrix()); }
    NodeId sum(NodeId a, NodeId b) { return call("add.Tensor", {NodeReference{a}, NodeReference{b}}, matrix()); }
    NodeId clone() { return call("clone.default", {NodeReference{x_}}, matrix()); }

    ProgramGraph finish(const std::vector<NodeId>& returned) {
        ArgumentList list{ArgumentList::Kind::tuple, {}};
        for (const NodeId node : returned) list.items.emplace_back(NodeReference{node});
        add(Opcode::output, "output", "output", {Argument(std::move(list))}, UnknownMeta{});
        program_.id = "root";
        return std::move(program_);
    }

private:
    static TensorMeta tensor(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides) {
        TensorMeta meta;
        meta.sizes.assign(sizes.begin(), sizes.end());
        meta.strides.emplace(strides.begin(), strides.end());
        meta.device = "cpu";
        return meta;
    }
    NodeId add(Opcode opcode, std::string name, std::string target, std::vector<Argument> args, ValueMeta meta) {
        Node node;
        node.opcode = opcode;
        node.name = std::move(name);
        node.target = std::move(target);
        node.args = std::move(args);
        node.meta = std::move(meta);
        return program_.graph.append(std::move(node));
    }

    ProgramGraph program_;
    NodeId x_ = no_node;
    int count_ = 0;
};

/// x → clone → neg → neg → … : every one is written in place.
ProgramGraph chain(std::int64_t nodes) {
    Builder builder;
    NodeId last = builder.clone();
    for (std::int64_t i = 1; i < nodes; ++i) last = builder.elementwise(last);
    return builder.finish({last});
}

/// A chain whose every second value is read again two steps later, so that half of the writes are refused.
ProgramGraph half_blocked(std::int64_t nodes) {
    Builder builder;
    NodeId last = builder.clone();
    for (std::int64_t i = 1; i + 1 < nodes; i += 2) {
        const NodeId blocked = builder.elementwise(last);
        last = builder.sum(blocked, last);
    }
    return builder.finish({last});
}

/// One base; a view of each of its rows, all written. Only the last write finds no later reader.
ProgramGraph many_views(std::int64_t nodes) {
    Builder builder;
    const NodeId base = builder.clone();
    std::vector<NodeId> views, written;
    for (std::int64_t i = 0; i < nodes / 2; ++i)
        views.push_back(builder.call("select.int", {NodeReference{base}, std::int64_t{0}, i % 4}, Builder::row()));
    for (const NodeId view : views)
        written.push_back(builder.call("neg.default", {NodeReference{view}}, Builder::row()));
    return builder.finish(written);
}

/// What functionalization makes of `for i: base[i].neg_()`: view, op, scatter, and the next view is taken of the scatter.
ProgramGraph scatter_loop(std::int64_t nodes) {
    Builder builder;
    NodeId base = builder.clone();
    for (std::int64_t i = 0; i < nodes / 3; ++i) {
        const std::int64_t row = i % 4;
        const NodeId view = builder.call("select.int", {NodeReference{base}, std::int64_t{0}, row}, Builder::row());
        const NodeId made = builder.call("neg.default", {NodeReference{view}}, Builder::row());
        base = builder.call("select_scatter.default", {NodeReference{base}, NodeReference{made}, std::int64_t{0}, row},
                            Builder::matrix());
    }
    return builder.finish({base});
}

/// A chain with a view of each value that nobody uses, all at its end: they stay in the alias set for long.
ProgramGraph unused_views(std::int64_t nodes) {
    Builder builder;
    std::vector<NodeId> values{builder.clone()};
    for (std::int64_t i = 1; i < nodes / 2; ++i) values.push_back(builder.elementwise(values.back()));
    for (const NodeId value : values)
        builder.call("select.int", {NodeReference{value}, std::int64_t{0}, std::int64_t{0}}, Builder::row());
    return builder.finish({values.back()});
}

/// A first run, on memory not used before.
void pass(benchmark::State& state, ProgramGraph (*make)(std::int64_t), const char* policy) {
    const ProgramGraph graph = make(state.range(0));
    ReinplaceSession::Options options;
    options.policy = policy;
    std::unique_ptr<ReinplaceSession> session;
    for (auto _ : state) {
        state.PauseTiming();
        session = std::move(*ReinplaceSession::start(graph, options));
        state.ResumeTiming();
        session->run_to_end();
    }
    state.counters["reinplaced"] = static_cast<double>(summarize(*session).reinplaced);
}

/// Reading the metadata and copying the graph: what comes before the pass.
void start(benchmark::State& state) {
    const ProgramGraph graph = chain(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(ReinplaceSession::start(graph, {}));
}

/// Back from the end to the start.
void back(benchmark::State& state) {
    const ProgramGraph graph = chain(state.range(0));
    const auto session = std::move(*ReinplaceSession::start(graph, {}));
    for (auto _ : state) {
        state.PauseTiming();
        session->run_to_end();
        state.ResumeTiming();
        session->restart();
    }
}

} // namespace

BENCHMARK_CAPTURE(pass, chain, &chain, "torch-fx")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, half_blocked, &half_blocked, "torch-fx")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, many_views, &many_views, "torch-fx")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, scatter_loop, &scatter_loop, "torch-fx")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, unused_views, &unused_views, "torch-fx")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sound_chain, &chain, "sound")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sound_half_blocked, &half_blocked, "sound")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sound_many_views, &many_views, "sound")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sound_scatter_loop, &scatter_loop, "sound")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(pass, sound_unused_views, &unused_views, "sound")
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(back)->Name("back/chain")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(start)->Name("start/chain")->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
