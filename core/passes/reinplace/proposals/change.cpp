#include "core/passes/reinplace/proposals/change.h"

namespace inspector {

std::string_view text_id(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::donate_input: return "donate_input";
    case ChangeKind::swap_operands: return "swap_operands";
    case ChangeKind::move_readers: return "move_readers";
    case ChangeKind::move_after_readers: return "move_after_readers";
    case ChangeKind::clone_operand: return "clone_operand";
    case ChangeKind::clone_for_readers: return "clone_for_readers";
    case ChangeKind::return_clone: return "return_clone";
    case ChangeKind::clone_self: return "clone_self";
    case ChangeKind::convert_self: return "convert_self";
    }
    return "";
}

} // namespace inspector
