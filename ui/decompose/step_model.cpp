#include "ui/decompose/step_model.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QSize>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/line_text.h"

namespace inspector {

DecompositionStepModel::DecompositionStepModel(DecompositionRun* run, QObject* parent)
    : QAbstractItemModel(parent), run_(run) {
    connect(run, &DecompositionRun::prepared, this, [this] {
        beginResetModel();
        endResetModel();
    });
}

// An added node's internal id is its step's row + 1, that of the other rows is 0.
QModelIndex DecompositionStepModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex DecompositionStepModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int DecompositionStepModel::rowCount(const QModelIndex& parent) const {
    const TakenApart* all = run_->found();
    if (!all || !all->session) return 0;
    if (!parent.isValid()) return static_cast<int>(leftCount() + all->session->steps().size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    const DecomposeStep* of = step(parent);
    return of ? static_cast<int>(of->added.size()) : 0;
}

int DecompositionStepModel::columnCount(const QModelIndex&) const { return column_count; }

std::size_t DecompositionStepModel::leftCount() const { return run_->found() ? run_->found()->left.size() : 0; }

const Decomposition::Left* DecompositionStepModel::left(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() != 0 || static_cast<std::size_t>(index.row()) >= leftCount())
        return nullptr;
    return &run_->found()->left[static_cast<std::size_t>(index.row())];
}

const DecomposeStep* DecompositionStepModel::step(const QModelIndex& index) const {
    const TakenApart* all = run_->found();
    if (!index.isValid() || !all || !all->session) return nullptr;
    const std::size_t row = index.internalId() == 0 ? static_cast<std::size_t>(index.row()) : index.internalId() - 1;
    const std::size_t number = row - leftCount();
    return row >= leftCount() && number < all->session->steps().size() ? &all->session->steps()[number] : nullptr;
}

std::vector<NodeId> DecompositionStepModel::made(const QModelIndex& index) const {
    std::vector<NodeId> nodes;
    const TakenApart* all = run_->found();
    if (const Decomposition::Left* stays = left(index)) {
        const NodeId node = stays->graph == all->graph ? all->session->graph().find(stays->node) : no_node;
        if (node != no_node) nodes.push_back(node);
    } else if (const DecomposeStep* of = step(index)) {
        if (index.internalId() != 0) nodes.push_back(of->added[static_cast<std::size_t>(index.row())]);
        else nodes = of->added;
    }
    std::erase_if(nodes, [&](NodeId node) { return !all->session->graph().contains(node); });
    return nodes;
}

NodeId DecompositionStepModel::source(const QModelIndex& index) const {
    if (const DecomposeStep* of = step(index)) return run_->sourceOf(*of);
    const std::vector<NodeId> nodes = made(index);
    if (nodes.empty()) return no_node;
    DecomposeStep none;
    none.source = run_->found()->session->source_of(nodes.front());
    return run_->sourceOf(none);
}

QString DecompositionStepModel::addedText(NodeId node) const {
    const Graph& graph = run_->found()->session->graph();
    return graph.contains(node) ? lineText(graph, node) : tr("(taken apart further, or needed by nobody)");
}

QVariant DecompositionStepModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Decomposition::Left* stays = left(index);
    const DecomposeStep* of = step(index);
    const bool is_added = index.internalId() != 0;
    if (!stays && !of) return {};
    switch (role) {
    case Qt::ToolTipRole: {
        const QString text = data(index, Qt::DisplayRole).toString();
        return text.isEmpty() ? QVariant() : literalToolTip(text);
    }
    case Qt::DisplayRole:
        if (is_added)
            return index.column() == operator_column ? addedText(of->added[static_cast<std::size_t>(index.row())])
                                                     : QVariant();
        switch (index.column()) {
        case number_column: return stays ? tr("stays") : QString::number(of->index + 1);
        case operator_column: return QString::fromStdString(stays ? stays->call.target : of->target);
        case node_column: {
            const TakenApart& all = *run_->found();
            const QString name = QLatin1Char('%') + QString::fromStdString(stays ? stays->node : of->name);
            return stays && stays->graph != all.graph
                       ? QString::fromStdString(all.made->graphs[stays->graph].id) + QLatin1Char(':') + name
                       : name;
        }
        case rule_column: return QString::fromStdString(stays ? stays->call.words : of->rule);
        default: return {};
        }
    case Qt::FontRole:
        return index.column() == operator_column || index.column() == node_column ? QVariant(codeFont()) : QVariant();
    case Qt::ForegroundRole: {
        const ThemeColours& colours = themeColours(QGuiApplication::palette());
        if (stays && index.column() == number_column)
            return stays->call.reason == LeftCall::Reason::kept ? colours.muted : colours.warning;
        if (is_added && !run_->found()->session->graph().contains(of->added[static_cast<std::size_t>(index.row())]))
            return colours.muted;
        return {};
    }
    case Qt::SizeHintRole: return QSize(0, QFontMetrics(codeFont()).height() + 4);
    default: return {};
    }
}

QVariant DecompositionStepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case number_column: return tr("#");
    case operator_column: return tr("Operator, and new nodes");
    case node_column: return tr("Node");
    case rule_column: return tr("Rule, or why it stays");
    default: return {};
    }
}

} // namespace inspector
