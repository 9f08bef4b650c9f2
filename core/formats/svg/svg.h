// A picture as SVG, by Graphviz where it can and by the layered layout where it cannot.
#pragma once

#include <chrono>
#include <string>

#include "core/formats/dot/picture.h"

namespace inspector {

struct Svg {
    std::string text;
    std::string note;   ///< why Graphviz did not draw it; empty where it did
};

/// Graphviz gets `limit`; graphs of more than 5,000 nodes it would not end in any time worth waiting are not given to it.
[[nodiscard]] Svg print_svg(const Picture& picture, std::chrono::milliseconds limit = std::chrono::seconds(10));

} // namespace inspector
