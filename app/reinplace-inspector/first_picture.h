// How long a person waits: from the start of the process to the first drawing of the graph.
#pragma once

#include <functional>

#include <QObject>

namespace inspector {

class GraphView;

/// Calls `drawn` once with the milliseconds since the process started, after `view` has painted a graph with its layout.
class FirstPicture : public QObject {
    Q_OBJECT
public:
    FirstPicture(GraphView* view, std::function<void(double milliseconds)> drawn);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    GraphView* view_;
    std::function<void(double)> drawn_;
};

} // namespace inspector
