// Which of PyTorch's intermediate representations a graph is in, and what stands against the higher ones.
//
//     not ATen < training < functional ATen < Core ATen
//
// A graph is at the highest level that no node stands against. Source: torch.export's documentation of its IRs; the core
// set is the operators tagged `core`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/nesting.h"
#include "core/graph/program.h"
#include "core/operators/operator_schema.h"

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
/// "not an operator", "mutating", "custom", "composite", "not core".
[[nodiscard]] std::string_view kind_name(LevelObstacle::Kind kind);

/// What is called in a graph, and by which nodes.
struct OperatorUse {
    std::string target;                          ///< as nodes have it
    const Operator* op = nullptr;                ///< nullptr: no operator, or one of unknown schema
    std::optional<LevelObstacle::Kind> obstacle; ///< what it is against higher levels, if anything
    std::vector<NodeId> nodes;                   ///< program order
};

struct LevelReport {
    Level level = Level::core_aten;
    std::vector<LevelObstacle> obstacles; ///< program order, one per node: its gravest
    std::vector<OperatorUse> operators;   ///< in order of first use
};

/// Nested graphs count for themselves. Arithmetic on sizes, getitem, assertions on values and control flow belong to every level.
[[nodiscard]] LevelReport find_level(const Graph& graph);

/// A graph with those nested in it, however deep.
struct NestedLevel {
    struct Place {
        std::size_t graph = 0; ///< index into program.graphs
        NodeId node = no_node;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct Use {
        std::string target;
        const Operator* op = nullptr;
        std::optional<LevelObstacle::Kind> obstacle;
        std::vector<Place> places; ///< the graph's own first, then in the file's order
        friend bool operator==(const Use&, const Use&) = default;
    };
    Level level = Level::core_aten;     ///< the lowest of the graphs
    Level own_level = Level::core_aten; ///< without those nested in it
    std::vector<Use> operators;         ///< as in LevelReport
};
[[nodiscard]] NestedLevel find_level(const Program& program, std::size_t graph);
/// The same for who asks of many graphs, with the program's nesting.
[[nodiscard]] NestedLevel find_level(const Program& program, std::size_t graph, const Nesting& nesting);
/// The same with `shown` in the place of program.graphs[graph]: as a pass has rewritten it.
[[nodiscard]] NestedLevel find_level(const Program& program, std::size_t graph, const Graph& shown);

/// NestedLevel::level of each of the program's graphs; every node is looked at once.
[[nodiscard]] std::vector<Level> find_levels(const Program& program);

/// "aten.add.Tensor"; what is no operator overload as nodes have it.
[[nodiscard]] std::string short_name(const NestedLevel::Use& use);

/// Why the level is no higher, as a sentence: "2 operators write an argument, and 14 are not core". Of the highest level: what
/// makes it that.
[[nodiscard]] std::string why_not_higher(const NestedLevel& level);

} // namespace inspector
