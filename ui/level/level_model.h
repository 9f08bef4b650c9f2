// What stands against each level, as a tree: level → reason → operator → node; then the operators nothing stands
// against, and those whose layout nothing here computes.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractItemModel>

#include "core/analysis/level.h"
#include "ui/document/document.h"

namespace inspector {

class LevelModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column {
        name_column,
        nodes_column,
        decomposes_column,
        in_place_column,
        out_column,
        meta_column,
        column_count
    };
    enum class Kind { group, reason, op, node };
    enum class Group { training, functional_aten, core_aten, nothing_against, no_meta_kernel };

    explicit LevelModel(const Document* document, QObject* parent = nullptr);

    /// The shown graph as rewritten so far, nested ones included. Where the tree is the same, only what it says is new.
    void refresh();
    /// Nothing, as long as nobody looks: nodes of another graph are none of this one's.
    void clear();

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const NestedLevel& level() const { return level_; }
    [[nodiscard]] Kind kind(const QModelIndex& index) const;
    [[nodiscard]] Group group(const QModelIndex& index) const;
    /// The operator a row is about; nullptr for groups and reasons.
    [[nodiscard]] const NestedLevel::Use* use(const QModelIndex& index) const;
    /// Of a node's row.
    [[nodiscard]] std::optional<NestedLevel::Place> place(const QModelIndex& index) const;
    /// Nodes of the shown graph at and below a row, in the order of the rows.
    [[nodiscard]] std::vector<NodeId> nodes(const QModelIndex& index) const;
    /// The row of a node of the shown graph; invalid for one that calls nothing.
    [[nodiscard]] QModelIndex indexOf(NodeId node) const;
    /// Tells a row from others, whatever else stands in the tree: "2/composite/torch.ops.aten.linear.default".
    [[nodiscard]] QString key(const QModelIndex& index) const;
    /// What a filter looks at: an operator's name, schema and tags, a node's name; empty for groups and reasons.
    [[nodiscard]] QString searchText(const QModelIndex& index) const;

private:
    struct Row {
        Kind kind = Kind::group;
        Group group = Group::training;
        LevelObstacle::Kind reason = LevelObstacle::Kind::not_core;
        std::size_t use = 0;        ///< of level_.operators
        NestedLevel::Place place;
        int parent = -1;            ///< of rows_; -1: none
        int number = 0;             ///< among the parent's
        std::vector<int> children;
        friend bool operator==(const Row&, const Row&) = default;
    };
    static std::vector<Row> rowsOf(const NestedLevel& level);
    [[nodiscard]] const Row* row(const QModelIndex& index) const;
    [[nodiscard]] const std::vector<int>& childrenOf(const QModelIndex& parent) const;
    [[nodiscard]] QString nameOf(const Row& row) const;
    [[nodiscard]] QString nodeName(const NestedLevel::Place& place) const;
    [[nodiscard]] std::size_t countNodes(const Row& row) const;
    [[nodiscard]] QVariant formOf(const Row& row, int column, int role) const;

    const Document* document_;
    NestedLevel level_;
    std::vector<Row> rows_;
    std::vector<int> tops_;
};

} // namespace inspector
