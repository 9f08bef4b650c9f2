// What has happened to the document: opened, noted, refused, exported.
#pragma once

#include <QPlainTextEdit>

namespace inspector {

/// Lines of the log outlive the panel's absence: the window collects them, the panel shows them.
class LogPanel : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LogPanel(const QStringList& lines, QWidget* parent = nullptr);
};

} // namespace inspector
