// The option --input: types of inputs that the file does not say.
#pragma once

#include <string>
#include <vector>

#include "app/reinplace/output.h"
#include "core/formats/input_type.h"
#include "core/graph/program.h"

namespace CLI {
class App;
}

namespace inspector {

struct InputTypes {
    std::vector<InputType> given;

    /// What is no NAME=TYPE, and an input given twice, is bad usage before any file is read.
    void add_to(CLI::App& command);
    /// give_input_type() for each.
    [[nodiscard]] Result<void> apply(Program& program) const;
    /// Tells, where inputs of graphs[graph] have no type, which they are (the first few) and how to give one.
    void tell_lacking(const Program& program, std::size_t graph, Output& output) const;
};

} // namespace inspector
