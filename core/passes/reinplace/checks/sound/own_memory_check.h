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
    /// What makes self and result two tensors for good: a node that gives one of them another layout or other memory in place,
    /// or detaches the result, which torch refuses of views. no_node: there is none.
    [[nodiscard]] static NodeId obstacle_to_one_tensor(const PassState& state, const Candidate& candidate);
    /// Of a result that is to lie where self does: the node that would overwrite it while it is still read, since an
    /// input there is overwritten, or that would write through it into what the input has become, or into memory that
    /// is not this graph's. no_node: there is none.
    [[nodiscard]] static NodeId overwriter_of_result(const PassState& state, const Candidate& candidate);
};

} // namespace inspector
