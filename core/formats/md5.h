// MD5 (RFC 1321): the sum by which a trace log names its payloads, and a session document its archive. Of no use where
// somebody may want to forge.
#pragma once

#include <string>
#include <string_view>

namespace inspector {

/// 32 lower-case hexadecimal digits.
[[nodiscard]] std::string md5(std::string_view bytes);

} // namespace inspector
