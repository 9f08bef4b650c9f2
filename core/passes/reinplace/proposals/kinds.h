// The kinds of change there are, one file each under kinds/. Every one says what it would do about a refusal; whether
// that is enough is found out by trying (proposals.cpp).
#pragma once

#include <vector>

#include "core/passes/reinplace/proposals/refused_node.h"

namespace inspector {

/// Changes of one kind that speak to the reason of the refusal, and leave what the program computes as it is. Empty
/// where the kind does not help.
using ChangeOffer = std::vector<Change>(const RefusedNode& refused);

ChangeOffer donate_input, swap_operands, move_readers, move_after_readers, clone_operand, clone_for_readers,
    return_clone, clone_self, convert_self;

} // namespace inspector
