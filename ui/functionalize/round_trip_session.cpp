#include "ui/functionalize/round_trip_session.h"

#include <utility>

namespace inspector {

struct RoundTripSession::Prepared {
    Prepared(const Program& program, std::size_t graph, Epilogue epilogue)
        : functional(FunctionalizeSession::start(program, graph, {epilogue})),
          finished(FunctionalizeSession::start(program, graph, {epilogue})) {
        for (const NodeId node : functional->mutations()) steps.emplace(node, static_cast<std::uint32_t>(steps.size()));
        finished->run_to_end();
        if (finished->refusal() != MutationRefusal::none) return;
        ReinplaceSession::Options options;
        options.policy = "sound";
        auto session = ReinplaceSession::start(finished->result(), std::move(options));
        if (!session) return;
        reinplaced = std::move(*session);
        reinplaced->run_to_end();
        trip = round_trip(*finished, *reinplaced);
        for (const RoundTripRow& row : trip->rows)
            for (const NodeId node : row.reinplaced) sourceOfReinplaced.emplace(node, row.source);
    }

    std::unique_ptr<FunctionalizeSession> functional;
    std::unique_ptr<FunctionalizeSession> finished;
    std::unique_ptr<ReinplaceSession> reinplaced;
    std::optional<RoundTrip> trip;
    std::unordered_map<NodeId, std::uint32_t> steps; ///< by mutation
    std::unordered_map<NodeId, NodeId> sourceOfReinplaced;
};

/// Shared with the worker, which may outlive the wish to have its result.
struct RoundTripSession::Job {
    std::shared_ptr<const Program> program;
    std::unique_ptr<Prepared> result;
};

RoundTripSession::RoundTripSession(Document* document, QObject* parent) : QObject(parent), document_(document) {
    connect(document, &Document::opened, this, &RoundTripSession::drop);
    connect(document, &Document::graphShown, this, &RoundTripSession::drop);
}

RoundTripSession::~RoundTripSession() = default;

void RoundTripSession::setLookedAt(bool on) {
    isLookedAt_ = on;
    prepare();
}

void RoundTripSession::setEpilogue(Epilogue epilogue) {
    if (std::exchange(epilogue_, epilogue) != epilogue) drop();
}

void RoundTripSession::drop() {
    job_.forget();
    state_.reset();
    Q_EMIT prepared();
    prepare();
}

void RoundTripSession::prepare() {
    if (!isLookedAt_ || state_ || job_ || document_->isEmpty()) return;
    const auto job = std::make_shared<Job>();
    job->program = document_->sharedProgram();
    const auto work = [graph = document_->graphIndex(), epilogue = epilogue_](Job& each) {
        each.result = std::make_unique<Prepared>(*each.program, graph, epilogue);
    };
    job_.start(job, work, [this](Job& each) {
        state_ = std::move(each.result);
        Q_EMIT prepared();
    });
}

const FunctionalizeSession* RoundTripSession::functional() const { return state_ ? state_->functional.get() : nullptr; }
const FunctionalizeSession* RoundTripSession::finished() const { return state_ ? state_->finished.get() : nullptr; }
const ReinplaceSession* RoundTripSession::reinplaced() const { return state_ ? state_->reinplaced.get() : nullptr; }
const RoundTrip* RoundTripSession::trip() const { return state_ && state_->trip ? &*state_->trip : nullptr; }

bool RoundTripSession::hasMutations() const {
    return state_ && (!state_->functional->mutations().empty() || !state_->functional->in_place_views().empty());
}

bool RoundTripSession::isAtEnd() const { return state_ && state_->functional->at_end(); }

NodeId RoundTripSession::sourceOf(NodeId functional) const {
    if (!state_) return no_node;
    if (state_->functional->original().contains(functional)) return functional;
    return state_->functional->graph().contains(functional) ? state_->functional->source_of(functional) : no_node;
}

NodeId RoundTripSession::sourceOfReinplaced(NodeId reinplaced) const {
    if (!state_) return no_node;
    const auto found = state_->sourceOfReinplaced.find(reinplaced);
    return found == state_->sourceOfReinplaced.end() ? no_node : found->second;
}

bool RoundTripSession::isPassed(NodeId source) const {
    if (!state_ || source == no_node) return false;
    const NodeId next = state_->functional->current();
    return next == no_node ? isAtEnd() : state_->functional->original().is_before(source, next);
}

std::optional<std::uint32_t> RoundTripSession::stepOn(NodeId source) const {
    if (!state_) return std::nullopt;
    const auto found = state_->steps.find(source);
    return found == state_->steps.end() ? std::nullopt : std::optional(found->second);
}

const FunctionalizeStep* RoundTripSession::stepMade(NodeId source) const {
    const auto number = stepOn(source);
    return number && *number < state_->functional->steps().size() ? &state_->functional->steps()[*number] : nullptr;
}

QString RoundTripSession::whyNotForward() const {
    if (document_->isEmpty()) return tr("no graph is open");
    if (!state_) return tr("the round trip is not shown");
    if (state_->functional->mutations().empty()) return tr("no node of this graph writes a tensor");
    if (isAtEnd()) return tr("every mutation is out of place");
    if (state_->functional->refusal() != MutationRefusal::none) return tr("the mutation is refused");
    return {};
}

QString RoundTripSession::whyNotBack() const {
    if (document_->isEmpty()) return tr("no graph is open");
    if (!state_) return tr("the round trip is not shown");
    if (state_->functional->mutations().empty()) return tr("no node of this graph writes a tensor");
    return state_->functional->position() == 0 ? tr("no step is made yet") : QString();
}

QString RoundTripSession::whyNotResult() const {
    if (document_->isEmpty()) return tr("no graph is open");
    if (!state_) return tr("the round trip is not shown");
    if (state_->finished->refusal() != MutationRefusal::none) return tr("the graph cannot be made functional");
    return hasMutations() ? QString() : tr("no node of this graph writes: it is functional as it is");
}

void RoundTripSession::move(std::uint32_t position) {
    if (!state_) return;
    FunctionalizeSession& session = *state_->functional;
    const std::uint32_t before = session.position();
    session.run_to(position);
    if (session.position() == before) return;
    Q_EMIT stepped();
    const NodeId node = session.position() > before ? session.steps().back().node : session.current();
    if (node != no_node) document_->select(node);
}

void RoundTripSession::step() { if (state_) move(state_->functional->position() + 1); }
void RoundTripSession::stepBack() { if (state_ && state_->functional->position() > 0) move(state_->functional->position() - 1); }
void RoundTripSession::runToEnd() { if (state_) move(static_cast<std::uint32_t>(state_->functional->mutations().size())); }
void RoundTripSession::restart() { move(0); }
void RoundTripSession::runTo(std::uint32_t position) { move(position); }

} // namespace inspector
