#include "ui/memory/memory_list_model.h"

#include <algorithm>
#include <functional>

#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/document.h"
#include "ui/palette/storage_style.h"

namespace inspector {

MemoryListModel::MemoryListModel(Document* document, QObject* parent) : QAbstractTableModel(parent), document_(document) {}

void MemoryListModel::show(const MemoryCurves& curves, Kind kind, bool withInputs) {
    beginResetModel();
    kind_ = kind;
    rows_.clear();
    if (!curves.nodes.empty()) {
        const MemoryTimeline& before = curves.use.before;
        const MemoryTimeline& after = curves.use.after;
        switch (kind) {
        case Kind::peak_before: addLive(before, before.peak_place, withInputs); break;
        case Kind::peak_after: addLive(after, after.peak_place, withInputs); break;
        case Kind::selected: {
            const auto place = std::ranges::find(after.nodes, document_->selected());
            if (place != after.nodes.end()) addLive(after, static_cast<std::size_t>(place - after.nodes.begin()), withInputs);
            break;
        }
        case Kind::saved: addSaved(); break;
        }
    }
    endResetModel();
}

void MemoryListModel::addLive(const MemoryTimeline& timeline, std::size_t place, bool withInputs) {
    const std::vector<Storage>& all = document_->session()->storages().all();
    for (const Lifetime& live : timeline.live_at(place)) {
        const auto storage = std::ranges::lower_bound(all, live.storage, {}, &Storage::id);
        if (storage == all.end() || storage->id != live.storage) continue;
        if (!withInputs && (storage->is_input || document_->session()->original().node(storage->root).opcode == Opcode::get_attr)) continue;
        rows_.push_back({storage->root, live.storage, live.bytes, timeline.nodes[live.last]});
    }
}

void MemoryListModel::addSaved() {
    for (const Decision& decision : document_->session()->decisions()) {
        if (is_rewritten(decision) && decision.bytes > 0) rows_.push_back({decision.node, document_->storageOf(decision.node), decision.bytes, no_node});
    }
    std::ranges::stable_sort(rows_, std::greater(), &Row::bytes);
}

std::int64_t MemoryListModel::sum() const {
    std::int64_t sum = 0;
    for (const Row& row : rows_)
        if (std::int64_t next = 0; !__builtin_add_overflow(sum, row.bytes, &next)) sum = next;
    return sum;
}

int MemoryListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }

int MemoryListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QVariant MemoryListModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || document_->isEmpty()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case node_column: return nodeText(*document_, row.node);
        case bytes_column: return bytesText(row.bytes);
        case detail_column:
            if (kind_ == Kind::saved) return verdictStyle(verdictMark(*document_, row.node), Scheme::light).word;
            return nodeText(*document_, row.until);
        default: return {};
        }
    case Qt::DecorationRole: {
        if (index.column() != node_column) return {};
        const Scheme scheme = schemeOf(QGuiApplication::palette());
        if (kind_ == Kind::saved) return verdictIcon(verdictMark(*document_, row.node), scheme);
        constexpr int side = 14;
        QPixmap swatch(QSize(side, side) * qGuiApp->devicePixelRatio());
        swatch.setDevicePixelRatio(qGuiApp->devicePixelRatio());
        swatch.fill(Qt::transparent);
        QPainter painter(&swatch);
        paintStorageSwatch(painter, QRectF(1, 1, side - 2, side - 2), row.storage, scheme);
        return swatch;
    }
    case Qt::FontRole: return index.column() == node_column || (index.column() == detail_column && kind_ != Kind::saved)
                                  ? QVariant(codeFont()) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == bytes_column ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole: return nodeToolTip(*document_, row.node);
    case node_role: return static_cast<uint>(index_of(row.node));
    default: return {};
    }
}

QVariant MemoryListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool is_saved = kind_ == Kind::saved;
    if (role == Qt::DisplayRole) {
        switch (section) {
        case node_column: return is_saved ? tr("Decision on") : tr("Storage of");
        case bytes_column: return tr("Bytes");
        case detail_column: return is_saved ? tr("Verdict") : tr("Live until");
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole && section == node_column)
        return is_saved ? tr("The node whose result needs no memory of its own any more") : tr("The first value on the storage");
    return {};
}

} // namespace inspector
