#include "core/passes/reinplace/comparison.h"

#include <algorithm>
#include <array>

#include "core/operators/operator_table.h"
#include "core/passes/reinplace/because.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/policy.h"

namespace inspector {
namespace {

bool differ(const Decision& a, const Decision& b) { return a.verdict != b.verdict && (is_rewritten(a) || is_rewritten(b)); }

/// No choice that could be wrong: the policy does not look at such operators, or only follows another decision.
bool says_nothing(const Decision& decision) {
    switch (decision.reason) {
    case Reason::not_in_table:
    case Reason::dead_code:
    case Reason::fused_scatter:
    case Reason::replaced_by_operand: return true;
    default: return false;
    }
}

/// What comes of a rewrite that sound refused for this reason.
std::string_view consequence(Reason reason) {
    switch (reason) {
    case Reason::operand_overlaps:
    case Reason::self_repeated:
    case Reason::used_later:
    case Reason::read_between:
    case Reason::device:
    case Reason::lazy_bits: return "wrong values";
    case Reason::storage_of_input: return "what the caller gave in is overwritten";
    case Reason::foreign_storage: return "what is outside may change";
    case Reason::returned_alias: return "who writes one of them changes the other";
    case Reason::layout_would_change: return "strides or last bits may change";
    case Reason::sizes:
    case Reason::numel: return "the call fails, or leaves a result of another shape";
    case Reason::dtype: return "the call fails, or leaves a result of another type";
    case Reason::internal_overlap: return "several elements are written into one cell";
    case Reason::metadata_unknown: return "nobody knows whether the result fits";
    case Reason::overload_ambiguous:
    case Reason::overload_missing:
    case Reason::name_missing: return "another operator may be called";
    default: return "a caller may see other results";
    }
}

/// Why an operand that others use later may be overwritten all the same: what sound knows of `use`.
void free_of_use(SentenceWriter& words, const ReinplaceSession& session, const Decision& decision) {
    const auto use = std::ranges::find(decision.witnesses, WitnessRole::later_use, &Witness::role);
    const auto uses = std::ranges::count(decision.witnesses, WitnessRole::later_use, &Witness::role);
    if (use == decision.witnesses.end() || uses > 1 || !session.original().contains(use->node)) {
        words << "none of the bytes read later is one that this node writes";
        return;
    }
    const Node& reader = session.original().node(use->node);
    const OperatorTable& table = OperatorTable::instance();
    const Operator* op = reader.opcode == Opcode::call_function ? table.find(reader.target) : nullptr;
    if (session.facts().of(use->node).view_of != no_node)
        words << use->node << " only makes a view, which reads nothing";
    else if (op && table.view_of_scatter(*op))
        words << use->node << " reads of its base only what it does not replace, and this node writes none of that";
    else
        words << "none of the bytes that " << use->node << " reads is one that this node writes";
}

/// The reasoning of sound that lets it rewrite what another policy kept for `kept.reason`.
void free_of_refusal(SentenceWriter& words, const PolicyRun& run, const Decision& kept, const PolicyRun& sound, const Decision& freed) {
    if (freed.reason == Reason::writes_the_same) {
        words << explain_reason(*sound.session, freed) << ", so the node can go";
        return;
    }
    switch (kept.reason) {
    case Reason::used_later: free_of_use(words, *run.session, kept); break;
    case Reason::self_repeated:
        words << "the operator reads each element before it writes there, and the operands lie index by index on the same cells";
        break;
    case Reason::storage_of_input:
    case Reason::input_not_copied_back:
    case Reason::view_not_copied_back:
        words << "that memory is overwritten as a whole later, before the caller looks at it"
              << (sound.session->options().donated.empty() ? "" : ", or given up");
        break;
    case Reason::name_missing:
    case Reason::overload_missing:
    case Reason::overload_ambiguous:
        words << "exactly one in-place overload takes the same arguments: " << freed.new_target;
        break;
    case Reason::fusion_preferred: words << "sound does not weigh fusion against memory"; break;
    case Reason::needs_symbolic_shapes: words << "what holds for all sizes is enough here"; break;
    default: words << "no check of sound has anything against it"; break;
    }
}

} // namespace

Result<std::vector<PolicyRun>> run_policies(const ProgramGraph& source, const std::vector<std::string>& policies) {
    std::vector<PolicyRun> runs;
    for (const std::string& policy : policies) {
        ReinplaceSession::Options options;
        options.policy = policy;
        auto session = ReinplaceSession::start(source, std::move(options));
        if (!session) return tl::unexpected(std::move(session.error()));
        PolicyRun run{policy, std::move(*session), {}};
        run.session->run_to_end();
        run.number_on.resize(run.session->original().id_limit());
        for (const Decision& decision : run.session->decisions()) run.number_on[index_of(decision.node)] = decision.index;
        runs.push_back(std::move(run));
    }
    return runs;
}

std::vector<NodeId> differing_nodes(const std::vector<PolicyRun>& runs) {
    std::vector<NodeId> differing;
    if (runs.empty()) return differing;
    const Graph& graph = runs.front().session->original();
    for (const NodeId node : graph) {
        if (graph.node(node).opcode != Opcode::call_function) continue;
        const Decision& first = runs.front().on(node);
        if (std::ranges::any_of(runs, [&](const PolicyRun& run) { return differ(run.on(node), first); })) differing.push_back(node);
    }
    return differing;
}

std::string_view text_id(Judgement judgement) {
    constexpr std::array ids{"alike", "unsound", "timid", "otherwise"};
    return ids[static_cast<std::size_t>(judgement)];
}

Judgement judge(const Decision& decision, const Decision& sound) {
    if (!differ(decision, sound) || says_nothing(decision)) return Judgement::alike;
    if (is_rewritten(decision) != is_rewritten(sound)) return is_rewritten(decision) ? Judgement::unsound : Judgement::timid;
    return Judgement::otherwise;
}

Sentence explain_judgement(const PolicyRun& run, const PolicyRun& sound, NodeId node) {
    const Decision decision = run.complete(node), other = sound.complete(node);
    SentenceWriter words(run.session->original());
    switch (judge(decision, other)) {
    case Judgement::alike: break;
    case Judgement::unsound:
        words << run.policy;
        if (decision.verdict == Verdict::deleted) words << " takes the node out";
        else words << " writes into " << decision.operand;
        words << ", although " << explain_reason(*sound.session, other) << ": " << consequence(other.reason);
        break;
    case Judgement::timid:
        words << run.policy << (decision.verdict == Verdict::upstream_raises ? " stops with an error: " : " is timid: it keeps the node since ")
              << explain_reason(*run.session, decision) << "; but ";
        free_of_refusal(words, run, decision, sound, other);
        break;
    case Judgement::otherwise:
        words << run.policy << " rewrites it in another way: " << explain(*run.session, decision) << "; sound: "
              << explain(*sound.session, other);
        break;
    }
    return words.take();
}

std::vector<PolicyDifference> differences_from_sound(const ProgramGraph& source, const std::atomic<bool>& cancelled) {
    std::vector<PolicyDifference> differences;
    const auto sound = run_policies(source, {sound_policy().info.id});
    if (!sound) return differences;
    for (const PolicyInfo& info : policies()) {
        if (info.id == sound->front().policy) continue;
        if (cancelled) return {};
        const auto runs = run_policies(source, {info.id});
        if (!runs) continue;
        for (const NodeId node : runs->front().session->decision_nodes()) {
            if (cancelled) return {};
            const Judgement judgement = judge(runs->front().on(node), sound->front().on(node));
            if (judgement == Judgement::alike) continue;
            differences.push_back({node, info.id, judgement, explain_judgement(runs->front(), sound->front(), node)});
        }
    }
    std::ranges::stable_sort(differences, {}, [](const PolicyDifference& each) { return index_of(each.node); });
    return differences;
}

} // namespace inspector
