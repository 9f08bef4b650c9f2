// Every node with its verdict: filter, sort, choose.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace inspector {

class NodeFilter;
class NodeListModel;

class NodeListPanel : public QWidget {
    Q_OBJECT
public:
    explicit NodeListPanel(Document* document, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showVerdictIcons();
    void showSelection();
    void showCount();

    Document* document_;
    NodeListModel* model_;
    NodeFilter* filter_;
    QLineEdit* text_;
    QComboBox* verdict_;
    QComboBox* check_;
    QToolButton* differing_;
    QToolButton* missesFirst_;
    QTreeView* view_;
    QLabel* count_;
    bool isChoosing_ = false; ///< the view's selection follows the document's, not the other way round
};

} // namespace inspector
