// Ranges and sample values of symbols as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/formats/session_document/json_document.h"
#include "core/graph/symbolic_size.h"

namespace inspector::session_document {

[[nodiscard]] Json ranges_json(const std::vector<SymbolRange>& ranges);
[[nodiscard]] std::vector<SymbolRange> read_ranges(const Json& json);
/// An object of numbers; std::map prints as one.
[[nodiscard]] std::map<std::string, std::int64_t> read_hints(const Json& json);

} // namespace inspector::session_document
