// What a call of auto_functionalized or auto_functionalized_v2 says: the custom operator it wraps, the tensors that
// operator writes, and where the result holds them.
//
//     auto_functionalized(mylib.scale_, x = %a, f = 2.0)                       writes x; the result is (nothing, new x)
//     auto_functionalized_v2(mylib.scale_, f = 2.0, _x_base_index = 0, _x_slice_dim = 0, …, _all_bases = [%a])
//                                                   writes a slice of base 0; the result is (nothing, new base 0)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"

namespace inspector {

struct CustomCall {
    /// An argument that is written, or a base some written argument is a view of.
    struct Written {
        std::string name;           ///< "x"; of a base its number: "0"
        std::vector<NodeId> values; ///< one; the items where the argument is a list
        bool is_list = false;
        std::size_t item = 0; ///< its place in the result
    };
    std::string target;           ///< "torch.ops.mylib.scale_.default"
    const Operator* op = nullptr; ///< nullptr where its schema is not known here
    bool on_bases = false;        ///< auto_functionalized_v2
    std::size_t result_count = 1; ///< items of the result before the written ones; one even where nothing is returned
    std::vector<Written> written;
};

[[nodiscard]] bool is_custom_call(const Node& node);

/// nullopt where the node is no such call, or where nothing tells what it writes. An operator whose schema is not known
/// here is taken to return one value or none, and of auto_functionalized's arguments those are written whose types and
/// sizes alone fit the items that are taken of the result.
[[nodiscard]] std::optional<CustomCall> read_custom_call(const Graph& graph, NodeId node);

} // namespace inspector
