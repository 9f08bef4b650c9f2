// Could the result lie where self lies, as far as their metadata says?
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

/// Guarantees that self and result are tensors with equally many elements of one dtype, and that self does not repeat
/// elements in an expanded dimension. Shape, strides and device are not compared. Results in several parts pass, unless
/// there is one part. aten.resize passes always.
/// Used by: torch-fx.
class MetadataCheck : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::metadata; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Self and result have equally many elements of one dtype, and self is not expanded.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
