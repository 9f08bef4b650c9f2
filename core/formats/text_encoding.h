// Bytes of a text file as UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

/// The first place where bytes are not what a UTF-8 text has.
struct TextFault {
    std::size_t line = 0; ///< from 0
    std::string what;     ///< "a zero byte", "bytes that are not UTF-8"
};
[[nodiscard]] std::optional<TextFault> first_text_fault(std::string_view bytes);

struct DecodedText {
    std::string text;               ///< UTF-8
    std::optional<TextFault> fault; ///< of the bytes, the first that is U+FFFD in `text`
};
/// Takes UTF-8 with or without a byte order mark, and UTF-16 with one (what PowerShell's `>` writes). Error: the bytes are
/// no text (they hold zeros).
[[nodiscard]] Result<DecodedText> decode_text(std::string bytes);

/// Zero bytes and ill-formed sequences become U+FFFD.
[[nodiscard]] std::string without_text_faults(std::string bytes);

} // namespace inspector
