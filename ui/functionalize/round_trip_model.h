// Three graphs in step: a node that all have stands in one row, one that was added in a row of its own.
//
//     source                     │ functionalized                        │ reinplaced
//     select = aten.select(c, 0) │ select = aten.select(c, 0)            │ select = aten.select(c, 0)
//     add_ = aten.add_(select, 1)│ add_ = aten.add(select, 1)            │ add_ = aten.add_(select, 1)
//                                │ select_scatter = aten.select_scatter… │
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "ui/functionalize/round_trip_session.h"

namespace inspector {

class RoundTripModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { source_column, functional_column, reinplaced_column, column_count };
    enum Role {
        node_role = Qt::UserRole, ///< NodeId as uint; invalid for an empty cell
        source_role,              ///< the source graph's node it stands for, as uint
        counterpart_role,         ///< it stands for the chosen node
    };

    explicit RoundTripModel(RoundTripSession* session, QObject* parent = nullptr);

    /// The source graph's node whose counterparts stand out; no_node for none.
    void setChosen(NodeId source);
    [[nodiscard]] NodeId chosen() const { return chosen_; }
    /// The cell of a node in `column`; where the column has it not, the first cell of a node that stands for `node`.
    [[nodiscard]] QModelIndex cellOf(NodeId node, Column column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        NodeId cells[column_count]{no_node, no_node, no_node};
    };
    void rebuild();
    void addReinplaced();
    [[nodiscard]] const Graph& graph(int column) const;
    [[nodiscard]] NodeId node(const QModelIndex& index) const;
    [[nodiscard]] NodeId source(int column, NodeId node) const;
    /// What the cell is beside the column before it, in words; empty where it is the same.
    [[nodiscard]] QString change(const QModelIndex& index) const;
    [[nodiscard]] QVariant background(const QModelIndex& index) const;
    [[nodiscard]] QVariant icon(const QModelIndex& index) const;

    RoundTripSession* session_;
    std::vector<Row> rows_;
    NodeId chosen_ = no_node;
};

} // namespace inspector
