// The options that say how the pass decides: --policy, --first, --skip, --force, --donate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"

namespace CLI {
class App;
}

namespace inspector {

struct SessionOptions {
    std::string policy;                  ///< the default policy unless given
    std::optional<std::uint32_t> first;
    std::vector<std::uint32_t> skip;
    std::vector<std::uint32_t> force;
    std::vector<std::string> donate;

    SessionOptions();
    /// `also`: names besides the policies that --policy takes.
    void add_to(CLI::App& command, const std::vector<std::string>& also = {});

    /// The first option given that changes what the policy decides ("--first", "--skip", "--force", "--donate"); empty: none.
    [[nodiscard]] std::string given_choice() const;
    /// Error: a decision number that none of the graphs has, a donated name that is no placeholder of any, a number both
    /// skipped and forced.
    [[nodiscard]] Result<void> check_against(const Program& program, const std::vector<std::size_t>& graphs) const;
    /// What of the options applies to `graph`.
    [[nodiscard]] ReinplaceSession::Options applied_to(const ProgramGraph& graph) const;
    /// A session at its start, with what of the options applies to `graph`.
    [[nodiscard]] Result<std::unique_ptr<ReinplaceSession>> start(const ProgramGraph& graph) const;
};

} // namespace inspector
