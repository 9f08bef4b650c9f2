// Every operator known: torch 2.13's schemas (resources/schemas), plus what this LibTorch's dispatcher registers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/operators/operator_schema.h"

namespace inspector {

/// What torch.fx.passes.reinplace finds when it looks for the in-place form of an operator.
struct InplaceSearch {
    const Operator* variant = nullptr;
    /// The search itself fails an assertion: some overload of `name_` writes another argument than its first, or not
    /// its first, or several match. Upstream's pass stops there.
    bool upstream_raises = false;
};

/// Operators of the 2.13 list never depend on the LibTorch installed; names the list does not have are asked of the
/// dispatcher. Schemas are parsed when first looked up; the table is thread-safe and its operators live for ever.
class OperatorTable {
public:
    static const OperatorTable& instance();

    /// `target`: "torch.ops.aten.add.Tensor" or "aten.add.Tensor". nullptr: no operator of that name is known,
    /// or the target is no operator overload (operator.getitem, a higher-order op).
    [[nodiscard]] const Operator* find(std::string_view target) const;
    /// All overloads of "aten::add_" in the order torch lists them; empty when the name is unknown.
    [[nodiscard]] std::vector<const Operator*> overloads(std::string_view qualified_name) const;
    /// Every overload of the 2.13 list, sorted by name; parses what was not looked up yet.
    [[nodiscard]] std::vector<const Operator*> all() const;

    /// The in-place overload torch.fx.passes.reinplace chooses: `name_`, same number of arguments, same argument
    /// types (comparable_type), exactly one match. Views have none.
    [[nodiscard]] InplaceSearch find_inplace(const Operator& op) const;
    /// find_inplace's variant. nullptr when there is none.
    [[nodiscard]] const Operator* inplace_variant(const Operator& op) const { return find_inplace(op).variant; }
    /// "aten::add.out" of "aten::add.Tensor": the overload of the same name that writes its result into a keyword argument
    /// `out` and takes the same other arguments. nullptr when there is none.
    [[nodiscard]] const Operator* out_variant(const Operator& op) const;

    /// "aten::add.Tensor" of "aten::add_.Tensor" and of "aten::add.out": the overload that writes nothing and returns, after
    /// the new tensors `op` returns, one for each argument `op` writes, in order. It takes the same arguments, but for
    /// those of out=. torch names it `name` without its last `_`, or with `_functional` behind. nullptr when there is none.
    [[nodiscard]] const Operator* functional_variant(const Operator& op) const;

    /// diagonal_scatter ↔ diagonal, select_scatter ↔ select.int, slice_scatter ↔ slice.Tensor,
    /// as_strided_scatter ↔ as_strided. nullptr for any other operator.
    [[nodiscard]] const Operator* view_of_scatter(const Operator& scatter) const;

    OperatorTable(const OperatorTable&) = delete;
    OperatorTable& operator=(const OperatorTable&) = delete;

private:
    OperatorTable();
    ~OperatorTable();
    struct Index;
    Index* index_;
};

} // namespace inspector
