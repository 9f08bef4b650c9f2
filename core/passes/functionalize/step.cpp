#include "core/passes/functionalize/step.h"

#include <array>

namespace inspector {

std::string_view text_id(AddedRole role) {
    constexpr std::array ids{"item", "cast", "layout", "scatter", "inverse", "size", "view", "epilogue"};
    return ids[static_cast<std::size_t>(role)];
}

} // namespace inspector
