#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "tests/fuzz/target.h"

namespace fuzz {

using namespace inspector;

void check_program(const Result<Program>& program) {
    if (!program) return require(!program.error().reason.empty(), "an error has a reason");
    for (std::size_t i = 0; i < program->graphs.size(); ++i) {
        const ProgramGraph& graph = program->graphs[i];
        require(!graph.id.empty(), "a graph has an id");
        require(!graph.parent || *graph.parent < i, "a parent stands before its nested graphs");
        if (!graph.is_read) continue;
        if (const auto faults = verify(graph.graph); !faults.empty()) require(false, faults.front().message());
        require(!print_fx(graph.graph).empty(), "a graph can be printed");
        if (!graph.parent) require(!print_readable(*program, i, {}).empty(), "a graph can be printed with what is nested");
    }
}

} // namespace fuzz
