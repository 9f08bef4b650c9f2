// What a logger wrote, taken apart: one record per message, without prefixes and terminal colours.
//
//     V1129 11:12:00.850000 10147 torch/_inductor/compile_fx.py:1382] [0/0] [__post_grad_graphs]  ===== AFTER …
//     └──────────────────────── prefix ───────────────────────────────┘└id─┘ └─── artifact ────┘ └─ text ──────
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/fx_text/source_text.h"

namespace inspector::fx_text {

struct LogRecord {
    SourceText source;
    std::string artifact;   ///< "post_grad_graphs"; empty where no logger named one
    std::string compile_id; ///< "0/0"; empty where none is given
    bool is_logged = false; ///< lines had a logger's prefix
};

/// Splits `text` into records, in order of their first lines. TORCH_LOGS repeats the prefix on every line of a
/// message; lines of one prefix belong together even where another process wrote in between. Text without prefixes is
/// one record, and after a line "LEVEL:logger:message" (logging's short format) a new one begins. Control sequences of
/// terminals and carriage returns at line ends are dropped.
[[nodiscard]] std::vector<LogRecord> split_records(std::string_view text);

/// Whether the text's first line that says anything has a logger's prefix.
[[nodiscard]] bool begins_as_log(std::string_view text);
/// Whether it is worth looking for graphs, or for what Inductor's pass says of itself, in the text: some line has what
/// such a text has. Inductor's own IR, whose loop bodies are FX listings too, is not meant.
[[nodiscard]] bool may_hold_graphs(std::string_view text);

} // namespace inspector::fx_text
