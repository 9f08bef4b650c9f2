// Nobody needs the old content afterwards. Asked by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class AliasUseCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::later_use; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "Nobody uses a value that may share memory with what is written after this node, up to the copy_ into "
               "the input; sizes and strides may be asked for.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
