// The forms an operator has: in place, out=, on metadata; and what a missing one takes.
#pragma once

#include <string>
#include <string_view>

#include "core/analysis/level.h"
#include "core/operators/operator_schema.h"

namespace inspector {

/// Of an operator or of one of its forms: add, add_ and add.out are one family. nullptr: there is no such form.
struct OperatorForms {
    const Operator* functional = nullptr;
    const Operator* in_place = nullptr;   ///< as torch.fx.passes.reinplace finds it; of a view, unsqueeze_ and its like
    const Operator* out = nullptr;
};
[[nodiscard]] OperatorForms forms_of(const Operator& op);

/// run_decompositions() can take it apart: by a rule, or since it is made of others.
[[nodiscard]] bool is_decomposable(const Operator& op);

/// "kernel", "composite", "python", "none": torch's.
[[nodiscard]] std::string_view text_id(MetaForm form);
/// What computes its result on metadata, for people: "meta kernel", "meta kernel here" where this program has one of its own.
[[nodiscard]] std::string_view meta_words(const Operator& op);
/// What it takes to know the layout of its results without running it, as a sentence. Empty where torch's C++ or this
/// program does it, where nothing with a layout is returned, and of what is no operator.
[[nodiscard]] std::string needed_for_metadata(const NestedLevel::Use& use);

} // namespace inspector
