// What all would have to hold of the sizes for a refusal not to be one.
#pragma once

#include <optional>
#include <string>

#include "core/analysis/symbolic_region.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

class ConditionCollector {
public:
    /// `otherwise`: what stands against the rewrite where the condition fails. `order` must outlive this.
    ConditionCollector(const SizeOrder& order, std::string otherwise) : order_(&order), otherwise_(std::move(otherwise)) {}

    /// Something the rewrite needs. never and unknown leave no condition that would do.
    void need(const SizeAnswer& answer);
    /// nullopt: no sizes would do, nothing depends on them, or it is not known.
    [[nodiscard]] std::optional<DecisionCondition> take();

private:
    const SizeOrder* order_;
    std::string otherwise_;
    DecisionCondition condition_;
    bool is_hopeless_ = false;
};

} // namespace inspector
