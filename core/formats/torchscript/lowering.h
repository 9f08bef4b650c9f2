// TorchScript's graphs as FX-like graphs.
//
//     %2 : Tensor = aten::add(%x, %y, %1)        add: call_function torch.ops.aten.add.Tensor(x, y)
//     %h : Tensor = prim::If(%c)                 if_1: call_function torch.ops.prim.If(c, true_graph_0, false_graph_0, (x,))
//       block0(): … block1(): …                  h: call_function operator.getitem(if_1, 0)
//
// Calls are inlined; constants, lists and tuples stand in the arguments; arithmetic on numbers is Python's. Attributes and
// tensor constants of an archive are placeholders before the inputs, as torch.export lifts them; those of a text are get_attr
// nodes. Blocks are nested graphs, which take the values they use of what is around them as placeholders:
//
//     torch.ops.prim.If(condition, true graph, false graph, (used values…))
//     torch.ops.prim.Loop(most rounds, first condition, body, (carried…), (used values…))
//     body(round, carried…, used values…) returns (condition, carried…)
//
// What else has no form in FX is a call of torch.ops.prim.NAME, of whose result nothing is known. Values that are put where
// later code may find them (an attribute that is set, an item of a list from outside a block) are returned too, behind what
// a block returns, before what a method returns (OutputSpec::Kind::buffer_mutation).
#pragma once

#include "core/formats/reader.h"
#include "core/formats/torchscript/script_module.h"

namespace inspector::torchscript {

/// One graph for each method, and its blocks behind it. Errors name the method, the line of a text, and the value or call:
/// calls nested deeper, or graphs larger, than the limits; a value of a kind that is not what its user takes.
[[nodiscard]] Result<Program> lower(const ScriptModule& module, const ReadOptions& options);

} // namespace inspector::torchscript
