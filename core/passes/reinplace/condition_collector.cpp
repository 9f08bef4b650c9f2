#include "core/passes/reinplace/condition_collector.h"

#include <algorithm>
#include <utility>

namespace inspector {

void ConditionCollector::need(const SizeAnswer& answer) {
    if (answer.truth == Truth::never || answer.truth == Truth::unknown) is_hopeless_ = true;
    if (answer.truth != Truth::depends) return;
    condition_.is_exact = condition_.is_exact && answer.is_exact;
    for (const SizeCondition& condition : answer.if_all)
        if (std::ranges::find(condition_.all, condition) == condition_.all.end()) condition_.all.push_back(condition);
}

std::optional<DecisionCondition> ConditionCollector::take() {
    // Conditions that no sizes meet together are none.
    if (is_hopeless_ || condition_.all.empty() || !order_->example(condition_.all, true)) return std::nullopt;
    for (const SizeCondition& condition : condition_.all) {
        const std::string text = order_->text(condition);
        if (condition_.text.find(text) == std::string::npos)
            condition_.text += (condition_.text.empty() ? "" : " and ") + text;
    }
    condition_.otherwise = otherwise_;
    return std::move(condition_);
}

} // namespace inspector
