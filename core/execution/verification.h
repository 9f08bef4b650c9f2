// Proof by running: does what the pass made of a graph still do the same, and if not, which decision broke it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/execution/equivalence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct Verification {
    enum class Answer : std::uint8_t { equal, different, error };
    Answer answer = Answer::error;
    std::string detail;                         ///< a sentence for a person; never empty
    std::optional<Difference> difference;       ///< set when different
    std::optional<std::uint32_t> decision;      ///< number of the decision that brings the difference in
    NodeId node = no_node;                      ///< that decision's node
    std::vector<std::string> notes;             ///< inputs that were made up, sizes that were tried
    std::vector<std::string> compared;          ///< what was found equal, one item a line; set when equal
    /// Measured bytes, the largest of the runs; nullopt where a graph did not run to its end.
    std::optional<std::int64_t> peak_before;
    std::optional<std::int64_t> peak_after;
};

[[nodiscard]] std::string_view text_id(Verification::Answer answer);

/// Runs the graph before and after the pass under `choices`; with symbols, at the file's sample sizes, at the smallest and
/// at other sizes in range (unless options.sizes fixes them). Where they differ, searches by halves over decision
/// numbers for the decision that causes it: with the decisions before it the result is equal, with it different.
[[nodiscard]] Verification verify_rewrite(const Program& program, std::size_t graph, const ReinplaceSession::Options& choices,
                                          const RunOptions& options);

} // namespace inspector
