// The files opened last, kept in the settings.
#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace inspector {

class RecentFiles : public QObject {
    Q_OBJECT
public:
    explicit RecentFiles(QSettings* settings, QObject* parent = nullptr);
    /// Absolute paths, the latest first; at most ten.
    [[nodiscard]] QStringList paths() const;
    void add(const QString& path);
    void clear();

Q_SIGNALS:
    void changed();

private:
    QSettings* settings_;
};

} // namespace inspector
