#include <algorithm>

#include "core/formats/report/report.h"
#include "core/graph/byte_text.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

/// Text of a file as text: no markup, no HTML, one line.
std::string literal(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\`*_{}[]()<>#+-!|&~").find(c) != std::string_view::npos) out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out;
}

} // namespace

std::string print_markdown(const Report& report, std::size_t limit) {
    const ReinplaceSummary& own = report.policies.front().summary;
    std::string text = "# " + literal(report.file) + "\n\nGraph " + literal(report.graph) + ": " + count_text(own.nodes, "node") + ", " +
                       report.level + ".\n\n";
    text += "| policy | reinplaced | saved | peak before | peak after | decided otherwise |\n| --- | ---: | ---: | ---: | ---: | ---: |\n";
    for (const PolicyTotals& each : report.policies) {
        text += "| " + literal(each.policy) + " | " + std::to_string(each.summary.reinplaced) + " | " +
                byte_text(each.summary.bytes_saved) + " | " + byte_text(each.summary.peak_before) + " | " +
                byte_text(each.summary.peak_after) + " | ";
        text += (&each == &report.policies.front() ? std::string() : std::to_string(each.differences)) + " |\n";
    }
    text += "\n## Missed, most bytes first\n\n";
    if (report.misses.empty()) text += "None.\n";
    for (std::size_t i = 0; i < std::min(limit, report.misses.size()); ++i) {
        const ReportRow& row = report.rows[report.misses[i]];
        text += "- **%" + literal(row.name) + "**, " + byte_text(row.bytes) + ": " + literal(plain_text(row.reason));
        if (!row.source_file.empty()) text += " (" + literal(row.source_file + ":" + std::to_string(row.source_line)) + ")";
        text += '\n';
    }
    if (report.misses.size() > limit) text += "- and " + std::to_string(report.misses.size() - limit) + " more\n";
    return valid_utf8(std::move(text));
}

} // namespace inspector
