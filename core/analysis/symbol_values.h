// Numbers for symbolic sizes: the file's sample sizes where it has them, else assumed ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/program.h"

namespace inspector {

/// One number per symbol, the same wherever the symbol stands. Assumed numbers are distinct, above 1 and inside the
/// symbol's range as far as that has room; they are multiples of 16 where possible, so that halves and heads stay whole.
class SymbolValues {
public:
    /// Looks at every size, number and argument of the graph.
    [[nodiscard]] static SymbolValues of(const ProgramGraph& program);

    /// nullopt: an unknown function, overflow, or division by zero.
    [[nodiscard]] std::optional<std::int64_t> value(const SymbolicSize& size) const;
    /// nullopt as soon as one of them has no value.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> values(const std::vector<SymbolicSize>& sizes) const;

    /// The symbols whose number is assumed, by name.
    [[nodiscard]] const std::vector<std::pair<std::string, std::int64_t>>& assumed() const { return assumed_; }
    /// Some size of the graph is no plain number.
    [[nodiscard]] bool is_symbolic() const { return symbolic_; }

private:
    void collect(const SymbolicSize& size);
    void collect(const ValueMeta& meta);
    void collect(const Argument& argument);
    void assume_missing(const std::vector<SymbolRange>& ranges);

    std::map<std::string, std::optional<std::int64_t>, std::less<>> symbols_;
    std::vector<std::pair<std::string, std::int64_t>> assumed_;
    bool symbolic_ = false;
};

/// The symbols in sizes, strides and numbers of the placeholders: those a caller chooses.
[[nodiscard]] std::set<std::string> input_symbols(const Graph& graph);

} // namespace inspector
