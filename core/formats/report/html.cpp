#include <algorithm>
#include <string_view>

#include "core/formats/report/report.h"
#include "core/graph/byte_text.h"
#include "core/graph/count_text.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

// Okabe and Ito's hues, as in the window; a letter says the same.
constexpr std::string_view style = R"(:root{color-scheme:light dark;--ground:#fff;--ink:#1c2430;--faint:#566270;--line:#d8dee6;--band:#f4f6f9;
--R:#00664a;--M:#a83f00;--link:#0a56a8}
@media (prefers-color-scheme:dark){:root{--ground:#15191f;--ink:#e3e8ef;--faint:#9aa7b6;--line:#323b47;--band:#1d232b;--R:#4cc9a2;--M:#ff9a5c;--link:#7cb8f7}}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p{margin:.25rem 0}a{color:var(--link)}
code,.g{font-family:ui-monospace,monospace;font-size:.85rem}small,.v{color:var(--faint)}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}li.m{margin:.5rem 0}
.g{list-style:none;margin:0;padding:0}.g li{padding:.1rem .25rem .1rem 4.5rem;text-indent:-4.25rem;border-bottom:1px solid var(--line)}
.g li:target{background:var(--band);outline:2px solid var(--link)}
.g b{display:inline-block;width:1.5rem;text-indent:0;text-align:center}.R b{color:var(--R)}.M b,.m b{color:var(--M)}
.g i{display:inline-block;width:2.5rem;text-indent:0;font-style:normal;color:var(--faint)}
.w{overflow-x:auto})";

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default:
            // Control characters have no place in HTML, escaped or not.
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') out += "\xEF\xBF\xBD";
            else out += c;
        }
    }
}

char letter(const ReportRow& row) {
    if (row.verdict.empty()) return ' ';
    if (row.verdict == "missed") return 'M';
    if (row.verdict == "scatter_to_copy") return 'C';
    if (row.verdict == "upstream_raises") return '!';
    return static_cast<char>(row.verdict.front() - 'a' + 'A');
}

class Page {
public:
    explicit Page(const Report& report) : report_(report) {
        for (const ReportRow& row : report.rows) {
            const auto index = index_of(row.node);
            if (index >= number_of_.size()) number_of_.resize(index + 1, 0);
            number_of_[index] = row.number;
        }
    }

    std::string print() {
        text_ = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>";
        escaped(report_.file + ", " + report_.graph);
        text_.append("</title><style>").append(style).append("</style></head><body>\n");
        heading();
        policies();
        misses();
        graph();
        return valid_utf8(std::move(text_ += "</body></html>\n"));
    }

private:
    void escaped(std::string_view text) { append_escaped(text_, text); }

    void sentence(const Sentence& words) {
        for (const TextSpan& span : words) {
            const bool is_link = span.node != no_node && index_of(span.node) < number_of_.size();
            if (is_link) text_.append("<a href=#n").append(std::to_string(number_of_[index_of(span.node)])).append(">");
            escaped(span.text);
            if (is_link) text_ += "</a>";
        }
    }

    void heading() {
        const ReinplaceSummary& own = report_.policies.front().summary;
        text_ += "<h1>";
        escaped(report_.file);
        text_ += "</h1>\n<p>Graph <code>";
        escaped(report_.graph);
        text_.append("</code>: ").append(count_text(own.nodes, "node")).append(", ").append(report_.level).append(". Policy ");
        escaped(report_.policies.front().policy);
        text_.append(" reinplaces ").append(std::to_string(own.reinplaced)).append(" of ").append(count_text(own.candidates, "candidate"));
        text_.append(" and misses ").append(std::to_string(report_.misses.size())).append(".</p>\n");
    }

    void policies() {
        text_ += "<h2>Policies</h2>\n<div class=w><table><tr><th>policy<th class=n>reinplaced<th class=n>saved<th class=n>peak before"
                 "<th class=n>peak after<th class=n>decided otherwise</tr>\n";
        for (const PolicyTotals& each : report_.policies) {
            text_ += "<tr><td>";
            escaped(each.policy);
            const bool is_own = &each == &report_.policies.front();
            for (const std::string& cell : {std::to_string(each.summary.reinplaced), byte_text(each.summary.bytes_saved),
                                            byte_text(each.summary.peak_before), byte_text(each.summary.peak_after),
                                            is_own ? std::string() : std::to_string(each.differences)})
                text_.append("<td class=n>").append(cell);
            text_ += "</tr>\n";
        }
        text_ += "</table></div>\n";
    }

    void misses() {
        text_ += "<h2>Missed, most bytes first</h2>\n";
        if (report_.misses.empty()) {
            text_ += "<p>None: every op that could write into its operand does.</p>\n";
            return;
        }
        text_ += "<ol>\n";
        for (const std::size_t index : report_.misses) {
            const ReportRow& row = report_.rows[index];
            text_.append("<li class=m><a href=#n").append(std::to_string(row.number)).append("><code>%");
            escaped(row.name);
            text_.append("</code></a> <b>").append(byte_text(row.bytes)).append("</b><br>");
            sentence(row.reason);
            if (!row.source_file.empty()) {
                text_ += "<br><small>";
                escaped(row.source_file + ":" + std::to_string(row.source_line));
                text_ += "</small>";
            }
            text_ += "\n";
        }
        text_ += "</ol>\n";
    }

    void graph() {
        text_ += "<h2>The graph</h2>\n<p><small>R reinplaced, C scatter to copy, D deleted, M missed, K kept, ! upstream raises</small></p>\n<ol class=g>\n";
        for (const ReportRow& row : report_.rows) {
            const char mark = letter(row);
            text_.append("<li id=n").append(std::to_string(row.number));
            if (mark == 'R' || mark == 'C' || mark == 'D') text_ += " class=R";
            if (mark == 'M') text_ += " class=M";
            text_.append("><i>").append(row.decision ? std::to_string(*row.decision) : "").append("</i><b>").append(1, mark).append("</b>%");
            escaped(row.name);
            text_ += " = ";
            escaped(row.line);
            if (!row.after.empty()) {
                text_ += " → ";
                escaped(row.after);
            } else if (!row.check.empty() && mark == 'K') {
                text_.append(" <span class=v>").append(row.check).append("</span>");
            }
            text_ += "\n";
        }
        text_ += "</ol>\n";
    }

    const Report& report_;
    std::vector<std::uint32_t> number_of_; ///< by node index
    std::string text_;
};

} // namespace

std::string print_html(const Report& report) { return Page(report).print(); }

} // namespace inspector
