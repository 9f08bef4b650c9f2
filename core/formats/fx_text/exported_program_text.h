// Form (d): what str(ep) adds below the graph of an ExportedProgram.
//
//     Graph signature:
//         # inputs
//         p_w: PARAMETER target='w'
//         # outputs
//         add: BUFFER_MUTATION target='cnt'
//     Range constraints: {s77: VR[2, 64], u0: VR[0, int_oo]}
#pragma once

#include "core/formats/fx_text/source_text.h"
#include "core/graph/program.h"

namespace inspector::fx_text {

[[nodiscard]] bool is_signature_start(std::string_view line);
[[nodiscard]] bool is_range_constraints(std::string_view line);

/// Reads the signature whose first line is `line`, and moves `line` behind it.
[[nodiscard]] Result<Signature> parse_signature(const SourceText& source, std::size_t& line);
/// Ranges in the order given; an infinite end is no end.
[[nodiscard]] Result<std::vector<SymbolRange>> parse_range_constraints(const SourceText& source, std::size_t line);

} // namespace inspector::fx_text
