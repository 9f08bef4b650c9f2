// Passes: the graph may write self's storage. It belongs to a value this graph made itself, or to an input that the caller
// gave up, or to an input that is overwritten as a whole later, by this very result or when this result is no longer
// needed. Upstream never writes an input. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class OwnMemoryCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::input_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Self lies in memory that this graph may write: its own, given up by the caller, or overwritten later anyway.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
    /// Where self lies on an input that is overwritten later: the node that would overwrite the result, if it lay there
    /// too, while it is still read, or that would write through the result into what the input has become; no_node:
    /// there is none.
    [[nodiscard]] static NodeId overwriter_of_result(const PassState& state, const Candidate& candidate);
};

} // namespace inspector
