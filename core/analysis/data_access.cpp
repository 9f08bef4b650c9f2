#include "core/analysis/data_access.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace inspector {
namespace {

/// Their results depend on a tensor's shape, type and device alone.
constexpr std::array shape_only{
    std::string_view("aten::_assert_tensor_metadata"), std::string_view("aten::dim"), std::string_view("aten::empty_like"),
    std::string_view("aten::full_like"), std::string_view("aten::is_complex"), std::string_view("aten::is_floating_point"),
    std::string_view("aten::new_empty"), std::string_view("aten::new_empty_strided"), std::string_view("aten::new_full"),
    std::string_view("aten::new_ones"), std::string_view("aten::new_zeros"), std::string_view("aten::numel"),
    std::string_view("aten::ones_like"), std::string_view("aten::rand_like"), std::string_view("aten::randint_like"),
    std::string_view("aten::randn_like"), std::string_view("aten::size"), std::string_view("aten::storage_offset"),
    std::string_view("aten::stride"), std::string_view("aten::sym_numel"), std::string_view("aten::sym_size"),
    std::string_view("aten::sym_storage_offset"), std::string_view("aten::sym_stride"), std::string_view("aten::zeros_like"),
};
static_assert(std::ranges::is_sorted(shape_only));

bool refers_to(const Argument& argument, NodeId value) {
    bool found = false;
    for_each_reference(argument, [&](NodeId node) { found = found || node == value; });
    return found;
}

bool is_first_argument_only(const Node& node, NodeId value) {
    if (node.args.empty() || node.args[0].node() != value) return false;
    for (std::size_t i = 1; i < node.args.size(); ++i)
        if (refers_to(node.args[i], value)) return false;
    return std::ranges::none_of(node.kwargs, [&](const NamedArgument& named) { return refers_to(named.second, value); });
}

bool share_a_storage(const GraphFacts& facts, NodeId a, NodeId b) {
    return std::ranges::any_of(facts.storages(a), [&](StorageId storage) {
        return std::ranges::find(facts.storages(b), storage) != facts.storages(b).end();
    });
}

} // namespace

bool reads_elements(const Graph& graph, const GraphFacts& facts, const Operator* op, NodeId reader, NodeId value) {
    const Node& node = graph.node(reader);
    if (node.opcode != Opcode::call_function) return true;
    const bool is_getitem = node.target == "operator.getitem" || node.target == "_operator.getitem";
    if (is_getitem) return !facts.of(value).is_list;
    if (!op) return true;
    if (std::ranges::binary_search(shape_only, std::string_view(op->name))) return false;
    // Every element of the result comes from elsewhere.
    if ((op->name == "aten::copy" || op->name == "aten::fill") && is_first_argument_only(node, value)) return false;
    // What returns its argument's memory and writes nothing made a view, annotated or not.
    return op->is_mutable || !is_first_argument_only(node, value) || !share_a_storage(facts, reader, value);
}

bool writes_elements(const Graph& graph, const Operator* op, NodeId node, NodeId value) {
    if (!op || !op->is_mutable) return false;
    const Node& call = graph.node(node);
    for (std::size_t i = 0; i < op->arguments.size(); ++i) {
        const SchemaArgument& parameter = op->arguments[i];
        if (!parameter.alias || !parameter.alias->is_write) continue;
        if (i < call.args.size() && refers_to(call.args[i], value)) return true;
        for (const auto& [name, argument] : call.kwargs)
            if (name == parameter.name && refers_to(argument, value)) return true;
    }
    return false;
}

} // namespace inspector
