// Which of PyTorch's intermediate representations a graph is in, and what stands against the higher ones.
//
//     not ATen < training < functional ATen < Core ATen
//
// A graph is at the highest level that no node stands against. Source: torch.export's documentation of its IRs; the core
// set is the operators tagged `core`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace inspector {

enum class Level : std::uint8_t { not_aten, training, functional_aten, core_aten };
/// "not ATen", "training", "functional ATen", "Core ATen".
[[nodiscard]] std::string_view level_name(Level level);

struct LevelObstacle {
    enum class Kind : std::uint8_t {
        not_an_operator,  ///< a Python function, method or module call: against training
        mutating,         ///< writes an argument: against functional ATen
        custom,           ///< an operator that is not ATen's: against Core ATen
        composite,        ///< is made of other operators that run_decompositions would put in its place: against Core ATen
        not_core,         ///< another ATen operator without the tag `core`: against Core ATen
    };
    NodeId node = no_node;
    Kind kind = Kind::not_core;
};
/// The lowest level the obstacle stands against.
[[nodiscard]] Level stands_against(LevelObstacle::Kind kind);

struct LevelReport {
    Level level = Level::core_aten;
    std::vector<LevelObstacle> obstacles; ///< program order, one per node: its gravest
};

/// Nested graphs count for themselves. Arithmetic on sizes, getitem, assertions on values and control flow belong to every level.
[[nodiscard]] LevelReport find_level(const Graph& graph);

} // namespace inspector
