#include "ui/inspector/stack_trace.h"

#include <QRegularExpression>
#include <QStringList>

namespace inspector {

std::vector<StackFrame> stackFrames(std::string_view trace) {
    static const QRegularExpression frame(QStringLiteral(R"re(^\s*File "([^"]*)", line (\d+)(?:, in (.*))?$)re"));
    static const QRegularExpression brief(QStringLiteral(R"re(^(?:# )?(?:File: )?(.+?):(\d+) in ([^,]*)(?:, code: (.*))?$)re"));
    std::vector<StackFrame> frames;
    const QString text = QString::fromUtf8(trace.data(), static_cast<qsizetype>(trace.size()));
    bool expects_code = false;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (const auto match = frame.match(line); match.hasMatch()) {
            frames.push_back({match.captured(1), match.captured(2).toInt(), match.captured(3).trimmed(), {}});
            expects_code = true;
        } else if (const auto short_match = brief.match(line.trimmed()); short_match.hasMatch() && !expects_code) {
            frames.push_back({short_match.captured(1), short_match.captured(2).toInt(), short_match.captured(3),
                              short_match.captured(4)});
        } else if (expects_code && !line.trimmed().isEmpty()) {
            frames.back().code = line.trimmed();
            expects_code = false;
        }
    }
    return frames;
}

} // namespace inspector
