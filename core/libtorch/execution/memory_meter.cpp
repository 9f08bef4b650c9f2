#include "core/libtorch/execution/memory_meter.h"

#include <algorithm>

#include <c10/core/Allocator.h>

namespace inspector {

class MemoryMeter::Counter : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void*, std::int64_t alloc_size, std::size_t, std::size_t, c10::Device device) override {
        if (!device.is_cpu()) return;
        current += alloc_size;
        peak = std::max(peak, current);
    }
    bool memoryProfilingEnabled() const override { return true; }

    std::int64_t current = 0;
    std::int64_t peak = 0;
};

MemoryMeter::MemoryMeter()
    : counter_(std::make_shared<Counter>()), guard_(c10::DebugInfoKind::PROFILER_STATE, counter_) {}
MemoryMeter::~MemoryMeter() = default;

std::int64_t MemoryMeter::current_bytes() const { return counter_->current; }
std::int64_t MemoryMeter::peak_bytes() const { return counter_->peak; }

} // namespace inspector
