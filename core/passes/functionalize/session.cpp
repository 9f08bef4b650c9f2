#include "core/passes/functionalize/session.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/analysis/region.h"
#include "core/graph/stored_tensor.h"
#include "core/passes/functionalize/in_place_views.h"
#include "core/passes/functionalize/walk.h"

namespace inspector {
namespace {

/// Placeholders whose stored tensors lie in one record of the archive, which is one storage.
std::set<NodeId> inputs_that_share(const Program& program, const ProgramGraph& graph) {
    std::set<NodeId> shared;
    if (!graph.signature) return shared;
    std::map<std::string, std::vector<NodeId>> by_record;
    for (const InputSpec& input : graph.signature->inputs) {
        const StoredTensor* stored = find_stored(program, input);
        const NodeId placeholder = graph.graph.find(input.placeholder);
        if (stored && !stored->record.empty() && placeholder != no_node)
            by_record[stored->record].push_back(placeholder);
    }
    for (const auto& [record, placeholders] : by_record)
        if (placeholders.size() > 1) shared.insert(placeholders.begin(), placeholders.end());
    return shared;
}

/// Lifted constants have no specification that says they are written.
std::set<NodeId> constant_inputs(const ProgramGraph& graph) {
    using Kind = InputSpec::Kind;
    std::set<NodeId> constants;
    if (!graph.signature) return constants;
    for (const InputSpec& input : graph.signature->inputs)
        if (input.kind != Kind::user_input && input.kind != Kind::buffer && input.kind != Kind::parameter)
            constants.insert(graph.graph.find(input.placeholder));
    return constants;
}

FunctionalWalk::Rules rules_for(const Program& program, std::size_t index, Epilogue epilogue) {
    FunctionalWalk::Rules rules;
    rules.is_nested = program.graphs[index].parent.has_value();
    rules.epilogue = rules.is_nested ? Epilogue::outputs : epilogue;
    rules.shared_inputs = inputs_that_share(program, program.graphs[index]);
    rules.constant_inputs = constant_inputs(program.graphs[index]);
    return rules;
}

} // namespace

struct FunctionalizeSession::State {
    State(const Program& program, std::size_t index, Epilogue epilogue)
        : original(program.graphs[index]), prepared(original), rules(rules_for(program, index, epilogue)) {
        views = replace_in_place_views(prepared.graph);
        prepared.graph.forget_history();
        facts = GraphFacts::run(prepared);
        graph = prepared.graph;
        begin();
    }

    void begin() {
        steps.clear();
        ending.reset();
        graph.undo_to(0);
        walk = std::make_unique<FunctionalWalk>(prepared.graph, facts, graph, rules);
        if (walk->mutations().empty()) finish();
    }

    void finish() { ending = walk->finish(); }

    bool step() {
        if (ending || is_refused()) return false;
        steps.push_back(walk->step());
        if (steps.size() == walk->mutations().size() && !is_refused()) finish();
        return true;
    }

    [[nodiscard]] bool is_refused() const {
        return !steps.empty() && steps.back().refusal != MutationRefusal::none;
    }

    ProgramGraph original;
    ProgramGraph prepared; ///< with in-place views made views
    FunctionalWalk::Rules rules;
    InPlaceViews views;
    GraphFacts facts;
    Graph graph;
    std::unique_ptr<FunctionalWalk> walk;
    std::vector<FunctionalizeStep> steps;
    std::optional<FunctionalizeEnding> ending;
};

FunctionalizeSession::FunctionalizeSession() = default;
FunctionalizeSession::~FunctionalizeSession() = default;

std::unique_ptr<FunctionalizeSession> FunctionalizeSession::start(const Program& program, std::size_t graph, Options options) {
    std::unique_ptr<FunctionalizeSession> session(new FunctionalizeSession);
    session->state_ = std::make_unique<State>(program, graph, options.epilogue);
    return session;
}

const Graph& FunctionalizeSession::original() const { return state_->original.graph; }
const Graph& FunctionalizeSession::graph() const { return state_->graph; }
const GraphFacts& FunctionalizeSession::facts() const { return state_->facts; }
const std::vector<NodeId>& FunctionalizeSession::mutations() const { return state_->walk->mutations(); }
std::uint32_t FunctionalizeSession::position() const { return static_cast<std::uint32_t>(state_->steps.size()); }
bool FunctionalizeSession::at_end() const { return state_->ending.has_value(); }
const std::vector<FunctionalizeStep>& FunctionalizeSession::steps() const { return state_->steps; }
const FunctionalizeEnding* FunctionalizeSession::ending() const { return state_->ending ? &*state_->ending : nullptr; }
const std::vector<NodeId>& FunctionalizeSession::in_place_views() const { return state_->views.changed; }
NodeId FunctionalizeSession::source_of(NodeId node) const { return state_->walk->source_of(node); }

NodeId FunctionalizeSession::current() const {
    return at_end() || position() >= mutations().size() ? no_node : mutations()[position()];
}

MutationRefusal FunctionalizeSession::refusal() const {
    if (state_->is_refused()) return state_->steps.back().refusal;
    return state_->ending ? state_->ending->refusal : MutationRefusal::none;
}

std::vector<SeeingAlias> FunctionalizeSession::aliases(std::uint32_t index) const {
    const State& state = *state_;
    const Graph& graph = state.prepared.graph;
    const FunctionalizeStep& step = state.steps[index];
    std::vector<SeeingAlias> seen;
    const auto region = [&](NodeId node) -> std::optional<Region> {
        const TensorLayout* layout = state.facts.tensor(node);
        const auto bytes = layout ? element_size(layout->dtype) : 0;
        if (!layout || state.facts.is_symbolic() || !Region::is_representable(layout->storage_offset, layout->sizes, layout->strides, bytes))
            return std::nullopt;
        return Region::of_view(layout->storage_offset, layout->sizes, layout->strides, bytes);
    };
    for (const NodeId id : graph) {
        if (id == step.node || state.facts.of(id).is_list || graph.node(id).opcode == Opcode::output) continue;
        SeeingAlias alias{id, false, false};
        bool shares = false;
        for (const NodeId written : step.written) {
            if (written == no_node || state.facts.storages(written) != state.facts.storages(id) || state.facts.storages(id).empty()) continue;
            shares = true;
            const auto mine = region(id), theirs = region(written);
            alias.overlaps |= !mine || !theirs || overlaps(*mine, *theirs) != Overlap::no;
        }
        if (!shares) continue;
        alias.is_read_later = std::ranges::any_of(graph.users(id), [&](NodeId user) { return graph.is_before(step.node, user); });
        seen.push_back(alias);
    }
    return seen;
}

ProgramGraph FunctionalizeSession::result() const {
    const State& state = *state_;
    ProgramGraph made = state.original;
    made.graph = state.graph;
    const bool returns_written = state.rules.epilogue == Epilogue::outputs && !state.ending->inputs.empty();
    if (made.signature || returns_written)
        made.signature = functional_signature(state.original, made.graph,
                                              returns_written ? state.ending->inputs : std::vector<WrittenInput>{});
    return made;
}

bool FunctionalizeSession::step() { return state_->step(); }

bool FunctionalizeSession::step_back() {
    if (position() == 0) return false;
    run_to(position() - 1);
    return true;
}

void FunctionalizeSession::run_to(std::uint32_t position) {
    // Going back is starting again: what is done first does not depend on what comes later.
    if (position < this->position()) state_->begin();
    while (this->position() < position && state_->step()) {}
}

void FunctionalizeSession::run_to_end() { while (state_->step()) {} }
void FunctionalizeSession::restart() { run_to(0); }

} // namespace inspector
