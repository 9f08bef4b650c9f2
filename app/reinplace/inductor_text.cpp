#include "app/reinplace/inductor_text.h"

#include "core/graph/count_text.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return "[" + text + "]";
}

std::string start(const std::string& compile_id) { return compile_id.empty() ? "  " : "  [" + compile_id + "] "; }

} // namespace

std::string inductor_text(const InductorLog& log, std::string_view node) {
    std::string text;
    for (const LoggedReinplace& op : log.ops) {
        if (!node.empty() && op.node != node) continue;
        text += one_line(start(op.compile_id) + op.node + " (" + op.op + "): candidates " + joined(op.candidates) +
                         ", reinplaced " + joined(op.reinplaced) + ", cloned " + joined(op.cloned) + ", missed " +
                         joined(op.missed) + ", " + count_text(static_cast<std::uint64_t>(op.missed_bytes), "byte")) + '\n';
    }
    if (node.empty())
        for (const LoggedCounters& counted : log.counters) {
            std::string line = start(counted.compile_id) + "counters:";
            for (const auto& [name, number] : counted.counters) line += ' ' + name + ' ' + std::to_string(number);
            text += one_line(line) + '\n';
        }
    return text.empty() ? text : "Inductor's own pass, as the log says\n" + text;
}

} // namespace inspector
