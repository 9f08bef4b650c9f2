#include "core/libtorch/execution/interpreter.h"

#include <algorithm>
#include <optional>

#include <ATen/Context.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include "core/analysis/returned_values.h"
#include "core/analysis/value_facts.h"
#include "core/libtorch/execution/memory_meter.h"
#include "core/libtorch/execution/prims.h"
#include "core/libtorch/execution/python_functions.h"
#include "core/libtorch/execution/script_functions.h"
#include "core/libtorch/kernel_messages.h"
#include "core/libtorch/operators/boxing.h"
#include "core/libtorch/operators/unrolled_operators.h"
#include "core/passes/auto_functionalized/decompose.h"

namespace inspector {
namespace {

using c10::IValue;

constexpr std::string_view operator_prefix = "torch.ops.";
constexpr std::string_view higher_order_prefix = "torch.ops.higher_order.";
constexpr std::int64_t max_unrolled_steps = 2'000'000; // each makes a tensor
constexpr std::string_view script_prefix = "torch.ops.prim.";

/// Torch's sentence on a kernel that is lacking, without what follows on how torch was built.
std::string without_advice(std::string line) {
    if (line.starts_with("Could not run '")) line.resize(std::min(line.size(), line.find(". ")));
    return line;
}

/// Bytes the node's result will take, as far as its metadata tells. A view counts too: the estimate only guards the limit.
std::int64_t expected_bytes(const ValueMeta& meta, const std::map<std::string, std::int64_t>& sizes) {
    const auto* tensor = std::get_if<TensorMeta>(&meta);
    if (!tensor) return 0;
    std::int64_t bytes = element_size(tensor->dtype);
    for (const SymbolicSize& size : tensor->sizes) {
        const auto value = size.evaluate([&](std::string_view symbol) -> std::optional<std::int64_t> {
            const auto known = sizes.find(std::string(symbol));
            return known == sizes.end() ? std::nullopt : std::optional(known->second);
        });
        if (!value) return 0;
        if (__builtin_mul_overflow(bytes, *value, &bytes)) return INT64_MAX;
    }
    return bytes;
}

class Interpreter {
public:
    Interpreter(const Program& program, const std::map<std::string, IValue>& attributes, const RunOptions& options,
                const MemoryMeter& meter)
        : program_(program), attributes_(attributes), options_(options), meter_(meter) {}

    /// Values of the output node's argument.
    Result<IValue> run(std::size_t index, const Graph& graph, const std::vector<IValue>& inputs, int depth = 0) {
        if (depth > 32) return fail("", "graphs are nested more than 32 deep");
        if (std::ranges::any_of(graph, [&](NodeId id) { return is_custom_call(graph.node(id)); })) {
            const Graph plain = without_custom_calls(index, graph);
            // What could not be decomposed is refused where it stands.
            return run_plain(index, plain, inputs, depth);
        }
        return run_plain(index, graph, inputs, depth);
    }

    /// Whether the last error was this program's refusal and not torch's.
    [[nodiscard]] bool refused() const { return refused_; }

private:
    /// auto_functionalized calls become calls of their operators on clones.
    [[nodiscard]] Graph without_custom_calls(std::size_t index, const Graph& graph) const {
        const GraphFacts facts = GraphFacts::run(program_.graphs[index]);
        Graph plain = graph;
        decompose_custom_calls(
            plain, [&](NodeId value) { return index_of(value) < facts.size() ? facts.tensor(value) : nullptr; });
        return plain;
    }

    Result<IValue> run_plain(std::size_t index, const Graph& graph, const std::vector<IValue>& inputs, int depth) {
        std::vector<IValue> values(graph.id_limit());
        std::vector<std::vector<NodeId>> dead_after = last_uses(graph);
        std::size_t placeholder = 0, done = 0;
        for (const NodeId id : graph) {
            if (options_.cancelled && *options_.cancelled) return refuse("cancelled");
            if (depth == 0 && options_.progress) options_.progress(done++, graph.size());
            const Node& node = graph.node(id);
            const auto named = [&](Error error) {
                if (error.place.empty()) error.place = "%" + node.name;
                return tl::unexpected(std::move(error));
            };
            if (node.opcode == Opcode::placeholder) {
                if (placeholder == inputs.size()) return named({{}, {}, "there are fewer inputs than placeholders"});
                values[index_of(id)] = inputs[placeholder++];
                continue;
            }
            if (node.opcode == Opcode::output) {
                auto result = evaluate(graph, node.args.empty() ? Argument() : node.args.front(), values);
                return result ? std::move(result) : named(std::move(result.error()));
            }
            const std::int64_t bytes = expected_bytes(node.meta, options_.sizes);
            if (bytes > options_.memory_limit - meter_.current_bytes()) {
                refused_ = true;
                return named({{}, {}, "it needs " + std::to_string(bytes) + " bytes beside the " +
                                          std::to_string(meter_.current_bytes()) + " in use, more than the memory limit of " +
                                          std::to_string(options_.memory_limit) + " bytes"});
            }
            Result<IValue> value = guarded([&] { return call(index, graph, node, values, depth); });
            if (!value) return named(std::move(value.error()));
            values[index_of(id)] = std::move(*value);
            for (const NodeId dead : dead_after[index_of(id)]) values[index_of(dead)] = IValue();
        }
        return fail("", "the graph has no output");
    }

    tl::unexpected<Error> refuse(std::string reason) {
        refused_ = true;
        return fail("", std::move(reason));
    }

    template <typename Call> static Result<IValue> guarded(const Call& call) {
        try {
            return call();
        } catch (const c10::Error& error) {
            return fail("", without_advice(first_line(error.msg())));
        } catch (const std::bad_alloc&) {
            return fail("", "there is not enough memory");
        } catch (const std::exception& error) {
            return fail("", first_line(error.what()));
        }
    }

    /// For each node, those whose values nobody needs after it.
    static std::vector<std::vector<NodeId>> last_uses(const Graph& graph) {
        std::vector<NodeId> last(graph.id_limit(), no_node);
        for (const NodeId id : graph) {
            last[index_of(id)] = id;
            for (const NodeId input : graph.inputs(id)) last[index_of(input)] = id;
        }
        std::vector<std::vector<NodeId>> dead(graph.id_limit());
        for (const NodeId id : graph)
            if (graph.node(id).opcode != Opcode::placeholder) dead[index_of(last[index_of(id)])].push_back(id);
        return dead;
    }

    Result<IValue> evaluate(const Graph& graph, const Argument& argument, const std::vector<IValue>& values) const {
        if (const auto* reference = argument.as<NodeReference>()) return values[index_of(reference->node)];
        if (const auto* size = argument.as<SymbolicSize>()) {
            const auto value = size->evaluate([&](std::string_view symbol) -> std::optional<std::int64_t> {
                const auto known = options_.sizes.find(std::string(symbol));
                return known == options_.sizes.end() ? std::nullopt : std::optional(known->second);
            });
            if (!value) return fail("", "the size " + size->to_string() + " is not known");
            return IValue(*value);
        }
        const auto* list = argument.as<ArgumentList>();
        if (!list) return to_ivalue(argument);
        std::vector<IValue> items;
        for (const Argument& item : list->items) {
            auto value = evaluate(graph, item, values);
            if (!value) return value;
            items.push_back(std::move(*value));
        }
        if (list->kind == ArgumentList::Kind::slice) return fail("", "a slice cannot be evaluated");
        if (list->kind == ArgumentList::Kind::tuple) return IValue(c10::ivalue::Tuple::create(std::move(items)));
        return make_list(std::move(items));
    }

    Result<IValue> call(std::size_t index, const Graph& graph, const Node& node, const std::vector<IValue>& values, int depth) {
        if (node.opcode == Opcode::get_attr) {
            const auto known = attributes_.find(node.target);
            if (known != attributes_.end()) return known->second;
            if (subgraph(index, node.target)) return IValue(node.target); // called by name, see higher_order
            return fail("", "the attribute " + node.target + " has no known value");
        }
        if (node.opcode != Opcode::call_function)
            return fail("", "calls of methods and modules cannot be run; only operators can");

        std::vector<IValue> args;
        for (const Argument& argument : node.args) {
            auto value = evaluate(graph, argument, values);
            if (!value) return value;
            args.push_back(std::move(*value));
        }
        if (node.target.starts_with(higher_order_prefix))
            return higher_order(index, node.target.substr(higher_order_prefix.size()), args, depth);
        if (node.target == "torch.ops.prim.If" || node.target == "torch.ops.prim.Loop")
            return script_control_flow(index, node.target.substr(script_prefix.size()), args, depth);
        if (node.target.starts_with(operator_prefix)) {
            std::vector<std::pair<std::string, IValue>> kwargs;
            for (const auto& [name, argument] : node.kwargs) {
                auto value = evaluate(graph, argument, values);
                if (!value) return value;
                kwargs.emplace_back(name, std::move(*value));
            }
            const OperatorCall made{node.target.substr(operator_prefix.size()), std::move(args), std::move(kwargs)};
            const auto in_aten = as_aten_call(made);
            return call_operator(in_aten ? *in_aten : made);
        }
        if (auto value = call_python_function(node.target, args)) return std::move(*value);
        return fail("", node.target + " cannot be run");
    }

    static Result<IValue> call_operator(const OperatorCall& call) {
        const auto& [name, args, kwargs] = call;
        const auto first = name.find('.'), second = name.find('.', first + 1);
        if (first == std::string::npos || second == std::string::npos) return fail("", name + " names no overload");
        const std::string qualified = name.substr(0, first) + "::" + name.substr(first + 1, second - first - 1);
        const std::string overload = name.substr(second + 1) == "default" ? "" : name.substr(second + 1);
        if (qualified == "aten::from_file") return fail("", "a graph may not open files");
        if (qualified == "aten::_print") return fail("", "a graph may not print");
        if (is_script_function(qualified)) return call_script_function(qualified, overload, args);
        const auto handle = c10::Dispatcher::singleton().findSchema({qualified, overload});
        if (!handle) return fail("", "this LibTorch has no operator " + name);

        const auto& parameters = handle->schema().arguments();
        torch::jit::Stack stack(parameters.size());
        std::vector<bool> given(parameters.size(), false);
        if (args.size() > parameters.size()) return fail("", name + " is given too many arguments");
        for (std::size_t i = 0; i < args.size(); ++i) {
            stack[i] = args[i];
            given[i] = true;
        }
        for (const auto& [key, value] : kwargs) {
            const auto place = std::ranges::find_if(parameters, [&, &key = key](const auto& p) { return p.name() == key; });
            if (place == parameters.end()) return fail("", name + " has no argument " + key);
            stack[static_cast<std::size_t>(place - parameters.begin())] = value;
            given[static_cast<std::size_t>(place - parameters.begin())] = true;
        }
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (!given[i]) {
                if (parameters[i].default_value()) stack[i] = *parameters[i].default_value();
                else if (parameters[i].type()->kind() != c10::TypeKind::OptionalType)
                    return fail("", name + " is not given its argument " + parameters[i].name());
                continue;
            }
            // A graph traced on another device runs on this one.
            if (stack[i].isDevice()) stack[i] = c10::Device(c10::kCPU);
            if (stack[i].isTuple() && parameters[i].type()->kind() == c10::TypeKind::ListType)
                stack[i] = make_list(stack[i].toTupleRef().elements().vec());
            auto fitted = coerce(std::move(stack[i]), parameters[i], c10::Device(c10::kCPU));
            if (!fitted) return fitted;
            stack[i] = std::move(*fitted);
        }
        if (unrolled_steps(qualified, stack) > max_unrolled_steps)
            return fail("", name + " would take more than " + std::to_string(max_unrolled_steps) + " steps");
        handle->callBoxed(stack);
        if (stack.empty()) return IValue();
        if (stack.size() == 1) return std::move(stack.front());
        return IValue(c10::ivalue::Tuple::create(std::move(stack)));
    }

    std::optional<std::size_t> subgraph(std::size_t parent, std::string_view attribute) const {
        for (std::size_t i = 0; i < program_.graphs.size(); ++i)
            if (program_.graphs[i].parent == parent && program_.graphs[i].attribute == attribute) return i;
        return std::nullopt;
    }

    Result<IValue> call_subgraph(std::size_t parent, const IValue& name, std::vector<IValue> inputs, int depth) {
        const auto index = name.isString() ? subgraph(parent, name.toStringRef()) : std::nullopt;
        if (!index) return fail("", "the graph it calls is not in the file");
        return run(*index, program_.graphs[*index].graph, inputs, depth + 1);
    }

    static std::vector<IValue> items_of(const IValue& value) {
        if (value.isTuple()) return value.toTupleRef().elements().vec();
        if (value.isList()) return value.toListRef().vec();
        return {value};
    }

    static bool truth(const IValue& value) {
        if (value.isTensor()) return value.toTensor().item().toBool();
        return value.isBool() ? value.toBool() : value.toInt() != 0;
    }

    Result<IValue> higher_order(std::size_t index, std::string_view name, const std::vector<IValue>& args, int depth) {
        if (name == "cond" && args.size() == 4)
            return call_subgraph(index, truth(args[0]) ? args[1] : args[2], items_of(args[3]), depth);
        if (name == "while_loop" && args.size() == 4) {
            std::vector<IValue> carried = items_of(args[2]);
            const std::vector<IValue> constant = items_of(args[3]);
            const auto inputs = [&] {
                std::vector<IValue> all = carried;
                all.insert(all.end(), constant.begin(), constant.end());
                return all;
            };
            for (int round = 0; round < 1'000'000; ++round) {
                if (options_.cancelled && *options_.cancelled) return refuse("cancelled");
                auto go_on = call_subgraph(index, args[0], inputs(), depth);
                if (!go_on) return go_on;
                const std::vector<IValue> answer = items_of(*go_on);
                if (answer.size() != 1) return fail("", "the loop's condition gives " + std::to_string(answer.size()) + " values");
                if (!truth(answer.front())) return IValue(c10::ivalue::Tuple::create(std::move(carried)));
                auto next = call_subgraph(index, args[1], inputs(), depth);
                if (!next) return next;
                carried = items_of(*next);
            }
            return fail("", "the loop does not end within a million rounds");
        }
        if (name == "wrap_with_set_grad_enabled" && args.size() >= 2)
            return call_subgraph(index, args[1], {args.begin() + 2, args.end()}, depth);
        return fail("", "the higher-order operator " + std::string(name) + " cannot be run");
    }

    /// TorchScript's, see formats/torchscript/lowering.h.
    Result<IValue> script_control_flow(std::size_t index, std::string_view name, const std::vector<IValue>& args, int depth) {
        if (name == "If" && args.size() == 4)
            return call_subgraph(index, truth(args[0]) ? args[1] : args[2], items_of(args[3]), depth);
        if (name != "Loop" || args.size() != 5) return fail("", "prim." + std::string(name) + " has an unknown form");
        std::vector<IValue> carried = items_of(args[3]);
        const std::vector<IValue> used = items_of(args[4]);
        bool goes_on = truth(args[1]);
        for (std::int64_t round = 0; goes_on && round < args[0].toInt(); ++round) {
            if (round == 1'000'000) return fail("", "the loop does not end within a million rounds");
            if (options_.cancelled && *options_.cancelled) return refuse("cancelled");
            std::vector<IValue> inputs{IValue(round)};
            inputs.insert(inputs.end(), carried.begin(), carried.end());
            inputs.insert(inputs.end(), used.begin(), used.end());
            auto result = call_subgraph(index, args[2], std::move(inputs), depth);
            if (!result) return result;
            const std::vector<IValue> values = items_of(*result);
            if (values.size() < carried.size() + 1) return fail("", "the loop's body gives " + std::to_string(values.size()) + " values");
            goes_on = truth(values.front());
            std::copy_n(values.begin() + 1, carried.size(), carried.begin());
        }
        return IValue(c10::ivalue::Tuple::create(std::move(carried)));
    }

    const Program& program_;
    const std::map<std::string, IValue>& attributes_;
    const RunOptions& options_;
    const MemoryMeter& meter_;
    bool refused_ = false;
};

void flatten(const IValue& value, std::vector<IValue>& leaves) {
    if (value.isTuple()) for (const IValue& item : value.toTupleRef().elements()) flatten(item, leaves);
    else if (value.isList()) for (const IValue& item : value.toListRef()) flatten(item, leaves);
    else leaves.push_back(value);
}

/// What torch.export does after the graph has run: the signature's mutations are written back.
Result<void> write_mutations(const ProgramGraph& source, const std::vector<IValue>& outputs, const std::vector<IValue>& inputs) {
    if (!source.signature) return {};
    const std::vector<OutputSpec>& specs = source.signature->outputs;
    for (std::size_t i = 0; i < std::min(specs.size(), outputs.size()); ++i) {
        const auto input = mutated_input(source, specs[i]);
        if (!input) continue;
        if (*input >= inputs.size() || !inputs[*input].isTensor() || !outputs[i].isTensor())
            return fail("output " + std::to_string(i), "it updates " + specs[i].target + ", and one of the two is no tensor");
        at::Tensor destination = inputs[*input].toTensor();
        if (!destination.is_same(outputs[i].toTensor())) destination.copy_(outputs[i].toTensor());
    }
    return {};
}

} // namespace

std::optional<std::size_t> mutated_input(const ProgramGraph& source, const OutputSpec& spec) {
    if (!source.signature) return std::nullopt;
    const std::vector<InputSpec>& inputs = source.signature->inputs;
    const auto found = std::ranges::find_if(inputs, [&](const InputSpec& input) { return is_written_back_to(spec, input); });
    return found == inputs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - inputs.begin()));
}

tl::expected<RunOutcome, RunFailure> run_graph(const Program& program, std::size_t index, const Graph& graph,
                                               const std::vector<IValue>& inputs,
                                               const std::map<std::string, IValue>& attributes, const RunOptions& options) {
    SilentWarnings silence;
    const c10::WarningUtils::WarningHandlerGuard quiet(&silence);
    const c10::AutoGradMode no_gradients(false);
    at::manual_seed(options.seed);

    const MemoryMeter meter;
    RunOutcome outcome;
    Interpreter interpreter(program, attributes, options, meter);
    auto result = interpreter.run(index, graph, inputs);
    if (!result) return tl::unexpected(RunFailure{std::move(result.error()), interpreter.refused()});
    flatten(*result, outcome.outputs);
    try {
        if (auto written = write_mutations(program.graphs[index], outcome.outputs, inputs); !written)
            return tl::unexpected(RunFailure{std::move(written.error())});
    } catch (const std::exception& error) {
        return tl::unexpected(RunFailure{{{}, "output", first_line(error.what())}});
    }
    outcome.peak_bytes = meter.peak_bytes();
    return outcome;
}

} // namespace inspector
