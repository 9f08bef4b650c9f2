// Storages and the values on them, as rewritten so far: a reinplaced node's value stands under its operand's storage.
#pragma once

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>

#include "ui/document/document.h"

namespace inspector {

class StorageModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { name_column, value_column, strides_column, offset_column, view_of_column, first_use_column,
                  last_use_column, bytes_column, column_count };
    enum Role { node_role = Qt::UserRole, sort_role, values_role };

    explicit StorageModel(Document* document, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The storage `index` is, or the one its value is on.
    [[nodiscard]] StorageId storage(const QModelIndex& index) const;
    /// Values on that storage, in program order.
    [[nodiscard]] std::vector<NodeId> values(const QModelIndex& index) const;
    /// The value at `index`; a storage's first value.
    [[nodiscard]] NodeId node(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(NodeId value) const;

private:
    struct Row {
        StorageId id = 0;
        std::vector<NodeId> values;
        NodeId lastUse = no_node;
        std::int64_t bytes = 0;
        bool isInput = false;
        bool isOutput = false;
    };
    void rebuild();
    [[nodiscard]] const Row* row(const QModelIndex& index) const;
    [[nodiscard]] QVariant storageText(const Row& row, int column) const;
    [[nodiscard]] QVariant valueText(NodeId node, int column) const;

    Document* document_;
    std::vector<Row> rows_;
};

/// Hides storages that no two values share, and those none of whose values has the text in its name.
class StorageFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit StorageFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    void setSharedOnly(bool on);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString text_;
    bool isSharedOnly_ = false;
};

} // namespace inspector
