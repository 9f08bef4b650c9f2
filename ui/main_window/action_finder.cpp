#include "ui/main_window/action_finder.h"

#include <algorithm>

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace inspector {
namespace {

QString plain(QString text) { return text.remove(QLatin1Char('&')); }

/// The action's words on the left, its key on the right.
class ActionDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const bool is_selected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setPen(option.palette.color(is_selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(Qt::UserRole).toString());
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + 8);
        return size;
    }
};

} // namespace

ActionFinder::ActionFinder(QMenuBar* menus, QWidget* parent)
    : QDialog(parent), text_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("actionFinder"));
    setWindowTitle(tr("All actions"));
    setAttribute(Qt::WA_DeleteOnClose);
    text_->setPlaceholderText(tr("Type what you want to do"));
    text_->setClearButtonEnabled(true);
    text_->installEventFilter(this);
    list_->setItemDelegate(new ActionDelegate(list_));
    list_->setUniformItemSizes(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(text_);
    layout->addWidget(list_, 1);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 26);

    collect(menus->actions(), {});
    connect(text_, &QLineEdit::textChanged, this, &ActionFinder::narrow);
    connect(list_, &QListWidget::itemActivated, this, &ActionFinder::run);
    connect(list_, &QListWidget::itemClicked, this, &ActionFinder::run);
    narrow({});
}

void ActionFinder::collect(const QList<QAction*>& actions, const QString& path) {
    for (QAction* action : actions) {
        if (action->isSeparator()) continue;
        const QString words = path + plain(action->text());
        if (action->menu()) {
            collect(action->menu()->actions(), words + QStringLiteral(" › "));
            continue;
        }
        auto* item = new QListWidgetItem(action->icon(), words, list_);
        item->setData(Qt::UserRole, action->shortcut().toString(QKeySequence::NativeText));
        item->setToolTip(action->toolTip());
        if (!action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        actions_ << action;
    }
}

void ActionFinder::narrow(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < list_->count(); ++row) {
        QListWidgetItem* item = list_->item(row);
        const bool matches = std::ranges::all_of(
            words, [item](const QString& word) { return item->text().contains(word, Qt::CaseInsensitive); });
        item->setHidden(!matches);
        if (matches && first < 0 && (item->flags() & Qt::ItemIsEnabled)) first = row;
    }
    list_->setCurrentRow(first);
}

bool ActionFinder::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QCoreApplication::sendEvent(list_, event);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: run(); return true;
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void ActionFinder::run() {
    const int row = list_->currentRow();
    if (row < 0 || !(list_->item(row)->flags() & Qt::ItemIsEnabled)) return;
    const QPointer<QAction> action = actions_[row];
    accept();
    if (action) action->trigger();
}

} // namespace inspector
