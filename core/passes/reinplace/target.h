// What the pass needs to know of a node's target, looked up once per target and graph.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/graph/graph.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

struct Target {
    /// As str(node.target) gives it in Python: "aten.add.Tensor", "cond", "<built-in function getitem>".
    std::string short_name;
    const Operator* op = nullptr;             ///< nullptr: no operator overload, or one that nobody here knows
    bool is_overload = false;                 ///< an OpOverload in Python, known or not
    bool is_getitem = false;
    const Operator* inverse_view = nullptr;   ///< of a scatter: the view it writes through
    const Operator* inplace = nullptr;        ///< the overload that writes its result into self
    std::string inplace_name;                 ///< "aten.add_.Tensor"
    std::string inplace_target;               ///< "torch.ops.aten.add_.Tensor"
    Reason no_inplace = Reason::none;         ///< why `inplace` is null: is_view, name_missing, overload_missing…
    bool inplace_search_raises = false;       ///< upstream's search for it fails an assertion
};

/// Targets of one graph; addresses stay.
class Targets {
public:
    const Target& of(const Node& node);

private:
    std::deque<Target> targets_;
    std::unordered_map<std::string, const Target*> by_text_;
};

/// "torch.ops.aten.add_.Tensor": what a node that calls `op` has as its target.
[[nodiscard]] std::string full_target(const Operator& op);

} // namespace inspector
