// What a call that a rule adds would give: sizes, strides and dtypes, with symbols as expressions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/program.h"
#include "core/operators/infer.h"
#include "core/passes/decompose/symbol_samples.h"

namespace inspector {

/// Runs the operator on metadata (core/operators/infer.h): once where no operand has symbols, else once for each sample.
/// Operands are known by the graph's metadata, and by the views they are of (lazy_bits.h); strides that nobody knows are taken to be contiguous.
class ResultMeta {
public:
    explicit ResultMeta(const ProgramGraph& graph);

    /// Error: no kernel, one that refuses the operands, an operand of unknown layout, or a size that is no expression of
    /// those known.
    [[nodiscard]] Result<ValueMeta> infer(const Graph& graph, const Operator& op, const std::vector<Argument>& args,
                                          const std::vector<NamedArgument>& kwargs);
    /// The operands on metadata, symbols at `sample`.
    [[nodiscard]] Result<MetaValue> evaluate(const Graph& graph, const Argument& argument, std::size_t sample) const;
    /// Whether some operand, or its layout, has a symbol.
    [[nodiscard]] bool is_symbolic(const Graph& graph, const Argument& argument) const;
    /// Expressions that sizes of results may be.
    void learn(const ValueMeta& meta);
    [[nodiscard]] SymbolSamples& samples() { return samples_; }

private:
    [[nodiscard]] Result<ValueMeta> combine(const std::vector<MetaValue>& results);
    [[nodiscard]] Result<TensorMeta> combine_tensors(const std::vector<const TensorLayout*>& layouts);
    [[nodiscard]] std::optional<SymbolicSize> combine_numbers(const std::vector<std::int64_t>& numbers);

    SymbolSamples samples_;
    bool may_be_lazy_ = false; ///< some call may have made a tensor whose bits differ from its memory
    MetaExecutor executor_;
};

} // namespace inspector
