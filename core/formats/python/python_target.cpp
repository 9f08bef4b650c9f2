#include "core/formats/python/python_target.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/formats/python/python_literal.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using namespace std::string_view_literals;

/// Functions of Python's operator module that compute a value (methodcaller and the like make functions).
constexpr std::array operator_functions{
    "abs"sv,  "add"sv,    "and_"sv, "concat"sv,  "contains"sv, "delitem"sv, "eq"sv,   "floordiv"sv, "ge"sv,
    "getitem"sv, "gt"sv,  "iadd"sv, "iand"sv,    "iconcat"sv,  "ifloordiv"sv, "ilshift"sv, "imatmul"sv, "imod"sv,
    "imul"sv, "index"sv,  "inv"sv,  "invert"sv,  "ior"sv,      "ipow"sv,    "irshift"sv, "is_"sv,   "is_not"sv,
    "isub"sv, "itruediv"sv, "ixor"sv, "le"sv,    "lshift"sv,   "lt"sv,      "matmul"sv, "mod"sv,    "mul"sv,
    "ne"sv,   "neg"sv,    "not_"sv, "or_"sv,     "pos"sv,      "pow"sv,     "rshift"sv, "setitem"sv, "sub"sv,
    "truediv"sv, "truth"sv, "xor"sv,
};

constexpr std::array builtin_functions{
    "abs"sv, "all"sv, "any"sv, "bool"sv, "divmod"sv, "float"sv, "int"sv, "len"sv,   "list"sv,
    "max"sv, "min"sv, "pow"sv, "range"sv, "round"sv, "slice"sv, "sum"sv, "tuple"sv,
};

/// torch's modules whose every function takes and gives tensors and numbers.
constexpr std::array function_modules{
    "torch.nn.functional"sv, "torch._C._nn"sv, "torch._C._linalg"sv, "torch._C._special"sv, "torch._C._fft"sv,
    "torch.linalg"sv,        "torch.special"sv, "torch.fft"sv,
};

/// Functions of torch without an aten operator of that name which Dynamo puts into graphs.
constexpr std::array torch_functions{
    "torch.tensor"sv, "torch.Size"sv, "torch._check"sv, "torch._check_is_size"sv, "torch._C._set_grad_enabled"sv,
    "torch.amp.autocast_mode._enter_autocast"sv, "torch.amp.autocast_mode._exit_autocast"sv,
};

constexpr std::array tensor_methods{
    "bfloat16"sv, "bool"sv, "byte"sv, "char"sv, "cpu"sv, "cuda"sv, "dim"sv, "double"sv, "element_size"sv, "float"sv, "half"sv, "int"sv,
    "long"sv, "ndimension"sv, "nelement"sv, "new"sv, "new_tensor"sv, "requires_grad_"sv, "short"sv, "size"sv,
    "storage_offset"sv, "stride"sv, "tolist"sv, "type"sv,
};

constexpr std::array tensor_attributes{
    "T"sv, "mT"sv, "H"sv, "mH"sv, "data"sv, "device"sv, "dtype"sv, "imag"sv, "is_cuda"sv, "itemsize"sv, "layout"sv,
    "nbytes"sv, "ndim"sv, "real"sv, "requires_grad"sv, "shape"sv,
};

template <std::size_t N> bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> split_at_dots(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
        parts.push_back(text.substr(0, dot));
        text.remove_prefix(dot + 1);
    }
    parts.push_back(text);
    return parts;
}

bool is_dunder(std::string_view name) { return name.starts_with("__"); }

/// aten::from_file maps, and may create, a file its argument names: no graph gets that by being opened here.
constexpr std::string_view file_operator = "from_file";

bool names_aten_operator(std::string_view name) {
    return name != file_operator && !OperatorTable::instance().overloads("aten::" + std::string(name)).empty();
}

/// "torch.ops.aten.add.Tensor", with or without an overload; `parts` are its identifiers.
std::optional<std::string> operator_overload(const std::vector<std::string_view>& parts) {
    if (parts.size() != 4 && parts.size() != 5) return std::nullopt;
    if (parts[3] == file_operator) return std::nullopt;
    if (is_dunder(parts[2]) || (parts.size() == 5 && is_dunder(parts[4]))) return std::nullopt;
    // Operators such as aten::__and__ have names like these; attributes of Python's objects have too.
    if (is_dunder(parts[3]) && (parts[2] != "aten" || !names_aten_operator(parts[3]))) return std::nullopt;
    std::string expression = "torch.ops";
    for (std::size_t i = 2; i < parts.size(); ++i) {
        if (is_python_keyword(parts[i])) expression = "getattr(" + expression + ", " + python_string(parts[i]) + ")";
        else expression.append(".").append(parts[i]);
    }
    return expression;
}

} // namespace

std::optional<std::string> python_function(std::string_view target) {
    const std::vector<std::string_view> parts = split_at_dots(target);
    if (parts.size() < 2 || !std::all_of(parts.begin(), parts.end(), is_python_identifier)) return std::nullopt;
    const std::string_view name = parts.back();
    const std::string_view module = target.substr(0, target.size() - name.size() - 1);

    if (parts[0] == "torch" && parts[1] == "ops") return operator_overload(parts);
    if (is_dunder(name) || is_python_keyword(name)) return std::nullopt;
    if (module == "operator" || module == "_operator")
        return contains(operator_functions, name) ? std::optional("operator." + std::string(name)) : std::nullopt;
    if (module == "builtins") return contains(builtin_functions, name) ? std::optional(std::string(name)) : std::nullopt;

    const bool is_known = module == "math" || contains(function_modules, module) || contains(torch_functions, target) ||
                          (module == "torch" && (name.starts_with("sym_") || name.starts_with("_sym_") ||
                                                 names_aten_operator(name)));
    return is_known ? std::optional(std::string(target)) : std::nullopt;
}

std::optional<std::string> python_operator(std::string_view name) {
    if (std::count(name.begin(), name.end(), '.') != 2) return std::nullopt;
    const std::string_view library = name.substr(0, name.find('.'));
    if (library == "torch" || library == "builtins" || library == "operator") return std::nullopt;
    return python_function("torch.ops." + std::string(name));
}

std::vector<std::string> used_builtins() {
    std::vector<std::string> names(builtin_functions.begin(), builtin_functions.end());
    names.insert(names.end(), {"complex", "getattr"});
    return names;
}

bool is_callable_method(std::string_view name) {
    return is_python_identifier(name) && !is_python_keyword(name) &&
           (contains(tensor_methods, name) || names_aten_operator(name));
}

bool is_readable_attribute(std::string_view name) { return contains(tensor_attributes, name); }

} // namespace inspector
