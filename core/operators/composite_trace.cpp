#include "core/operators/composite_trace.h"

#include "core/libtorch/library.h"

namespace inspector {

Result<CompositeTrace> trace_composite(const Operator& op, const std::vector<MetaValue>& args) {
    const auto& torch = libtorch();
    if (!torch) return tl::unexpected(torch.error());
    return (*torch)->trace_composite(op, args);
}

} // namespace inspector
