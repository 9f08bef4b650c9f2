#include "ui/storages/storage_model.h"

#include <algorithm>
#include <map>

#include <QGuiApplication>
#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/palette/storage_style.h"

namespace inspector {
namespace {

QIcon swatch(StorageId storage) {
    constexpr int side = 14;
    QPixmap pixmap(QSize(side, side) * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintStorageSwatch(painter, QRectF(1, 1, side - 2, side - 2), storage, schemeOf(QGuiApplication::palette()));
    return pixmap;
}

/// The node's single tensor; nullptr for lists, numbers and nodes the pass made.
const TensorLayout* layoutOf(const Document& document, NodeId node) {
    const GraphFacts& facts = document.session()->facts();
    return index_of(node) < facts.size() ? facts.tensor(node) : nullptr;
}

} // namespace

StorageModel::StorageModel(Document* document, QObject* parent) : QAbstractItemModel(parent), document_(document) {
    connect(document, &Document::opened, this, &StorageModel::rebuild);
    connect(document, &Document::graphShown, this, &StorageModel::rebuild);
    connect(document, &Document::stepped, this, &StorageModel::rebuild);
    rebuild();
}

void StorageModel::rebuild() {
    std::map<StorageId, Row> merged; // ordered by id
    if (!document_->isEmpty()) {
        const Graph& original = document_->session()->original();
        for (const Storage& storage : document_->session()->storages().all()) {
            Row& row = merged[document_->mergedStorage(storage.id)];
            if (row.lastUse == no_node || (storage.last_use != no_node && original.is_before(row.lastUse, storage.last_use)))
                row.lastUse = storage.last_use;
            row.bytes = std::max(row.bytes, storage.bytes);
            row.isInput |= storage.is_input;
            row.isOutput |= storage.is_output;
        }
        for (const NodeId node : document_->nodes()) {
            const StorageId id = document_->storageOf(node);
            const auto found = merged.find(id);
            const Node* value = document_->node(node);
            if (found != merged.end() && value->opcode != Opcode::output) found->second.values.push_back(node);
        }
    }
    std::vector<Row> rows;
    for (auto& [id, row] : merged) {
        row.id = id;
        if (!row.values.empty()) rows.push_back(std::move(row));
    }

    // The same tree keeps its expansion; only what it says is new.
    const bool is_same_tree = std::ranges::equal(rows, rows_, [](const Row& a, const Row& b) {
        return a.id == b.id && a.values == b.values;
    });
    if (is_same_tree) {
        rows_ = std::move(rows);
        if (!rows_.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(rows_.size()) - 1, column_count - 1));
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

// A value's internal id is its storage's row + 1, a storage's is 0.
QModelIndex StorageModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex StorageModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int StorageModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(rows_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(rows_[static_cast<std::size_t>(parent.row())].values.size());
}

int StorageModel::columnCount(const QModelIndex&) const { return column_count; }

const StorageModel::Row* StorageModel::row(const QModelIndex& index) const {
    if (!index.isValid()) return nullptr;
    const std::size_t row = index.internalId() == 0 ? static_cast<std::size_t>(index.row()) : index.internalId() - 1;
    return row < rows_.size() ? &rows_[row] : nullptr;
}

StorageId StorageModel::storage(const QModelIndex& index) const {
    const Row* found = row(index);
    return found ? found->id : 0;
}

std::vector<NodeId> StorageModel::values(const QModelIndex& index) const {
    const Row* found = row(index);
    return found ? found->values : std::vector<NodeId>();
}

NodeId StorageModel::node(const QModelIndex& index) const {
    const Row* found = row(index);
    if (!found) return no_node;
    return index.internalId() == 0 ? found->values.front() : found->values[static_cast<std::size_t>(index.row())];
}

QModelIndex StorageModel::indexOf(NodeId value) const {
    const StorageId id = document_->storageOf(value);
    const auto found = std::ranges::lower_bound(rows_, id, {}, &Row::id);
    if (id == 0 || found == rows_.end() || found->id != id) return {};
    const auto place = std::ranges::find(found->values, value);
    if (place == found->values.end()) return {};
    return index(static_cast<int>(place - found->values.begin()), 0, index(static_cast<int>(found - rows_.begin()), 0));
}

QVariant StorageModel::storageText(const Row& row, int column) const {
    switch (column) {
    case name_column: {
        QString text = tr("%1: %2").arg(row.id).arg(nodeText(*document_, row.values.front()));
        if (row.values.size() > 1) text += tr(" and %1 more").arg(row.values.size() - 1);
        return text;
    }
    case value_column:
        if (row.isInput && row.isOutput) return tr("input, returned");
        if (row.isInput) return tr("input");
        return row.isOutput ? tr("returned") : QString();
    case first_use_column: return nodeText(*document_, row.values.front());
    case last_use_column: return row.lastUse == no_node ? QString() : nodeText(*document_, row.lastUse);
    case bytes_column: return bytesText(row.bytes);
    default: return {};
    }
}

QVariant StorageModel::valueText(NodeId node, int column) const {
    const TensorLayout* layout = layoutOf(*document_, node);
    const Graph& graph = *document_->graph();
    switch (column) {
    case name_column: return nodeText(*document_, node);
    case value_column: return inspector::valueText(*document_, node);
    case strides_column: return layout ? numbersText(layout->strides) : QString();
    case offset_column: return layout ? QVariant(static_cast<qlonglong>(layout->storage_offset)) : QVariant();
    case view_of_column: {
        const GraphFacts& facts = document_->session()->facts();
        if (index_of(node) >= facts.size() || facts.of(node).view_of == no_node) return {};
        return nodeText(*document_, facts.of(node).view_of);
    }
    case first_use_column:
    case last_use_column: {
        if (!graph.contains(node)) return tr("erased");
        const std::vector<NodeId> users = graph.users(node);
        if (users.empty()) return tr("unused");
        return nodeText(*document_, column == first_use_column ? users.front() : users.back());
    }
    case bytes_column: return layout ? elementBytesText(*layout) : QString();
    default: return {};
    }
}

QVariant StorageModel::data(const QModelIndex& index, int role) const {
    const Row* found = row(index);
    if (!found) return {};
    const bool is_storage = index.internalId() == 0;
    const NodeId value = node(index);
    switch (role) {
    case Qt::DisplayRole:
        return is_storage ? storageText(*found, index.column()) : valueText(value, index.column());
    case Qt::DecorationRole:
        return index.column() == name_column ? QVariant(swatch(found->id)) : QVariant();
    case Qt::FontRole: {
        if (is_storage) return {};
        QFont font = codeFont();
        font.setStrikeOut(index.column() == name_column && !document_->graph()->contains(value));
        return font;
    }
    case Qt::TextAlignmentRole:
        if (index.column() == bytes_column || index.column() == offset_column)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    case Qt::ToolTipRole:
        if (!is_storage) return nodeToolTip(*document_, value);
        return tr("Storage %1: %2, %3")
            .arg(found->id)
            .arg(counted(found->values.size(), tr("%1 value"), tr("%1 values")), bytesText(found->bytes));
    case node_role: return static_cast<uint>(index_of(value));
    case values_role: return static_cast<int>(found->values.size());
    case sort_role:
        if (!is_storage) return index.row();
        if (index.column() == bytes_column) return static_cast<qlonglong>(found->bytes);
        if (index.column() == name_column) return found->id;
        return storageText(*found, index.column());
    default: return {};
    }
}

QVariant StorageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case name_column: return tr("Storage and values");
    case value_column: return tr("Value");
    case strides_column: return tr("Strides");
    case offset_column: return tr("Offset");
    case view_of_column: return tr("View of");
    case first_use_column: return tr("First use");
    case last_use_column: return tr("Last use");
    case bytes_column: return tr("Bytes");
    default: return {};
    }
}

StorageFilter::StorageFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(StorageModel::sort_role);
}

void StorageFilter::setText(const QString& text) {
    text_ = text.trimmed();
    invalidateFilter();
}

void StorageFilter::setSharedOnly(bool on) {
    isSharedOnly_ = on;
    invalidateFilter();
}

bool StorageFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (parent.isValid()) return true; // a storage is shown whole: who shares it is the point
    const QModelIndex storage = sourceModel()->index(row, 0);
    if (isSharedOnly_ && storage.data(StorageModel::values_role).toInt() < 2) return false;
    if (text_.isEmpty()) return true;
    for (int value = 0; value < sourceModel()->rowCount(storage); ++value)
        if (sourceModel()->index(value, 0, storage).data().toString().contains(text_, Qt::CaseInsensitive)) return true;
    return false;
}

} // namespace inspector
