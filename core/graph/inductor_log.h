// What Inductor's own reinplacing pass said of itself in a log, to be shown beside what ours decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inspector {

/// What Inductor's own pass did with one operator that writes its arguments ("auto_functionalized"), as it logged it.
/// Arguments are named, or numbered from 0 ("auto_functionalized_v2").
struct LoggedReinplace {
    std::string compile_id;
    std::string op;          ///< "mylib::scale_"
    std::string node;        ///< that wraps it: "auto_functionalized_v2_1"
    std::vector<std::string> candidates, reinplaced, cloned, missed;
    std::int64_t missed_bytes = 0; ///< of static size
};
/// Its counters at the end of a compile: {"missed_tensors_AUTO_FUNC_V2", 1}…
struct LoggedCounters {
    std::string compile_id;
    std::vector<std::pair<std::string, std::int64_t>> counters;
};
/// Both, in the log's order.
struct InductorLog {
    std::vector<LoggedReinplace> ops;
    std::vector<LoggedCounters> counters;
    [[nodiscard]] bool empty() const { return ops.empty() && counters.empty(); }
    /// What is about that compile id.
    [[nodiscard]] InductorLog of_compile(std::string_view compile_id) const {
        InductorLog found;
        for (const LoggedReinplace& op : ops)
            if (op.compile_id == compile_id) found.ops.push_back(op);
        for (const LoggedCounters& counted : counters)
            if (counted.compile_id == compile_id) found.counters.push_back(counted);
        return found;
    }
};

} // namespace inspector
