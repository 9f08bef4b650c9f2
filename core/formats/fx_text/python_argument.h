// Values in generated Python code as arguments of nodes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/formats/fx_text/graph_builder.h"
#include "core/formats/fx_text/python_expression.h"

namespace inspector::fx_text {

/// Turns expressions into arguments; names are nodes of `builder`. Reprs that no rule reads are kept as OpaqueText. A
/// named tuple or another object built from nodes becomes a tuple of them, so that no use of a node is lost.
class ArgumentReader {
public:
    ArgumentReader(const GraphBuilder& builder, std::string_view source) : builder_(builder), source_(source) {}

    /// Errors: a name that no node before this place has; an operation on nodes (FX gives each a line of its own).
    [[nodiscard]] Result<Argument> read(const Expression& expression);
    /// Class names of objects read as tuples, each once.
    [[nodiscard]] const std::vector<std::string>& objects_read_as_tuples() const { return objects_; }

private:
    [[nodiscard]] Result<Argument> read_name(const Expression& expression);
    [[nodiscard]] Result<Argument> read_integer(const Expression& expression) const;
    [[nodiscard]] Result<Argument> read_call(const Expression& expression);
    [[nodiscard]] Result<Argument> read_dict(const Expression& expression);
    [[nodiscard]] Result<Argument> read_operation(const Expression& expression);
    [[nodiscard]] Result<ArgumentList> read_items(const Expression& expression, ArgumentList::Kind kind,
                                                  std::size_t first = 0);
    [[nodiscard]] std::string_view text(const Expression& expression) const;
    [[nodiscard]] Argument opaque(const Expression& expression) const;
    [[nodiscard]] bool uses_nodes(const Expression& expression) const;
    [[nodiscard]] tl::unexpected<Error> refuse(const Expression& expression, std::string reason) const;

    const GraphBuilder& builder_;
    std::string_view source_;
    std::vector<std::string> objects_;
};

/// "cuda:1" for device(type='cuda', index=1); nullopt for other arguments.
[[nodiscard]] std::optional<std::string> device_name(const Expression& call);

} // namespace inspector::fx_text
