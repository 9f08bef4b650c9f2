// One verification at a time, off the UI thread: the document's graph run before and after, with progress and an end.
#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QString>
#include <QTimer>

#include "core/execution/verification.h"
#include "core/passes/reinplace/sentence.h"
#include "ui/document/document.h"
#include "ui/document/latest_job.h"

namespace inspector {

/// What is asked of a verification.
struct VerificationRequest {
    enum class Scope : std::uint8_t {
        all_decisions, ///< the pass to its end, with the choices made
        made_so_far,   ///< the graph as rewritten so far
    };
    Scope scope = Scope::all_decisions;
    std::uint64_t seed = 0;                                 ///< of made-up inputs and random ops
    std::int64_t memoryLimit = RunOptions().memory_limit;   ///< bytes
};

/// What a verification found, and of what.
struct VerificationReport {
    ReinplaceSession::Options options;  ///< what was verified
    std::size_t graph = 0;
    Verification verification;
    bool isCancelled = false;
    ReinplaceSummary simulated;         ///< of the same decisions
    std::int64_t inputBytes = 0;        ///< counted in the simulated peaks, not in the measured ones
    std::optional<Decision> decision;   ///< the one that brings the difference in
    Sentence explanation;               ///< of that decision
};

class VerificationRun : public QObject {
    Q_OBJECT
public:
    explicit VerificationRun(Document* document, QObject* parent = nullptr);
    /// Cancels, and waits for the operator that is running.
    ~VerificationRun() override;

    /// Why it cannot start now; empty where it can.
    [[nodiscard]] QString whyNot(VerificationRequest::Scope scope) const;
    /// Precondition: whyNot() is empty. Ends in changed().
    void start(const VerificationRequest& request);
    void cancel();
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] QString stage() const;  ///< what the running one does: a sentence without period
    [[nodiscard]] int percent() const;    ///< of that stage; -1 while it cannot be said

    /// Of the last one that ended; nullptr while there is none. Gone when another graph or policy is shown.
    [[nodiscard]] const VerificationReport* report() const;
    /// Choices or steps have been made since that would be verified now.
    [[nodiscard]] bool isOutdated() const;

Q_SIGNALS:
    void ended();      ///< there is a report; after changed()
    void changed();    ///< started, ended, cancelled, or the report is gone or outdated
    void progressed(); ///< stage() or percent() have changed

private:
    struct Job;
    void drop();
    void finish(Job& job);
    [[nodiscard]] ReinplaceSession::Options optionsOf(VerificationRequest::Scope scope) const;

    Document* document_;
    LatestJob<Job> job_{this};
    std::optional<VerificationReport> report_;
    VerificationRequest::Scope scope_ = VerificationRequest::Scope::all_decisions; ///< of the report
    QTimer poll_;
};

} // namespace inspector
