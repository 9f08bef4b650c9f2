// The schemas of torch 2.13, resources/schemas/torch-2.13.txt, as a part of the program.
#pragma once

#include <string_view>

namespace inspector {

/// One overload a line: schema, tab, comma-separated tags, tab, how torch computes it (make_schemas.py). Lines of one operator are adjacent, in torch's order.
[[nodiscard]] std::string_view schema_list();

} // namespace inspector
