// The selected node in full: schema, metadata, users, source line.
#pragma once

#include <QTextBrowser>

#include "ui/document/document.h"

namespace inspector {

class InspectorPanel : public QTextBrowser {
    Q_OBJECT
public:
    explicit InspectorPanel(Document* document, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    Document* document_;
};

} // namespace inspector
