// The options that say how the pass decides: --policy, --first, --skip, --force, --donate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reinplace/output.h"
#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"

namespace CLI {
class App;
class Option;
}

namespace inspector {

/// What --policy takes: the id of every policy.
[[nodiscard]] std::vector<std::string> policy_ids();

struct SessionOptions {
    std::string policy;                  ///< the default policy unless given
    std::optional<std::uint32_t> first;
    std::vector<std::uint32_t> skip;
    std::vector<std::uint32_t> force;
    std::vector<std::string> donate;

    SessionOptions();
    /// `also`: names besides the policies that --policy takes. A decision both skipped and forced is bad usage.
    void add_to(CLI::App& command, const std::vector<std::string>& also = {});

    /// The first option given that changes what the policy decides ("--first", "--skip", "--force", "--donate"); empty: none.
    [[nodiscard]] std::string given_choice() const;
    /// Error: a decision number that none of the graphs has, a donated name that is no placeholder of any.
    [[nodiscard]] Result<void> check_against(const Program& program, const std::vector<std::size_t>& graphs) const;
    /// Whether graph `index` is decided as the session document says, and by nothing else.
    [[nodiscard]] bool follows_document(const Program& program, std::size_t index) const;
    /// What of the options applies to graph `index`. On a graph that a session document has a session on they add to what
    /// the document says, unless --policy is given: then it is decided anew. Error: what the document says does not fit
    /// its graph.
    [[nodiscard]] Result<ReinplaceSession::Options> applied_to(const Program& program, std::size_t index) const;
    /// A session at its start, with what of the options applies to graph `index`.
    [[nodiscard]] Result<std::unique_ptr<ReinplaceSession>> start(const Program& program, std::size_t index) const;
    /// What --force could not do in `session`, which is at its end: a message each.
    void tell_forced_in_vain(const ReinplaceSession& session, Output& output) const;

private:
    [[nodiscard]] bool has_document(const Program& program, std::size_t index) const;
    const CLI::Option* policy_option_ = nullptr;
};

} // namespace inspector
