// Functionalization as a session that can be stepped: one step for each mutation, forward and back.
// Stepping to the end and running at once give the same graph: there is one engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/analysis/value_facts.h"
#include "core/graph/program.h"
#include "core/passes/functionalize/epilogue.h"
#include "core/passes/functionalize/step.h"

namespace inspector {

class FunctionalizeSession {
public:
    struct Options {
        Epilogue epilogue = Epilogue::outputs;
    };

    /// Copies the graph; `program` need not outlive the session. A nested graph may not write what it was given: its
    /// epilogue is always `outputs`, with none to add.
    [[nodiscard]] static std::unique_ptr<FunctionalizeSession> start(const Program& program, std::size_t graph, Options options);
    ~FunctionalizeSession();

    // --- where we are ----------------------------------------------------------------------------------------------
    [[nodiscard]] const Graph& original() const;
    /// As rewritten so far: up to the next mutation nothing writes any more. Nodes keep their ids and names; at the end
    /// dead code is gone.
    [[nodiscard]] const Graph& graph() const;
    [[nodiscard]] const GraphFacts& facts() const;     ///< of the original graph
    /// Nodes that write, in program order: one step each.
    [[nodiscard]] const std::vector<NodeId>& mutations() const;
    [[nodiscard]] std::uint32_t position() const;      ///< steps made
    [[nodiscard]] bool at_end() const;                 ///< every step made, and the ending
    [[nodiscard]] NodeId current() const;              ///< the mutation that is next; no_node at the end
    [[nodiscard]] const std::vector<FunctionalizeStep>& steps() const; ///< made so far; a refused one is the last
    /// Of the last step, or of the ending. The session goes no further than a refusal.
    [[nodiscard]] MutationRefusal refusal() const;
    [[nodiscard]] const FunctionalizeEnding* ending() const; ///< nullptr before the end
    /// Nodes that give a tensor another shape in place (squeeze_…): views from the start, no steps.
    [[nodiscard]] const std::vector<NodeId>& in_place_views() const;

    /// The original graph's node that a node of graph() stands for: itself, the mutation, or the view made again.
    [[nodiscard]] NodeId source_of(NodeId node) const;
    /// The tensors on the storages that step `index` writes, in program order, with what the step means to each. Costs
    /// what it gives.
    [[nodiscard]] std::vector<SeeingAlias> aliases(std::uint32_t index) const;
    /// The functional graph with its signature. Precondition: at_end().
    [[nodiscard]] ProgramGraph result() const;

    // --- moving ----------------------------------------------------------------------------------------------------
    bool step();                          ///< false at the end, or after a refusal
    bool step_back();                     ///< false at the start
    void run_to(std::uint32_t position);  ///< forward or back; beyond the last step means the end
    void run_to_end();
    void restart();

private:
    FunctionalizeSession();
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace inspector
