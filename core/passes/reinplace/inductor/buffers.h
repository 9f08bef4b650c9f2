// Which values Inductor holds in memory, instead of computing them inside the kernel that needs them.
#pragma once

#include <string_view>

namespace inspector {

/// The result of this operator ("aten.sort.default") is a buffer: a kernel of torch's own computes it. As recorded from
/// torch 2.13 (resources/inductor).
[[nodiscard]] bool result_is_buffer(std::string_view target);
/// The operator needs its inputs in memory (matrix products, convolutions…).
[[nodiscard]] bool reads_buffers(std::string_view target);

} // namespace inspector
