#include "core/passes/decompose/rule.h"

#include <algorithm>

namespace inspector::decomposition {

const std::vector<Rule>& all_rules() {
    static const std::vector<Rule> rules = [] {
        std::vector<Rule> all;
        for (const auto family : {activation_rules(), arithmetic_rules(), attention_rules(), backward_rules(), convolution_rules(),
                                  factory_rules(), indexing_rules(), linear_rules(), loss_rules(), normalization_rules(),
                                  padding_rules(), pooling_rules(), random_rules(), reduction_rules(), resampling_rules(),
                                  view_rules()})
            all.insert(all.end(), family.begin(), family.end());
        std::ranges::sort(all, {}, &Rule::overload);
        return all;
    }();
    return rules;
}

const Rule* find_rule(std::string_view overload) {
    const auto& rules = all_rules();
    const auto found = std::ranges::lower_bound(rules, overload, {}, &Rule::overload);
    return found != rules.end() && found->overload == overload ? &*found : nullptr;
}

} // namespace inspector::decomposition
