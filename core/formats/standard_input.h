// Archives that come on standard input: they are read by place, so they are kept in a file.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

/// The rest of standard input behind `begun`, in a nameless file that lives as long as the process: a path to it. Error,
/// without a file: it cannot be read, or there is no room to keep it.
[[nodiscard]] Result<std::string> keep_standard_input(std::string_view begun);

/// Whether `path` is one that this gave: it means nothing to another process.
[[nodiscard]] bool is_kept_standard_input(std::string_view path);

} // namespace inspector
