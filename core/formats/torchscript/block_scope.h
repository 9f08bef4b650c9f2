// A graph that is being made from a block, and how values of the blocks around it come into it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace inspector::torchscript {

struct BlockScope {
    Graph graph;
    BlockScope* parent = nullptr;   ///< null for a method
    std::size_t index = 0;          ///< in Program::graphs
    std::string id;
    std::map<NodeId, NodeId> captures;     ///< node of the parent's graph → placeholder
    std::vector<NodeId> captured;          ///< the former, in order of first use
    /// Values that are stored where later code may find them, and the attribute that holds each.
    std::vector<std::pair<Argument, std::string>> escaped;
    std::map<std::string, int> attributes; ///< how many nested graphs have each name

    /// `argument` of `home`, a scope around this one, with placeholders for the values it refers to.
    [[nodiscard]] Argument import(const Argument& argument, BlockScope& home);
    /// Gives the graph placeholders for exactly `outer`, nodes of the parent's graph, in this order behind its own inputs.
    void arrange_captures(const std::vector<NodeId>& outer);

private:
    NodeId capture(NodeId node, BlockScope& home);
    NodeId placeholder_for(NodeId outer);
};

/// Adds those of `more` that `nodes` does not have.
void add_missing(std::vector<NodeId>& nodes, const std::vector<NodeId>& more);

/// An identifier to name a node by: "h0" of "h0.13"; empty for a name that is a number.
[[nodiscard]] std::string base_name(std::string_view name);

} // namespace inspector::torchscript
