// TorchScript's graphs as they are printed: `print(scripted.graph)`, `print(traced.inlined_graph)`.
//
//     graph(%x : Tensor):
//       %1 : int = prim::Constant[value=1]()
//       %2 : Tensor = aten::add(%x, %x, %1) # model.py:3:8
//       return (%2)
#pragma once

#include <string_view>
#include <vector>

#include "core/formats/reader.h"
#include "core/formats/torchscript/script_graph.h"

namespace inspector::torchscript {

/// Whether a line begins a printed TorchScript graph. FX listings begin alike, but have no types.
[[nodiscard]] bool is_ir_text(std::string_view text);

/// Every graph of the text, in order; lines between graphs are passed over. Types of a block's values and names are as
/// printed. Errors, with line and column: text that is no such graph or is cut; a value that is used where nothing
/// defines it, or defined twice; blocks, brackets or graphs beyond the limits.
[[nodiscard]] Result<std::vector<ScriptGraph>> parse_ir_text(std::string_view text, const ReadOptions& options);

} // namespace inspector::torchscript
