// Operators and nodes that have a text in them, under the groups they stand in.
#pragma once

#include <QSortFilterProxyModel>

namespace inspector {

class LevelFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LevelFilter(QObject* parent = nullptr);
    /// Every word must occur. An operator that has them is shown with all its nodes.
    void setText(const QString& text);
    /// Only what stands against a level.
    void setObstaclesOnly(bool on);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList words_;
    bool isObstaclesOnly_ = false;
};

} // namespace inspector
