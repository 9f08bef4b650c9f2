// The node writes into a copy of self that nobody else knows. It helps against almost everything, and costs what it
// saves.
#include "core/passes/reinplace/layout_sensitivity.h"
#include "core/passes/reinplace/proposals/copies.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/reads_alike.h"

namespace inspector {

std::vector<Change> clone_self(const RefusedNode& refused) {
    const TensorLayout *self = refused.layout(refused.self), *result = refused.layout(refused.node);
    if (!self || !result || self->sizes != result->sizes || self->dtype != result->dtype) return {};
    const auto copy = clone_of(refused, refused.self, result);
    if (!copy) return {};
    Node call = refused.graph().node(refused.node);
    call.args[0] = NodeReference{the_copy};
    if (!reads_alike(refused, refused.node, call, refused.self, copy->layout)) return {};
    SentenceWriter words(refused.graph());
    words << "clone " << refused.self << " before " << refused.node << " (" << refused.node << " writes into the copy)";
    return {{ChangeKind::clone_self, {refused.self, refused.node}, words.take(), replace_self(refused, *copy)}};
}

} // namespace inspector
