// The table of decompositions: which operator is made of which, one function for each.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/passes/decompose/call.h"

namespace inspector::decomposition {

/// Puts other calls in the place of one. Tells by Call::decline what it cannot take apart.
using RuleFunction = Values (*)(Call&);

struct Rule {
    std::string_view overload;   ///< "aten.silu.default"
    std::string_view equation;   ///< what it stands for: "x * sigmoid(x)"
    RuleFunction apply = nullptr;
};

/// The rule for "aten.silu.default", or nullptr.
[[nodiscard]] const Rule* find_rule(std::string_view overload);
/// Every rule, sorted by overload.
[[nodiscard]] const std::vector<Rule>& all_rules();

// One file of rules/ each. Sources of the equations: torch/_decomp and torch/_refs of torch 2.13, and where those have none
// the operator's documentation.
[[nodiscard]] std::span<const Rule> activation_rules();
[[nodiscard]] std::span<const Rule> arithmetic_rules();
[[nodiscard]] std::span<const Rule> attention_rules();
[[nodiscard]] std::span<const Rule> backward_rules();
[[nodiscard]] std::span<const Rule> convolution_rules();
[[nodiscard]] std::span<const Rule> factory_rules();
[[nodiscard]] std::span<const Rule> indexing_rules();
[[nodiscard]] std::span<const Rule> linear_rules();
[[nodiscard]] std::span<const Rule> loss_rules();
[[nodiscard]] std::span<const Rule> normalization_rules();
[[nodiscard]] std::span<const Rule> padding_rules();
[[nodiscard]] std::span<const Rule> pooling_rules();
[[nodiscard]] std::span<const Rule> random_rules();
[[nodiscard]] std::span<const Rule> reduction_rules();
[[nodiscard]] std::span<const Rule> resampling_rules();
[[nodiscard]] std::span<const Rule> view_rules();

} // namespace inspector::decomposition
