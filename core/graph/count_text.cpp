#include "core/graph/count_text.h"

namespace inspector {

std::string count_text(std::uint64_t count, std::string_view noun) {
    return count_text(count, noun, std::string(noun) + 's');
}

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

} // namespace inspector
