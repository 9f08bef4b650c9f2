#include "core/passes/reinplace/inductor/operands.h"

#include <algorithm>
#include <array>

#include "core/analysis/call_arguments.h"
#include "core/analysis/tensor_extent.h"

namespace inspector {
namespace {

struct Form {
    std::string_view name;
    std::string_view inplace;
};

/// torch._inductor.fx_passes.reinplace.inplaceable_ops. Inductor writes _unsafe_index_put with an operator of its own,
/// which only it has; index_put_ does the same.
constexpr std::array single_forms{
    Form{"aten.index_put.default", "aten.index_put_.default"},
    Form{"aten._unsafe_index_put.default", "aten.index_put_.default"},
    Form{"_c10d_functional.all_reduce.default", "_c10d_functional.all_reduce_.default"},
    Form{"_c10d_functional.all_reduce_coalesced.default", "_c10d_functional.all_reduce_coalesced_.default"}};

constexpr std::array foreach_forms{Form{"aten._foreach_add.List", "aten._foreach_add_.List"},
                                   Form{"aten._foreach_add.Scalar", "aten._foreach_add_.Scalar"},
                                   Form{"aten._foreach_mul.List", "aten._foreach_mul_.List"},
                                   Form{"aten._foreach_mul.Scalar", "aten._foreach_mul_.Scalar"},
                                   Form{"aten._foreach_div.List", "aten._foreach_div_.List"},
                                   Form{"aten._foreach_div.Scalar", "aten._foreach_div_.Scalar"},
                                   Form{"aten._foreach_copy.default", "aten._foreach_copy_.default"},
                                   Form{"aten._foreach_addcmul.Scalar", "aten._foreach_addcmul_.Scalar"},
                                   Form{"aten._foreach_addcdiv.Scalar", "aten._foreach_addcdiv_.Scalar"}};

template <typename Forms> std::string_view find_form(const Forms& forms, std::string_view name) {
    const auto found = std::ranges::find(forms, name, &Form::name);
    return found != forms.end() ? found->inplace : std::string_view{};
}

constexpr std::string_view triton_call = "triton_kernel_wrapper_functional";

const Argument* kernel_argument(const Node& node, std::string_view name) {
    const Argument* all = keyword_argument(node, "kwargs");
    const auto* dict = all ? all->as<ArgumentDict>() : nullptr;
    if (!dict) return nullptr;
    const auto found =
        std::ranges::find(dict->items, name, [](const auto& item) { return std::string_view(item.first); });
    return found != dict->items.end() ? &found->second : nullptr;
}

OperandDecision operand(const InductorGraph& known, std::string name, std::vector<NodeId> values) {
    OperandDecision made{.name = std::move(name), .values = std::move(values)};
    for (const NodeId value : made.values) {
        const TensorLayout* layout = known.layout(value);
        std::int64_t bytes = 0;
        if (layout && !__builtin_mul_overflow(element_count(layout->sizes), element_size(layout->dtype), &bytes) &&
            !__builtin_add_overflow(made.bytes, bytes, &bytes))
            made.bytes = bytes;
    }
    return made;
}

std::optional<Writer> writer_of_first_argument(const Graph& graph, NodeId id, Writer::Kind kind,
                                               const InductorGraph& known) {
    const auto& args = graph.node(id).args;
    if (args.empty()) return std::nullopt;
    std::vector<NodeId> values;
    for_each_reference(args[0], [&](NodeId value) { values.push_back(value); });
    if (values.empty()) return std::nullopt;
    return Writer{kind, {operand(known, "self", std::move(values))}};
}

std::optional<Writer> custom_writer(const Graph& graph, NodeId id, const InductorGraph& known) {
    const auto call = read_custom_call(graph, id);
    if (!call) return std::nullopt;
    Writer writer{Writer::Kind::custom_call, {}, call->op && call->op->has_tag("out")};
    for (const CustomCall::Written& written : call->written)
        writer.operands.push_back(operand(known, written.name, written.values));
    return writer;
}

std::optional<Writer> triton_writer(const Graph& graph, NodeId id, const InductorGraph& known) {
    const Node& node = graph.node(id);
    const Argument* names = keyword_argument(node, "tensors_to_clone");
    const auto* list = names ? names->as<ArgumentList>() : nullptr;
    if (!list) return std::nullopt;
    Writer writer{Writer::Kind::triton_kernel, {}};
    for (const Argument& item : list->items) {
        const auto* name = item.as<std::string>();
        const Argument* value = name ? kernel_argument(node, *name) : nullptr;
        if (!value || value->node() == no_node) return std::nullopt;
        writer.operands.push_back(operand(known, *name, {value->node()}));
    }
    return writer;
}

} // namespace

std::string_view inplace_name(std::string_view target) {
    const std::string_view single = find_form(single_forms, target);
    return single.empty() ? find_form(foreach_forms, target) : single;
}

bool is_inplaceable(std::string_view target) { return !find_form(single_forms, target).empty(); }

bool is_in_table(const Graph& graph, NodeId node, const Target& target) {
    return target.inverse_view || !inplace_name(target.short_name).empty() || is_custom_call(graph.node(node)) ||
           target.short_name == triton_call;
}

std::optional<Writer> writer_of(const Graph& graph, NodeId id, const Target& target, const InductorGraph& known) {
    const std::string_view name = target.short_name;
    if (const auto* group = known.group_of(id))
        return Writer{Writer::Kind::scatter, {operand(known, "self", {group->base})}};
    if (is_custom_call(graph.node(id))) return custom_writer(graph, id, known);
    if (name == triton_call) return triton_writer(graph, id, known);
    if (is_inplaceable(name)) {
        const bool is_collective = name.starts_with("_c10d_functional.");
        return writer_of_first_argument(graph, id, is_collective ? Writer::Kind::collective : Writer::Kind::index_put,
                                        known);
    }
    if (!find_form(foreach_forms, name).empty())
        return writer_of_first_argument(graph, id, Writer::Kind::foreach_list, known);
    return std::nullopt;
}

bool copies_item_of(const Graph& graph, NodeId list, const Target& target, NodeId item, NodeId input) {
    if (target.short_name == "auto_functionalized") return true;
    if (!find_form(foreach_forms, target.short_name).empty()) return true;
    if (target.short_name != triton_call) return false;
    const auto* name = graph.node(item).args[1].as<std::string>();
    const Argument* value = name ? kernel_argument(graph.node(list), *name) : nullptr;
    return value && value->node() == input;
}

} // namespace inspector
