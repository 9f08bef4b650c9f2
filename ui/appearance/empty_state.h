// What an empty view says: what will be there, and what to do.
#pragma once

#include <QLabel>

class QAbstractItemView;

namespace inspector {

/// A label over an item view, shown while the view's model has no row. Owned by the view.
class EmptyState : public QLabel {
    Q_OBJECT
public:
    /// `filtered` is shown instead of `text` where a proxy hides all rows of a source that has some.
    EmptyState(QAbstractItemView* view, QString text, QString filtered = {});
    void setFiltered(const QString& filtered);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();

    QAbstractItemView* view_;
    QString text_;
    QString filtered_;
};

} // namespace inspector
