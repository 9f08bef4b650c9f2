// What was taken apart, a row for each call with the nodes that were made of it; above, the calls that stay.
#pragma once

#include <vector>

#include <QAbstractItemModel>

#include "ui/decompose/decomposition_run.h"

namespace inspector {

class DecompositionStepModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { number_column, operator_column, node_column, rule_column, column_count };

    explicit DecompositionStepModel(DecompositionRun* run, QObject* parent = nullptr);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The step that a row, or the row above it, is; nullptr for a call that stays.
    [[nodiscard]] const DecomposeStep* step(const QModelIndex& index) const;
    /// Nodes of the graph that was made, which a row stands for: those of a step that are left, or the call that stays.
    [[nodiscard]] std::vector<NodeId> made(const QModelIndex& index) const;
    /// The shown graph's node a row is about; no_node where there is none.
    [[nodiscard]] NodeId source(const QModelIndex& index) const;

private:
    [[nodiscard]] const Decomposition::Left* left(const QModelIndex& index) const;
    [[nodiscard]] std::size_t leftCount() const;
    [[nodiscard]] QString addedText(NodeId node) const;

    DecompositionRun* run_;
};

} // namespace inspector
