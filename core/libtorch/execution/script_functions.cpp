#include "core/libtorch/execution/script_functions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <torch/csrc/jit/runtime/operator.h>

namespace inspector {
namespace {

constexpr std::array functions{
    std::string_view("aten::Bool"),         std::string_view("aten::Float"),         std::string_view("aten::FloatImplicit"),
    std::string_view("aten::Int"),          std::string_view("aten::IntImplicit"),   std::string_view("aten::ScalarImplicit"),
    std::string_view("aten::__contains__"), std::string_view("aten::__getitem__"),   std::string_view("aten::__is__"),
    std::string_view("aten::__isnot__"),    std::string_view("aten::append"),        std::string_view("aten::dim"),
    std::string_view("aten::len"),
};

} // namespace

bool is_script_function(const std::string& name) { return std::ranges::find(functions, name) != functions.end(); }

Result<c10::IValue> call_script_function(const std::string& name, const std::string& overload, const std::vector<c10::IValue>& args) {
    for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name))) {
        if (op->schema().overload_name() != overload) continue;
        if (op->schema().arguments().size() != args.size())
            return fail("", name + " is given " + std::to_string(args.size()) + " arguments");
        torch::jit::Stack stack(args.begin(), args.end());
        op->getOperation()(stack);
        if (stack.size() == 1) return std::move(stack.front());
        return c10::IValue();
    }
    return fail("", "this LibTorch has no operator " + name + (overload.empty() ? "" : "." + overload));
}

} // namespace inspector
