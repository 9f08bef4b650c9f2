// Who shares memory with whom: storages, the values on them, and how each value sees the storage.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace inspector {

class StorageFilter;
class StorageModel;

class StoragesPanel : public QWidget {
    Q_OBJECT
public:
    explicit StoragesPanel(Document* document, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose(const QModelIndex& row);
    void showSelection();
    void showCount();

    Document* document_;
    StorageModel* model_;
    StorageFilter* filter_;
    QLineEdit* text_;
    QToolButton* sharedOnly_;
    QTreeView* view_;
    QLabel* count_;
    bool isChoosing_ = false; ///< the view's selection follows the document's, not the other way round
};

} // namespace inspector
