#include "core/passes/decompose/session.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/analysis/value_facts.h"
#include "core/operators/operator_table.h"
#include "core/passes/decompose/call.h"
#include "core/passes/decompose/composite.h"
#include "core/passes/decompose/replacement.h"
#include "core/passes/decompose/result_meta.h"
#include "core/passes/decompose/rule.h"
#include "core/passes/functionalize/dead_code.h"
#include "core/passes/functionalize/epilogue.h"

namespace inspector {
namespace {

using decomposition::Call;
using decomposition::Rule;
using decomposition::SizeNodes;
using decomposition::Values;

bool is_complete(const ValueMeta& meta) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta)) return tensor->strides.has_value();
    if (const auto* list = std::get_if<ListMeta>(&meta))
        return !list->items.empty() && std::ranges::any_of(list->items, [](const auto& item) { return item.has_value(); });
    return !std::holds_alternative<UnknownMeta>(meta);
}

/// Constants whose shape the file leaves out; sample sizes tell nothing of symbols.
void complete_attributes(ProgramGraph& graph) {
    const GraphFacts facts = GraphFacts::run(graph);
    if (facts.is_symbolic()) return;
    for (const NodeId id : std::vector<NodeId>(graph.graph.begin(), graph.graph.end()))
        if (const TensorLayout* layout = facts.tensor(id);
            layout && !is_complete(graph.graph.node(id).meta) && graph.graph.node(id).opcode != Opcode::call_function)
            graph.graph.set_meta(id, tensor_meta(*layout));
}

/// What the file leaves out of results, by running operators on metadata.
void complete_results(Graph& graph, ResultMeta& metadata) {
    for (const NodeId id : std::vector<NodeId>(graph.begin(), graph.end())) {
        const Node& node = graph.node(id);
        if (node.opcode != Opcode::call_function || is_complete(node.meta)) continue;
        if (node.target == "operator.getitem" && node.args.size() == 2 && node.args[0].node() != no_node) {
            const auto* list = std::get_if<ListMeta>(&graph.node(node.args[0].node()).meta);
            const auto* place = node.args[1].as<std::int64_t>();
            if (list && place && *place >= 0 && *place < static_cast<std::int64_t>(list->items.size()) && list->items[static_cast<std::size_t>(*place)])
                graph.set_meta(id, *list->items[static_cast<std::size_t>(*place)]);
            continue;
        }
        const Operator* op = OperatorTable::instance().find(node.target);
        if (!op || op->is_mutable) continue;
        if (auto meta = metadata.infer(graph, *op, node.args, node.kwargs)) graph.set_meta(id, std::move(*meta));
    }
}

std::string_view short_name(std::string_view target) {
    constexpr std::string_view prefix = "torch.ops.";
    return target.starts_with(prefix) ? target.substr(prefix.size()) : target;
}

} // namespace

Result<std::set<std::string, std::less<>>> kept_overloads(const std::vector<std::string>& names) {
    std::set<std::string, std::less<>> kept;
    for (const std::string& name : names) {
        const std::string_view given = short_name(name);
        if (given.ends_with('.')) return fail("", "no operator " + name + " is known"); // no name of an overload is empty
        if (OperatorTable::instance().find(given)) {
            kept.emplace(given);
            continue;
        }
        std::string qualified(given);
        if (const auto dot = qualified.find('.'); dot != std::string::npos) qualified.replace(dot, 1, "::");
        const auto overloads = OperatorTable::instance().overloads(qualified);
        if (overloads.empty()) return fail("", "no operator " + name + " is known");
        for (const Operator* op : overloads) kept.insert(op->short_target());
    }
    return kept;
}

struct DecomposeSession::State {
    State(const ProgramGraph& given, std::set<std::string, std::less<>> kept_names)
        : original(given), program(given), kept(std::move(kept_names)) {
        complete_attributes(program);
        metadata = std::make_unique<ResultMeta>(program);
        for (const NodeId id : program.graph) metadata->learn(program.graph.node(id).meta);
        complete_results(program.graph, *metadata);
        program.graph.forget_history();
        next = program.graph.first();
    }

    bool step() {
        if (at_end) return false;
        Mark mark{program.graph.mark(), next, left.size()};
        for (; next != no_node; next = program.graph.next(next)) {
            size_nodes.visit(program.graph, next);
            auto made = visit(next);
            if (!made) continue;
            made->index = static_cast<std::uint32_t>(steps.size());
            steps.push_back(std::move(*made));
            marks.push_back(mark);
            return true;
        }
        eliminate_dead_code(program.graph);
        at_end = true;
        return false;
    }

    /// The step that takes the node apart; nullopt where it stays.
    std::optional<DecomposeStep> visit(NodeId id) {
        const Node& node = program.graph.node(id);
        if (node.opcode != Opcode::call_function || !node.target.starts_with("torch.ops.")) return std::nullopt;
        if (node.target.starts_with("torch.ops.higher_order.")) return std::nullopt;
        const std::string target(short_name(node.target));
        const auto stay = [&](LeftCall::Reason reason, std::string words) {
            left.push_back({id, target, reason, std::move(words)});
            return std::nullopt;
        };
        const Operator* op = OperatorTable::instance().find(target);
        if (!op) return stay(LeftCall::Reason::unknown, "no operator of that name is known");
        if (target == "aten.copy_.default" && !node.args.empty() && node.args[0].node() != no_node &&
            program.graph.node(node.args[0].node()).opcode == Opcode::placeholder)
            return stay(LeftCall::Reason::mutating, "it gives an input its final value");
        if (op->is_mutable) return stay(LeftCall::Reason::mutating, "it writes an argument; functionalize the graph first");
        if (op->has_tag("core") || op->returns.empty()) return std::nullopt; // nothing returned: an assertion
        if (kept.contains(target)) return stay(LeftCall::Reason::kept, "it is kept by choice");
        const Rule* rule = decomposition::find_rule(target);
        if (!rule && !decomposition::can_trace(*op)) return stay(LeftCall::Reason::no_rule, "nothing here tells what it is made of");

        const Graph::Mark before = program.graph.mark();
        std::string why;
        if (rule) {
            if (auto made = take_apart(id, *op, rule->apply, why)) {
                made->rule = rule->equation;
                return made;
            }
            program.graph.undo_to(before);
        }
        if (decomposition::can_trace(*op)) {
            std::string trace_trouble;
            if (auto made = take_apart(id, *op, &decomposition::traced, trace_trouble)) {
                made->rule = "as its own kernel does";
                return made;
            }
            program.graph.undo_to(before);
            if (why.empty()) why = std::move(trace_trouble);
        }
        return stay(LeftCall::Reason::refused, std::move(why));
    }

    std::optional<DecomposeStep> take_apart(NodeId id, const Operator& op, decomposition::RuleFunction apply, std::string& why) {
        Graph& graph = program.graph;
        Call call(graph, *metadata, id, op, size_nodes);
        Values values = apply(call);
        decomposition::fit_results(call, values);
        if (call.has_trouble()) {
            why = call.why_not();
            return std::nullopt;
        }
        const NodeId before = call.added().empty() ? graph.previous(id) : graph.previous(call.added().front());
        DecomposeStep step;
        step.node = id;
        step.name = graph.node(id).name;
        step.target = op.short_target();
        step.source = source_of(id);
        auto [replaced, erased] = decomposition::replace_call(graph, id, values);
        if (graph.contains(id)) {
            why = "the rule gives fewer results than are used";
            return std::nullopt;
        }
        step.replaced = std::move(replaced);
        step.erased = std::move(erased);
        for (auto added = call.added().rbegin(); added != call.added().rend(); ++added) {
            if (!graph.has_users(*added) && is_removable(graph.node(*added))) graph.erase(*added);
            else step.added.push_back(*added);
        }
        std::ranges::reverse(step.added);
        for (const NodeId added : step.added) remember_source(added, step.source);
        next = !step.added.empty() ? step.added.front() : before == no_node ? graph.first() : graph.next(before);
        return step;
    }

    void back_to(std::uint32_t position) {
        if (position >= steps.size()) return;
        const Mark& mark = marks[position];
        program.graph.undo_to(mark.journal);
        next = mark.next;
        left.resize(mark.left);
        steps.resize(position);
        marks.resize(position);
        at_end = false;
    }

    [[nodiscard]] NodeId source_of(NodeId node) const {
        const std::size_t place = index_of(node);
        return place < sources.size() && sources[place] != no_node ? sources[place] : node;
    }
    void remember_source(NodeId node, NodeId source) {
        if (sources.size() <= index_of(node)) sources.resize(std::max<std::size_t>(program.graph.id_limit(), index_of(node) + 1), no_node);
        sources[index_of(node)] = source;
    }

    struct Mark {
        Graph::Mark journal = 0;
        NodeId next = no_node;
        std::size_t left = 0;
    };

    ProgramGraph original;
    ProgramGraph program;
    std::set<std::string, std::less<>> kept;
    std::unique_ptr<ResultMeta> metadata;
    SizeNodes size_nodes;
    NodeId next = no_node;
    bool at_end = false;
    std::vector<DecomposeStep> steps;
    std::vector<Mark> marks;        ///< before each step
    std::vector<LeftCall> left;
    std::vector<NodeId> sources;    ///< by node id
};

DecomposeSession::DecomposeSession() = default;
DecomposeSession::~DecomposeSession() = default;

Result<std::unique_ptr<DecomposeSession>> DecomposeSession::start(const ProgramGraph& graph, const Options& options) {
    auto kept = kept_overloads(options.keep);
    if (!kept) return tl::unexpected(std::move(kept.error()));
    std::unique_ptr<DecomposeSession> session(new DecomposeSession);
    session->state_ = std::make_unique<State>(graph, std::move(*kept));
    return session;
}

const Graph& DecomposeSession::original() const { return state_->original.graph; }
const Graph& DecomposeSession::graph() const { return state_->program.graph; }
std::uint32_t DecomposeSession::position() const { return static_cast<std::uint32_t>(state_->steps.size()); }
bool DecomposeSession::at_end() const { return state_->at_end; }
const std::vector<DecomposeStep>& DecomposeSession::steps() const { return state_->steps; }
const std::vector<LeftCall>& DecomposeSession::left() const { return state_->left; }
NodeId DecomposeSession::source_of(NodeId node) const { return state_->source_of(node); }

ProgramGraph DecomposeSession::result() const {
    ProgramGraph made = state_->original;
    made.graph = state_->program.graph;
    if (made.signature) made.signature = functional_signature(state_->original, made.graph, {});
    return made;
}

bool DecomposeSession::step() { return state_->step(); }

bool DecomposeSession::step_back() {
    if (position() == 0) return false;
    state_->back_to(position() - 1);
    return true;
}

void DecomposeSession::run_to(std::uint32_t position) {
    if (position < this->position()) state_->back_to(position);
    while (this->position() < position && state_->step()) {}
}

void DecomposeSession::run_to_end() { while (state_->step()) {} }
void DecomposeSession::restart() { run_to(0); }

} // namespace inspector
