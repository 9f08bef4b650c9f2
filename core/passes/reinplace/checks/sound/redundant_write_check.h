// Decides: a scatter whose source lies exactly in the region it would replace, or a copy_ of a value onto itself, writes
// what is there already, so self stands for its result. Otherwise passes. Upstream drops a scatter when some alias of what
// was overwritten has the same metadata; here the source itself must lie there. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class RedundantWriteCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::redundant_write; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The node writes something that is not there already.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
