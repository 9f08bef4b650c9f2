// The program as its file has it: graphs, inputs and outputs with their kinds, constants, ranges, module calls, notes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QAbstractItemModel>

#include "ui/document/document.h"

namespace inspector {

class ProgramModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { name_column, kind_column, target_column, value_column, column_count };

    explicit ProgramModel(Document* document, QObject* parent = nullptr);
    ~ProgramModel() override;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The node a row is about; no_node for sections, ranges and the like.
    [[nodiscard]] NodeId node(const QModelIndex& index) const;
    /// The graph a row stands for; nullopt for other rows.
    [[nodiscard]] std::optional<std::size_t> graph(const QModelIndex& index) const;

private:
    struct Item;
    void rebuild();
    [[nodiscard]] const Item* item(const QModelIndex& index) const;

    Document* document_;
    std::unique_ptr<Item> root_;
};

} // namespace inspector
