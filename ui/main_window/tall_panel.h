// A panel at the bottom that wants more height than a line of tabs gives it. It gets that once it has something to show,
// and gives it back when another panel takes its place, unless somebody has moved the border meanwhile.
#pragma once

#include <functional>

#include <QMainWindow>
#include <QPointer>

#include "ui/main_window/panel_dock.h"

namespace inspector {

class TallPanel {
public:
    explicit TallPanel(QMainWindow* window) : window_(window) {}

    /// `panel` shall have `percent` of the window's height as soon as it has content.
    void ask(PanelDock* panel, int percent, std::function<bool()> hasContent);
    /// To be called when a panel may have got content.
    void update();
    /// To be called when a panel has come to the front.
    void shown(PanelDock* panel);
    /// To be called when the heights of the panels have grown, or shrunk, with the window's.
    void grown(int from, int to);
    void forget();
    /// To be called before the layout is saved: gives the height back.
    void end();

private:
    /// `panel`: at the bottom, and in front.
    void giveBack(PanelDock* panel);

    QMainWindow* window_;
    QPointer<PanelDock> asked_;
    int percent_ = 0;
    std::function<bool()> hasContent_;

    QPointer<PanelDock> tall_;
    int before_ = 0; ///< its height until it became tall
    int height_ = 0; ///< and since then
};

} // namespace inspector
