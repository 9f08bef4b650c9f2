#include "ui/document/node_links.h"

#include <QRegularExpression>

#include "ui/document/describe.h"
#include "ui/document/document.h"

namespace inspector {
namespace {

QString link(NodeId node, const QString& text) {
    return QStringLiteral("<a href=\"node:%1\">%2</a>").arg(index_of(node)).arg(text.toHtmlEscaped());
}

} // namespace

QString nodeLink(const Document& document, NodeId node) {
    const QString text = nodeText(document, node);
    return document.node(node) ? link(node, text) : text.toHtmlEscaped();
}

QString sentenceHtml(const Sentence& sentence) {
    QString html;
    for (const TextSpan& span : sentence) {
        const QString text = QString::fromStdString(span.text);
        html += span.node == no_node ? text.toHtmlEscaped() : link(span.node, text);
    }
    return html;
}

QString fxHtml(const Graph& graph, const QString& text) {
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

std::optional<NodeId> nodeOfLink(const QUrl& url) {
    if (url.scheme() != QLatin1String("node")) return std::nullopt;
    bool is_number = false;
    const uint index = url.path().toUInt(&is_number);
    return is_number ? std::optional(NodeId(index)) : std::nullopt;
}

} // namespace inspector
