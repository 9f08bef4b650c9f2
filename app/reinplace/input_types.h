// The option --input: types of inputs that the file does not say.
#pragma once

#include <string>
#include <vector>

#include "app/reinplace/output.h"
#include "core/graph/program.h"

namespace CLI {
class App;
}

namespace inspector {

struct InputTypes {
    std::vector<std::string> given; ///< "x=f32[2, 16]"

    void add_to(CLI::App& command);
    /// give_input_type() for each.
    [[nodiscard]] Result<void> apply(Program& program) const;
    /// Tells, where inputs of graphs[graph] have no type, which they are and how to give one.
    void tell_lacking(const Program& program, std::size_t graph, Output& output) const;
};

} // namespace inspector
