#include "ui/document/page_rows.h"

#include "ui/document/node_links.h"

namespace inspector {

void PageRows::add(const QString& title, const QString& html) {
    if (html.isEmpty()) return;
    rows_ += QStringLiteral("<tr><td style=\"color:%1\">%2</td><td width=\"16\"></td><td>%3</td></tr>")
                 .arg(muted_, title.toHtmlEscaped(), html);
}

void PageRows::addText(const QString& title, const QString& text) { add(title, codeHtml(text.toHtmlEscaped())); }

QString PageRows::html() const {
    return QStringLiteral("<table style=\"margin-top:8px\" cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(rows_);
}

} // namespace inspector
