// What torch's kernels say when they are called for somebody else. Includes torch: only for core/libtorch.
#pragma once

#include <string>

#include <c10/util/Exception.h>

namespace inspector {

/// Kernels warn (deprecated shapes of out=, casts that drop an imaginary part) on the process's stderr, where nobody asked.
struct SilentWarnings : c10::WarningHandler {
    void process(const c10::Warning&) override {}
};

/// Of an error's text, without what follows on how torch was built and called.
[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

} // namespace inspector
