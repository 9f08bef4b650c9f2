// Constants and names as Python source, in ASCII: nothing that came from a file can end a literal, a comment or a line.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/argument.h"
#include "core/graph/result.h"

namespace inspector {

/// "\"a\\u00e9\\n\"": a string literal that Python reads back as `text` (ill-formed UTF-8 as U+FFFD).
[[nodiscard]] std::string python_string(std::string_view text);
/// `text` for use behind "# ": one line of ASCII.
[[nodiscard]] std::string python_comment(std::string_view text);
/// Reads back as the same number: "0.1", "1e-06", "5.0"; "float(\"inf\")", "float(\"nan\")" for what has no literal.
[[nodiscard]] std::string python_float(double value);

/// ASCII letters, digits and underscores, not starting with a digit.
[[nodiscard]] bool is_python_identifier(std::string_view name);
/// Reserved words of Python 3, None, True and False included.
[[nodiscard]] bool is_python_keyword(std::string_view name);
/// An identifier made of `name`: other characters become "_", a leading digit and an empty name get one in front, and what
/// Python forbids to assign gets one behind.
[[nodiscard]] std::string python_identifier(std::string_view name);

/// A constant as an expression: torch.float32, torch.device("cpu"), torch.channels_last, None… Lists, dictionaries and
/// references are the caller's. Error: text no rule reads (OpaqueText, symbolic expressions), which is never copied out.
[[nodiscard]] Result<std::string> python_constant(const Argument& argument);

} // namespace inspector
