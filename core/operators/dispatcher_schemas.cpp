#include "core/operators/dispatcher_schemas.h"

#include "core/libtorch/library.h"

namespace inspector {

std::vector<Operator> dispatcher_overloads(std::string_view qualified_name) {
    const auto& torch = libtorch();
    return torch ? (*torch)->dispatcher_overloads(qualified_name) : std::vector<Operator>();
}

} // namespace inspector
