#include "core/passes/reinplace/proposals/allocated_bytes.h"

namespace inspector {

std::int64_t allocated_bytes(const ReinplaceSession& session) {
    std::int64_t bytes = 0;
    const auto add = [&](std::int64_t more) {
        std::int64_t sum = 0;
        if (!__builtin_add_overflow(bytes, more, &sum)) bytes = sum;
    };
    for (const Storage& storage : session.storages().all())
        if (!storage.is_input) add(storage.bytes);
    for (const Decision& decision : session.decisions())
        if (is_rewritten(decision)) add(-decision.bytes);
    return bytes;
}

} // namespace inspector
