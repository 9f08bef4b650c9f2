#include "core/passes/decompose/step.h"

#include <array>

namespace inspector {

std::string_view text_id(LeftCall::Reason reason) {
    constexpr std::array ids{"kept", "mutating", "unknown", "no_rule", "refused"};
    return ids[static_cast<std::size_t>(reason)];
}

} // namespace inspector
