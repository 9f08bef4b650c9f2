// What is written is known by its storage, and no two items of a list share one. Asked by: inductor.
#pragma once

#include "core/passes/reinplace/check.h"

namespace inspector {

class OperandStorageCheck final : public Check {
public:
    [[nodiscard]] CheckId id() const override { return CheckId::argument_alias; }
    [[nodiscard]] std::string_view guarantees() const override {
        return "The storage of what would be written is known; the items of a list lie on different storages.";
    }
    [[nodiscard]] Finding ask(PassState& state, Candidate& candidate) const override;
};

} // namespace inspector
