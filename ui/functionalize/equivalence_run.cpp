#include "ui/functionalize/equivalence_run.h"

#include <atomic>

#include <QMetaObject>

#include "core/execution/equivalence.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {

using Answer = EquivalenceFinding::Answer;

/// Shared with the worker, which may outlive the wish to have its result.
struct EquivalenceRun::Job {
    std::shared_ptr<const Program> program;
    std::size_t graph = 0;
    Epilogue epilogue = Epilogue::copies;
    std::atomic<bool> cancelled{false};
    EquivalenceReport report;

    void run();

private:
    EquivalenceFinding compare(const Program& made, const RunInputs& inputs, const RunOptions& options);
};

void EquivalenceRun::Job::run() {
    RunOptions options;
    options.cancelled = &cancelled;
    const auto fail_both = [this](const Error& error) { report.functionalized = report.reinplaced = {Answer::error, error.message()}; };
    auto functional = functionalize(*program, graph, {epilogue});
    if (!functional) return fail_both(functional.error());
    const auto inputs = RunInputs::make(*program, graph, options);
    if (!inputs) return fail_both(inputs.error());
    report.functionalized = compare(*functional, *inputs, options);
    ReinplaceSession::Options policy;
    policy.policy = "sound";
    const auto session = ReinplaceSession::start(functional->graphs[graph], std::move(policy));
    if (session && !cancelled) {
        (*session)->run_to_end();
        functional->graphs[graph].graph = (*session)->graph();
        report.reinplaced = compare(*functional, *inputs, options);
    }
    report.isCancelled = cancelled;
}

EquivalenceFinding EquivalenceRun::Job::compare(const Program& made, const RunInputs& inputs, const RunOptions& options) {
    const auto comparison = compare_programs(*program, made, graph, inputs, options);
    if (!comparison) return {Answer::error, comparison.error().message()};
    if (comparison->cannot_run) return {Answer::error, "the graph does not run as it is: " + comparison->cannot_run->message()};
    report.outputs = comparison->outputs;
    report.inputs = comparison->inputs;
    report.calls = comparison->calls;
    return comparison->difference ? EquivalenceFinding{Answer::different, comparison->difference->sentence}
                                  : EquivalenceFinding{Answer::equal, {}};
}

EquivalenceRun::EquivalenceRun(Document* document, RoundTripSession* session, QObject* parent)
    : QObject(parent), document_(document), session_(session) {
    workers_.setMaxThreadCount(1);
    connect(session, &RoundTripSession::prepared, this, &EquivalenceRun::drop);
}

EquivalenceRun::~EquivalenceRun() {
    if (job_) job_->cancelled = true;
    job_.reset();
    workers_.waitForDone();
}

QString EquivalenceRun::whyNot() const { return isRunning() ? tr("it is running") : session_->whyNotResult(); }

void EquivalenceRun::start() {
    report_.reset();
    const auto job = std::make_shared<Job>();
    job->program = document_->sharedProgram();
    job->graph = document_->graphIndex();
    job->epilogue = session_->epilogue();
    job_ = job;
    workers_.start([this, job] {
        job->run();
        QMetaObject::invokeMethod(this, [this, job] {
            if (job_ != job) return;
            job_.reset();
            report_ = std::move(job->report);
            Q_EMIT changed();
        });
    });
    Q_EMIT changed();
}

void EquivalenceRun::cancel() {
    if (job_) job_->cancelled = true; // the report says so, once the running operator has ended
}

void EquivalenceRun::drop() {
    if (job_) job_->cancelled = true;
    job_.reset();
    report_.reset();
    Q_EMIT changed();
}

} // namespace inspector
