// Counts what LibTorch's CPU allocator hands out on this thread. Includes torch: only for core/execution's own sources.
#pragma once

#include <cstdint>
#include <memory>

#include <c10/util/ThreadLocalDebugInfo.h>

namespace inspector {

/// While it lives, allocations and releases of this thread are counted.
class MemoryMeter {
public:
    MemoryMeter();
    ~MemoryMeter();
    [[nodiscard]] std::int64_t current_bytes() const; ///< allocated since construction and not released
    [[nodiscard]] std::int64_t peak_bytes() const;

private:
    class Counter;
    std::shared_ptr<Counter> counter_;
    c10::DebugInfoGuard guard_;
};

} // namespace inspector
