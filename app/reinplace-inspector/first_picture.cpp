#include "first_picture.h"

#include <ctime>

#include <unistd.h>

#include <QEvent>
#include <QFile>
#include <QTimer>

#include "ui/graph_view/graph_view.h"

namespace inspector {
namespace {

/// Milliseconds from the start of the process, which the kernel notes in clock ticks since boot.
double sinceProcessStart() {
    constexpr int start_time_field = 19; // of those after the program's name; proc(5)
    QFile stat(QStringLiteral("/proc/self/stat"));
    timespec now{};
    if (!stat.open(QIODevice::ReadOnly) || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    const QByteArray line = stat.readAll();
    const double started = line.mid(line.lastIndexOf(')') + 2).split(' ').value(start_time_field).toDouble() /
                           static_cast<double>(sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - started) * 1e3;
}

} // namespace

FirstPicture::FirstPicture(GraphView* view, std::function<void(double)> drawn)
    : QObject(view), view_(view), drawn_(std::move(drawn)) {
    view->viewport()->installEventFilter(this);
}

bool FirstPicture::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint && drawn_ && view_->picture().hasLayout())
        QTimer::singleShot(0, this, [drawn = std::exchange(drawn_, nullptr)] { drawn(sinceProcessStart()); });
    return QObject::eventFilter(watched, event);
}

} // namespace inspector
