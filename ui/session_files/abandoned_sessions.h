// Sessions that a window which ended without being closed has left behind.
#pragma once

#include <memory>
#include <vector>

#include <QDateTime>
#include <QLockFile>
#include <QString>

namespace inspector {

/// While `lock` is held, no other window offers it.
struct AbandonedSession {
    QString path;         ///< a session document
    QString title;        ///< the name of the file that was open
    QDateTime saved;
    std::shared_ptr<QLockFile> lock;
};

/// Those in `folder` that no running window holds, the latest first. Every window keeps the lock of its own while it
/// runs; one whose process is gone is nobody's.
[[nodiscard]] std::vector<AbandonedSession> abandonedSessions(const QString& folder);

/// Removes the document, and then the lock.
void discard(AbandonedSession& session);

/// "<id>.<title>.session.json", where `title` may hold anything; and the lock beside it.
[[nodiscard]] QString autosaveName(const QString& id, const QString& title);
[[nodiscard]] std::shared_ptr<QLockFile> autosaveLock(const QString& folder, const QString& id);

} // namespace inspector
