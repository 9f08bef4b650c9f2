// The shown graph made functional, step by step, and what the re-inplacing pass makes of the result.
//
//     source ──step by step──► functionalized ──at once──► reinplaced
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include <QObject>
#include <QString>

#include "core/passes/functionalize/round_trip.h"
#include "ui/document/document.h"
#include "ui/document/latest_job.h"

namespace inspector {

class RoundTripSession : public QObject {
    Q_OBJECT
public:
    explicit RoundTripSession(Document* document, QObject* parent = nullptr);
    /// Waits for what is being prepared.
    ~RoundTripSession() override;

    /// Nothing is computed until somebody looks. Ends in prepared(), off the UI thread; from then on every graph that is
    /// shown is prepared too, as long as somebody looks.
    void setLookedAt(bool on);
    [[nodiscard]] bool isPreparing() const { return bool(job_); }
    /// What becomes of inputs that are written; a change prepares anew.
    void setEpilogue(Epilogue epilogue);
    [[nodiscard]] Epilogue epilogue() const { return epilogue_; }

    /// Functionalization as far as it was stepped; nullptr until prepared.
    [[nodiscard]] const FunctionalizeSession* functional() const;
    /// The same at its end, or at the refusal that ends it. nullptr until prepared.
    [[nodiscard]] const FunctionalizeSession* finished() const;
    /// The re-inplacing pass under `sound` on the functional graph, at its end; nullptr where that is refused.
    [[nodiscard]] const ReinplaceSession* reinplaced() const;
    [[nodiscard]] const RoundTrip* trip() const;       ///< nullptr where reinplaced() is
    [[nodiscard]] bool hasMutations() const;           ///< or in-place views
    /// The graph has all that functionalization would give it.
    [[nodiscard]] bool isAtEnd() const;

    /// The source graph's node that a node of functional() stands for; no_node for ids it does not have.
    [[nodiscard]] NodeId sourceOf(NodeId functional) const;
    /// The same of a node of reinplaced()->graph().
    [[nodiscard]] NodeId sourceOfReinplaced(NodeId reinplaced) const;
    /// Functionalization has come past this node of the source graph.
    [[nodiscard]] bool isPassed(NodeId source) const;
    /// Number of the step on a node of the source graph; nullopt for one that writes nothing.
    [[nodiscard]] std::optional<std::uint32_t> stepOn(NodeId source) const;
    /// nullptr before the step is made, and for other nodes.
    [[nodiscard]] const FunctionalizeStep* stepMade(NodeId source) const;

    /// Why a step in this direction cannot be made, as a clause; empty where it can.
    [[nodiscard]] QString whyNotForward() const;
    [[nodiscard]] QString whyNotBack() const;
    /// Why there is no functional graph to run, write or open, as a clause; empty where there is one.
    [[nodiscard]] QString whyNotResult() const;
    // Each selects the mutation it is about in the document.
    void step();
    void stepBack();
    void runToEnd();
    void restart();
    void runTo(std::uint32_t position);

Q_SIGNALS:
    void prepared(); ///< another graph, or none: everything is new
    void stepped();

private:
    struct Prepared;
    struct Job;
    void drop();
    void prepare();
    void move(std::uint32_t position);

    Document* document_;
    Epilogue epilogue_ = Epilogue::copies;
    bool isLookedAt_ = false;
    std::unique_ptr<Prepared> state_;
    LatestJob<Job> job_{this};
};

} // namespace inspector
