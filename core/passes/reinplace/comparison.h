// Several policies on one graph: where they decide differently, and what sound says to that.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// What one policy made of a graph: its session, run to the end. Policies may number decisions in orders of their own.
struct PolicyRun {
    std::string policy;
    std::unique_ptr<ReinplaceSession> session;
    std::vector<std::uint32_t> number_on; ///< of the decision, by node index

    [[nodiscard]] const Decision& on(NodeId node) const { return session->decisions()[number_on[index_of(node)]]; }
    [[nodiscard]] Decision complete(NodeId node) const { return session->complete(number_on[index_of(node)]); }
};

/// One run for each policy, in the order given. Errors: unknown policy.
[[nodiscard]] Result<std::vector<PolicyRun>> run_policies(const ProgramGraph& source, const std::vector<std::string>& policies);

/// Nodes that are not the same after all runs, in graph order. "kept" and "upstream_raises" leave a node alone alike.
/// Precondition: all runs are of one graph.
[[nodiscard]] std::vector<NodeId> differing_nodes(const std::vector<PolicyRun>& runs);

/// How a policy's decision stands beside that of sound.
enum class Judgement : std::uint8_t {
    alike,      ///< or it says nothing: nodes that a policy does not look at, or takes out since nobody uses them
    unsound,    ///< it rewrites a node that sound keeps
    timid,      ///< it keeps a node that sound rewrites
    otherwise,  ///< both rewrite the node, not in the same way
};
[[nodiscard]] std::string_view text_id(Judgement judgement);
[[nodiscard]] Judgement judge(const Decision& decision, const Decision& sound);

/// Why the policy's choice is wrong, with what comes of it, or why it is timid, with the reasoning that frees the node:
/// "torch-fx writes into %a, although it still reads %b, which shares memory with %a, …: wrong values". Empty where alike.
[[nodiscard]] Sentence explain_judgement(const PolicyRun& run, const PolicyRun& sound, NodeId node);

/// One decision that another policy takes otherwise than sound.
struct PolicyDifference {
    NodeId node = no_node;
    std::string policy;          ///< the other one
    Judgement judgement = Judgement::alike;
    Sentence sentence;
};

/// What every other known policy decides otherwise than sound, by index_of(node), then in the order of policies(). Empty
/// when `cancelled` was set on the way.
[[nodiscard]] std::vector<PolicyDifference> differences_from_sound(const ProgramGraph& source, const std::atomic<bool>& cancelled);

} // namespace inspector
