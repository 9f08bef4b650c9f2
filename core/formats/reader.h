// Opening a file of any format this program reads. Recognised by content, not by name.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// Limits of every reader; beyond them a file is refused with a sentence that gives the limit.
struct ReadLimits {
    std::uint64_t text_bytes = 512ULL << 20;   ///< of a text, or of one JSON record
    std::uint32_t depth = 200;                 ///< nesting of arguments, JSON or graphs
    std::uint32_t nodes = 2'000'000;           ///< of one graph
};

struct ReadOptions {
    ReadLimits limits;
    std::function<void(int percent)> progress;      ///< may be empty
    const std::atomic<bool>* cancelled = nullptr;   ///< may be null; a set flag ends reading with an error
};

/// Nothing in the file is executed. Errors name file, place and reason. `path` "-" reads standard input.
[[nodiscard]] Result<Program> read_program(const std::string& path, const ReadOptions& options = {});

/// FX text in every variant, several graphs in one text included (formats/fx_text/).
[[nodiscard]] Result<Program> read_fx_text(std::string_view text, const ReadOptions& options = {});
/// A .pt2 archive of torch.export.save (formats/pt2/).
[[nodiscard]] Result<Program> read_pt2(const std::string& path, const ReadOptions& options = {});

} // namespace inspector
