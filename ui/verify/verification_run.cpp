#include "ui/verify/verification_run.h"

#include <atomic>
#include <mutex>

#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/memory_use.h"

namespace inspector {

using Scope = VerificationRequest::Scope;

/// Shared with the worker, which may outlive the wish to have its result.
struct VerificationRun::Job {
    std::shared_ptr<const Program> program;
    std::atomic<bool> cancelled{false};
    std::atomic<std::size_t> done{0};
    std::atomic<std::size_t> total{0};
    VerificationReport report;

    void begin(const std::string& words) {
        const std::lock_guard lock(mutex_);
        stage_ = words;
        done = total = 0;
    }
    [[nodiscard]] std::string stage() const {
        const std::lock_guard lock(mutex_);
        return stage_;
    }

    void run(const VerificationRequest& request);

private:
    mutable std::mutex mutex_;
    std::string stage_;
};

void VerificationRun::Job::run(const VerificationRequest& request) {
    begin(VerificationRun::tr("Making the inputs").toStdString());
    const ProgramGraph& source = program->graphs[report.graph];
    RunOptions options;
    options.seed = request.seed;
    options.memory_limit = request.memoryLimit;
    options.cancelled = &cancelled;
    options.stage = [this](const std::string& words) { begin(words); };
    options.progress = [this](std::size_t now, std::size_t all) {
        done = now;
        total = all;
    };
    report.verification = verify_rewrite(*program, report.graph, report.options, options);
    report.isCancelled = cancelled;
    if (cancelled) return;
    const auto session = ReinplaceSession::start(source, report.options);
    if (!session) return;
    (*session)->run_to_end();
    report.simulated = summarize(**session);
    report.inputBytes = simulate_memory_use(**session).held;
    if (!report.verification.decision) return;
    report.decision = (*session)->complete(*report.verification.decision);
    report.explanation = explain(**session, *report.decision);
}

VerificationRun::VerificationRun(Document* document, QObject* parent) : QObject(parent), document_(document) {
    poll_.setInterval(100);
    connect(&poll_, &QTimer::timeout, this, &VerificationRun::progressed);
    connect(document, &Document::opened, this, &VerificationRun::drop);
    connect(document, &Document::graphShown, this, &VerificationRun::drop);
    connect(document, &Document::stepped, this, [this] {
        if (report_) Q_EMIT changed();
    });
}

VerificationRun::~VerificationRun() {
    if (job_) job_->cancelled = true;
}

QString VerificationRun::whyNot(Scope scope) const {
    if (document_->isEmpty()) return tr("no graph is open");
    if (isRunning()) return tr("a verification is running");
    if (scope == Scope::made_so_far && document_->session()->position() == 0) return tr("no decision is made yet");
    return {};
}

ReinplaceSession::Options VerificationRun::optionsOf(Scope scope) const {
    ReinplaceSession::Options options = document_->session()->options();
    if (scope == Scope::made_so_far) {
        const std::uint32_t position = document_->session()->position();
        options.first = position;
        // What is chosen for later decisions is not in the graph yet.
        std::erase_if(options.choices, [position](const auto& choice) { return choice.first >= position; });
    }
    return options;
}

void VerificationRun::start(const VerificationRequest& request) {
    report_.reset();
    scope_ = request.scope;
    const auto job = std::make_shared<Job>();
    job->program = document_->sharedProgram();
    job->report.graph = document_->graphIndex();
    job->report.options = optionsOf(request.scope);
    job_.start(job, [request](Job& each) { each.run(request); }, [this](Job& each) { finish(each); });
    poll_.start();
    Q_EMIT changed();
}

void VerificationRun::finish(Job& job) {
    poll_.stop();
    report_ = std::move(job.report);
    Q_EMIT changed();
    Q_EMIT ended();
}

void VerificationRun::cancel() {
    if (job_) job_->cancelled = true; // the report says so, once the running operator has ended
    Q_EMIT changed();
}

void VerificationRun::drop() {
    if (!job_ && !report_) {
        Q_EMIT changed(); // what can start now may be another
        return;
    }
    if (job_) job_->cancelled = true;
    job_.forget();
    poll_.stop();
    report_.reset();
    Q_EMIT changed();
}

bool VerificationRun::isRunning() const { return bool(job_); }

QString VerificationRun::stage() const {
    if (!job_) return {};
    return job_->cancelled ? tr("Stopping after the operator that is running") : QString::fromStdString(job_->stage());
}

int VerificationRun::percent() const {
    if (!job_ || job_->total == 0 || job_->cancelled) return -1;
    return static_cast<int>(100 * std::min(job_->done.load(), job_->total.load()) / job_->total);
}

const VerificationReport* VerificationRun::report() const { return report_ ? &*report_ : nullptr; }

bool VerificationRun::isOutdated() const {
    if (!report_ || document_->isEmpty()) return false;
    const ReinplaceSession::Options now = optionsOf(scope_);
    return now.first != report_->options.first || now.choices != report_->options.choices;
}

} // namespace inspector
