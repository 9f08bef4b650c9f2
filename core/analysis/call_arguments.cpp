#include "core/analysis/call_arguments.h"

#include <algorithm>

namespace inspector {

const Argument* keyword_argument(const Node& node, std::string_view name) {
    const auto found = std::ranges::find(node.kwargs, name, &NamedArgument::first);
    return found != node.kwargs.end() ? &found->second : nullptr;
}

const Argument* given_argument(const Node& node, std::size_t position, std::string_view name) {
    return position < node.args.size() ? &node.args[position] : keyword_argument(node, name);
}

} // namespace inspector
