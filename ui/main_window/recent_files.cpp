#include "ui/main_window/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace inspector {
namespace {
const QString key = QStringLiteral("recentFiles");
constexpr qsizetype most = 10;
} // namespace

RecentFiles::RecentFiles(QSettings* settings, QObject* parent) : QObject(parent), settings_(settings) {}

QStringList RecentFiles::paths() const { return settings_->value(key).toStringList().mid(0, most); }

void RecentFiles::add(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList paths = this->paths();
    paths.removeAll(absolute);
    paths.prepend(absolute);
    settings_->setValue(key, QStringList(paths.mid(0, most)));
    Q_EMIT changed();
}

void RecentFiles::clear() {
    settings_->remove(key);
    Q_EMIT changed();
}

} // namespace inspector
