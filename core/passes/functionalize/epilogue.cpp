#include "core/passes/functionalize/epilogue.h"

#include <algorithm>


namespace inspector {
namespace {

std::vector<Argument> results_of(const Graph& graph) {
    if (graph.output() == no_node || graph.node(graph.output()).args.empty()) return {};
    const Argument& returned = graph.node(graph.output()).args.front();
    const auto* list = returned.as<ArgumentList>();
    return list ? list->items : std::vector<Argument>{returned};
}

OutputSpec specification(const Signature& signature, const std::string& placeholder) {
    using In = InputSpec::Kind;
    using Out = OutputSpec::Kind;
    const auto found = std::ranges::find(signature.inputs, placeholder, &InputSpec::placeholder);
    if (found == signature.inputs.end()) return {Out::user_input_mutation, {}, placeholder};
    if (found->kind == In::buffer) return {Out::buffer_mutation, {}, found->target};
    if (found->kind == In::parameter) return {Out::parameter_mutation, {}, found->target};
    return {Out::user_input_mutation, {}, placeholder};
}

} // namespace

Signature functional_signature(const ProgramGraph& source, const Graph& functional, const std::vector<WrittenInput>& written) {
    Signature signature;
    if (source.signature) {
        signature = *source.signature;
    } else {
        for (const NodeId id : source.graph.placeholders())
            signature.inputs.push_back({InputSpec::Kind::user_input, source.graph.node(id).name, {}, {}});
        signature.outputs.resize(results_of(source.graph).size());
    }
    std::vector<OutputSpec> mutations;
    for (const WrittenInput& input : written)
        mutations.push_back(specification(signature, functional.node(input.placeholder).name));
    signature.outputs.insert(signature.outputs.begin(), mutations.begin(), mutations.end());
    const std::vector<Argument> results = results_of(functional);
    for (std::size_t i = 0; i < std::min(results.size(), signature.outputs.size()); ++i)
        if (results[i].node() != no_node) signature.outputs[i].value = functional.node(results[i].node()).name;
    return signature;
}

} // namespace inspector
