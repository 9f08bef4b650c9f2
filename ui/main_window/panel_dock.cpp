#include "ui/main_window/panel_dock.h"

#include <utility>

#include <QEvent>
#include <QHBoxLayout>
#include <QLayout>
#include <QMainWindow>
#include <QScrollArea>

namespace inspector {

PanelDock::PanelDock(const QString& id, const QString& title, std::function<QWidget*()> make, QWidget* parent)
    : QDockWidget(title, parent), make_(std::move(make)), room_(new QScrollArea), noTitle_(new QWidget(this)) {
    setObjectName(id);
    room_->setFrameShape(QFrame::NoFrame);
    room_->setWidgetResizable(true);
    room_->setFocusPolicy(Qt::NoFocus);
    setWidget(room_);
    auto* nothing = new QHBoxLayout(noTitle_); // gives the widget a size: none
    nothing->setContentsMargins(0, 0, 0, 0);
    noTitle_->hide();
    connect(this, &QDockWidget::visibilityChanged, this, [this](bool is_visible) {
        if (is_visible) panel();
    });
}

bool PanelDock::event(QEvent* event) {
    const bool is_done = QDockWidget::event(event);
    // No signal tells when docks are tabbed together; each of these events comes with it.
    if (event->type() == QEvent::Show || event->type() == QEvent::Resize || event->type() == QEvent::Move) showTitle();
    return is_done;
}

void PanelDock::showTitle() {
    const auto* window = qobject_cast<QMainWindow*>(parentWidget());
    const bool is_tabbed = window && !isFloating() && !window->tabifiedDockWidgets(this).isEmpty();
    if (is_tabbed == (titleBarWidget() == noTitle_)) return;
    setTitleBarWidget(is_tabbed ? noTitle_ : nullptr);
}

QWidget* PanelDock::panel() {
    if (make_) room_->setWidget(std::exchange(make_, nullptr)());
    return made();
}

QWidget* PanelDock::made() const { return room_->widget(); }

void PanelDock::reveal() {
    panel();
    show();
    raise();
}

void PanelDock::setHeight(int wanted) {
    auto* window = qobject_cast<QMainWindow*>(parentWidget());
    // Qt sets the height of panel and tabs together. How high the tabs are is seen when that is done.
    for (int asked = wanted, round = 0; round < 2; ++round) {
        window->resizeDocks({this}, {asked}, Qt::Vertical);
        window->layout()->activate();
        asked += wanted - height();
    }
}

} // namespace inspector
