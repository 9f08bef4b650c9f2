// The program's tree; choosing a row selects its node, entering a graph shows it.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QTreeView;

namespace inspector {

class ProgramModel;

class ProgramPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProgramPanel(Document* document, QWidget* parent = nullptr);

private:
    void expand();

    Document* document_;
    ProgramModel* model_;
    QTreeView* view_;
};

} // namespace inspector
