// Two graphs of the open file as text, side by side.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QComboBox;
class QLabel;
class QToolButton;
class QTreeView;

namespace inspector {

class ComparisonModel;

class ComparisonPanel : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonPanel(Document* document, QWidget* parent = nullptr);

    /// Graphs by their ids; an unknown id changes nothing on that side.
    void compare(const QString& before, const QString& after);
    [[nodiscard]] const ComparisonModel* model() const { return model_; }

private:
    void listGraphs();
    void showTexts();
    QTreeView* addView(const QString& name, bool isAfter);
    void goToChange(int step);

    Document* document_;
    ComparisonModel* model_;
    QComboBox* before_;
    QComboBox* after_;
    QLabel* differences_;
    QToolButton* previous_;
    QToolButton* next_;
    QTreeView* left_;
    QTreeView* right_;
};

} // namespace inspector
