// What the pass decided on one graph, as one line of JSON for scripts.
//
//     {"schema":1,"file":"model.pt2","graph":"root","policy":"torch-fx","ok":true,
//      "decisions":[{"index":0,"node":"add","target":"aten.add.Tensor","verdict":"reinplaced",…}],
//      "summary":{"nodes":4,"candidates":1,…}}
//
// Decisions stand in graph order; "index" is the decision's number, which a policy that reorders the graph counts in
// its own order. Where an operator writes several tensors, "operands" says of each whether it is written in place.
//
// "autograd" of a decision: null, or why autograd would refuse the rewrite: {"kind", "source", "sentence"}.
// Enumerations appear by their text ids; what is absent is null. The keys only ever grow within schema 1.
#pragma once

#include <optional>
#include <string>

#include "core/formats/atomic_file.h"
#include "core/graph/inductor_log.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct DecisionsJsonOptions {
    NodeId only = no_node;          ///< the decision on this node alone; no_node: all
    /// Given with `only`, the graph the session was started with: the decision gets "conflict" ({"reader", "write",
    /// "definition"}, a reader of null being the caller; or null), "proposals" ([{"kind", "nodes", "sentence", "bytes"}],
    /// most bytes saved first), and "no_proposal" (why there is none, or null). They cost runs of the pass.
    const ProgramGraph* source = nullptr;
    std::optional<double> pass_ms;  ///< given: written as summary.pass_ms
    InductorLog inductor = {};      ///< not empty: written as "inductor" (inductor_json.h)
};

/// Decisions made so far, each with all that blocks it; where thousands of views of one storage are read later,
/// that is far more text than the graph, so it is handed to `write` in pieces, until that wants no more. Valid UTF-8
/// (ill-formed bytes of names as U+FFFD), without a newline.
void write_decisions_json(const std::string& file, const std::string& graph, const ReinplaceSession& session,
                          const DecisionsJsonOptions& options, const PieceWriter& write);

/// The same at once.
[[nodiscard]] std::string decisions_json(const std::string& file, const std::string& graph, const ReinplaceSession& session);

} // namespace inspector
