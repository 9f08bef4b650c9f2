// The JSON of a trace record's header, as Python's json.dumps writes it.
#pragma once

#include <cstdint>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/graph/result.h"

namespace inspector::trace_log {

/// An object, keys in their order. NaN and Infinity, which are no JSON, become 0. Errors give "column N" of `text` as
/// their place: what is wrong, or nesting beyond `depth`.
[[nodiscard]] Result<nlohmann::ordered_json> parse_record_json(std::string_view text, std::uint32_t depth);

} // namespace inspector::trace_log
