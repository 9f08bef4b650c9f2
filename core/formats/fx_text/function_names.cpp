#include "core/formats/fx_text/function_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace inspector::fx_text {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array infix_operators{
    Entry{"+", "add"}, Entry{"-", "sub"},  Entry{"*", "mul"},     Entry{"//", "floordiv"}, Entry{"/", "truediv"},
    Entry{"%", "mod"}, Entry{"**", "pow"}, Entry{"<<", "lshift"}, Entry{">>", "rshift"},   Entry{"&", "and_"},
    Entry{"|", "or_"}, Entry{"^", "xor"},  Entry{"@", "matmul"},  Entry{"==", "eq"},       Entry{"!=", "ne"},
    Entry{"<", "lt"},  Entry{">", "gt"},   Entry{"<=", "le"},     Entry{">=", "ge"},
};
constexpr std::array prefix_operators{Entry{"+", "pos"}, Entry{"-", "neg"}, Entry{"~", "invert"}};
constexpr std::array augmented_operators{
    Entry{"+=", "iadd"},  Entry{"&=", "iand"},     Entry{"//=", "ifloordiv"}, Entry{"<<=", "ilshift"},
    Entry{"%=", "imod"},  Entry{"*=", "imul"},     Entry{"@=", "imatmul"},    Entry{"|=", "ior"},
    Entry{"**=", "ipow"}, Entry{">>=", "irshift"}, Entry{"-=", "isub"},       Entry{"/=", "itruediv"},
    Entry{"^=", "ixor"},
};

// Sorted, for binary search.
constexpr std::array<std::string_view, 55> builtin_functions{
    "abs",       "aiter",     "all",      "anext", "any",        "ascii",      "bin",     "bool",
    "bytearray", "bytes",     "callable", "chr",   "complex",    "delattr",    "dict",    "dir",
    "divmod",    "enumerate", "filter",   "float", "format",     "frozenset",  "getattr", "hasattr",
    "hash",      "hex",       "id",       "int",   "isinstance", "issubclass", "iter",    "len",
    "list",      "map",       "max",      "min",   "next",       "object",     "oct",     "ord",
    "pow",       "print",     "range",    "repr",  "reversed",   "round",      "set",     "setattr",
    "slice",     "sorted",    "str",      "sum",   "tuple",      "type",       "zip",
};
constexpr std::array<std::string_view, 49> math_functions{
    "acos",     "acosh",     "asin",  "asinh",   "atan",  "atan2", "atanh",  "cbrt", "ceil",  "comb",
    "copysign", "cos",       "cosh",  "degrees", "dist",  "erf",   "erfc",   "exp",  "exp2",  "expm1",
    "fabs",     "factorial", "floor", "fmod",    "frexp", "fsum",  "gamma",  "gcd",  "hypot", "isclose",
    "isfinite", "isinf",     "isnan", "isqrt",   "lcm",   "ldexp", "lgamma", "log",  "log10", "log1p",
    "log2",     "modf",      "pow",   "sin",     "sinh",  "sqrt",  "tan",    "tanh", "trunc",
};
static_assert(std::ranges::is_sorted(builtin_functions) && std::ranges::is_sorted(math_functions));

std::string find(std::span<const Entry> entries, std::string_view symbol) {
    for (const auto& [text, name] : entries)
        if (text == symbol) return "operator." + std::string(name);
    return {};
}

} // namespace

std::string function_target(std::string_view called) {
    constexpr std::string_view operator_prefix = "_operator_";
    constexpr std::string_view math_prefix = "math_";
    constexpr std::string_view tensor_prefix = "torch_Tensor_";
    if (std::ranges::binary_search(builtin_functions, called)) return "builtins." + std::string(called);
    if (called.starts_with(operator_prefix)) return "operator." + std::string(called.substr(operator_prefix.size()));
    if (called.starts_with(tensor_prefix)) return "torch.Tensor." + std::string(called.substr(tensor_prefix.size()));
    if (called.starts_with(math_prefix) &&
        std::ranges::binary_search(math_functions, called.substr(math_prefix.size())))
        return "math." + std::string(called.substr(math_prefix.size()));
    return std::string(called);
}

std::string operator_target(std::string_view symbol, std::size_t operands) {
    return operands == 1 ? find(prefix_operators, symbol) : find(infix_operators, symbol);
}

std::string inplace_operator_target(std::string_view symbol) { return find(augmented_operators, symbol); }

} // namespace inspector::fx_text
