#include "ui/appearance/check_delegate.h"

#include "ui/appearance/theme.h"

namespace inspector {

void CheckDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    option->palette.setColor(QPalette::Window, themeColours(option->palette).muted);
}

} // namespace inspector
