#include "core/passes/reinplace/in_place_rounding.h"

#include <cmath>

namespace inspector {
namespace {

/// f16 and bf16 both hold the number exactly.
bool is_exact_in_half(const Argument& number) {
    const auto* integer = number.as<std::int64_t>();
    const auto* floating = number.as<double>();
    if (!integer && !floating) return false;
    const double value = integer ? static_cast<double>(*integer) : *floating;
    constexpr double normal_begin = 0x1p-14, end = 0x1p16; // of f16
    if (value == 0 || std::isinf(value) || std::isnan(value)) return true;
    if (std::abs(value) < normal_begin || std::abs(value) >= end) return false;
    int exponent = 0;
    const double digits = std::ldexp(std::frexp(value, &exponent), 8); // of bf16
    return digits == std::trunc(digits);
}

} // namespace

std::string_view why_rounds_otherwise(const Operator& op, const Node& node, DType dtype,
                                      const std::function<bool()>& is_vectorised) {
    // The scalar loop's multiplications are fused where it knows that it does not write what it reads.
    const bool is_product = op.name == "aten::mul" || op.name == "aten::multiply" || op.name == "aten::addcmul" ||
                            op.name == "aten::ldexp";
    if (dtype == DType::c64 && is_product && !is_vectorised())
        return "products of complex64 round otherwise in place unless all operands are contiguous";
    if (dtype == DType::c64 && op.name == "aten::addr") return "outer products of complex64 round otherwise in place";
    if (dtype == DType::c64 && (op.name == "aten::div" || op.name == "aten::divide" || op.name == "aten::true_divide"))
        return "quotients of complex64 round otherwise in place";
    const bool is_half = dtype == DType::f16 || dtype == DType::bf16;
    if (is_half && op.overload == "Scalar" && (op.name == "aten::mul" || op.name == "aten::multiply") &&
        (node.args.size() < 2 || !is_exact_in_half(node.args[1])))
        return "products with a number that half precision does not hold round otherwise in place";
    return {};
}

} // namespace inspector
