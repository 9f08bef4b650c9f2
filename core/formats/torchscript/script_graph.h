// TorchScript's own form of a graph: typed values, nodes with blocks inside. What texts and archives are read into before
// they become FX-like graphs.
//
//     %h : Tensor = prim::If(%c)
//       block0(): … -> (%a)
//       block1(): … -> (%b)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/argument.h"

namespace inspector::torchscript {

struct ScriptValue {
    std::string name; ///< "h0.13"; "15" where the program gives it none
    std::string type; ///< as the graph is printed: "Tensor", "Float(4, 8, strides=[8, 1])", "int[]", "__torch__.S"
};
using ValueIndex = std::uint32_t; ///< in ScriptGraph::values

struct ScriptNode;
struct ScriptBlock {
    std::vector<ValueIndex> inputs;
    std::vector<ScriptNode> nodes;
    std::vector<ValueIndex> outputs;
};

struct ScriptNode {
    std::string kind;                       ///< "aten::add", "prim::Loop"
    std::optional<std::string> overload;    ///< "Tensor", "" for .default; nullopt where the types have to tell
    std::vector<ValueIndex> inputs;
    std::vector<ValueIndex> outputs;
    std::vector<ScriptBlock> blocks;
    std::optional<Argument> value;          ///< prim::Constant: a number, string, list…
    std::optional<std::size_t> tensor;      ///< prim::Constant: a tensor, by its place among the archive's constants
    std::string name;                       ///< attribute `name`: of prim::GetAttr, prim::CallMethod, a function
    std::string callee;                     ///< of calls: a key of ScriptModule::functions; empty where it is not known
    std::string place;                      ///< "model.py:6:8" of the Python source; may be empty
    std::size_t line = 0;                   ///< of a text; 0 in archives
};

struct ScriptGraph {
    std::vector<ScriptValue> values;
    ScriptBlock body;
};

} // namespace inspector::torchscript
