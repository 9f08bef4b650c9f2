#include "core/analysis/operator_forms.h"

#include <algorithm>

#include "core/operators/infer.h"
#include "core/operators/operator_table.h"
#include "core/operators/parse_schema.h"

namespace inspector {
namespace {

bool is_tensor(const SchemaArgument& argument) { return argument.type.starts_with("Tensor"); }

/// "(Tensor x, int n)".
std::string arguments_of(const Operator& op) {
    std::string text = "(";
    for (const SchemaArgument& argument : op.arguments)
        text += (text.size() > 1 ? ", " : "") + argument.type + ' ' + argument.name;
    return text + ')';
}

std::string results_of(const Operator& op) {
    const auto count = std::ranges::count_if(op.returns, is_tensor);
    if (count == 1 && op.returns.front().type == "Tensor[]") return "of each of its results";
    return count == 1 ? "of its result" : "of its " + std::to_string(count) + " results";
}

/// "torch.ops.mylib.scale.default" → "mylib::scale".
std::string qualified(std::string target) {
    if (target.starts_with("torch.ops.")) target.erase(0, std::string_view("torch.ops.").size());
    const auto first = target.find('.');
    if (first == std::string::npos) return target;
    target.replace(first, 1, "::");
    return target.substr(0, target.find('.', first));
}

/// unsqueeze_ of unsqueeze. The pass does not look for it: it changes where self lies, not what it holds.
const Operator* in_place_view(const Operator& op) {
    if (op.view == ViewKind::none) return nullptr;
    const auto type = [](const SchemaArgument& argument) { return comparable_type(argument.type); };
    for (const Operator* each : OperatorTable::instance().overloads(op.name + '_'))
        if (std::ranges::equal(op.arguments, each->arguments, {}, type, type)) return each;
    return nullptr;
}

} // namespace

OperatorForms forms_of(const Operator& op) {
    const OperatorTable& table = OperatorTable::instance();
    OperatorForms forms;
    forms.functional = op.is_mutable ? table.functional_variant(op) : &op;
    if (!forms.functional) return forms;
    forms.in_place = table.inplace_variant(*forms.functional);
    if (!forms.in_place) forms.in_place = in_place_view(*forms.functional);
    forms.out = table.out_variant(*forms.functional);
    return forms;
}

bool is_decomposable(const Operator& op) { return op.is_composite || op.has_decomposition; }

std::string_view text_id(MetaForm form) {
    switch (form) {
    case MetaForm::kernel: return "kernel";
    case MetaForm::composite: return "composite";
    case MetaForm::python: return "python";
    case MetaForm::none: break;
    }
    return "none";
}

std::string_view meta_words(const Operator& op) {
    if (op.meta == MetaForm::kernel) return "meta kernel";
    if (has_own_meta_kernel(op)) return "meta kernel here";
    switch (op.meta) {
    case MetaForm::composite: return "meta by what it is made of";
    case MetaForm::python: return "meta kernel in Python only";
    default: return "no meta kernel";
    }
}

std::string needed_for_metadata(const NestedLevel::Use& use) {
    const Operator* op = use.op;
    if (!op && use.obstacle != LevelObstacle::Kind::custom) return {};
    const std::string name = qualified(use.target), space = name.substr(0, name.find(':'));
    if (!op) return "the schema of " + name + " is not known; load the library that defines it";
    if (std::ranges::none_of(op->returns, is_tensor) || op->meta == MetaForm::kernel ||
        op->meta == MetaForm::composite || has_own_meta_kernel(*op))
        return {};
    const std::string wanted = "from " + arguments_of(*op) + " the sizes, strides and type " + results_of(*op);
    if (op->meta == MetaForm::python) return "torch has a meta kernel in Python only; one here would compute " + wanted;
    if (space == "aten" || space == "prims") return "torch has no meta kernel; one here would compute " + wanted;
    return "a meta kernel that computes " + wanted + ": torch.library.register_fake(\"" + name +
           "\") in Python, TORCH_LIBRARY_IMPL(" + space + ", Meta, m) in C++";
}

} // namespace inspector
