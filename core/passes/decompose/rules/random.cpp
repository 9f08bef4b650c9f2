// Random numbers. Core ATen draws them in rand and randn; what is drawn is the same where the kernels draw alike.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values dropout(Call& call) {
    const Tensor x = call.tensor("input");
    if (!call.flag("train") || call.number("p") == 0) return call.give(x); // the operator returns what it was given
    return call.give(call.item(call("native_dropout.default", x, call.argument("p"), true), 0));
}

Values drawn_like(Call& call, const char* target) {
    return call.give(call.add(target, {list(call.tensor("self").shape())}, call.factory_options()));
}
Values rand_like(Call& call) { return drawn_like(call, "rand.default"); }
Values randn_like(Call& call) { return drawn_like(call, "randn.default"); }

constexpr std::array rules{
    Rule{"aten.dropout.default", "native_dropout(x, p, true)[0]; x, where it does not train", &dropout},
    Rule{"aten.rand_like.default", "rand(size)", &rand_like},
    Rule{"aten.randn_like.default", "randn(size)", &randn_like},
};

} // namespace

std::span<const Rule> random_rules() { return rules; }

} // namespace inspector::decomposition
