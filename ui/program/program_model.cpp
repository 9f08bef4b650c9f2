#include "ui/program/program_model.h"

#include <array>
#include <map>
#include <string_view>

#include <QFont>

#include "core/graph/print.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"

namespace inspector {

struct ProgramModel::Item {
    std::array<QString, column_count> texts;
    NodeId node = no_node;
    std::optional<std::size_t> graph;
    bool isShown = false; ///< the graph that all panels show
    Item* parent = nullptr;
    int row = 0;
    std::vector<std::unique_ptr<Item>> children;

    Item& add(std::array<QString, column_count> content) {
        auto child = std::make_unique<Item>();
        child->texts = std::move(content);
        child->parent = this;
        child->row = static_cast<int>(children.size());
        children.push_back(std::move(child));
        return *children.back();
    }
};

namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

QString kindText(InputSpec::Kind kind) {
    switch (kind) {
    case InputSpec::Kind::user_input: return ProgramModel::tr("user input");
    case InputSpec::Kind::parameter: return ProgramModel::tr("parameter");
    case InputSpec::Kind::buffer: return ProgramModel::tr("buffer");
    case InputSpec::Kind::tensor_constant: return ProgramModel::tr("tensor constant");
    case InputSpec::Kind::custom_object: return ProgramModel::tr("custom object");
    case InputSpec::Kind::constant: return ProgramModel::tr("constant");
    case InputSpec::Kind::token: return ProgramModel::tr("effect token");
    }
    return {};
}

QString kindText(OutputSpec::Kind kind) {
    switch (kind) {
    case OutputSpec::Kind::user_output: return ProgramModel::tr("user output");
    case OutputSpec::Kind::buffer_mutation: return ProgramModel::tr("new value of a buffer");
    case OutputSpec::Kind::user_input_mutation: return ProgramModel::tr("new value of an input");
    case OutputSpec::Kind::parameter_mutation: return ProgramModel::tr("new value of a parameter");
    case OutputSpec::Kind::gradient_to_parameter: return ProgramModel::tr("gradient of a parameter");
    case OutputSpec::Kind::gradient_to_user_input: return ProgramModel::tr("gradient of an input");
    case OutputSpec::Kind::loss_output: return ProgramModel::tr("loss");
    case OutputSpec::Kind::token: return ProgramModel::tr("effect token");
    }
    return {};
}

QString layoutText(const TensorMeta& meta) {
    return text(annotation(meta, {.class_name = {}, .strides = false, .device = false}));
}

QString rangeText(const SymbolRange& range) {
    const QString symbol = text(range.symbol);
    if (range.minimum && range.maximum) return QStringLiteral("%1 ≤ %2 ≤ %3").arg(QString::number(*range.minimum), symbol, QString::number(*range.maximum));
    if (range.minimum) return QStringLiteral("%1 ≤ %2").arg(*range.minimum).arg(symbol);
    if (range.maximum) return QStringLiteral("%1 ≤ %2").arg(symbol, QString::number(*range.maximum));
    return ProgramModel::tr("%1 is unbounded").arg(symbol);
}

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) list << text(name);
    return list.join(QStringLiteral(", "));
}

} // namespace

ProgramModel::ProgramModel(Document* document, QObject* parent)
    : QAbstractItemModel(parent), document_(document), root_(std::make_unique<Item>()) {
    connect(document, &Document::opened, this, &ProgramModel::rebuild);
    connect(document, &Document::graphShown, this, &ProgramModel::rebuild);
    rebuild();
}

ProgramModel::~ProgramModel() = default;

void ProgramModel::rebuild() {
    beginResetModel();
    root_ = std::make_unique<Item>();
    if (!document_->isEmpty()) {
        const Program& program = *document_->program();
        const ProgramGraph& source = *document_->source();
        const Graph& graph = source.graph;
        const auto section = [this](const QString& title, std::size_t count) -> Item& {
            return root_->add({tr("%1 (%2)").arg(title).arg(count), {}, {}, {}});
        };
        const auto value = [this](NodeId node) { return node == no_node ? QString() : valueText(*document_, node); };
        std::map<std::string_view, const InputSpec*> spec_of_placeholder;
        std::map<std::string_view, const InputSpec*> spec_of_target;
        if (source.signature) {
            for (const InputSpec& spec : source.signature->inputs) {
                spec_of_placeholder.emplace(spec.placeholder, &spec);
                spec_of_target.emplace(spec.target, &spec);
            }
        }

        Item& graphs = section(tr("Graphs"), program.graphs.size());
        std::vector<Item*> item_of_graph;
        for (std::size_t i = 0; i < program.graphs.size(); ++i) {
            const ProgramGraph& each = program.graphs[i];
            Item& above = each.parent && *each.parent < i ? *item_of_graph[*each.parent] : graphs;
            Item& item = above.add({text(each.id), text(each.kind), text(each.title),
                                    each.is_read ? counted(each.graph.size(), tr("%1 node"), tr("%1 nodes"))
                                                 : tr("not read yet")});
            item.graph = i;
            item.isShown = i == document_->graphIndex();
            item_of_graph.push_back(&item);
        }

        const std::vector<NodeId> placeholders = graph.placeholders();
        Item& inputs = section(tr("Inputs"), placeholders.size());
        for (const NodeId node : placeholders) {
            QString kind = tr("input");
            QString target;
            if (const auto spec = spec_of_placeholder.find(graph.node(node).name); spec != spec_of_placeholder.end()) {
                kind = kindText(spec->second->kind);
                if (spec->second->persistent == false) kind += tr(", not persistent");
                target = text(spec->second->target);
            }
            inputs.add({nodeText(*document_, node), kind, target, value(node)}).node = node;
        }

        if (source.signature) {
            Item& outputs = section(tr("Outputs"), source.signature->outputs.size());
            for (const OutputSpec& spec : source.signature->outputs) {
                const NodeId node = graph.find(spec.value);
                outputs.add({node == no_node ? text(spec.value) : nodeText(*document_, node), kindText(spec.kind),
                             text(spec.target), value(node)}).node = node;
            }
        } else if (graph.output() != no_node) {
            const std::vector<NodeId> returned = graph.inputs(graph.output());
            Item& outputs = section(tr("Outputs"), returned.size());
            for (const NodeId node : returned)
                outputs.add({nodeText(*document_, node), tr("output"), {}, value(node)}).node = node;
        }

        if (!program.tensors.empty()) {
            Item& tensors = section(tr("Weights and constants"), program.tensors.size());
            for (const StoredTensor& tensor : program.tensors) {
                QString kind = tensor.is_parameter ? tr("parameter") : tr("tensor");
                if (tensor.is_pickled) kind += tr(", pickled: not read");
                Item& item = tensors.add({text(tensor.name), kind, text(tensor.record), layoutText(tensor.meta)});
                const auto spec = spec_of_target.find(tensor.name);
                if (spec != spec_of_target.end()) item.node = graph.find(spec->second->placeholder);
            }
        }
        if (!source.ranges.empty()) {
            Item& ranges = section(tr("Range constraints"), source.ranges.size());
            for (const SymbolRange& range : source.ranges) {
                const auto hint = source.hints.find(range.symbol);
                ranges.add({text(range.symbol), tr("symbol"), rangeText(range),
                            hint == source.hints.end() ? QString() : tr("sample: %1").arg(hint->second)});
            }
        }
        if (!source.module_calls.empty()) {
            Item& calls = section(tr("Module calls"), source.module_calls.size());
            for (const ModuleCall& call : source.module_calls) {
                const QString name = call.module.empty() ? tr("(root)") : text(call.module);
                Item& item = calls.add({name, tr("module call"), joined(call.inputs), joined(call.outputs)});
                if (!call.outputs.empty()) item.node = graph.find(call.outputs.front());
            }
        }
        if (!program.notes.empty()) {
            Item& notes = section(tr("Notes of the reader"), program.notes.size());
            for (const std::string& note : program.notes) notes.add({text(note), {}, {}, {}});
        }
    }
    endResetModel();
}

const ProgramModel::Item* ProgramModel::item(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const Item*>(index.constInternalPointer()) : root_.get();
}

QModelIndex ProgramModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, item(parent)->children[static_cast<std::size_t>(row)].get());
}

QModelIndex ProgramModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    Item* above = item(index)->parent;
    return above && above != root_.get() ? createIndex(above->row, 0, above) : QModelIndex();
}

int ProgramModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(item(parent)->children.size());
}

int ProgramModel::columnCount(const QModelIndex&) const { return column_count; }

QVariant ProgramModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Item& found = *item(index);
    switch (role) {
    case Qt::DisplayRole: return found.texts[static_cast<std::size_t>(index.column())];
    case Qt::FontRole: {
        if (found.parent == root_.get()) {
            QFont font;
            font.setBold(true);
            return font;
        }
        if (index.column() == kind_column) return {};
        QFont font = codeFont();
        font.setBold(found.isShown);
        return font;
    }
    case Qt::ToolTipRole:
        if (found.node != no_node) return nodeToolTip(*document_, found.node);
        if (found.graph) return found.isShown ? tr("This graph is shown") : tr("Double-click or press Return to show this graph");
        return literalToolTip(found.texts[static_cast<std::size_t>(index.column())]);
    default: return {};
    }
}

QVariant ProgramModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case name_column: return tr("Name");
    case kind_column: return tr("Kind");
    case target_column: return tr("Target");
    case value_column: return tr("Value");
    default: return {};
    }
}

NodeId ProgramModel::node(const QModelIndex& index) const { return item(index)->node; }
std::optional<std::size_t> ProgramModel::graph(const QModelIndex& index) const { return item(index)->graph; }

} // namespace inspector
