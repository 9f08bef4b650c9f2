// A filter tells of every run of rows that it lets in or takes out; what follows from all of them is done once.
#pragma once

#include <functional>

class QAbstractItemModel;
class QObject;

namespace inspector {

/// Calls `settled` once control is back in the event loop after rows of `model` were inserted or removed, as long as
/// `receiver` lives.
void whenRowsSettle(QAbstractItemModel* model, QObject* receiver, const std::function<void()>& settled);

} // namespace inspector
