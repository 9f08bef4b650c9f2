#include "ui/graph_view/graph_content.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include "core/operators/operator_table.h"
#include "ui/document/describe.h"
#include "ui/document/document.h"

namespace inspector {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("GraphContent", text); }

QString inputKind(InputSpec::Kind kind) {
    switch (kind) {
    case InputSpec::Kind::user_input: return tr("input");
    case InputSpec::Kind::parameter: return tr("parameter");
    case InputSpec::Kind::buffer: return tr("buffer");
    case InputSpec::Kind::tensor_constant:
    case InputSpec::Kind::constant: return tr("constant");
    case InputSpec::Kind::custom_object: return tr("object");
    case InputSpec::Kind::token: return tr("token");
    }
    return {};
}

/// What the signature says of each placeholder.
QHash<QString, QString> inputKinds(const ProgramGraph& source) {
    QHash<QString, QString> kinds;
    if (!source.signature) return kinds;
    for (const InputSpec& input : source.signature->inputs)
        kinds.insert(QString::fromStdString(input.placeholder), inputKind(input.kind));
    return kinds;
}

bool writesFirstOperand(const Node& node) {
    if (node.opcode == Opcode::call_method) return node.target.ends_with('_') && !node.target.ends_with("__");
    if (node.opcode != Opcode::call_function) return false;
    const Operator* op = OperatorTable::instance().find(node.target);
    return op && op->is_mutable;
}

/// Appends the edges of `graph`, by reader in program order.
void addEdges(std::vector<EdgeContent>& edges, const GraphContent& content, const Graph& graph) {
    for (const NodeId id : graph) {
        const std::uint32_t to = content.indexOf(id);
        if (to == GraphContent::noIndex) continue;
        bool isFirst = true;
        for (const NodeId operand : graph.inputs(id)) {
            const std::uint32_t from = content.indexOf(operand);
            if (from == GraphContent::noIndex) continue;
            const StorageId storage = content.nodes[from].storage;
            const bool isAlias = isFirst && storage != 0 && storage == content.nodes[to].storage;
            const EdgeKind kind = !isAlias                            ? EdgeKind::data
                                  : writesFirstOperand(graph.node(id)) ? EdgeKind::write
                                                                       : EdgeKind::view;
            edges.push_back({from, to, kind});
            isFirst = false;
        }
    }
}

void setIndex(GraphContent& content, std::uint32_t index) {
    const std::uint32_t id = index_of(content.nodes[index].id);
    if (id >= content.indices.size()) content.indices.resize(id + 1, GraphContent::noIndex);
    content.indices[id] = index;
}

/// Nodes that the pass made, each with the original one it replaces: of those that the pass took out where the new ones
/// stand, the scatter that became a view and a copy. Where none was taken out, what follows in the program.
std::vector<std::pair<NodeId, NodeId>> createdNodes(const Document& document) {
    const Graph& original = document.session()->original();
    const Graph& graph = document.session()->graph();
    std::vector<std::pair<NodeId, NodeId>> created;
    std::vector<NodeId> made;     // since the last node that both graphs have
    NodeId last = no_node;
    const auto placeMade = [&](NodeId next) {
        std::vector<NodeId> replaced;
        NodeId id = last == no_node ? original.first() : original.next(last);
        for (; id != no_node && id != next; id = original.next(id)) {
            const Decision* decision = document.decision(id);
            if (decision && decision->verdict == Verdict::scatter_to_copy) replaced.push_back(id);
        }
        if (replaced.empty()) replaced.push_back(next != no_node ? next : last);
        for (std::size_t i = 0; i < made.size(); ++i)
            created.emplace_back(made[i], replaced[i * replaced.size() / made.size()]);
        made.clear();
    };
    for (const NodeId id : graph) {
        if (!original.contains(id)) {
            made.push_back(id);
            continue;
        }
        if (!made.empty()) placeMade(id);
        last = id;
    }
    if (!made.empty()) placeMade(no_node);
    return created;
}

void addCreated(GraphContent& content, const Document& document) {
    for (const auto& [id, beside] : createdNodes(document)) {
        NodeContent made;
        made.id = id;
        made.name = nodeText(document, id);
        made.type = valueText(document, id);
        made.beside = beside;
        content.nodes.push_back(std::move(made));
        setIndex(content, static_cast<std::uint32_t>(content.nodes.size() - 1));
    }
}

} // namespace

GraphContent contentOf(const Document& document) {
    GraphContent content;
    if (document.isEmpty()) return content;
    const Graph& original = document.session()->original();
    const QHash<QString, QString> kinds = inputKinds(*document.source());
    QSet<QString> shared; // one copy of the words that many nodes have
    const auto once = [&shared](const QString& text) { return *shared.insert(text); };
    content.nodes.reserve(original.size());
    for (const NodeId id : original) {
        const Node& node = original.node(id);
        NodeContent made;
        made.id = id;
        made.name = nodeText(document, id);
        made.type = once(valueText(document, id));
        const QString target = operationText(node);
        made.target = once(node.opcode == Opcode::placeholder ? kinds.value(made.name.mid(1), target) : target);
        made.isInput = node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr;
        content.nodes.push_back(std::move(made));
        setIndex(content, static_cast<std::uint32_t>(content.nodes.size() - 1));
    }
    content.originalCount = content.nodes.size();
    addEdges(content.originalEdges, content, original);
    refreshContent(content, document);
    return content;
}

void refreshContent(GraphContent& content, const Document& document) {
    if (document.isEmpty()) return;
    const Graph& graph = document.session()->graph();
    for (std::size_t i = content.originalCount; i < content.nodes.size(); ++i)
        content.indices[index_of(content.nodes[i].id)] = GraphContent::noIndex;
    content.nodes.resize(content.originalCount);
    addCreated(content, document);
    for (NodeContent& node : content.nodes) {
        node.isErased = !graph.contains(node.id);
        node.storage = document.storageOf(node.id);
        const NodeId decided = node.beside == no_node ? node.id : node.beside;
        node.mark = verdictMark(document, decided);
        node.judgement = node.beside == no_node ? document.judgement(node.id) : Judgement::alike;
        if (!node.isInput && !node.isErased) node.target = operationText(graph.node(node.id));
    }
    content.edges.clear();
    addEdges(content.edges, content, graph);
}

} // namespace inspector
