// Python source that makes inputs for a function and calls it.
#pragma once

#include <string>

#include "core/graph/program.h"

namespace inspector {

/// `if __name__ == "__main__": …`: calls the function, written with PythonModuleNames::annotate; with numbers drawn for floating types, and zeros, which every index operator
/// takes, for others. Symbols get the file's sample sizes, else 4. A value of which nothing is known is None.
[[nodiscard]] std::string print_example_call(const Graph& graph, const std::map<std::string, std::int64_t>& hints);

} // namespace inspector
