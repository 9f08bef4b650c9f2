// Changes in the tree of a JSON text, for mutators: changed bytes alone seldom leave JSON that a reader looks into.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fuzz {

/// `text` with one to four of its values dropped, doubled, put elsewhere, renamed or replaced. Nothing if it is no JSON, or
/// JSON so deep that printing it would not end well. Not larger than `room`.
[[nodiscard]] std::optional<std::string> change_json(std::string_view text, std::size_t room, unsigned seed);

} // namespace fuzz
