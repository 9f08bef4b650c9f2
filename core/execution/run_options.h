// How a graph is run: seed, sizes of symbols, limits, and how a long run reports and is stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace inspector {

/// How far a result may be from another: |a - b| <= absolute + relative * |a|. 0: bit for bit.
struct Tolerance {
    double relative = 0;
    double absolute = 0;
};

struct RunOptions {
    std::uint64_t seed = 0;                     ///< of made-up inputs and of random ops
    bool whole_numbers = false;                 ///< made-up floating inputs are rounded: zeros of both signs, equal numbers
    std::map<std::string, std::int64_t> sizes;  ///< of symbols; others take the file's hint, else a small size in range
    /// Bytes of tensors alive at once. A run that would need more is refused before it allocates them.
    std::int64_t memory_limit = std::int64_t(8) << 30;
    Tolerance tolerance;                        ///< of floating numbers when runs are compared
    std::vector<std::string> donated;           ///< inputs the caller gave up: what becomes of them is not compared
    std::function<void(std::size_t done, std::size_t total)> progress; ///< nodes of one run; may be empty
    std::function<void(const std::string& stage)> stage;                ///< what begins, in words; may be empty
    const std::atomic<bool>* cancelled = nullptr;                       ///< may be null; a set flag ends the run
};

} // namespace inspector
