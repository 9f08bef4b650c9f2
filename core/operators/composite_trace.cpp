#include "core/operators/composite_trace.h"

#include "core/libtorch/library.h"

namespace inspector {

Result<CompositeTrace> trace_composite(const Operator& op, const std::vector<MetaValue>& args) {
    return ask_libtorch(&LibTorch::trace_composite, op, args);
}

} // namespace inspector
