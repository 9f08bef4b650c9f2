// One row per node, in program order; the decision on it as far as it is made.
#pragma once

#include <QAbstractTableModel>

#include "ui/document/document.h"

namespace inspector {

class NodeListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { number_column, node_column, operation_column, verdict_column, check_column, bytes_column, value_column,
                  policies_column, column_count };
    enum Role {
        node_role = Qt::UserRole, ///< NodeId as uint
        sort_role,                ///< a value that orders the column
        verdict_role,             ///< VerdictMark as int
        check_role,               ///< CheckId as int; -1 while pending
        missed_bytes_role,        ///< bytes lost by a refusal, else 0
        judgement_role,           ///< Judgement as int: the gravest of what policies decide otherwise than sound
    };

    explicit NodeListModel(Document* document, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] NodeId node(int row) const;
    [[nodiscard]] int rowOf(NodeId node) const; ///< -1 where the node is not listed

private:
    void reset();
    void refresh();

    Document* document_;
    std::vector<NodeId> nodes_;
    std::vector<int> rowOfNode_; ///< by node index; -1 for none
};

} // namespace inspector
