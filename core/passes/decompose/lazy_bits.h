// Tensors that are conjugated or negated when somebody reads them, and not in memory: views that _conj and _neg_view made.
#pragma once

#include <string_view>

#include "core/graph/graph.h"

namespace inspector {

struct LazyBits {
    bool conjugated = false;
    bool negated = false;
};

/// Of the tensor that `node` holds; inputs have none. Source: ConjugateFallback and native/ComplexHelper of ATen: views keep
/// the bits, imag and real of a conjugated tensor are views of it without, imag negated. Cost: the views `node` goes through.
[[nodiscard]] LazyBits lazy_bits(const Graph& graph, NodeId node);

/// Whether `target` may make a tensor lazy of one that is not.
[[nodiscard]] bool may_make_lazy(std::string_view target);

} // namespace inspector
