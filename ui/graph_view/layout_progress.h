// Tells that a layout is being made, and lets it be cancelled. Shows itself only for what takes a while.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace inspector {

class LayoutRequest;

class LayoutProgress : public QWidget {
    Q_OBJECT
public:
    LayoutProgress(LayoutRequest* request, QWidget* parent);

Q_SIGNALS:
    void aboutToShow(); ///< its size is right now

private:
    void showPercent(int percent);

    QLabel* text_;
    QProgressBar* bar_;
    QTimer delay_;
};

} // namespace inspector
