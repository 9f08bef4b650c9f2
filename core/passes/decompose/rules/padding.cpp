// Padding.
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

/// The end of each dimension before its start, its start behind its end. `padding` begins with the last dimension.
Tensor wrapped(Call& call, const Tensor& x, const std::vector<std::int64_t>& padding) {
    Tensor made = x;
    for (std::size_t i = 0; i + 1 < padding.size(); i += 2) {
        const std::int64_t dim = x.rank() - 1 - static_cast<std::int64_t>(i / 2);
        const std::int64_t before = padding[i], behind = padding[i + 1];
        const auto size = x.constant_size(dim);
        if (dim < 0 || !size || before < 0 || behind < 0) {
            call.trouble("it cuts off, or its sizes are no constants");
            return {};
        }
        std::vector<Tensor> pieces;
        if (before > 0) pieces.push_back(call("slice.Tensor", made, dim, *size - before, *size));
        pieces.push_back(made);
        if (behind > 0) pieces.push_back(call("slice.Tensor", made, dim, std::int64_t{0}, behind));
        if (pieces.size() > 1) made = call("cat.default", list(pieces), dim);
    }
    return made;
}

Values circular_padding(Call& call) {
    const Tensor made = wrapped(call, call.tensor("self"), call.integers("pad"));
    return call.give(made.node() == call.tensor("self").node() ? call("clone.default", made) : made);
}

Values pad(Call& call) {
    const std::string mode = call.text("mode");
    if (mode == "circular") return circular_padding(call);
    if (mode != "constant") return call.decline("its own kernel tells which padding it is"); // and is traced
    const Argument value = call.is_given("value") ? call.argument("value") : Argument(0.0);
    return call.give(call("constant_pad_nd.default", call.tensor("self"), call.argument("pad"), value));
}

Values replication_pad1d(Call& call) {
    const std::vector<Argument> padding = call.items("padding");
    if (padding.size() != 2) return call.decline("it has not two ends");
    const Argument both = list(std::vector<Argument>{padding[0], padding[1], std::int64_t{0}, std::int64_t{0}});
    return call.give(call.squeeze(call("replication_pad2d.default", call.unsqueeze(call.tensor("self"), -2), both), -2));
}

constexpr std::array rules{
    Rule{"aten.pad.default", "constant_pad_nd(x, pad, value); circular: slices put together", &pad},
    Rule{"aten._pad_circular.default", "slices put together", &circular_padding},
    Rule{"aten.replication_pad1d.default", "replication_pad2d of one row", &replication_pad1d},
};

} // namespace

std::span<const Rule> padding_rules() { return rules; }

} // namespace inspector::decomposition
