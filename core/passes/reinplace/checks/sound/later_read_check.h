// Passes: nobody reads, or writes, later what would be overwritten. Every value on the storage counts by the bytes it
// covers, so disjoint pieces do not hinder each other; views read nothing themselves, what is made of them does. A later
// scatter reads its base only outside the region it replaces. Of an input that is overwritten later, reads after that see
// the new value anyway. Upstream counts any use of any value on the storage. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class LaterReadCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::later_use; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Nobody reads later what would be overwritten.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
    /// The same where self takes the result's place without anything being written now: only writes that come later, to
    /// either of the two, can then hurt the other.
    [[nodiscard]] static Finding ask_for_sharing(const PassState& state, const Candidate& candidate);
};

} // namespace inspector
