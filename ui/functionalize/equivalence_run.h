// One comparison at a time, off the UI thread: the source graph run beside its functional form, and beside what the
// re-inplacing pass makes of that.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QThreadPool>

#include "ui/functionalize/round_trip_session.h"

namespace inspector {

/// What running found of one form of the graph.
struct EquivalenceFinding {
    enum class Answer : std::uint8_t { equal, different, error };
    Answer answer = Answer::error;
    std::string detail; ///< what differs, or why nothing was compared; empty when equal
};

struct EquivalenceReport {
    EquivalenceFinding functionalized;
    EquivalenceFinding reinplaced;
    std::size_t outputs = 0;         ///< how many were compared
    std::size_t inputs = 0;
    int calls = 0;
    bool isCancelled = false;
};

class EquivalenceRun : public QObject {
    Q_OBJECT
public:
    EquivalenceRun(Document* document, RoundTripSession* session, QObject* parent = nullptr);
    /// Cancels, and waits for the operator that is running.
    ~EquivalenceRun() override;

    /// Why it cannot start now, as a clause; empty where it can.
    [[nodiscard]] QString whyNot() const;
    /// Precondition: whyNot() is empty. Ends in changed().
    void start();
    void cancel();
    [[nodiscard]] bool isRunning() const { return job_ != nullptr; }
    /// Of the last one that ended; nullptr while there is none. Gone when another graph is shown.
    [[nodiscard]] const EquivalenceReport* report() const { return report_ ? &*report_ : nullptr; }

Q_SIGNALS:
    void changed(); ///< started, ended, cancelled, or the report is gone

private:
    struct Job;
    void drop();

    Document* document_;
    RoundTripSession* session_;
    std::shared_ptr<Job> job_; ///< null when nothing runs
    std::optional<EquivalenceReport> report_;
    QThreadPool workers_;
};

} // namespace inspector
