// What a TorchScript file holds: functions, and the module's attributes as far as the file tells them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/formats/torchscript/script_graph.h"
#include "core/graph/program.h"

namespace inspector::torchscript {

/// Attributes by path ("layer.weight"). A text has none.
struct ModuleState {
    std::map<std::string, StoredTensor> tensors;
    std::map<std::string, Argument> plain;       ///< numbers, strings, None, and lists of them
    std::map<std::string, std::string> objects;  ///< class of each submodule; "" is the module itself
    std::vector<StoredTensor> constants;         ///< CONSTANTS.c0, …
    std::map<std::size_t, std::int64_t> constant_numbers; ///< of those that are one int64 without dimensions, by place
    std::vector<TensorMeta> traced_inputs;       ///< of `forward`, without the module; empty where they are unknown
};

struct ScriptMethod {
    std::string id;   ///< of the graph
    std::string key;  ///< of the function
};

struct ScriptModule {
    std::map<std::string, ScriptGraph> functions; ///< by qualified name: "__torch__.S.forward"
    std::vector<ScriptMethod> methods;
    bool is_archive = false;
    ModuleState state;
};

} // namespace inspector::torchscript
