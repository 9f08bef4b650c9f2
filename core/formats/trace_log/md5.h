// MD5 (RFC 1321), the sum by which a trace log names its payloads. Of no use where somebody may want to forge.
#pragma once

#include <string>
#include <string_view>

namespace inspector::trace_log {

/// 32 lower-case hexadecimal digits.
[[nodiscard]] std::string md5(std::string_view bytes);

} // namespace inspector::trace_log
