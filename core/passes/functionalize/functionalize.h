// A whole program made functional: a graph and those nested in it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/graph/result.h"
#include "core/passes/functionalize/session.h"

namespace inspector {

/// A copy of `program` in which program.graphs[graph], and every graph nested in it, writes nothing (but for the copies of
/// Epilogue::copies). Nodes keep their ids and names. Error: a mutation that is refused; the place names graph and node.
[[nodiscard]] Result<Program> functionalize(const Program& program, std::size_t graph, FunctionalizeSession::Options options = {});

/// `program` where none of these graphs writes, as far as schemas tell, else functionalize(): what decomposition begins with.
[[nodiscard]] Result<Program> functional_form(const Program& program, std::size_t graph, FunctionalizeSession::Options options = {});

/// "my.rotate.default": operators of unknown schema whose results are used, sorted. Nobody here can tell whether they write
/// what they are given too; they stay, as if they did not.
[[nodiscard]] std::vector<std::string> taken_to_write_nothing(const Program& program, std::size_t graph);

} // namespace inspector
