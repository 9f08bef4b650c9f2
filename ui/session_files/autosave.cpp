#include "ui/session_files/autosave.h"

#include <algorithm>

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QUuid>

#include "core/formats/atomic_file.h"
#include "core/formats/session_document/session_document.h"
#include "ui/document/document.h"
#include "ui/document/graph_session.h"
#include "ui/session_files/save_document.h"

namespace inspector {
namespace {

constexpr int least_delay = 500;   // milliseconds: keys held down make one file
constexpr qint64 rest_factor = 10; // at most a tenth of the time goes into writing

} // namespace

/// The text of a program, which does not change while it is open.
struct Autosave::Cache {
    std::shared_ptr<const Program> program;
    std::string part;
};

Autosave::Autosave(Document* document, QString folder, QObject* parent)
    : QObject(parent), document_(document), folder_(std::move(folder)),
      id_(QUuid::createUuid().toString(QUuid::WithoutBraces)), cache_(std::make_shared<Cache>()) {
    if (folder_.isEmpty()) return;
    worker_.setMaxThreadCount(1);
    timer_.setSingleShot(true);
    timer_.setInterval(least_delay);
    connect(&timer_, &QTimer::timeout, this, &Autosave::save);
    connect(document, &Document::opened, this, &Autosave::schedule);
    connect(document, &Document::graphShown, this, &Autosave::schedule);
    connect(document, &Document::stepped, this, &Autosave::schedule);
    connect(document, &Document::modifiedChanged, this, &Autosave::schedule);
}

Autosave::~Autosave() {
    worker_.waitForDone();
    if (isWriting_) QFile::remove(writing_); // written, and not told yet
    remove();
}

void Autosave::adopt(const AbandonedSession& session) {
    remove();
    path_ = session.path;
    lock_ = session.lock;
    id_ = QFileInfo(path_).fileName().section(QLatin1Char('.'), 0, 0);
}

bool Autosave::hasSomethingToLose() const {
    if (document_->isEmpty()) return false;
    if (!document_->documentPath().isEmpty()) return document_->isModified();
    return std::ranges::any_of(document_->sessions(), &GraphSession::hasWork);
}

void Autosave::schedule() {
    if (isWriting_) isOutdated_ = true;
    else if (!timer_.isActive()) timer_.start();
}

void Autosave::save() {
    if (!hasSomethingToLose()) {
        remove();
        return;
    }
    if (!lock_) {
        QDir().mkpath(folder_);
        lock_ = autosaveLock(folder_, id_);
        if (!lock_->tryLock(0)) {
            lock_.reset();
            Q_EMIT failed(tr("%1 cannot be written to").arg(folder_));
            return;
        }
    }
    isWriting_ = true;
    const std::shared_ptr<const Program> kept = document_->programToKeep();
    std::vector<SavedSession> sessions = savedSessions(*document_, *kept);
    sessions.front().document = document_->documentPath().toStdString();
    const QString path = QDir(folder_).filePath(autosaveName(id_, QFileInfo(document_->path()).fileName()));
    writing_ = path;
    worker_.start([this, path, sessions = std::move(sessions), program = kept, cache = cache_] {
        QElapsedTimer timer;
        timer.start();
        Result<void> written;
        if (cache->program != program) {
            auto part = print_program_part(*program);
            if (part) *cache = {program, std::move(*part)};
            else written = tl::unexpected(part.error());
        }
        if (written)
            written =
                write_file_atomically(path.toStdString(), print_session_document(*program, cache->part, sessions));
        const QString message = written ? QString() : QString::fromStdString(written.error().message());
        QMetaObject::invokeMethod(this, [this, path, message, took = timer.elapsed()] { finish(path, message, took); });
    });
}

void Autosave::finish(const QString& path, const QString& message, qint64 milliseconds) {
    isWriting_ = false;
    timer_.setInterval(static_cast<int>(std::max<qint64>(least_delay, rest_factor * milliseconds)));
    if (message.isEmpty()) {
        if (path != path_ && !path_.isEmpty()) QFile::remove(path_);
        path_ = path;
        Q_EMIT saved(path);
    } else {
        Q_EMIT failed(message);
    }
    if (std::exchange(isOutdated_, false)) timer_.start();
}

void Autosave::remove() {
    if (!path_.isEmpty()) QFile::remove(path_);
    path_.clear();
    lock_.reset(); // removes its file
}

} // namespace inspector
