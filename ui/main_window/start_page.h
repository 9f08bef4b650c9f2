// What the window shows while nothing is open: how to open something.
#pragma once

#include <QWidget>

class QAction;
class QVBoxLayout;

namespace inspector {

class RecentFiles;

class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(QAction* open, RecentFiles* recent, QWidget* parent = nullptr);

Q_SIGNALS:
    void fileChosen(const QString& path);

private:
    void listRecent();

    RecentFiles* recent_;
    QWidget* recentBox_;
    QVBoxLayout* recentList_;
};

} // namespace inspector
