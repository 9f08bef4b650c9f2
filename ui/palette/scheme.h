// Which half of a colour pair to use. What is neither a verdict nor a storage has its colours in ui/appearance.
#pragma once

#include <cstdint>

#include <QPalette>

namespace inspector {

enum class Scheme : std::uint8_t { light, dark };

[[nodiscard]] Scheme schemeOf(const QPalette& palette);

} // namespace inspector
