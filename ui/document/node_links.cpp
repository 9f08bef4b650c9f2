#include "ui/document/node_links.h"

#include <algorithm>

#include <QRegularExpression>

#include "core/graph/print.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/document.h"

namespace inspector {
namespace {

// A page is laid out while somebody waits: what a file makes of any length is cut.
constexpr qsizetype longest_name = 200, longest_line = 4000;

QString shortened(const QString& text, qsizetype longest) {
    if (text.size() <= longest) return text;
    return text.left(longest) + Document::tr("… (%1 more characters)").arg(text.size() - longest);
}

QString link(NodeId node, const QString& text) {
    return QStringLiteral("<a href=\"node:%1\">%2</a>").arg(index_of(node)).arg(shortened(text, longest_name).toHtmlEscaped());
}

/// "①" to "⑳"; larger numbers have no character of their own.
QString circled(std::ptrdiff_t number) {
    constexpr char16_t one = u'①';
    return number <= 20 ? QString(QChar(static_cast<char16_t>(one + number - 1))) : QStringLiteral("(%1)").arg(number);
}

} // namespace

QString nodeLink(const Document& document, NodeId node) {
    const QString text = nodeText(document, node);
    return document.node(node) ? link(node, text) : text.toHtmlEscaped();
}

QString nodeLinks(const Document& document, const std::vector<NodeId>& nodes, const QString& none) {
    constexpr std::size_t most = 200; // a mask that every layer reads has thousands
    QStringList names;
    for (std::size_t i = 0; i < std::min(nodes.size(), most); ++i) names << nodeLink(document, nodes[i]);
    if (names.isEmpty()) return none;
    QString html = codeHtml(names.join(QStringLiteral(", ")));
    if (nodes.size() > most) html += QLatin1Char(' ') + Document::tr("and %1 more").arg(nodes.size() - most);
    return html;
}

QString sentenceHtml(const Sentence& sentence, const std::vector<NodeId>& numbered) {
    QString html;
    for (const TextSpan& span : sentence) {
        const QString text = QString::fromStdString(span.text);
        if (span.node == no_node) {
            html += text.toHtmlEscaped();
            continue;
        }
        if (const auto place = std::ranges::find(numbered, span.node); place != numbered.end())
            html += circled(place - numbered.begin() + 1) + QChar(0xA0);
        html += link(span.node, text);
    }
    return html;
}

QString fxHtml(const Graph& graph, const QString& whole) {
    const QString text = shortened(whole, longest_line);
    static const QRegularExpression name(QStringLiteral("%(\\w+)"));
    QString html;
    qsizetype done = 0;
    for (auto matches = name.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const NodeId node = graph.find(match.captured(1).toStdString());
        if (node == no_node) continue;
        html += text.mid(done, match.capturedStart() - done).toHtmlEscaped() + link(node, match.captured());
        done = match.capturedEnd();
    }
    return html + text.mid(done).toHtmlEscaped();
}

QString callHtml(const Graph& graph, const Node& node) {
    QStringList arguments;
    for (const Argument& argument : node.args)
        arguments << shortened(QString::fromStdString(format_argument_fx(graph, argument)), longest_line);
    for (const auto& [name, argument] : node.kwargs)
        arguments << QString::fromStdString(name + " = " + format_argument_fx(graph, argument));
    const QString inputs = fxHtml(graph, arguments.join(QStringLiteral(", ")));
    const QString name = shortened(QLatin1Char('%') + QString::fromStdString(node.name), longest_name).toHtmlEscaped();
    const QString operation = operationText(node).toHtmlEscaped();
    if (node.opcode == Opcode::placeholder || node.opcode == Opcode::get_attr)
        return QStringLiteral("%1 = %2").arg(name, operation);
    if (node.opcode == Opcode::output) return QStringLiteral("return %1").arg(inputs);
    return QStringLiteral("%1 = %2(%3)").arg(name, operation, inputs);
}

QString codeHtml(const QString& html) {
    return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>").arg(codeFont().family(), html);
}

std::optional<NodeId> nodeOfLink(const QUrl& url) {
    if (url.scheme() != QLatin1String("node")) return std::nullopt;
    bool is_number = false;
    const uint index = url.path().toUInt(&is_number);
    return is_number ? std::optional(NodeId(index)) : std::nullopt;
}

} // namespace inspector
