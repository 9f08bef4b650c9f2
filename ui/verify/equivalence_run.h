// One comparison at a time, off the UI thread: the shown graph run beside programs that were made of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QPalette>
#include <QString>

#include "ui/document/document.h"
#include "ui/document/latest_job.h"

namespace inspector {

/// Which forms of a graph to run beside it.
struct EquivalenceQuestion {
    std::shared_ptr<const Program> source;
    std::size_t graph = 0;
    std::vector<QString> forms; ///< "Functionalized": their names, in order
    /// Makes form number `form`, off the UI thread and one after the other. Error: it cannot be made.
    std::function<Result<Program>(std::size_t form)> make;
    double tolerance = 0;       ///< relative and absolute; 0: bit for bit
};

/// What running found of one form of the graph.
struct EquivalenceFinding {
    enum class Answer : std::uint8_t { equal, different, error };
    QString form;
    Answer answer = Answer::error;
    std::string detail; ///< what differs, or why nothing was compared; empty when equal
};

struct EquivalenceReport {
    std::vector<EquivalenceFinding> findings; ///< in the order of the forms
    std::size_t outputs = 0;                  ///< how many were compared
    std::size_t inputs = 0;
    int calls = 0;
    double tolerance = 0;
    bool isCancelled = false;
};

class EquivalenceRun : public QObject {
    Q_OBJECT
public:
    explicit EquivalenceRun(Document* document, QObject* parent = nullptr);
    /// Cancels, and waits for the operator that is running.
    ~EquivalenceRun() override;

    /// Precondition: none is running. Ends in changed().
    void start(EquivalenceQuestion question);
    void cancel();
    /// The report is of forms that are no more. So it is when another graph is shown.
    void drop();
    [[nodiscard]] bool isRunning() const { return bool(job_); }
    /// Of the last one that ended; nullptr while there is none.
    [[nodiscard]] const EquivalenceReport* report() const { return report_ ? &*report_ : nullptr; }

Q_SIGNALS:
    void changed(); ///< started, ended, cancelled, or the report is gone

private:
    struct Job;
    LatestJob<Job> job_{this};
    std::optional<EquivalenceReport> report_;
};

/// What running found, as rich text; empty where nothing was run.
[[nodiscard]] QString equivalenceHtml(const EquivalenceRun& run, const QPalette& palette);

} // namespace inspector
