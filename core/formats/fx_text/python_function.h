// Forms (b) and (c): the `def forward` that gm.code, print_readable and the compile logs print.
#pragma once

#include <string>
#include <vector>

#include "core/formats/fx_text/source_text.h"
#include "core/formats/reader.h"
#include "core/graph/graph.h"

namespace inspector::fx_text {

struct ParsedGraph {
    Graph graph;
    std::size_t end = 0;       ///< offset behind the text that was read
    bool is_annotated = false; ///< has shapes or origins: print_readable, not code
    std::vector<std::string> notes;
};

/// Reads the function whose `def` is at `offset`, up to and with its `return`. Understood: renamed placeholders
/// ("x = L_x_"), inputs flattened by pytree and given boxed, in-place operators ("a += b;  n = a"), item assignment,
/// freeing tails, one argument per line, profiler marks. Targets are as str(graph) prints them. Errors give line and
/// column. Source: CodeGen._gen_python_code of torch/fx/graph.py.
[[nodiscard]] Result<ParsedGraph> parse_python_function(const SourceText& source, std::size_t offset,
                                                        const ReadOptions& options);

} // namespace inspector::fx_text
