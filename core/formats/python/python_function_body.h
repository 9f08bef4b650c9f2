// One graph as one Python function.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/graph/graph.h"
#include "core/graph/result.h"

namespace inspector {

/// What functions of one module share.
struct PythonModuleNames {
    std::set<std::string, std::less<>> imports;           ///< "operator", "math": modules the functions use
    std::map<std::string, std::string> attributes;        ///< get_attr target → what is known of it ("f32[16][1]cpu")
    std::set<std::string> modules;                        ///< call_module targets
    std::set<std::string> operator_libraries;             ///< namespaces of custom operators
    /// Write what FX text says: of each value what is known, x: "f32[4][1]cpu"; attributes as those of a first parameter
    /// `self`, where the graph reads any.
    bool annotate = false;
};

/// `def name(placeholders): …` with a final newline. `subgraphs`: get_attr target → function of a nested graph.
/// `taken`: module-level names no local may hide. What the function needs is added to `module`.
[[nodiscard]] Result<std::string> print_python_function(const Graph& graph, std::string_view name,
                                                        const std::map<std::string, std::string>& subgraphs,
                                                        const std::set<std::string>& taken, PythonModuleNames& module);

} // namespace inspector
