// A node's stack trace, as the file has it, taken apart.
#pragma once

#include <string_view>
#include <vector>

#include <QString>

namespace inspector {

struct StackFrame {
    QString file;
    int line = 0;
    QString function;
    QString code; ///< the source line; empty where the file does not have it
};

/// Frames of Python's text ("File "f.py", line 6, in forward" and the code below it), outermost first. Also reads
/// print_readable's short form, "f.py:6 in forward, code: h = x @ w". Lines it does not know are skipped.
[[nodiscard]] std::vector<StackFrame> stackFrames(std::string_view trace);

} // namespace inspector
