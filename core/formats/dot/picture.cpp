#include "core/formats/dot/picture.h"

#include "core/analysis/value_facts.h"
#include "core/graph/utf8.h"
#include "core/graph/print.h"

namespace inspector {
namespace {

std::string operation(const Node& node) {
    constexpr std::string_view prefix = "torch.ops.";
    switch (node.opcode) {
    case Opcode::placeholder: return "placeholder";
    case Opcode::output: return "output";
    case Opcode::get_attr: return "get_attr " + one_line(node.target);
    case Opcode::call_function:
    case Opcode::call_method:
    case Opcode::call_module: break;
    }
    const std::string_view target = node.target;
    return one_line(target.starts_with(prefix) ? target.substr(prefix.size()) : target);
}

StorageId storage_of(const GraphFacts& facts, NodeId id) {
    if (index_of(id) >= facts.size()) return 0;
    for (const auto& item : facts.of(id).items)
        if (item) return item->storage;
    return 0;
}

} // namespace

Picture make_picture(const ProgramGraph& source, const ReinplaceSession* session) {
    const Graph& graph = source.graph;
    const GraphFacts facts = GraphFacts::run(source);
    std::vector<const Decision*> decision_on(graph.id_limit(), nullptr);
    if (session)
        for (const Decision& decision : session->decisions())
            if (index_of(decision.node) < decision_on.size()) decision_on[index_of(decision.node)] = &decision;

    Picture picture;
    picture.title = one_line(source.id);
    picture.nodes.reserve(graph.size());
    std::vector<std::uint32_t> position(graph.id_limit());
    for (const NodeId id : graph) {
        const auto to = static_cast<std::uint32_t>(picture.nodes.size());
        position[index_of(id)] = to;
        const Node& node = graph.node(id);
        const Decision* decision = decision_on[index_of(id)];
        picture.nodes.push_back({one_line(node.name), operation(node),
                                 one_line(annotation(node.meta, {.strides = false, .device = false})),
                                 &verdict_look(decision, decision && session->is_miss(*decision)), storage_of(facts, id)});
        for (const NodeId input : graph.inputs(id)) {
            const bool is_view = index_of(id) < facts.size() && facts.of(id).view_of == input;
            picture.edges.push_back({position[index_of(input)], to, is_view});
        }
    }
    return picture;
}

} // namespace inspector
