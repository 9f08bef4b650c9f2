// The node writes into a copy of self that has the sizes and type of the result: what broadcasting and type promotion
// do inside the kernel, done before it.
#include "core/passes/reinplace/proposals/copies.h"
#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/reads_alike.h"
#include "core/passes/reinplace/proposals/refusal.h"

namespace inspector {

std::vector<Change> convert_self(const RefusedNode& refused) {
    if (refused.decision.check != CheckId::metadata) return {};
    const TensorLayout *self = refused.layout(refused.self), *result = refused.layout(refused.node);
    if (!self || !result || !computes_in_result_type(refused.session, refused.node, self->dtype, result->dtype))
        return {};
    const bool expands = self->sizes != result->sizes, casts = self->dtype != result->dtype;
    if (!expands && !casts) return {};
    const auto copy = converted_copy(refused, refused.self, *result);
    if (!copy) return {};
    Node call = refused.graph().node(refused.node);
    call.args[0] = NodeReference{the_copy};
    const bool is_promotion = !expands && copy->calls.back().kwargs.size() == 1; // in self's own memory format
    if (!reads_alike(refused, refused.node, call, refused.self, copy->layout, is_promotion)) return {};
    SentenceWriter words(refused.graph());
    words << (casts ? "cast " : "expand and clone ") << refused.self;
    if (casts) words << " to " << short_name(result->dtype) << (expands ? " and to the sizes of the result" : "");
    words << " before " << refused.node;
    return {{ChangeKind::convert_self, {refused.self, refused.node}, words.take(), replace_self(refused, *copy)}};
}

} // namespace inspector
