#include "ui/functionalize/step_page.h"

#include <vector>

#include <QCoreApplication>

#include "core/passes/functionalize/explain_step.h"
#include "core/passes/reinplace/explain.h"
#include "ui/appearance/theme.h"
#include "ui/document/line_text.h"
#include "ui/document/node_links.h"
#include "ui/functionalize/outcome_style.h"
#include "ui/palette/page_browser.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("StepPage", text); }

QString heading(const QString& text, const ThemeColours& colours) {
    return QStringLiteral("<p style=\"margin-top:8px; margin-bottom:2px; color:%1\"><b>%2</b></p>").arg(colours.muted.name(), text.toHtmlEscaped());
}

QString title(const QString& icon, const QString& text, const QColor& colour) {
    return QStringLiteral("<p style=\"font-size:large; margin-top:0; margin-bottom:4px\">%1 <b>%2</b></p>")
        .arg(iconHtml(icon, colour), coloured(text.toHtmlEscaped(), colour));
}

QString link(const Graph& graph, NodeId node) {
    SentenceWriter words(graph);
    words << node;
    return sentenceHtml(words.take());
}

QString row(std::initializer_list<QString> cells) {
    QString html = QStringLiteral("<tr>");
    for (const QString& cell : cells) html += QStringLiteral("<td>%1</td>").arg(cell);
    return html + QStringLiteral("</tr>");
}

QString table(const QString& rows) { return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">%1</table>").arg(rows); }

/// A list that ends after `most`, and says how much is left out.
template <typename Items, typename Html> QString listHtml(const Items& items, const ThemeColours& colours, Html&& html) {
    constexpr std::size_t most = 30;
    QString rows;
    std::size_t shown = 0;
    for (const auto& item : items) {
        if (shown++ == most) break;
        rows += html(item);
    }
    if (items.size() > most) rows += row({coloured(translated("and %1 more").arg(items.size() - most), colours.muted)});
    return table(rows);
}

QString roleText(AddedRole role) {
    switch (role) {
    case AddedRole::item: return translated("takes one result of the call");
    case AddedRole::cast: return translated("brings it to the dtype of what was written");
    case AddedRole::layout: return translated("brings it to the strides of what was written");
    case AddedRole::scatter: return translated("writes it into what is viewed");
    case AddedRole::inverse: return translated("undoes the view");
    case AddedRole::size: return translated("a size that this needs");
    case AddedRole::view: return translated("the view again, of the new value");
    case AddedRole::epilogue: return translated("copies the final value into the input");
    }
    return {};
}

QString aliasesHtml(const FunctionalizeSession& session, const FunctionalizeStep& step, const ThemeColours& colours) {
    const std::vector<SeeingAlias> aliases = session.aliases(step.index);
    if (aliases.empty()) return {};
    const auto html = [&](const SeeingAlias& alias) {
        const QString word = !alias.overlaps        ? coloured(translated("shares no cell with what is written"), colours.muted)
                             : !alias.is_read_later ? coloured(translated("sees it, but is not read later"), colours.muted)
                                                    : translated("must see it: it is read later");
        return row({link(session.original(), alias.node), word});
    };
    return heading(translated("Aliases of what it writes"), colours) + listHtml(aliases, colours, html);
}

/// The lines added; those that dead-code elimination has taken away again are said to be.
QString addedHtml(const FunctionalizeSession& session, const FunctionalizeStep& step, const ThemeColours& colours) {
    if (step.added.empty()) return {};
    const Graph& graph = session.graph();
    const auto html = [&](const AddedNode& added) {
        if (!graph.contains(added.node))
            return row({coloured(translated("(gone: nobody needed it)"), colours.muted), coloured(roleText(added.role), colours.muted)});
        const QString line = lineText(graph, added.node).toHtmlEscaped();
        const QString name = QString::fromStdString(graph.node(added.node).name).toHtmlEscaped();
        return row({link(graph, added.node) + codeHtml(line.mid(name.size())), coloured(roleText(added.role), colours.muted)});
    };
    return heading(translated("Added, in order"), colours) + listHtml(step.added, colours, html);
}

QString redirectedHtml(const FunctionalizeSession& session, const FunctionalizeStep& step, const ThemeColours& colours) {
    const Graph& graph = session.graph();
    std::vector<Redirection> redirected;
    for (const Redirection& each : step.redirected)
        if (graph.contains(each.user) && graph.contains(each.to)) redirected.push_back(each);
    if (redirected.empty()) return {};
    const auto name = [&](NodeId node) { return graph.contains(node) ? link(graph, node) : link(session.original(), node); };
    const auto html = [&](const Redirection& each) {
        return row({translated("%1 reads %2 instead of %3").arg(name(each.user), name(each.to), name(each.from))});
    };
    return heading(translated("Redirected"), colours) + listHtml(redirected, colours, html);
}

QString outcomeHtml(const RoundTripSession& session, std::uint32_t step, const ThemeColours& colours) {
    if (!session.trip()) return {};
    const RoundTripMutation& mutation = session.trip()->mutations[step];
    QString html = heading(translated("After reinplacing by sound"), colours);
    html += QStringLiteral("<p style=\"margin-top:2px; margin-bottom:2px\"><img src=\"verdict:%1\" width=\"16\" height=\"16\" style=\"vertical-align:middle\"> <b>%2</b> · %3</p>")
                .arg(static_cast<int>(outcomeMark(mutation.outcome)))
                .arg(outcomeWord(mutation.outcome), outcomeMeaning(mutation.outcome));
    std::vector<std::uint32_t> decisions;
    if (mutation.decision) decisions.push_back(*mutation.decision);
    decisions.insert(decisions.end(), mutation.write_back.begin(), mutation.write_back.end());
    const ReinplaceSession& pass = *session.reinplaced();
    return html + listHtml(decisions, colours, [&](std::uint32_t number) {
        const Decision& decision = pass.decisions()[number];
        return row({link(pass.original(), decision.node), sentenceHtml(explain(pass, decision))});
    });
}

QString refusedHtml(const FunctionalizeSession& finished, const ThemeColours& colours) {
    const bool is_step = !finished.at_end();
    QString html = title(QStringLiteral("warning"), translated("Cannot be made functional"), colours.warning);
    const QString where = is_step ? translated("At %1: ").arg(link(finished.original(), finished.steps().back().node))
                                  : translated("At what is returned: ");
    return html + QStringLiteral("<p style=\"margin-top:0\">%1%2.</p>").arg(where, QString::fromStdString(explain_refusal(finished)).toHtmlEscaped());
}

QString stepLink(std::uint32_t position, const QString& text) { return QStringLiteral("<a href=\"step:%1\">%2</a>").arg(position).arg(text); }

QString mutationHtml(const RoundTripSession& session, NodeId mutation, std::uint32_t number, const ThemeColours& colours) {
    const FunctionalizeSession& functional = *session.functional();
    const FunctionalizeStep* step = session.stepMade(mutation);
    const QString line = codeHtml(lineText(functional.original(), mutation).toHtmlEscaped());
    QString html = QStringLiteral("<p style=\"margin-top:0; margin-bottom:4px\"><b>%1</b> · %2</p>")
                       .arg(translated("Mutation %1 of %2").arg(number + 1).arg(functional.mutations().size()), line);
    if (!step) {
        const bool is_reachable = session.finished()->steps().size() > number;
        html += QStringLiteral("<p>%1 %2</p>")
                    .arg(coloured(translated("Not taken yet."), colours.muted),
                         is_reachable ? stepLink(number + 1, translated("Step through it"))
                                      : coloured(translated("An earlier mutation is refused."), colours.muted));
        return html + outcomeHtml(session, number, colours);
    }
    if (step->refusal != MutationRefusal::none) return html;
    html += QStringLiteral("<p style=\"margin-top:0\">%1</p>").arg(sentenceHtml(explain(functional, *step)) + QLatin1Char('.'));
    return html + aliasesHtml(functional, *step, colours) + addedHtml(functional, *step, colours) +
           redirectedHtml(functional, *step, colours) + outcomeHtml(session, number, colours);
}

} // namespace

QString stepPage(const RoundTripSession& session, NodeId mutation, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    QString html = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    if (!session.functional()) return html;
    if (session.finished()->refusal() != MutationRefusal::none) html += refusedHtml(*session.finished(), colours);
    if (const auto number = session.stepOn(mutation)) return html + mutationHtml(session, mutation, *number, colours);
    if (!session.hasMutations()) return html;
    return html + QStringLiteral("<p>%1</p>").arg(coloured(translated("Choose a mutation, or step to the first: what it becomes, the aliases that must "
                                                                      "see it, how it is written back and who reads the new values will be here."),
                                                           colours.muted));
}

} // namespace inspector
