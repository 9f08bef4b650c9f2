// A picture as SVG without Graphviz: for graphs on which `dot` does not end, and where it is not installed.
#pragma once

#include <string>

#include "core/formats/dot/picture.h"

namespace inspector {

/// Deterministic, valid UTF-8 and XML, ends with a newline. Boxes are filled with the verdict's colour, carry its letter in a
/// badge of the verdict's shape, and are outlined in their storage's colour; view edges are dashed; edges over more than
/// ten layers are stubs that say where they lead.
[[nodiscard]] std::string print_layered_svg(const Picture& picture);

} // namespace inspector
