#include "ui/decisions/proposals_html.h"

#include <QCoreApplication>

#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("DecisionPage", text); }

/// A sentence that begins with a name begins with a link, and stays as it is.
QString capitalized(QString html) {
    if (!html.isEmpty() && html[0].isLetter()) html[0] = html[0].toUpper();
    return html;
}

QString savingText(std::int64_t bytes) {
    if (bytes == 0) return translated("saves nothing");
    return bytes > 0 ? translated("saves %1").arg(bytesText(bytes)) : translated("costs %1").arg(bytesText(-bytes));
}

} // namespace

QString proposalsHtml(const Document& document, NodeId node, const Proposals* found, const ThemeColours& colours) {
    const Decision* decision = document.decision(node);
    if (!decision || document.policy() != QLatin1String("sound") || !is_refusal(*document.session(), decision->index)) return {};
    QString html = QStringLiteral("<p style=\"margin-top:16px; margin-bottom:4px; color:%1\"><b>%2</b></p>")
                       .arg(colours.muted.name(), translated("What would let it happen"));
    if (const auto conflict = find_conflict(*document.session(), decision->index))
        html += QStringLiteral("<p>%1.</p>").arg(capitalized(sentenceHtml(explain_conflict(*document.session(), *conflict))));
    if (!found)
        return html + QStringLiteral("<p><a href=\"propose:%1\">%2</a></p>").arg(index_of(node)).arg(translated("Try out changes"));
    if (found->offers.empty())
        return html + QStringLiteral("<p>%1: %2.</p>").arg(translated("No change would"), sentenceHtml(found->none));
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    for (const Proposal& proposal : found->offers)
        html += QStringLiteral("<tr><td>%1<br>%2</td></tr>")
                    .arg(capitalized(sentenceHtml(proposal.sentence())), coloured(savingText(proposal.bytes), colours.muted));
    return html + QStringLiteral("</table><p>%1</p>").arg(coloured(translated("Each was tried: the pass then reinplaces the node."), colours.muted));
}

} // namespace inspector
