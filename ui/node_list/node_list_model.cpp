#include "ui/node_list/node_list_model.h"

#include <QFont>
#include <QGuiApplication>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"

namespace inspector {
NodeListModel::NodeListModel(Document* document, QObject* parent) : QAbstractTableModel(parent), document_(document) {
    connect(document, &Document::opened, this, &NodeListModel::reset);
    connect(document, &Document::graphShown, this, &NodeListModel::reset);
    connect(document, &Document::stepped, this, &NodeListModel::refresh);
    connect(document, &Document::policiesCompared, this, &NodeListModel::refresh);
    reset();
}

void NodeListModel::reset() {
    beginResetModel();
    nodes_ = document_->nodes();
    std::size_t limit = 0;
    for (const NodeId node : nodes_) limit = std::max<std::size_t>(limit, index_of(node) + 1);
    rowOfNode_.assign(limit, -1);
    int row = 0;
    for (const NodeId node : nodes_) rowOfNode_[index_of(node)] = row++;
    endResetModel();
}

void NodeListModel::refresh() {
    if (nodes_ != document_->nodes()) {
        reset(); // the pass made nodes, or undo took them back
        return;
    }
    if (!nodes_.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(nodes_.size()) - 1, column_count - 1));
}

int NodeListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(nodes_.size());
}

int NodeListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

NodeId NodeListModel::node(int row) const {
    return row >= 0 && static_cast<std::size_t>(row) < nodes_.size() ? nodes_[static_cast<std::size_t>(row)] : no_node;
}

int NodeListModel::rowOf(NodeId node) const {
    return index_of(node) < rowOfNode_.size() ? rowOfNode_[index_of(node)] : -1;
}

QVariant NodeListModel::data(const QModelIndex& index, int role) const {
    const NodeId id = node(index.row());
    const Node* found = document_->node(id);
    if (!found) return {};
    const Decision* decision = document_->decision(id);
    const VerdictMark mark = verdictMark(*document_, id);

    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case number_column: {
            const int number = document_->decisionIndex(id);
            return number < 0 ? QVariant() : QVariant(number);
        }
        case verdict_column: return verdictStyle(mark, Scheme::light).word;
        case node_column: return nodeText(*document_, id);
        case operation_column: return operationText(*found);
        case value_column: return valueText(*document_, id);
        case check_column: return decision ? checkTitle(decision->check) : QString();
        case bytes_column: return decision && decision->bytes > 0 ? bytesText(decision->bytes) : QString();
        case policies_column: return differencesText(*document_, id);
        default: return {};
        }
    case sort_role:
        switch (index.column()) {
        case number_column: return index.row();
        case verdict_column: return static_cast<int>(mark);
        case check_column: return decision ? static_cast<int>(decision->check) : 1000;
        case bytes_column: return decision ? QVariant::fromValue<qlonglong>(decision->bytes) : QVariant(qlonglong{-1});
        default: return data(index, Qt::DisplayRole);
        }
    case Qt::DecorationRole:
        if (index.column() == node_column) return verdictIcon(mark, schemeOf(QGuiApplication::palette()));
        return {};
    case Qt::FontRole: {
        const bool is_code = index.column() == node_column || index.column() == operation_column ||
                             index.column() == value_column;
        if (!is_code) return {};
        QFont font = codeFont();
        font.setStrikeOut(index.column() == node_column && mark == VerdictMark::deleted);
        font.setBold(index.column() == node_column && document_->session()->current() == id);
        return font;
    }
    case Qt::TextAlignmentRole:
        if (index.column() == number_column || index.column() == bytes_column)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case Qt::ToolTipRole: return nodeToolTip(*document_, id);
    case node_role: return static_cast<uint>(index_of(id));
    case verdict_role: return static_cast<int>(mark);
    case check_role: return decision ? static_cast<int>(decision->check) : -1;
    case judgement_role: return static_cast<int>(document_->judgement(id));
    case missed_bytes_role:
        return QVariant::fromValue<qlonglong>(mark == VerdictMark::missed ? decision->bytes : 0);
    default: return {};
    }
}

QVariant NodeListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::DisplayRole) {
        switch (section) {
        case number_column: return tr("#");
        case verdict_column: return tr("Verdict");
        case node_column: return tr("Node");
        case operation_column: return tr("Operation");
        case value_column: return tr("Value");
        case check_column: return tr("Check");
        case bytes_column: return tr("Bytes");
        case policies_column: return tr("Policies");
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case number_column: return tr("Number of the decision; program order");
        case verdict_column: return tr("What was decided so far");
        case check_column: return tr("The check that decided");
        case bytes_column: return tr("Memory saved by reinplacing, or lost by keeping");
        case policies_column: return tr("Which policies decide otherwise than sound");
        default: return {};
        }
    }
    return {};
}

} // namespace inspector
