#include "core/operators/composite.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace inspector {

bool is_composite(const Operator& op) {
    const auto handle = c10::Dispatcher::singleton().findSchema({op.name, op.overload});
    return handle && handle->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

} // namespace inspector
