// The call a rule takes apart: its arguments by the schema's names, and the calls that are put in its place.
//
//     Values silu(Call& call) {
//         const Tensor x = call.compute("self");
//         return call.give(x * call("sigmoid.default", x));
//     }
//
// The first trouble stays: after it nothing is added any more, and what rules are given is empty. A rule need not ask.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/operators/operator_schema.h"
#include "core/passes/decompose/result_meta.h"

namespace inspector::decomposition {

class Call;
class SizeNodes;

/// A tensor of the graph, as rules compute with it. Its sizes count elements.
class Tensor {
public:
    Tensor() = default;
    Tensor(Call& call, NodeId node) : call_(&call), node_(node) {}

    [[nodiscard]] NodeId node() const { return node_; }
    [[nodiscard]] bool is_defined() const { return node_ != no_node; }
    operator Argument() const { return is_defined() ? Argument(NodeReference{node_}) : Argument(None{}); }

    [[nodiscard]] DType dtype() const;
    [[nodiscard]] std::string device() const;
    [[nodiscard]] std::int64_t rank() const;
    [[nodiscard]] std::vector<SymbolicSize> sizes() const;
    /// As an argument: a number, or the node that holds it. `dim` may be negative.
    [[nodiscard]] Argument size(std::int64_t dim) const;
    [[nodiscard]] std::vector<Argument> shape() const;
    /// nullopt where it has symbols.
    [[nodiscard]] std::optional<std::int64_t> constant_size(std::int64_t dim) const;
    [[nodiscard]] Tensor to(DType dtype) const; ///< itself, where it is of that type
    [[nodiscard]] Call& call() const { return *call_; }

private:
    [[nodiscard]] const TensorMeta& meta() const;
    Call* call_ = nullptr;
    NodeId node_ = no_node;
};

/// What stands for the call's results: one value for each, undefined where nobody uses it; or one node that gives them all.
struct Values {
    std::vector<Argument> items;
    bool is_list = false; ///< `items` has one node, which returns the list that the call returned
};

class Call {
public:
    Call(Graph& graph, ResultMeta& metadata, NodeId node, const Operator& op, SizeNodes& sizes);

    // --- what is given ---------------------------------------------------------------------------------------------
    [[nodiscard]] const Operator& op() const { return op_; }
    [[nodiscard]] NodeId node() const { return node_; }
    /// The argument, or the schema's default. None where there is neither.
    [[nodiscard]] Argument argument(std::string_view name) const;
    /// Every argument of the schema, defaults filled in.
    [[nodiscard]] std::vector<Argument> arguments() const;
    [[nodiscard]] bool is_given(std::string_view name) const; ///< and is not None
    /// Undefined for None. A number given for a tensor becomes one.
    [[nodiscard]] Tensor tensor(std::string_view name);
    [[nodiscard]] std::vector<Tensor> tensors(std::string_view name);
    /// As tensor(), for arithmetic: of half precision, in f32; with `as_result`, in the type of the result (in f32 where
    /// that is of half precision), as torch's kernels compute.
    [[nodiscard]] Tensor compute(std::string_view name, bool as_result = true);
    [[nodiscard]] std::int64_t integer(std::string_view name);
    [[nodiscard]] double number(std::string_view name);
    [[nodiscard]] bool flag(std::string_view name);
    [[nodiscard]] std::string text(std::string_view name);
    [[nodiscard]] std::optional<DType> dtype(std::string_view name);
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name);
    [[nodiscard]] std::vector<Argument> items(std::string_view name); ///< of a list; sizes may be nodes. Empty for None
    /// A dimension given, or one of `rank`, counted from the front.
    [[nodiscard]] std::int64_t dim(std::string_view name, std::int64_t rank);
    [[nodiscard]] std::vector<std::int64_t> dims(std::string_view name, std::int64_t rank); ///< all, where none is given
    /// What the graph says of result `index`. Trouble where it says nothing.
    [[nodiscard]] const TensorMeta& result(std::size_t index = 0);
    [[nodiscard]] bool is_used(std::size_t index) const; ///< of an operator with several results

    // --- what is added ---------------------------------------------------------------------------------------------
    /// Adds torch.ops.aten.`target`(arguments).
    template <typename... Arguments> Tensor operator()(std::string_view target, const Arguments&... arguments) {
        return add(target, {Argument(arguments)...}, {});
    }
    Tensor add(std::string_view target, std::vector<Argument> args, std::vector<NamedArgument> kwargs);
    Tensor item(const Tensor& list, std::size_t index);

    Tensor cast(const Tensor& x, DType dtype);
    /// A view of those sizes, of a copy where it has to be one.
    Tensor reshape(const Tensor& x, std::vector<Argument> sizes);
    Tensor permute(const Tensor& x, const std::vector<std::int64_t>& order) { return (*this)("permute.default", x, list_of(order)); }
    Tensor transpose(const Tensor& x, std::int64_t a, std::int64_t b);
    Tensor unsqueeze(const Tensor& x, std::int64_t dim) { return (*this)("unsqueeze.default", x, dim); }
    Tensor squeeze(const Tensor& x, std::int64_t dim) { return (*this)("squeeze.dims", x, list_of({dim})); }
    Tensor expand(const Tensor& x, std::vector<Argument> sizes); ///< itself where it has them
    Tensor sum(const Tensor& x, const std::vector<std::int64_t>& dims, bool keep = false);
    Tensor arange(Argument end, DType dtype, const Tensor& like); ///< 0, 1, … end - 1
    Tensor contiguous(const Tensor& x);                           ///< a copy, row by row
    /// Whether it has the strides of a tensor of that format.
    [[nodiscard]] bool lies_as(const Tensor& x, MemoryFormat format);
    /// A tensor with one number in every place, of `like`'s device.
    Tensor full(std::vector<Argument> sizes, Argument value, DType dtype, const Tensor& like);
    Tensor scalar(Argument value, DType dtype, const Tensor& like) { return full({}, std::move(value), dtype, like); }
    /// dtype, layout and device of the arguments of those names, the device and type of the result where they are None.
    [[nodiscard]] std::vector<NamedArgument> factory_options();

    Argument size_of(const Tensor& x, std::int64_t dim);
    Argument times(const Argument& a, const Argument& b);
    Argument plus(const Argument& a, const Argument& b);
    /// The size as an argument: made of sizes that nodes hold, or operands have. Trouble where that is not possible.
    Argument hold(const SymbolicSize& size);
    Argument product_of(const std::vector<Argument>& sizes);
    [[nodiscard]] std::optional<SymbolicSize> size_value(const Argument& size) const;

    // --- the end ---------------------------------------------------------------------------------------------------
    Values give(const Tensor& value);               ///< in the type of the result
    Values give_all(std::vector<Tensor> values);
    Values give_list(const Tensor& list) { return {{list}, true}; }
    Values decline(std::string why);                ///< the call stays
    void trouble(std::string why) { if (trouble_.empty()) trouble_ = std::move(why); }
    [[nodiscard]] bool has_trouble() const { return !trouble_.empty(); }
    [[nodiscard]] const std::string& why_not() const { return trouble_; }
    [[nodiscard]] const std::vector<NodeId>& added() const { return added_; }
    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] ResultMeta& metadata() { return metadata_; }

private:
    static Argument list_of(const std::vector<std::int64_t>& items);
    Tensor insert(std::string_view candidate, std::string target, std::vector<Argument> args,
                  std::vector<NamedArgument> kwargs, ValueMeta meta);
    Argument arithmetic(const char* function, const Argument& a, const Argument& b, std::optional<SymbolicSize> value);

    Graph& graph_;
    ResultMeta& metadata_;
    NodeId node_;
    const Operator& op_;
    SizeNodes& sizes_;
    std::string trouble_;
    std::vector<NodeId> added_;
};

/// Nodes that hold a symbolic size, as far as the walk over the graph has come.
class SizeNodes {
public:
    void visit(const Graph& graph, NodeId node);
    /// A node before `position` that holds it; no_node where there is none.
    [[nodiscard]] NodeId find(const Graph& graph, const SymbolicSize& size, NodeId position) const;
    [[nodiscard]] std::vector<NodeId> all(const Graph& graph, NodeId position) const; ///< by the sizes' text

private:
    std::map<std::string, NodeId, std::less<>> nodes_;
};

/// "[0, 1]", "None", "1e-05", "\"linear\"" of a schema.
[[nodiscard]] Argument parse_default(std::string_view text);

/// A list argument of sizes or dimensions.
[[nodiscard]] Argument list(std::vector<Argument> items);
[[nodiscard]] Argument list(const std::vector<std::int64_t>& items);
[[nodiscard]] Argument list(const std::vector<Tensor>& items);

// Element-wise arithmetic by torch.ops.aten.{add,sub,mul,div}.{Tensor,Scalar}.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a);
Tensor operator+(const Tensor& a, const Argument& b);
Tensor operator-(const Tensor& a, const Argument& b);
Tensor operator*(const Tensor& a, const Argument& b);
Tensor operator/(const Tensor& a, const Argument& b);
/// number - a, as -a + number, which is the same bits.
Tensor operator-(const Argument& number, const Tensor& a);
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

} // namespace inspector::decomposition
