#include "core/passes/functionalize/mutation.h"

#include <algorithm>
#include <array>

#include "core/operators/operator_table.h"

namespace inspector {
namespace {

constexpr std::string_view operators = "torch.ops.";
constexpr std::string_view higher_order = "torch.ops.higher_order.";

Mutation refused(const Operator* op, MutationRefusal refusal) {
    Mutation mutation;
    mutation.op = op;
    mutation.refusal = refusal;
    return mutation;
}

/// "add_" of "torch.ops.aten.add_.Tensor", "iadd" of "operator.iadd".
std::string_view base_name(std::string_view target) {
    if (target.starts_with(operators)) target = target.substr(0, target.rfind('.'));
    return target.substr(target.rfind('.') + 1);
}

bool sounds_in_place(std::string_view name) { return name.ends_with('_') && !name.ends_with("__"); }

/// operator.iadd and its kin, operator.setitem: they write a tensor given first.
bool is_python_write(std::string_view target) {
    static constexpr std::array writers{
        std::string_view("iadd"), std::string_view("iand"), std::string_view("ifloordiv"), std::string_view("ilshift"),
        std::string_view("imatmul"), std::string_view("imod"), std::string_view("imul"), std::string_view("ior"),
        std::string_view("ipow"), std::string_view("irshift"), std::string_view("isub"), std::string_view("itruediv"),
        std::string_view("ixor"), std::string_view("setitem"), std::string_view("delitem")};
    if (!target.starts_with("operator.") && !target.starts_with("_operator.")) return false;
    return std::ranges::find(writers, base_name(target)) != writers.end();
}

const Argument* argument_of(const Node& node, const Operator& op, std::size_t parameter) {
    if (parameter < node.args.size() && !op.arguments[parameter].keyword_only) return &node.args[parameter];
    for (const auto& [name, argument] : node.kwargs)
        if (name == op.arguments[parameter].name) return &argument;
    return nullptr;
}

std::size_t parameter_named(const Operator& op, std::string_view name) {
    const auto found = std::ranges::find(op.arguments, name, &SchemaArgument::name);
    return static_cast<std::size_t>(found - op.arguments.begin());
}

WrittenArgument written_argument(const SchemaArgument& parameter, const Argument& argument) {
    WrittenArgument written{parameter.name, parameter.alias ? parameter.alias->set : "", {}, false};
    if (const auto* list = argument.as<ArgumentList>()) {
        written.is_list = true;
        for (const Argument& item : list->items) written.tensors.push_back(item.node());
    } else {
        written.tensors.push_back(argument.node());
    }
    return written;
}

/// Running statistics that the schema does not mark as written.
std::optional<Mutation> running_statistics(const Node& node, const Operator& op) {
    const bool is_instance_norm = op.name == "aten::instance_norm";
    if (op.name != "aten::batch_norm" && op.name != "aten::native_batch_norm" && !is_instance_norm) return std::nullopt;
    if (op.is_mutable) return std::nullopt; // the out= form
    const Argument* training = argument_of(node, op, parameter_named(op, is_instance_norm ? "use_input_stats" : "training"));
    if (const auto* known = training ? training->as<bool>() : nullptr; known && !*known) return std::nullopt;
    Mutation mutation;
    mutation.op = &op;
    for (const std::string_view name : {"running_mean", "running_var"}) {
        const std::size_t place = parameter_named(op, name);
        const Argument* argument = argument_of(node, op, place);
        if (!argument || argument->as<None>()) continue;
        mutation.written.push_back(written_argument(op.arguments[place], *argument));
    }
    if (mutation.written.empty()) return std::nullopt;
    mutation.functional = OperatorTable::instance().find("aten._native_batch_norm_legit_functional.default");
    if (is_instance_norm || !mutation.functional || mutation.written.size() != 2)
        return refused(&op, MutationRefusal::no_functional_form);
    // Both begin with the functional form's eight arguments; batch_norm's ninth chooses a library.
    for (std::size_t i = 0; i < mutation.functional->arguments.size(); ++i) {
        const Argument* argument = argument_of(node, op, i);
        if (!argument) return refused(&op, MutationRefusal::no_functional_form);
        mutation.args.push_back(*argument);
    }
    mutation.fresh = 3;
    return mutation;
}

/// The tensors an argument names, of a node whose operator nobody knows.
std::vector<NodeId> tensors_in(const Graph& graph, const Argument& argument) {
    std::vector<NodeId> tensors;
    for_each_reference(argument, [&](NodeId id) {
        const ValueMeta& meta = graph.node(id).meta;
        if (!std::holds_alternative<ScalarMeta>(meta) && !std::holds_alternative<NoneMeta>(meta)) tensors.push_back(id);
    });
    return tensors;
}

Mutation unknown_effect(const Graph& graph, const Node& node) {
    Mutation mutation = refused(nullptr, MutationRefusal::unknown_effect);
    const auto add = [&](std::string parameter, const Argument& argument) {
        WrittenArgument written{std::move(parameter), "", tensors_in(graph, argument), argument.as<ArgumentList>() != nullptr};
        if (!written.tensors.empty()) mutation.written.push_back(std::move(written));
    };
    for (const Argument& argument : node.args) add("", argument);
    for (const auto& [name, argument] : node.kwargs) add(name, argument);
    return mutation;
}

bool is_written(const SchemaArgument& argument) { return argument.alias && argument.alias->is_write; }

/// TorchScript's own: of some it is known that they write nothing, or only what their nested graphs do.
bool may_write_as_primitive(std::string_view target) {
    constexpr std::string_view primitives = "torch.ops.prim.";
    if (!target.starts_with(primitives)) return false;
    target.remove_prefix(primitives.size());
    return target != "If" && target != "Loop" && target != "ListConstruct" && target != "GetAttr";
}

} // namespace

std::string_view text_id(MutationRefusal refusal) {
    constexpr std::array ids{"none", "unknown_operator", "unknown_effect", "not_an_operator", "no_functional_form", "changes_storage",
                             "changes_input_shape", "unknown_tensor", "overlaps_itself", "written_twice", "other_size",
                             "no_inverse", "symbolic_narrow", "constant_written", "shared_input", "captured_written"};
    return ids[static_cast<std::size_t>(refusal)];
}

bool is_unknown_operator(const Node& node) {
    return node.opcode == Opcode::call_function && node.target.starts_with(operators) && !node.target.starts_with(higher_order) &&
           !node.target.starts_with("torch.ops.prim.") && !OperatorTable::instance().find(node.target);
}

bool is_there_for_its_effect(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    return !graph.has_users(id) && is_unknown_operator(node) && !unknown_effect(graph, node).written.empty();
}

const Operator* view_made_in_place(const Operator& op) {
    if (!op.has_tag("inplace_view")) return nullptr;
    const Operator* view = OperatorTable::instance().functional_variant(op);
    return view && view->view == ViewKind::single ? view : nullptr;
}

std::optional<Mutation> find_mutation(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    if (node.opcode == Opcode::call_module) return refused(nullptr, MutationRefusal::not_an_operator);
    if (node.opcode == Opcode::call_method)
        return sounds_in_place(node.target) ? std::optional(refused(nullptr, MutationRefusal::not_an_operator)) : std::nullopt;
    if (node.opcode != Opcode::call_function || node.target.starts_with(higher_order)) return std::nullopt;
    if (is_python_write(node.target)) return refused(nullptr, MutationRefusal::not_an_operator);
    const Operator* op = OperatorTable::instance().find(node.target);
    if (!op) {
        if (may_write_as_primitive(node.target)) return refused(nullptr, MutationRefusal::not_an_operator);
        if (node.target.starts_with(operators) && sounds_in_place(base_name(node.target)))
            return refused(nullptr, MutationRefusal::unknown_operator);
        return is_there_for_its_effect(graph, id) ? std::optional(unknown_effect(graph, node)) : std::nullopt;
    }
    if (auto statistics = running_statistics(node, *op)) return statistics;
    if (!op->is_mutable) return std::nullopt;

    Mutation mutation;
    mutation.op = op;
    for (std::size_t i = 0; i < op->arguments.size(); ++i) {
        const Argument* argument = is_written(op->arguments[i]) ? argument_of(node, *op, i) : nullptr;
        if (argument && !argument->as<None>()) mutation.written.push_back(written_argument(op->arguments[i], *argument));
    }
    if (op->has_tag("inplace_view")) {
        mutation.refusal = view_made_in_place(*op) ? MutationRefusal::changes_input_shape : MutationRefusal::changes_storage;
        return mutation;
    }
    mutation.functional = OperatorTable::instance().functional_variant(*op);
    if (!mutation.functional) {
        mutation.refusal = MutationRefusal::no_functional_form;
        return mutation;
    }
    mutation.fresh = mutation.functional->returns.size() -
                     static_cast<std::size_t>(std::ranges::count_if(op->arguments, is_written));
    mutation.args = node.args;
    for (const auto& [name, argument] : node.kwargs)
        if (parameter_named(*mutation.functional, name) < mutation.functional->arguments.size())
            mutation.kwargs.emplace_back(name, argument);
    const bool all_written_are_given =
        mutation.written.size() == static_cast<std::size_t>(std::ranges::count_if(op->arguments, is_written));
    if (!all_written_are_given) mutation.refusal = MutationRefusal::no_functional_form;
    for (const WrittenArgument& written : mutation.written)
        if (std::ranges::find(written.tensors, no_node) != written.tensors.end()) mutation.refusal = MutationRefusal::unknown_tensor;
    return mutation;
}

} // namespace inspector
