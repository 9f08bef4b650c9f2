// One graph's decisions as a page for people: what a reviewer reads, mails or attaches to a bug report.
//
//     policy     ops   saved      peak            Missed, most bytes first
//     sound      48    53.6 KiB   366.4 KiB       %pow_2  2 KiB  kept: %mul_11 reads %add_7, on the storage of …
//     torch-fx   45    50.7 KiB   366.4 KiB
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/passes/reinplace/sentence.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

/// What a policy did to the whole graph.
struct PolicyTotals {
    std::string policy;
    ReinplaceSummary summary;
    std::size_t differences = 0; ///< nodes it decides otherwise than the report's own policy
};

struct ReportRow {
    NodeId node = no_node;
    std::uint32_t number = 0;      ///< place in program order, from 0
    std::optional<std::uint32_t> decision; ///< its number, as --force takes it; nullopt for nodes without one
    std::string name;
    std::string line;              ///< as str(graph) would print the right side: "aten.add.Tensor(%a, 1)"
    std::string after;             ///< the new target, where it was rewritten
    std::string_view verdict;      ///< "missed", or the verdict's text id; empty for nodes without a decision
    std::string_view check;        ///< the check that decided; empty likewise
    std::int64_t bytes = 0;        ///< lost where missed, saved where rewritten
    Sentence reason;               ///< empty likewise
    std::string source_file;       ///< innermost frame of the file's stack trace; empty where it has none
    int source_line = 0;
};

struct Report {
    std::string file;
    std::string graph;
    std::string level;              ///< "Core ATen"
    std::vector<PolicyTotals> policies; ///< the report's own first
    std::vector<ReportRow> rows;    ///< every node, program order
    std::vector<std::size_t> misses; ///< rows, most bytes first, then program order
};

/// Of the decisions made so far. Runs every other policy known on `source`, to its end, for the comparison.
[[nodiscard]] Report make_report(const std::string& file, const ProgramGraph& source, const ReinplaceSession& session);

/// A page in one file: no script, no address of anything outside, readable on a phone and in dark mode. Text of the file
/// stands in it literally, whatever it looks like. The whole graph is a list in it, 3,847 nodes take less than 1 MB.
[[nodiscard]] std::string print_html(const Report& report);
/// For a code review: totals and the misses, at most `limit` of them.
[[nodiscard]] std::string print_markdown(const Report& report, std::size_t limit = 50);
/// SARIF 2.1.0: a result for each miss, at the source line the file names, for tools that show them beside the code.
[[nodiscard]] std::string print_sarif(const Report& report);

} // namespace inspector
