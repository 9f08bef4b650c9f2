// Items with a check box whose outline can be seen in both palettes.
#pragma once

#include <QStyledItemDelegate>

namespace inspector {

/// Fusion draws the outline darker than the window: on a dark ground, that is nothing.
class CheckDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace inspector
