#include "ui/appearance/settled_rows.h"

#include <QAbstractItemModel>
#include <QTimer>

namespace inspector {

void whenRowsSettle(QAbstractItemModel* model, QObject* receiver, const std::function<void()>& settled) {
    auto* timer = new QTimer(receiver);
    timer->setSingleShot(true);
    timer->setInterval(0);
    QObject::connect(timer, &QTimer::timeout, receiver, settled);
    QObject::connect(model, &QAbstractItemModel::rowsInserted, timer, qOverload<>(&QTimer::start));
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, timer, qOverload<>(&QTimer::start));
}

} // namespace inspector
