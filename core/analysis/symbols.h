// The symbols of a graph: where each comes from, what is known of it, who uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/size_facts.h"
#include "core/graph/program.h"

namespace inspector {

struct SymbolOrigin {
    enum class Kind : std::uint8_t {
        input_dimension, ///< it is a dimension of an input
        input_number,    ///< it is an input
        derived,         ///< it stands in an expression of an input's sizes only
        data_dependent,  ///< a node's result brings it in: nonzero, item
        unused,          ///< nothing in the graph has it
    };
    Kind kind = Kind::unused;
    NodeId node = no_node;      ///< the input, or the node that brings it in
    std::size_t dimension = 0;  ///< of input_dimension and derived
    std::string expression;     ///< derived: what the dimension is
};
/// "input_dimension", "input_number", "derived", "data_dependent", "unused".
[[nodiscard]] std::string_view text_id(SymbolOrigin::Kind kind);

struct SymbolFacts {
    struct Relation {
        std::string text;         ///< "s77 = 2*s13"
        NodeId node = no_node;    ///< that asks for it; an input whose size it is
        std::string because;      ///< text_id of the SizeFact, or "input_dimension"
    };
    std::string name;
    std::optional<std::int64_t> minimum, maximum; ///< nullopt: unbounded
    std::optional<std::int64_t> hint;
    SymbolOrigin origin;
    std::optional<std::int64_t> divisor;          ///< divides it
    std::vector<Relation> relations;              ///< other than the divisor
    std::vector<NodeId> uses;                     ///< nodes with it in their sizes, number or arguments; program order
};

/// "from 2", "2..64", "..64", "8", "any integer".
[[nodiscard]] std::string range_words(const std::optional<std::int64_t>& minimum, const std::optional<std::int64_t>& maximum);

/// By name; symbols that the file gives a range of and the graph does not use come with the others.
[[nodiscard]] std::vector<SymbolFacts> symbol_table(const ProgramGraph& program);

} // namespace inspector
