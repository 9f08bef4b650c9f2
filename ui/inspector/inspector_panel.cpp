#include "ui/inspector/inspector_panel.h"

#include <QEvent>

#include "ui/document/node_links.h"
#include "ui/inspector/node_page.h"

namespace inspector {

InspectorPanel::InspectorPanel(Document* document, QWidget* parent) : QTextBrowser(parent), document_(document) {
    setObjectName(QStringLiteral("inspectorPage"));
    setAccessibleName(tr("Inspector"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    QTextBrowser::document()->setDocumentMargin(12);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const auto node = nodeOfLink(link)) document_->select(*node);
    });
    connect(document_, &Document::opened, this, &InspectorPanel::refresh);
    connect(document_, &Document::graphShown, this, &InspectorPanel::refresh);
    connect(document_, &Document::stepped, this, &InspectorPanel::refresh);
    connect(document_, &Document::selectionChanged, this, &InspectorPanel::refresh);
}

void InspectorPanel::showEvent(QShowEvent* event) {
    QTextBrowser::showEvent(event);
    refresh();
}

void InspectorPanel::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

void InspectorPanel::refresh() {
    if (isVisible()) setHtml(nodePage(*document_, document_->selected(), palette()));
}

} // namespace inspector
