// Calls of operators that rules take apart, one a line: what is called, on what inputs.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace inspector {

struct DecompositionCase {
    const char* call;              ///< "aten.addcmul.default(x, y, z, value = 0.5)"
    const char* inputs;            ///< "x: f32[3, 4]; y: f32[4]"; "x: f32[3, 4][1, 3]" where it does not lie row by row
    int results = 0;               ///< 0: a tensor; else how many items are taken of the results
    double tolerance = 2e-6;       ///< relative, and absolute, of what the decomposed graph gives
    const char* annotation = "";   ///< of the result, where sizes are symbols: "f32[s0, 4][4, 1]cpu"
};

[[nodiscard]] std::span<const DecompositionCase> decomposition_cases();

} // namespace inspector
