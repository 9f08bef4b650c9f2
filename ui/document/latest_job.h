// Work off the UI thread of which only what was asked for last is wanted.
#pragma once

#include <memory>
#include <utility>

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

namespace inspector {

/// Does one job after the other in another thread. A `Job` holds all that its work takes and finds, since the work may
/// outlive the wish to have it.
template <typename Job> class LatestJob {
public:
    explicit LatestJob(QObject* owner) : owner_(owner) { workers_.setMaxThreadCount(1); }
    /// Waits for the work that is under way.
    ~LatestJob() {
        forget();
        workers_.waitForDone();
    }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// `work(Job&)` off the UI thread, and then `done(Job&)` on it, unless another was started or this one forgotten.
    template <typename Work, typename Done> void start(std::shared_ptr<Job> job, Work work, Done done) {
        latest_ = std::move(job);
        workers_.start([this, job = latest_, work = std::move(work), done = std::move(done)] {
            work(*job);
            QMetaObject::invokeMethod(owner_, [this, job, done] {
                if (latest_ != job) return;
                latest_.reset();
                done(*job);
            });
        });
    }
    /// What is under way is not wanted any more.
    void forget() { latest_.reset(); }

    /// Whether one is under way and wanted.
    explicit operator bool() const { return latest_ != nullptr; }
    Job* operator->() const { return latest_.get(); }

private:
    QObject* owner_;
    std::shared_ptr<Job> latest_;
    QThreadPool workers_;
};

} // namespace inspector
