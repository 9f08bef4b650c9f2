// Simulated memory: the curves before and after, and what is live where they peak.
#pragma once

#include <QWidget>

#include "ui/document/document.h"
#include "ui/memory/memory_curves.h"

class QComboBox;
class QLabel;
class QToolButton;
class QTreeView;

namespace inspector {

class MemoryChart;
class MemoryListModel;

class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit MemoryPanel(Document* document, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showSummary();
    void showList();

    Document* document_;
    MemoryCurves curves_;
    bool isStale_ = true;   ///< a step came while nobody looked
    MemoryChart* chart_;
    QLabel* summary_;
    QToolButton* inputs_;
    QComboBox* kind_;
    MemoryListModel* model_;
    QTreeView* view_;
    QLabel* sum_;
};

} // namespace inspector
