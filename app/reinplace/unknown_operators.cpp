#include "app/reinplace/unknown_operators.h"

#include "core/graph/utf8.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {

void tell_unknown_operators(const Program& program, std::size_t graph, Output& output) {
    for (const std::string& target : taken_to_write_nothing(program, graph))
        output.message(one_line(target + " is taken to write nothing: nothing is known of it"));
}

} // namespace inspector
