#include "ui/session_files/abandoned_sessions.h"

#include <QDir>
#include <QUrl>

#include "ui/session_files/save_document.h"

namespace inspector {
namespace {

constexpr qsizetype longest_title = 40; // a file's name has at most 255 bytes

} // namespace

QString autosaveName(const QString& id, const QString& title) {
    const QByteArray safe = QUrl::toPercentEncoding(title.left(longest_title), {}, ".");
    return QStringLiteral("%1.%2.%3").arg(id, QString::fromLatin1(safe.left(160)), documentEnding());
}

std::shared_ptr<QLockFile> autosaveLock(const QString& folder, const QString& id) {
    auto lock = std::make_shared<QLockFile>(QDir(folder).filePath(id + QStringLiteral(".lock")));
    lock->setStaleLockTime(0); // however long the window is open; stale is a lock whose process is gone
    return lock;
}

std::vector<AbandonedSession> abandonedSessions(const QString& folder) {
    std::vector<AbandonedSession> found;
    const QDir directory(folder);
    const QFileInfoList files = directory.entryInfoList({QStringLiteral("*.") + documentEnding()}, QDir::Files, QDir::Time);
    for (const QFileInfo& file : files) {
        const QStringList parts = file.fileName().split(QLatin1Char('.'));
        auto lock = autosaveLock(folder, parts.at(0));
        if (parts.size() < 4 || !lock->tryLock(0)) continue;
        found.push_back({file.absoluteFilePath(), QUrl::fromPercentEncoding(parts.at(1).toLatin1()), file.lastModified(),
                         std::move(lock)});
    }
    return found;
}

void discard(AbandonedSession& session) {
    QFile::remove(session.path);
    session.lock->unlock();
}

} // namespace inspector
