#include "core/formats/svg/svg.h"

#include "core/formats/dot/dot_text.h"
#include "core/formats/dot/graphviz.h"
#include "core/formats/svg/layered_svg.h"

namespace inspector {

Svg print_svg(const Picture& picture, std::chrono::milliseconds limit) {
    constexpr std::size_t most_nodes = 5000;
    if (picture.nodes.size() > most_nodes)
        return {print_layered_svg(picture), "the graph has more than " + std::to_string(most_nodes) + " nodes"};
    auto drawn = run_dot(print_dot(picture), limit);
    if (!drawn) return {print_layered_svg(picture), drawn.error().message()};
    return {std::move(*drawn), {}};
}

} // namespace inspector
