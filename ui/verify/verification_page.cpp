#include "ui/verify/verification_page.h"

#include <optional>

#include <QCoreApplication>

#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"
#include "ui/verify/verification_run.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("VerificationPage", text); }

QString words(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

QString heading(const QString& text, const ThemeColours& colours) {
    return QStringLiteral("<p style=\"margin-top:8px; margin-bottom:4px; color:%1\"><b>%2</b></p>")
        .arg(colours.muted.name(), text.toHtmlEscaped());
}

QString title(const QString& icon, const QString& text, const QColor& colour) {
    return QStringLiteral("<p style=\"font-size:large; margin-top:0; margin-bottom:4px\">%1 <b>%2</b></p>")
        .arg(iconHtml(icon, colour), coloured(text.toHtmlEscaped(), colour));
}

/// A table: a first column in muted words, then code. Empty cells stay empty.
class Table {
public:
    explicit Table(const ThemeColours& colours) : colours_(colours) {}
    void head(const QStringList& cells) {
        html_ += QStringLiteral("<tr>");
        for (const QString& cell : cells)
            html_ += QStringLiteral("<td>%1</td>").arg(coloured(cell.toHtmlEscaped(), colours_.muted));
        html_ += QStringLiteral("</tr>");
    }
    void row(const QString& name, const QStringList& cells) {
        html_ += QStringLiteral("<tr><td>%1</td>").arg(coloured(name.toHtmlEscaped(), colours_.muted));
        for (const QString& cell : cells) html_ += QStringLiteral("<td>%1</td>").arg(codeHtml(cell.toHtmlEscaped()));
        html_ += QStringLiteral("</tr>");
    }
    [[nodiscard]] QString html() const { return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">%1</table>").arg(html_); }

private:
    const ThemeColours& colours_;
    QString html_;
};

/// "All decisions under the policy sound, with the 2 choices you made; 17 reinplaced."
QString subject(const VerificationReport& report) {
    const QString policy = QString::fromStdString(report.options.policy);
    QString text = report.options.first
        ? counted(*report.options.first, translated("The first %1 decision under the policy %2"),
                  translated("The first %1 decisions under the policy %2"))
              .arg(policy)
        : translated("All decisions under the policy %1").arg(policy);
    const auto choices = report.options.choices.size();
    if (choices == 1) text += translated(", with the choice you made");
    else if (choices > 1) text += translated(", with the %1 choices you made").arg(choices);
    return text + translated("; %1 reinplaced.").arg(report.simulated.reinplaced);
}

QString memoryHtml(const VerificationReport& report, const ThemeColours& colours) {
    const bool runs = report.verification.peak_after.has_value(); // what does not run any more saves nothing
    const auto row = [runs](std::int64_t before, std::int64_t after) {
        if (!runs) return QStringList{bytesText(before), QStringLiteral("—"), QStringLiteral("—")};
        const std::int64_t saved = before - after;
        const QString percent = before > 0 ? QStringLiteral(" (%1 %)").arg(100 * static_cast<double>(saved) / static_cast<double>(before), 0, 'f', 0)
                                           : QString();
        return QStringList{bytesText(before), bytesText(after), bytesText(saved) + percent};
    };
    Table table(colours);
    table.head({QString(), translated("before"), translated("after"), translated("saved")});
    table.row(translated("measured"), row(report.verification.peak_before.value_or(0), report.verification.peak_after.value_or(0)));
    table.row(translated("simulated"), row(report.simulated.peak_before - report.inputBytes,
                                           report.simulated.peak_after - report.inputBytes));
    return heading(translated("Peak memory, inputs not counted"), colours) + table.html() +
           QStringLiteral("<p style=\"margin-top:4px\">%1</p>")
               .arg(coloured(translated("Measured is what LibTorch's allocator gave out, what operators need inside included; simulated "
                                        "counts each storage from its definition to its last use."),
                             colours.muted));
}

QString listHtml(const QString& head, const std::vector<std::string>& items, const QString& icon, const QColor& colour,
                 const ThemeColours& colours) {
    if (items.empty()) return {};
    QString html = heading(head, colours) + QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
    constexpr std::size_t most = 40; // a model has hundreds of weights
    for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
        html += QStringLiteral("<tr><td width=\"24\">%1</td><td>%2</td></tr>").arg(iconHtml(icon, colour), words(items[i]));
    if (items.size() > most)
        html += QStringLiteral("<tr><td></td><td>%1</td></tr>").arg(coloured(translated("and %1 more").arg(items.size() - most), colours.muted));
    return html + QStringLiteral("</table>");
}

/// The difference side by side; empty where there is nothing to set beside each other.
QString valuesHtml(const Difference& difference, const ThemeColours& colours) {
    if (difference.where.empty()) return {};
    Table table(colours);
    table.row(translated("where"), {QString::fromStdString(difference.where)});
    if (!difference.element.empty()) table.row(translated("element"), {QString::fromStdString(difference.element)});
    table.row(translated("before"), {QString::fromStdString(difference.before)});
    table.row(translated("after"), {QString::fromStdString(difference.after)});
    table.row(translated("call"), {difference.call == 1 ? translated("first") : translated("second")});
    return heading(translated("First difference"), colours) + table.html();
}

QString differenceHtml(const Document& document, const VerificationReport& report, const ThemeColours& colours) {
    const Difference& difference = *report.verification.difference;
    QString html = title(QStringLiteral("check-failed"), translated("Different"), colours.failure);
    QString sentence = words(difference.sentence);
    if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    html += QStringLiteral("<p style=\"margin-top:4px\">%1.</p>").arg(sentence);
    if (!report.decision) return html + valuesHtml(difference, colours);

    const NodeId node = report.decision->node;
    html += heading(translated("Brought in by"), colours);
    html += QStringLiteral("<p>%1 %2: %3. <a href=\"through:%4\">%5</a>")
                .arg(translated("Decision %1,").arg(report.decision->index), nodeLink(document, node),
                     sentenceHtml(report.explanation))
                .arg(index_of(node))
                .arg(translated("Go to this decision"));
    if (report.options.choices.contains(report.decision->index))
        html += QStringLiteral(" · <a href=\"leave:%1\">%2</a>").arg(index_of(node)).arg(translated("Take your choice back"));
    html += QStringLiteral("</p><p>%1</p>")
                .arg(coloured(translated("With the decisions before it, everything is equal."), colours.muted));
    return html + valuesHtml(difference, colours);
}

QString reportHtml(const Document& document, const VerificationRun& run, const ThemeColours& colours) {
    const VerificationReport& report = *run.report();
    const Verification& found = report.verification;
    QString html;
    if (run.isOutdated())
        html += QStringLiteral("<p>%1 %2</p>").arg(iconHtml(QStringLiteral("information"), colours.warning),
                                                   coloured(translated("Steps or choices were made after this. Verify again (V)."), colours.warning));
    if (report.isCancelled)
        return html + title(QStringLiteral("check-skipped"), translated("Stopped"), colours.muted) +
               QStringLiteral("<p>%1</p>").arg(translated("Nothing can be said of the graph. Press V to verify again."));
    switch (found.answer) {
    case Verification::Answer::error: {
        html += title(QStringLiteral("warning"), translated("Not verified"), colours.warning);
        html += QStringLiteral("<p style=\"margin-top:4px\">%1</p>").arg(words(found.detail));
        if (found.detail.find("memory limit") != std::string::npos)
            html += QStringLiteral("<p>%1</p>").arg(translated("Nothing was allocated beyond the limit. Raise it above, as far as this "
                                                               "machine has memory, and verify again."));
        return html + listHtml(translated("Inputs and sizes"), found.notes, QStringLiteral("information"), colours.muted, colours);
    }
    case Verification::Answer::different: html += differenceHtml(document, report, colours); break;
    case Verification::Answer::equal:
        html += title(QStringLiteral("check-passed"), translated("Equal"), colours.success);
        html += QStringLiteral("<p style=\"margin-top:4px\">%1</p>")
                    .arg(translated("A caller cannot tell the rewritten graph from the original."));
        break;
    }
    html += QStringLiteral("<p>%1</p>").arg(coloured(subject(report).toHtmlEscaped(), colours.muted));
    html += listHtml(translated("Compared, and found equal"), found.compared, QStringLiteral("check-passed"), colours.success, colours);
    const QString beside = memoryHtml(report, colours) +
                           listHtml(translated("Inputs and sizes"), found.notes, QStringLiteral("information"), colours.muted, colours);
    return QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\"><tr><td width=\"50%\">%1</td><td width=\"24\"></td>"
                          "<td>%2</td></tr></table>").arg(html, beside);
}

} // namespace

QString verificationPage(const Document& document, const VerificationRun& run, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    const QString body = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    if (run.report()) return body + reportHtml(document, run, colours);
    const QString will_be = translated("Runs the graph before and after the pass on the same inputs and compares, bit for bit, all that a "
                                       "caller can see. Whether both are equal will be shown here, or what differs first and the decision "
                                       "that brings it in.");
    QString next = document.isEmpty() ? translated("Open a graph, then press V.") : translated("Press V to verify.");
    if (run.isRunning()) next.clear();
    return body + coloured(QStringLiteral("<p>%1</p><p>%2</p>").arg(will_be, next), colours.muted);
}

} // namespace inspector
