// The shown graph taken apart into Core ATen, off the UI thread.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include <QObject>
#include <QString>

#include "core/analysis/level.h"
#include "core/graph/print.h"
#include "core/passes/decompose/decompose.h"
#include "ui/document/document.h"
#include "ui/document/latest_job.h"
#include "ui/document/made_program.h"
#include "ui/verify/equivalence_run.h"

namespace inspector {

struct TakenApart {
    std::shared_ptr<const Program> source;       ///< the open program
    std::shared_ptr<const Program> made;         ///< nullptr where it is refused
    std::size_t graph = 0;
    std::unique_ptr<DecomposeSession> session;   ///< of the shown graph alone, at its end; nullptr where it is refused
    std::vector<Decomposition::Left> left;       ///< nested graphs included
    std::size_t steps = 0;                       ///< the same
    NestedLevel level;                           ///< of what was made
    bool wasFunctionalized = false;              ///< first, since the graph writes
    std::vector<ReadableLine> code;              ///< of what was made, the shown graph alone
    QString refusal;                             ///< a sentence
};

class DecompositionRun : public QObject {
    Q_OBJECT
public:
    /// An operator that can be taken apart: "aten.silu.default", and in how many calls.
    struct Candidate {
        QString name;
        std::size_t calls = 0;
    };

    explicit DecompositionRun(Document* document, QObject* parent = nullptr);
    /// Waits for what is being taken apart.
    ~DecompositionRun() override;

    /// Nothing is computed until somebody looks; from then on every graph that is shown is taken apart.
    void setLookedAt(bool on);
    /// Operators that stay as they are; of another graph none do, until somebody chooses.
    void setKept(const QString& name, bool kept);
    [[nodiscard]] bool isKept(const QString& name) const { return kept_.contains(name.toStdString()); }

    [[nodiscard]] bool isPreparing() const { return bool(job_); }
    /// nullptr until prepared. While other operators are to be kept, the former stays until the new is there.
    [[nodiscard]] const TakenApart* found() const { return found_.get(); }
    /// Of the shown graph, in the order they first occur; the same whatever is kept.
    [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }
    /// The shown graph's node a step is about; no_node where it has none of that name.
    [[nodiscard]] NodeId sourceOf(const DecomposeStep& step) const;

    /// Why there is no result to run, write or open, as a clause; empty where there is one.
    [[nodiscard]] QString whyNotResult() const;
    // Precondition of both: whyNotResult() is empty.
    [[nodiscard]] EquivalenceQuestion question() const;
    [[nodiscard]] MadeProgram made() const;

Q_SIGNALS:
    void prepared(); ///< another result, or none

private:
    struct Job;
    void refresh();
    void prepare();

    Document* document_;
    bool isLookedAt_ = false;
    std::set<std::string> kept_;
    std::vector<Candidate> candidates_;
    std::shared_ptr<const TakenApart> found_;
    LatestJob<Job> job_{this};
    bool isStale_ = true;
};

} // namespace inspector
