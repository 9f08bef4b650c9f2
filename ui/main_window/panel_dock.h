// A dock whose panel is made when it is first seen: hidden panels cost nothing at start. Among tabs it has no title bar,
// since its tab says the same and can be dragged. Smaller than its panel can be, it scrolls: no panel sets how small the
// window may be.
#pragma once

#include <functional>

#include <QDockWidget>

class QScrollArea;

namespace inspector {

class PanelDock : public QDockWidget {
    Q_OBJECT
public:
    /// `id` names the dock in the saved layout.
    PanelDock(const QString& id, const QString& title, std::function<QWidget*()> make, QWidget* parent);
    /// Makes the panel now.
    QWidget* panel();
    /// nullptr until it is seen.
    [[nodiscard]] QWidget* made() const;
    /// Shows the dock, in front of those it is tabbed with.
    void reveal();
    /// Of the docked panel itself, without its tabs; as far as the window has room.
    void setHeight(int height);

protected:
    bool event(QEvent* event) override;

private:
    void showTitle();

    std::function<QWidget*()> make_;
    QScrollArea* room_;
    QWidget* noTitle_;
};

} // namespace inspector
