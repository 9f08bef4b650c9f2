// What every fuzz target is: libFuzzer's function, and what must hold of a result whatever the input was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "core/formats/reader.h"

/// Reads the bytes as a file of the target's format. Linked with libFuzzer, or with replay.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, std::string_view what) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n';
    std::abort();
}

/// Small enough that an input of some kilobytes can reach each of them.
inline inspector::ReadOptions small_limits() {
    inspector::ReadOptions options;
    options.limits.text_bytes = 4 << 20;
    options.limits.depth = 50;
    options.limits.nodes = 20'000;
    options.limits.graphs = 500;
    return options;
}

/// A refusal gives a reason; graphs are well-formed and can be printed.
void check_program(const inspector::Result<inspector::Program>& program);

} // namespace fuzz
