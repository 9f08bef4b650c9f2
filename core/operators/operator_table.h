// Every operator known: torch 2.13's schemas (resources/schemas), plus what this LibTorch's dispatcher registers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/operators/operator_schema.h"

namespace inspector {

/// Immutable after construction from a reader's view; lookups are cached and thread-safe.
class OperatorTable {
public:
    static const OperatorTable& instance();

    /// `target`: "torch.ops.aten.add.Tensor" or "aten.add.Tensor". nullptr: no operator of that name is known,
    /// or the target is no operator overload (operator.getitem, a higher-order op).
    [[nodiscard]] const Operator* find(std::string_view target) const;
    /// All overloads of "aten::add_" in the order torch lists them; empty when the name is unknown.
    [[nodiscard]] std::vector<const Operator*> overloads(std::string_view qualified_name) const;

    /// The in-place overload torch.fx.passes.reinplace would choose: `name_`, same number of arguments, same argument
    /// types, exactly one match. nullptr when there is none.
    [[nodiscard]] const Operator* inplace_variant(const Operator& op) const;

    /// diagonal_scatter ↔ diagonal, select_scatter ↔ select.int, slice_scatter ↔ slice.Tensor,
    /// as_strided_scatter ↔ as_strided. nullptr for any other operator.
    [[nodiscard]] const Operator* view_of_scatter(const Operator& scatter) const;

private:
    OperatorTable();
    struct Index;
    const Index* index_;
};

} // namespace inspector
