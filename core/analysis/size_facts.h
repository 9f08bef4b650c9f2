// Relations between sizes that every run of a graph satisfies, since an operator or an assertion would raise otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/size_condition.h"

namespace inspector {

struct SizeFact {
    enum class Source : std::uint8_t {
        assertion,   ///< _assert_scalar of a comparison
        elementwise, ///< sizes that are no 1 match; one that happens to be 1 at a run would do too
        product,     ///< inner dimensions of mm, bmm, addmm…
        view,        ///< as many elements before as after
        cat,         ///< the other dimensions of what is concatenated
    };
    SizeCondition condition;
    NodeId node = no_node;
    Source source = Source::assertion;
};
/// "assertion", "elementwise", "product", "view", "cat".
[[nodiscard]] std::string_view text_id(SizeFact::Source source);

/// Those that are not true by themselves, in program order, each condition once. Read from the sizes the file gives.
[[nodiscard]] std::vector<SizeFact> size_facts(const Graph& graph);

/// The condition says of a symbol that a number divides it: {"s0", 8} of s0 == 8*(s0//8) and of s0 % 8 == 0.
[[nodiscard]] std::optional<std::pair<std::string, std::int64_t>> divisibility(const SizeCondition& condition);

} // namespace inspector
