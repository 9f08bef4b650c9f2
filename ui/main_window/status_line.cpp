#include "ui/main_window/status_line.h"

#include <QFileInfo>

#include "core/analysis/level.h"
#include "ui/appearance/counted.h"
#include "ui/document/describe.h"

namespace inspector {

StatusLine::StatusLine(Document* document, QWidget* parent) : QLabel(parent), document_(document) {
    setObjectName(QStringLiteral("statusLine"));
    setContentsMargins(8, 0, 8, 0);
    setTextFormat(Qt::PlainText);
    connect(document, &Document::opened, this, &StatusLine::showGraph);
    connect(document, &Document::graphShown, this, &StatusLine::showGraph);
    connect(document, &Document::stepped, this, &StatusLine::refresh);
    refresh();
}

void StatusLine::showGraph() {
    const std::string_view name = level_name(find_level(document_->session()->original()).level);
    level_ = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    refresh();
}

void StatusLine::refresh() {
    if (document_->isEmpty()) {
        setText(tr("No graph is open"));
        return;
    }
    const ReinplaceSession& session = *document_->session();
    const ReinplaceSummary summary = summarize(session);
    const int longest = 60 * fontMetrics().averageCharWidth();
    QStringList parts{fontMetrics().elidedText(QFileInfo(document_->path()).fileName(), Qt::ElideMiddle, longest)};
    if (document_->program()->graphs.size() > 1) parts << QString::fromStdString(document_->source()->id);
    parts << level_ << counted(summary.nodes, tr("%1 node"), tr("%1 nodes"))
          << tr("%1/%2 decided").arg(session.position()).arg(session.decision_nodes().size())
          << tr("%1 reinplaced").arg(summary.reinplaced) << tr("%1 saved").arg(bytesText(summary.bytes_saved));
    setText(parts.join(QStringLiteral("  ·  ")));
    setToolTip(tr("Simulated peak memory: %1 before, %2 after")
                   .arg(bytesText(summary.peak_before), bytesText(summary.peak_after)));
}

} // namespace inspector
