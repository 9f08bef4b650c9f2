#include "core/passes/decompose/composite.h"

#include <algorithm>

#include "core/operators/composite_trace.h"

namespace inspector::decomposition {
namespace {

/// Puts the calls of one trace, or of one at each sample that differ in sizes only, into the graph.
class TraceReplay {
public:
    TraceReplay(Call& call, const std::vector<CompositeTrace>& traces) : call_(call), traces_(traces) {
        for (const Argument& argument : call.arguments()) collect_inputs(argument);
    }

    Values replay() {
        const CompositeTrace& first = traces_.front();
        if (values_.size() != first.input_count) return call_.decline("its operands are not all tensors of known shape");
        for (const CompositeTrace& trace : traces_)
            if (trace.calls.size() != first.calls.size()) return call_.decline("what it does depends on the size of a symbol");
        for (std::size_t i = 0; i < first.calls.size() && !call_.has_trouble(); ++i) replay_call(i);
        Values made;
        for (std::size_t i = 0; i < first.results.size() && !call_.has_trouble(); ++i) {
            const Argument result = combined([&](const CompositeTrace& trace) { return &trace.results[i]; });
            if (const auto* list = result.as<ArgumentList>()) made.items.insert(made.items.end(), list->items.begin(), list->items.end());
            else made.items.push_back(result);
        }
        return made;
    }

private:
    void collect_inputs(const Argument& argument) {
        if (const auto* list = argument.as<ArgumentList>())
            for (const Argument& item : list->items) collect_inputs(item);
        else if (argument.node() != no_node && std::holds_alternative<TensorMeta>(call_.graph().node(argument.node()).meta))
            values_.push_back(argument);
    }

    void replay_call(std::size_t index) {
        const TracedCall& first = traces_.front().calls[index];
        for (const CompositeTrace& trace : traces_) {
            const TracedCall& other = trace.calls[index];
            if (other.op != first.op || other.args.size() != first.args.size() || other.kwargs.size() != first.kwargs.size() ||
                other.result_count != first.result_count)
                return call_.trouble("what it does depends on the size of a symbol");
        }
        std::vector<Argument> args;
        std::vector<NamedArgument> kwargs;
        for (std::size_t i = 0; i < first.args.size(); ++i)
            args.push_back(combined([&](const CompositeTrace& trace) { return &trace.calls[index].args[i]; }));
        for (std::size_t i = 0; i < first.kwargs.size(); ++i)
            kwargs.emplace_back(first.kwargs[i].first,
                                combined([&](const CompositeTrace& trace) { return &trace.calls[index].kwargs[i].second; }));
        const std::string target = first.op->short_target();
        if (!target.starts_with("aten.")) return call_.trouble("it calls " + target);
        const Tensor made = call_.add(target.substr(5), std::move(args), std::move(kwargs));
        if (!first.returns_list) {
            values_.push_back(made);
            return;
        }
        for (std::size_t i = 0; i < first.result_count; ++i) values_.push_back(item(made, i));
    }

    /// None where the operator gives no tensor there.
    Argument item(const Tensor& list, std::size_t index) {
        const auto* all = list.is_defined() ? std::get_if<ListMeta>(&call_.graph().node(list.node()).meta) : nullptr;
        if (all && index < all->items.size() && !all->items[index]) return None{};
        return call_.item(list, index);
    }

    /// What is the same in every trace, or a size.
    template <typename Find> Argument combined(const Find& find) {
        std::vector<const Argument*> all;
        for (const CompositeTrace& trace : traces_) all.push_back(find(trace));
        return combine(all);
    }

    Argument combine(const std::vector<const Argument*>& all) {
        const Argument& first = *all.front();
        if (const auto* list = first.as<ArgumentList>()) {
            ArgumentList made{list->kind, {}};
            for (std::size_t i = 0; i < list->items.size(); ++i) {
                std::vector<const Argument*> items;
                for (const Argument* one : all) {
                    const auto* other = one->as<ArgumentList>();
                    if (!other || other->items.size() != list->items.size()) return unlike();
                    items.push_back(&other->items[i]);
                }
                made.items.push_back(combine(items));
            }
            return made;
        }
        if (const NodeId value = first.node(); value != no_node) {
            for (const Argument* one : all)
                if (one->node() != value) return unlike();
            return values_[index_of(value)];
        }
        if (std::ranges::all_of(all, [&](const Argument* one) { return *one == first; })) return first;
        SymbolSamples::Numbers numbers{};
        if (all.size() != numbers.size()) return unlike();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto* number = all[i]->as<std::int64_t>();
            if (!number) return unlike();
            numbers[i] = *number;
        }
        const auto size = call_.metadata().samples().expression(numbers);
        return size ? call_.hold(*size) : unlike();
    }

    Argument unlike() {
        call_.trouble("what it does depends on the size of a symbol");
        return {};
    }

    Call& call_;
    const std::vector<CompositeTrace>& traces_;
    std::vector<Argument> values_; ///< of the graph, by the traces' numbers
};

} // namespace

bool can_trace(const Operator& op) { return op.is_composite && (op.name.starts_with("aten::") || op.registered_here); }

Values traced(Call& call) {
    const std::vector<Argument> arguments = call.arguments();
    const bool symbolic = std::ranges::any_of(arguments, [&](const Argument& argument) {
        return call.metadata().is_symbolic(call.graph(), argument);
    });
    std::vector<CompositeTrace> traces;
    for (std::size_t sample = 0; sample < (symbolic ? SymbolSamples::count : 1); ++sample) {
        std::vector<MetaValue> values;
        for (const Argument& argument : arguments) {
            auto value = call.metadata().evaluate(call.graph(), argument, sample);
            if (!value) return call.decline(value.error().reason);
            values.push_back(std::move(*value));
        }
        auto trace = trace_composite(call.op(), values);
        if (!trace) return call.decline(trace.error().reason);
        traces.push_back(std::move(*trace));
    }
    return TraceReplay(call, traces).replay();
}

} // namespace inspector::decomposition
