// One change to a program that may let a node be reinplaced.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/reinplace/sentence.h"

namespace inspector {

enum class ChangeKind : std::uint8_t {
    donate_input,       ///< the caller gives an input up
    swap_operands,      ///< of a commutative operator: write into the other one
    move_readers,       ///< to before the write
    move_after_readers, ///< the write itself, to after those who read the old value
    clone_operand,      ///< the node reads a copy of an operand that shares memory with self
    clone_for_readers,  ///< later readers read a copy taken before the write
    return_clone,       ///< the caller gets a copy
    clone_self,         ///< the node writes into a copy of self
    convert_self,       ///< the node writes into a copy of self that has the sizes and type of the result
};
[[nodiscard]] std::string_view text_id(ChangeKind kind);

/// A program on its way: the graph, and which inputs the caller gives up.
struct ChangedProgram {
    ProgramGraph program;
    std::vector<std::string> donated;
};

struct Change {
    ChangeKind kind = ChangeKind::clone_self;
    std::vector<NodeId> nodes; ///< those it names, of the program it is made for
    Sentence sentence;         ///< "clone %x before %mul": without capital and period
    std::function<void(ChangedProgram&)> apply;
};

} // namespace inspector
