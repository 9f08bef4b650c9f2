// The search field of the tool bar: type part of a name or operation, choose a node.
#pragma once

#include <QLineEdit>

#include "ui/document/document.h"

class QCompleter;

namespace inspector {

class NodeFilter;
class NodeListModel;

class NodeSearch : public QLineEdit {
    Q_OBJECT
public:
    explicit NodeSearch(Document* document, QWidget* parent = nullptr);
    /// Takes the keyboard, with the last text selected.
    void begin();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void search(const QString& text);
    void choose(const QModelIndex& match);

    Document* document_;
    NodeListModel* model_ = nullptr; ///< made with the first search
    NodeFilter* matches_ = nullptr;
    QCompleter* completer_ = nullptr;
};

} // namespace inspector
