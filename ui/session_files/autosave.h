// Keeps the open session in a file of its own, for the case that the window ends without being closed.
#pragma once

#include <memory>

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "core/graph/program.h"
#include "ui/session_files/abandoned_sessions.h"

namespace inspector {

class Document;

/// A while after every change the document is written to the folder, in another thread: the window never waits for it.
/// The file goes when there is nothing to lose (saved, nothing decided, closed).
class Autosave : public QObject {
    Q_OBJECT
public:
    /// `folder` is made when it is needed; empty: nothing is kept.
    Autosave(Document* document, QString folder, QObject* parent = nullptr);
    /// Removes the file.
    ~Autosave() override;

    /// Goes on with the file of a session that is being restored: it is there until the next is.
    void adopt(const AbandonedSession& session);
    /// The file; empty while there is none.
    [[nodiscard]] QString path() const { return path_; }

Q_SIGNALS:
    void saved(const QString& path);
    void failed(const QString& message);

private:
    struct Cache;
    void schedule();
    void save();
    void finish(const QString& path, const QString& message, qint64 milliseconds);
    void remove();
    [[nodiscard]] bool hasSomethingToLose() const;

    Document* document_;
    QString folder_;
    QString id_;
    QString path_;
    QString writing_;                   ///< the path that is written to, while isWriting_
    std::shared_ptr<QLockFile> lock_;
    std::shared_ptr<Cache> cache_;      ///< of the worker
    QTimer timer_;
    bool isWriting_ = false;
    bool isOutdated_ = false;           ///< something changed while it was written
    QThreadPool worker_;
};

} // namespace inspector
