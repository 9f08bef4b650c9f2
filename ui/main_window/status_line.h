// The status bar's summary: file · level · nodes · position · reinplaced · saved.
#pragma once

#include <QLabel>

#include "ui/document/document.h"

namespace inspector {

class StatusLine : public QLabel {
    Q_OBJECT
public:
    explicit StatusLine(Document* document, QWidget* parent = nullptr);

private:
    void showGraph();
    void refresh();

    Document* document_;
    QString level_; ///< of the shown graph
};

} // namespace inspector
