#include "ui/verify/equivalence_run.h"

#include <atomic>
#include <functional>
#include <utility>

#include "core/execution/equivalence.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/palette/page_browser.h"

namespace inspector {

using Answer = EquivalenceFinding::Answer;

/// Shared with the worker, which may outlive the wish to have its result.
struct EquivalenceRun::Job {
    EquivalenceQuestion question;
    std::atomic<bool> cancelled{false};
    EquivalenceReport report;

    void run();

private:
    EquivalenceFinding compare(const QString& form, const Program& made, const RunInputs& inputs,
                               const RunOptions& options);
};

void EquivalenceRun::Job::run() {
    RunOptions options;
    options.cancelled = &cancelled;
    options.tolerance = {question.tolerance, question.tolerance};
    report.tolerance = question.tolerance;
    const auto inputs = RunInputs::make(*question.source, question.graph, options);
    for (std::size_t i = 0; i < question.forms.size() && !cancelled; ++i) {
        const auto made = question.make(i);
        const Error* error = !made ? &made.error() : !inputs ? &inputs.error() : nullptr;
        report.findings.push_back(error ? EquivalenceFinding{question.forms[i], Answer::error, error->message()}
                                        : compare(question.forms[i], *made, *inputs, options));
    }
    report.isCancelled = cancelled;
}

EquivalenceFinding EquivalenceRun::Job::compare(const QString& form, const Program& made, const RunInputs& inputs,
                                                const RunOptions& options) {
    const auto comparison = compare_programs(*question.source, made, question.graph, inputs, options);
    if (!comparison) return {form, Answer::error, comparison.error().message()};
    if (comparison->cannot_run)
        return {form, Answer::error, "the graph does not run as it is: " + comparison->cannot_run->message()};
    report.outputs = comparison->outputs;
    report.inputs = comparison->inputs;
    report.calls = comparison->calls;
    if (comparison->difference) return {form, Answer::different, comparison->difference->sentence};
    return {form, Answer::equal, {}};
}

EquivalenceRun::EquivalenceRun(Document* document, QObject* parent) : QObject(parent) {
    connect(document, &Document::opened, this, &EquivalenceRun::drop);
    connect(document, &Document::graphShown, this, &EquivalenceRun::drop);
}

EquivalenceRun::~EquivalenceRun() {
    if (job_) job_->cancelled = true;
}

void EquivalenceRun::start(EquivalenceQuestion question) {
    report_.reset();
    const auto job = std::make_shared<Job>();
    job->question = std::move(question);
    job_.start(job, std::mem_fn(&Job::run), [this](Job& each) {
        report_ = std::move(each.report);
        Q_EMIT changed();
    });
    Q_EMIT changed();
}

void EquivalenceRun::cancel() {
    if (job_) job_->cancelled = true; // the report says so, once the running operator has ended
}

void EquivalenceRun::drop() {
    if (job_) job_->cancelled = true;
    job_.forget();
    report_.reset();
    Q_EMIT changed();
}

QString equivalenceHtml(const EquivalenceRun& run, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    if (run.isRunning())
        return coloured(EquivalenceRun::tr("Running the source beside what was made of it…"), colours.muted);
    if (!run.report()) return {};
    const EquivalenceReport& report = *run.report();
    if (report.isCancelled)
        return coloured(EquivalenceRun::tr("Stopped: nothing can be said of the graphs."), colours.muted);
    QStringList parts;
    bool is_any_equal = false;
    for (const EquivalenceFinding& finding : report.findings) {
        const QString detail = QString::fromStdString(finding.detail).toHtmlEscaped();
        switch (finding.answer) {
        case Answer::equal:
            is_any_equal = true;
            parts << coloured(EquivalenceRun::tr("✓ %1 equal to the source").arg(finding.form), colours.success);
            break;
        case Answer::different:
            parts << coloured(EquivalenceRun::tr("✗ %1 differs: %2").arg(finding.form, detail), colours.failure);
            break;
        case Answer::error:
            parts << coloured(EquivalenceRun::tr("? %1 not verified: %2").arg(finding.form, detail), colours.warning);
            break;
        }
    }
    if (is_any_equal) {
        const QString how = report.tolerance == 0 ? EquivalenceRun::tr("bit for bit")
                                                  : EquivalenceRun::tr("within %1").arg(report.tolerance);
        parts << coloured(EquivalenceRun::tr("%1 and %2, %3, in %4")
                              .arg(counted(report.outputs, EquivalenceRun::tr("%1 output"), EquivalenceRun::tr("%1 outputs")),
                                   counted(report.inputs, EquivalenceRun::tr("%1 input"), EquivalenceRun::tr("%1 inputs")), how,
                                   counted(report.calls, EquivalenceRun::tr("%1 call"), EquivalenceRun::tr("%1 calls"))),
                          colours.muted);
    }
    return parts.join(QStringLiteral("&nbsp;&nbsp; "));
}

} // namespace inspector
