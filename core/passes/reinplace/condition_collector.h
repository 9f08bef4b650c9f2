// What all would have to hold of the sizes for a refusal not to be one.
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/symbolic_region.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

class ConditionCollector {
public:
    /// `otherwise`: what stands against the rewrite where the condition fails. Both must outlive this.
    ConditionCollector(const SizeOrder& order, std::string_view otherwise) : order_(&order), otherwise_(otherwise) {}

    /// Something the rewrite needs. never and unknown leave no condition that would do.
    void need(const SizeAnswer& answer);
    /// nullopt: no sizes would do, nothing depends on them, or it is not known.
    [[nodiscard]] std::optional<DecisionCondition> take();

private:
    const SizeOrder* order_;
    std::string_view otherwise_; ///< one is made for every node that is asked of: most refuse nothing
    DecisionCondition condition_;
    bool is_hopeless_ = false;
};

} // namespace inspector
