// What a reader noticed, up to a number that a person can still read.
#pragma once

#include <string>
#include <utility>

#include "core/graph/program.h"

namespace inspector {

/// Beyond 100 notes one more says that others are left out.
inline void add_note(Program& program, std::string note) {
    constexpr std::size_t most_notes = 100;
    if (program.notes.size() > most_notes) return;
    program.notes.push_back(program.notes.size() == most_notes ? "further notes are left out" : std::move(note));
}

} // namespace inspector
