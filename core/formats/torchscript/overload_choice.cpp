#include "core/formats/torchscript/overload_choice.h"

#include "core/formats/torchscript/script_type.h"
#include "core/operators/operator_table.h"

namespace inspector::torchscript {
namespace {

bool takes(const Operator& op, const std::vector<std::string_view>& types) {
    if (types.size() > op.arguments.size() || (types.size() < op.arguments.size() && !op.arguments[types.size()].default_text))
        return op.variadic_arguments;
    for (std::size_t i = 0; i < types.size(); ++i)
        if (!accepts(op.arguments[i].type, types[i])) return false;
    return true;
}

} // namespace

const Operator* choose_overload(std::string_view name, const std::vector<std::string_view>& types) {
    const Operator* shorter = nullptr;
    for (const Operator* op : OperatorTable::instance().overloads(name)) {
        if (!takes(*op, types)) continue;
        if (op->arguments.size() == types.size()) return op;
        if (!shorter) shorter = op;
    }
    return shorter;
}

} // namespace inspector::torchscript
