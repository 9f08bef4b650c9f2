#include "ui/main_window/log_panel.h"

namespace inspector {

LogPanel::LogPanel(const QStringList& lines, QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("log"));
    setAccessibleName(tr("Log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setMaximumBlockCount(10'000);
    setPlaceholderText(tr("What is opened, exported or refused will be noted here."));
    for (const QString& line : lines) appendPlainText(line);
}

} // namespace inspector
