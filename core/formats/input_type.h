// Types of inputs that a file does not say: str(graph) and scripted modules have none, and without them nothing is known
// of sizes and memory.
#pragma once

#include <string>

#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

struct InputType {
    std::string name;
    ValueMeta type;
};

/// "NAME=TYPE", a type as print_readable shows it: "x=f32[2, 16]", "x=bf16[2, 16][1, 2]cuda:0", "n=Sym(s0)". Without strides a
/// tensor is contiguous. Error: `text` has another form, or a type that no value can have.
[[nodiscard]] Result<InputType> parse_input_type(const std::string& text);

/// Every graph with an input of this name and no type for it takes the type.
/// Error: no graph has the input, or the file says its type.
[[nodiscard]] Result<void> give_input_type(Program& program, const InputType& given);

} // namespace inspector
