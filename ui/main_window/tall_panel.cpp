#include "ui/main_window/tall_panel.h"

#include <utility>

namespace inspector {

void TallPanel::ask(PanelDock* panel, int percent, std::function<bool()> hasContent) {
    shown(panel);
    asked_ = panel;
    percent_ = percent;
    hasContent_ = std::move(hasContent);
    update();
}

void TallPanel::update() {
    if (!asked_ || !asked_->isVisible() || !hasContent_()) return;
    PanelDock* panel = std::exchange(asked_, nullptr);
    const int height = window_->height() * percent_ / 100;
    if (panel->isFloating() || panel->height() >= height) return;
    tall_ = panel;
    before_ = panel->height();
    panel->setHeight(height);
    height_ = panel->height();
}

void TallPanel::shown(PanelDock* panel) {
    if (panel == asked_ || panel->isFloating() || window_->dockWidgetArea(panel) != Qt::BottomDockWidgetArea) return;
    asked_ = nullptr;
    if (panel != tall_) giveBack(panel);
}

void TallPanel::giveBack(PanelDock* panel) {
    const PanelDock* former = std::exchange(tall_, nullptr);
    if (former && !former->isFloating() && former->height() == height_) panel->setHeight(before_);
}

void TallPanel::end() {
    if (tall_) giveBack(tall_);
}

void TallPanel::grown(int from, int to) {
    if (!tall_) return;
    before_ = before_ * to / from;
    height_ = tall_->height();
}

void TallPanel::forget() {
    asked_ = nullptr;
    tall_ = nullptr;
}

} // namespace inspector
