// Where memory goes: storages that are live together, or what each decision saves.
#pragma once

#include <QAbstractTableModel>

#include "ui/memory/memory_curves.h"

namespace inspector {

class Document;

class MemoryListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t {
        peak_before,   ///< storages live at the peak before
        peak_after,
        selected,      ///< storages live at the selected node, as rewritten so far
        saved,         ///< decisions that save bytes
    };
    enum Column { node_column, bytes_column, detail_column, column_count };
    enum Role { node_role = Qt::UserRole }; ///< NodeId as uint

    explicit MemoryListModel(Document* document, QObject* parent = nullptr);
    /// Largest first. `curves` is only looked at here.
    void show(const MemoryCurves& curves, Kind kind, bool withInputs);
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::int64_t sum() const; ///< of all rows

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        NodeId node = no_node;    ///< first value on the storage, or the one decided
        StorageId storage = 0;
        std::int64_t bytes = 0;
        NodeId until = no_node;   ///< last node at which the storage is live
    };
    void addLive(const MemoryTimeline& timeline, std::size_t place, bool withInputs);
    void addSaved();

    Document* document_;
    Kind kind_ = Kind::peak_before;
    std::vector<Row> rows_;
};

} // namespace inspector
