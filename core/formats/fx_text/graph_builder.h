// A graph while its text is being read: nodes by name, and the rules both text forms share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/formats/fx_text/source_text.h"
#include "core/formats/reader.h"
#include "core/graph/graph.h"

namespace inspector::fx_text {

class GraphBuilder {
public:
    GraphBuilder(const SourceText& source, const ReadOptions& options) : source_(source), options_(options) {}

    /// no_node where no node of that name stands before this place.
    [[nodiscard]] NodeId find(std::string_view name) const { return graph_.find(name); }
    /// Appends. Errors, which give `offset` as their place: the name is taken; too many nodes; the person cancelled.
    [[nodiscard]] Result<NodeId> add(Node node, std::size_t offset);
    /// Appends the output node, named as FX names it.
    [[nodiscard]] Result<NodeId> add_output(Argument value, std::string type, std::size_t offset);
    [[nodiscard]] Result<void> rename(NodeId id, std::string_view name, std::size_t offset);
    [[nodiscard]] Graph take();

    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] const SourceText& source() const { return source_; }
    [[nodiscard]] const ReadOptions& options() const { return options_; }

private:
    const SourceText& source_;
    const ReadOptions& options_;
    Graph graph_;
};

/// A symbol or an expression over symbols and numbers as a size; nullopt where the text is something else. Symbols are
/// named as torch's ShapeEnv names them: s0, u1, zf2, zuf3.
[[nodiscard]] std::optional<SymbolicSize> symbolic_size(std::string_view text);
/// torch.float32, torch.strided, torch.channels_last; nullopt for other names.
[[nodiscard]] std::optional<Argument> torch_constant(std::string_view name);

} // namespace inspector::fx_text
