// Decomposition to Core ATen as a session that can be stepped: one step for each call that is taken apart, forward and back.
// Stepping to the end and running at once give the same graph: there is one engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/decompose/step.h"

namespace inspector {

/// The overloads that names mean: "aten.layer_norm.default", or "aten.layer_norm" for every one. Error: an unknown operator.
[[nodiscard]] Result<std::set<std::string, std::less<>>> kept_overloads(const std::vector<std::string>& names);

class DecomposeSession {
public:
    struct Options {
        /// Operators that stay as they are: "aten.layer_norm.default", or "aten.layer_norm" for every overload.
        std::vector<std::string> keep;
    };

    /// Copies the graph. Error: an operator to keep that is not known.
    [[nodiscard]] static Result<std::unique_ptr<DecomposeSession>> start(const ProgramGraph& graph, const Options& options);
    ~DecomposeSession();

    // --- where we are ----------------------------------------------------------------------------------------------
    [[nodiscard]] const Graph& original() const;
    /// As rewritten so far. Nodes keep their ids and names.
    [[nodiscard]] const Graph& graph() const;
    [[nodiscard]] std::uint32_t position() const;                    ///< steps made
    [[nodiscard]] bool at_end() const;                               ///< no call is left that can be taken apart
    [[nodiscard]] const std::vector<DecomposeStep>& steps() const;   ///< made so far
    /// Calls passed by so far that are not Core ATen and stay, in program order.
    [[nodiscard]] const std::vector<LeftCall>& left() const;
    /// The original graph's node that a node of graph() was made for: itself for one that was there before.
    [[nodiscard]] NodeId source_of(NodeId node) const;
    /// With its signature. Precondition: at_end().
    [[nodiscard]] ProgramGraph result() const;

    // --- moving ----------------------------------------------------------------------------------------------------
    bool step();                          ///< false at the end
    bool step_back();                     ///< false at the start; cost: what the step did
    void run_to(std::uint32_t position);  ///< forward or back; beyond the last step means the end
    void run_to_end();
    void restart();

private:
    DecomposeSession();
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace inspector
