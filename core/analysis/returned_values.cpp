#include "core/analysis/returned_values.h"

namespace inspector {

bool is_written_back(const OutputSpec& spec) {
    using Kind = OutputSpec::Kind;
    return spec.kind == Kind::buffer_mutation || spec.kind == Kind::user_input_mutation ||
           spec.kind == Kind::parameter_mutation;
}

bool is_written_back_to(const OutputSpec& spec, const InputSpec& input) {
    if (!is_written_back(spec)) return false;
    return spec.target == (spec.kind == OutputSpec::Kind::user_input_mutation ? input.placeholder : input.target);
}

std::vector<NodeId> returned_values(const ProgramGraph& source, const Graph& graph) {
    std::vector<NodeId> values;
    const NodeId output = graph.output();
    if (output == no_node || graph.node(output).args.empty()) return values;
    const auto take = [&](const Argument& result) {
        for_each_reference(result, [&](NodeId value) { values.push_back(value); });
    };
    const Argument& results = graph.node(output).args[0];
    const auto* list = results.as<ArgumentList>();
    if (!list) {
        take(results);
        return values;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const bool has_spec = source.signature && i < source.signature->outputs.size();
        if (!has_spec || !is_written_back(source.signature->outputs[i])) take(list->items[i]);
    }
    return values;
}

} // namespace inspector
