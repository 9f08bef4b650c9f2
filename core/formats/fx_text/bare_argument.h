// Arguments as str(graph) prints them: strings without quotes, devices bare, nodes with a percent sign.
//
//     %x, [%a, 3], -inf, torch.float32, cpu, ij, jk -> ik, {key: %b}
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/formats/fx_text/graph_builder.h"
#include "core/operators/operator_schema.h"

namespace inspector::fx_text {

/// Schema of a target; nullptr where none is known.
using FindOperator = std::function<const Operator*(std::string_view target)>;

/// Reads the text between the brackets. A string may hold what looks like a separator, a number or a device: the
/// schema's argument types decide (`find_operator` is asked only where it matters). Without a schema, ", " outside of
/// brackets separates, words are strings and names of devices are devices. What is read prints as the same text.
class BareArgumentReader {
public:
    BareArgumentReader(const GraphBuilder& builder, FindOperator find_operator)
        : builder_(builder), find_operator_(std::move(find_operator)) {}

    /// Errors: a node that is not defined before this place; a word where the schema wants a tensor, a number or a
    /// list; nesting beyond the limit. `text` must be a part of the
    /// builder's source.
    [[nodiscard]] Result<std::vector<Argument>> read_args(std::string_view text, std::string_view target);
    [[nodiscard]] Result<std::vector<NamedArgument>> read_kwargs(std::string_view text, std::string_view target);
    /// A placeholder's default: containers print what they hold with repr, other values print like arguments.
    [[nodiscard]] Result<Argument> read_default(std::string_view text);

private:
    [[nodiscard]] Result<Argument> read(std::string_view text, std::string_view type, std::uint32_t depth);
    [[nodiscard]] Result<ArgumentList> read_list(std::string_view inside, std::string_view type,
                                                 ArgumentList::Kind kind, std::uint32_t depth);
    [[nodiscard]] Result<Argument> read_dict(std::string_view inside, std::uint32_t depth);
    [[nodiscard]] Result<Argument> read_node(std::string_view text) const;
    /// What stands in a slice prints with repr: nodes without a percent sign, strings in quotes.
    [[nodiscard]] Result<Argument> read_repr(std::string_view text) const;
    [[nodiscard]] Result<Argument> read_word(std::string_view text, std::string_view type) const;
    [[nodiscard]] std::size_t offset_of(std::string_view part) const;

    const GraphBuilder& builder_;
    FindOperator find_operator_;
};

} // namespace inspector::fx_text
