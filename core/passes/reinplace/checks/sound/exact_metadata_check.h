// Passes: self and result have the same type, sizes and device, for all sizes of symbols; no two indices of self name one
// cell; neither is conjugated or negated lazily. Upstream compares only the number of elements and probes for expanded
// dimensions. Used by: sound.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class ExactMetadataCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::metadata; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The result is exactly as large as self and of the same type, and each element of self has a cell of its own.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
