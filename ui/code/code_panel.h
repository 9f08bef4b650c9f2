// The code with its controls: which side to see, and moving from change to change.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QLabel;
class QToolButton;

namespace inspector {

class CodeView;

class CodePanel : public QWidget {
    Q_OBJECT
public:
    explicit CodePanel(Document* document, QWidget* parent = nullptr);
    [[nodiscard]] CodeView* view() const { return view_; }

private:
    void showChanges();

    Document* document_;
    CodeView* view_;
    QLabel* changes_;
    QToolButton* previous_;
    QToolButton* next_;
};

} // namespace inspector
