#include "core/passes/reinplace/session.h"

#include <algorithm>
#include <utility>

#include "core/passes/reinplace/checks/later_use_check.h"
#include "core/passes/reinplace/evidence.h"
#include "core/passes/reinplace/pass_state.h"
#include "core/passes/reinplace/policy.h"
#include "core/passes/reinplace/rewrite.h"

namespace inspector {
namespace {

/// What is kept of a decision besides its record.
struct Trace {
    PassState::Mark before;        ///< undo to here takes the decision back
    AliasSets::State set = 0;      ///< of self's storage, as the checks saw it
    std::uint32_t checks_asked = 0;
};

} // namespace

struct ReinplaceSession::State {
    State(const ProgramGraph& source, Options chosen, const Policy& rules)
        : policy(rules), options(std::move(chosen)), pass(source, rules, options.donated) {
        decisions.reserve(pass.calls.size());
        traces.reserve(pass.calls.size());
        if (pass.calls.empty()) finish();
    }

    [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(decisions.size()); }
    [[nodiscard]] bool at_end() const { return decisions.size() == pass.calls.size(); }

    [[nodiscard]] Candidate candidate() const {
        const NodeId node = pass.calls[decisions.size()];
        // Inductor looks at the graph as it was before its first rewrite.
        const auto& args = (pass.inductor ? pass.original : pass.graph).node(node).args;
        return {.node = node,
                .self = args.empty() ? no_node : args[0].node(),
                .target = pass.target(node),
                .now = pass.time(node)};
    }

    /// Asks the next check of the current node. True: that made the decision.
    bool ask_next() {
        if (findings.empty()) {
            before_checks = pass.mark();
            in_question.emplace(candidate());
        }
        findings.push_back(policy.checks[findings.size()]->ask(pass, *in_question));
        if (!findings.back().decides() && findings.size() < policy.checks.size()) return false;
        decide(*in_question);
        forget_checks();
        return true;
    }

    void forget_checks() {
        findings.clear();
        in_question.reset();
    }

    void decide(Candidate& asked) {
        Finding& finding = findings.back();
        Decision decision;
        decision.index = position();
        decision.node = asked.node;
        decision.operand = asked.self;
        decision.target = asked.target.short_name;
        decision.check = finding.check;
        decision.reason = finding.reason;
        decision.choice = choice(decision.index);
        decision.bytes = allocated_bytes(asked.node);
        traces.push_back({before_checks, self_set(asked), static_cast<std::uint32_t>(findings.size())});

        using Answer = Finding::Answer;
        const bool rewrites = finding.answer == Answer::in_place || finding.answer == Answer::scatter_copy ||
                              finding.answer == Answer::redundant;
        const bool skipped = decision.choice == Choice::skip || (options.first && decision.index >= *options.first);
        if (rewrites && skipped) {
            decision.verdict = Verdict::kept;
            decision.reason = Reason::skipped;
        } else if (rewrites) {
            if (policy.records_evidence()) decision.witnesses = finding.witnesses;
            if (finding.answer == Answer::redundant) drop(asked, decision);
            else policy.rewrite(pass, asked, decision);
        } else if (decision.choice == Choice::force && !pass.is_doomed(asked.node)) {
            force(asked, decision, finding);
        } else {
            keep(asked, decision, finding);
        }
        if (asked.writer && asked.writer->has_named_operands())
            note_operands(std::move(asked.writer->operands), decision);
        decisions.push_back(std::move(decision));
        if (at_end()) finish();
    }

    /// What is written of several operands is saved; what had to be cloned is lost where nothing is.
    static void note_operands(std::vector<OperandDecision> operands, Decision& decision) {
        const bool rewritten = is_own_rewrite(decision);
        decision.bytes = 0;
        for (OperandDecision& operand : operands) {
            operand.in_place &= rewritten;
            const bool counts = rewritten ? operand.in_place : operand.check != CheckId::written_twice;
            std::int64_t sum = 0;
            if (counts && !__builtin_add_overflow(decision.bytes, operand.bytes, &sum)) decision.bytes = sum;
        }
        decision.operands = std::move(operands);
    }

    void keep(const Candidate& asked, Decision& decision, Finding& finding) {
        decision.verdict = finding.answer == Finding::Answer::raises ? Verdict::upstream_raises : Verdict::kept;
        if (pass.is_doomed(asked.node)) decision.verdict = Verdict::deleted;
        decision.detail = std::move(finding.fields);
        decision.witnesses = std::move(finding.witnesses);
        if (asked.target.inplace || asked.target.inverse_view) decision.condition = std::move(finding.condition);
        const auto [user, through] = finding.blocked_by;
        if (user == no_node) return;
        decision.witnesses.push_back({WitnessRole::later_use, user, pass.time(user)});
        if (through != asked.self)
            decision.witnesses.push_back({WitnessRole::through_view, through, pass.time(through)});
    }

    void force(Candidate& asked, Decision& decision, Finding& finding) {
        if (policy.can_rewrite(pass, asked)) {
            if (pass.places) asked.moved = unchecked_move(asked);
            else if (!pass.inductor) asked.superfluous = LaterUseCheck::matching_scatters(pass, asked);
            if (asked.writer)
                for (OperandDecision& operand : asked.writer->operands) operand.in_place = true;
            policy.rewrite(pass, asked, decision);
            decision.reason = Reason::forced;
            if (policy.records_evidence()) decision.witnesses = std::move(finding.witnesses);
            return;
        }
        keep(asked, decision, finding);
        const bool has_tensors =
            asked.self != no_node && pass.storage(asked.self) != 0 && pass.storage(asked.node) != 0;
        if (has_tensors && asked.target.op && !pass.inductor) {
            decision.check = CheckId::no_inplace_variant;
            decision.reason = asked.target.no_inplace;
            decision.detail.clear();
            decision.witnesses.clear();
        }
    }

    /// A forced result takes self's place, whatever becomes of its views.
    [[nodiscard]] std::vector<Placements::Moved> unchecked_move(const Candidate& asked) const {
        const TensorLayout* self = pass.places->layout(asked.self);
        return self ? std::vector{Placements::Moved{asked.node, *self}} : std::vector<Placements::Moved>{};
    }

    void drop(const Candidate& asked, Decision& decision) {
        leave_out(pass, asked);
        hand_over(pass, asked);
        decision.verdict = Verdict::deleted;
    }

    /// Doomed scatters go when the pass ends.
    void finish() {
        before_finish = pass.mark();
        erase_doomed(pass);
    }

    bool step_back() {
        if (!findings.empty()) {
            pass.undo_to(before_checks);
            forget_checks();
            return true;
        }
        if (decisions.empty()) return false;
        if (at_end()) pass.undo_to(before_finish);
        pass.undo_to(traces.back().before);
        traces.pop_back();
        decisions.pop_back();
        return true;
    }

    bool step_node() {
        if (at_end()) return false;
        while (!ask_next()) {}
        return true;
    }

    void run_to(std::uint32_t target) {
        if (target <= position() && !findings.empty()) step_back();
        while (position() > target) step_back();
        while (position() < target && step_node()) {}
    }

    template <typename Predicate> bool run_to_next(Predicate&& stops) {
        while (step_node())
            if (stops(decisions.back())) return true;
        return false;
    }

    [[nodiscard]] Choice choice(std::uint32_t index) const {
        const auto found = options.choices.find(index);
        return found != options.choices.end() ? found->second : Choice::policy;
    }

    /// Bytes of the storage that the node's result brings into being; 0 for views and results written in place.
    [[nodiscard]] std::int64_t allocated_bytes(NodeId node) const {
        const Storage* storage = pass.storages.of(node);
        return storage && storage->root == node ? storage->bytes : 0;
    }

    [[nodiscard]] AliasSets::State self_set(const Candidate& asked) const {
        return asked.self != no_node ? pass.sets.state(pass.storage(asked.self)) : 0;
    }

    [[nodiscard]] Moment moment(std::uint32_t index) const {
        if (index < decisions.size()) {
            const Decision& made = decisions[index];
            return {made.node, made.operand, traces[index].set, pass.time(made.node)};
        }
        const Candidate asked = candidate();
        return {asked.node, asked.self, self_set(asked), asked.now};
    }

    const Policy& policy;
    Options options;
    PassState pass;
    std::vector<Decision> decisions;
    std::vector<Trace> traces;

    std::vector<Finding> findings;    ///< of the checks already asked of the current node
    std::optional<Candidate> in_question; ///< the current node, with what these checks found; none before the first
    PassState::Mark before_checks{};
    PassState::Mark before_finish{};
};

Result<std::unique_ptr<ReinplaceSession>> ReinplaceSession::start(const ProgramGraph& source, Options options) {
    const Policy* policy = find_policy(options.policy);
    if (!policy) {
        std::string known;
        for (const PolicyInfo& info : policies()) known += (known.empty() ? "" : ", ") + info.id;
        return fail("", "there is no policy \"" + options.policy + "\" (known: " + known + ")");
    }
    for (const std::string& name : options.donated) {
        const NodeId input = source.graph.find(name);
        if (input == no_node || source.graph.node(input).opcode != Opcode::placeholder)
            return fail("", "no input is named \"" + name + "\"");
    }
    std::unique_ptr<ReinplaceSession> session(new ReinplaceSession);
    session->state_ = std::make_unique<State>(source, std::move(options), *policy);
    return session;
}

ReinplaceSession::ReinplaceSession() = default;
ReinplaceSession::~ReinplaceSession() = default;

const Graph& ReinplaceSession::graph() const { return state_->pass.graph; }
const Graph& ReinplaceSession::original() const { return state_->pass.original; }
const GraphFacts& ReinplaceSession::facts() const { return state_->pass.facts; }
const Storages& ReinplaceSession::storages() const { return state_->pass.storages; }
const std::vector<NodeId>& ReinplaceSession::decision_nodes() const { return state_->pass.calls; }
std::uint32_t ReinplaceSession::position() const { return state_->position(); }
bool ReinplaceSession::at_end() const { return state_->at_end(); }
std::uint32_t ReinplaceSession::checks_asked() const { return static_cast<std::uint32_t>(state_->findings.size()); }
NodeId ReinplaceSession::current() const { return at_end() ? no_node : state_->pass.calls[state_->decisions.size()]; }
const std::vector<Decision>& ReinplaceSession::decisions() const { return state_->decisions; }

Decision ReinplaceSession::complete(std::uint32_t index) const {
    Decision decision = state_->decisions[index];
    if (decision.verdict == Verdict::reinplaced) decision.detail = {decision.new_target};
    if (state_->policy.records_evidence()) return decision;
    decision.witnesses = evidence(state_->pass, state_->moment(index), decision.check);
    if (decision.check == CheckId::later_use && decision.reason == Reason::used_later) {
        decision.detail.clear();
        for (const Witness& witness : decision.witnesses)
            if (witness.role == WitnessRole::later_use) decision.detail.push_back(original().node(witness.node).name);
        std::ranges::sort(decision.detail);
    }
    return decision;
}

std::vector<CheckStep> ReinplaceSession::checks(std::uint32_t index) const {
    using enum CheckStep::State;
    const State& state = *state_;
    std::vector<CheckStep> steps;
    const bool is_made = index < state.decisions.size();
    const bool is_current = index == state.decisions.size() && !at_end();
    const std::size_t asked = is_made ? state.traces[index].checks_asked : is_current ? state.findings.size() : 0;
    for (std::size_t i = 0; i < state.policy.checks.size(); ++i) {
        CheckStep step{.check = state.policy.checks[i]->id(), .state = pending, .witnesses = {}};
        if (i < asked) {
            step.state = passed;
            if (is_made && i + 1 == asked) {
                const Decision& decision = state.decisions[index];
                step.check = decision.check;
                const bool agreed = is_own_rewrite(decision) || decision.reason == Reason::skipped;
                if (!agreed || decision.reason == Reason::forced) step.state = failed;
            }
            const bool recorded = state.policy.records_evidence() && is_made && i + 1 == asked;
            step.witnesses =
                recorded              ? state.decisions[index].witnesses
                : state.pass.inductor ? std::vector<Witness>{}
                                      : evidence(state.pass, state.moment(index), step.check);
        } else if (is_made) {
            step.state = skipped;
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

bool ReinplaceSession::is_superfluous(NodeId node) const {
    return index_of(node) < state_->pass.facts.size() && state_->pass.is_doomed(node);
}

bool ReinplaceSession::is_miss(const Decision& decision) const {
    const bool refused = decision.verdict == Verdict::kept &&
                         (decision.check == CheckId::input_alias || decision.check == CheckId::argument_alias ||
                          decision.check == CheckId::later_use || decision.check == CheckId::output_alias ||
                          decision.check == CheckId::result_layout || decision.check == CheckId::fusion);
    const Target& target = state_->pass.target(decision.node);
    // Whatever reached one of these checks can be written; an input that must not change is no miss.
    if (state_->pass.inductor) return refused && decision.bytes > 0 && decision.reason != Reason::input_not_copied_back;
    return refused && decision.bytes > 0 && (target.inplace || target.inverse_view);
}

bool ReinplaceSession::step_check() {
    if (at_end()) return false;
    state_->ask_next();
    return true;
}
bool ReinplaceSession::step_node() { return state_->step_node(); }
bool ReinplaceSession::step_back() { return state_->step_back(); }
bool ReinplaceSession::to_next_rewrite() {
    return state_->run_to_next([](const Decision& decision) { return is_own_rewrite(decision); });
}
bool ReinplaceSession::to_next_miss() {
    return state_->run_to_next([this](const Decision& decision) { return is_miss(decision); });
}
void ReinplaceSession::run_to(std::uint32_t position) { state_->run_to(position); }
void ReinplaceSession::run_to_end() { while (state_->step_node()) {} }
void ReinplaceSession::restart() { state_->run_to(0); }

void ReinplaceSession::look_at(std::uint32_t position, const std::function<void()>& look) const {
    // Going there and back leaves everything as it was: one engine, exact undo.
    State& state = *state_;
    const std::uint32_t place = state.position();
    const std::size_t checks_asked = state.findings.size();
    if (checks_asked > 0) state.step_back();
    state.run_to(position);
    look();
    state.run_to(place);
    for (std::size_t i = 0; i < checks_asked; ++i) state.ask_next();
}

void ReinplaceSession::choose(std::uint32_t index, Choice choice) {
    State& state = *state_;
    if (choice == Choice::policy) state.options.choices.erase(index);
    else state.options.choices[index] = choice;
    const std::uint32_t place = state.position();
    if (index >= place) return;
    state.run_to(index);
    state.run_to(place);
}

Choice ReinplaceSession::choice(std::uint32_t index) const { return state_->choice(index); }
const ReinplaceSession::Options& ReinplaceSession::options() const { return state_->options; }

} // namespace inspector
