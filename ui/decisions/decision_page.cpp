#include "ui/decisions/decision_page.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/operators/operator_table.h"
#include "core/passes/reinplace/explain.h"
#include "core/passes/reinplace/range_effect.h"
#include "ui/appearance/theme.h"
#include "ui/decisions/proposals_html.h"
#include "ui/document/asked_ranges.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"
#include "ui/palette/verdict_style.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("DecisionPage", text); }

QString heading(const QString& text, const QColor& colour) {
    return QStringLiteral("<p style=\"margin-top:16px; margin-bottom:4px; color:%1\"><b>%2</b></p>")
        .arg(colour.name(), text.toHtmlEscaped());
}

/// The schema with its first argument, the operand, in bold.
QString schemaHtml(const QString& schema) {
    const qsizetype open = schema.indexOf(QLatin1Char('('));
    if (open < 0) return schema.toHtmlEscaped();
    int depth = 0;
    qsizetype end = open + 1;
    for (; end < schema.size(); ++end) {
        const QChar c = schema[end];
        if (c == QLatin1Char('(') || c == QLatin1Char('[')) ++depth;
        if ((c == QLatin1Char(')') || c == QLatin1Char(']')) && depth-- == 0) break;
        if (c == QLatin1Char(',') && depth == 0) break;
    }
    return schema.left(open + 1).toHtmlEscaped() + QStringLiteral("<b>") +
           schema.mid(open + 1, end - open - 1).toHtmlEscaped() + QStringLiteral("</b>") +
           schema.mid(end).toHtmlEscaped();
}

NodeId operandOf(const Document& document, NodeId node) {
    if (const Decision* decision = document.decision(node); decision && decision->operand != no_node)
        return decision->operand;
    const Node* found = document.node(node);
    return found && !found->args.empty() ? found->args.front().node() : no_node;
}

struct CheckLook {
    QString icon;
    QColor colour;
    QString word;
};

CheckLook lookOf(CheckStep::State state, const ThemeColours& colours) {
    switch (state) {
    case CheckStep::State::passed: return {QStringLiteral("check-passed"), colours.success, translated("passed")};
    case CheckStep::State::failed: return {QStringLiteral("check-failed"), colours.failure, translated("failed")};
    case CheckStep::State::skipped: return {QStringLiteral("check-skipped"), colours.muted, translated("not asked")};
    case CheckStep::State::pending: break;
    }
    return {QStringLiteral("check-pending"), colours.muted, translated("pending")};
}

std::vector<CheckStep> checksOf(const Document& document, NodeId node) {
    return document.session()->checks(static_cast<std::uint32_t>(document.decisionIndex(node)));
}

QString checksHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    const auto index = static_cast<std::uint32_t>(document.decisionIndex(node));
    const ReinplaceSession& session = *document.session();
    const std::vector<NodeId> evidence = evidenceNodes(document, node);
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    for (const CheckStep& step : checksOf(document, node)) {
        const CheckLook look = lookOf(step.state, colours);
        QString text = QStringLiteral("<b>%1</b> %2")
                           .arg(checkTitle(step.check).toHtmlEscaped(), coloured(look.word.toHtmlEscaped(), look.colour));
        if (step.state == CheckStep::State::pending) {
            for (const Sentence& sentence : explain_check(session, index, step))
                text += QStringLiteral("<br>") + coloured(sentenceHtml(sentence), colours.muted);
        } else if (step.state != CheckStep::State::skipped) {
            const std::vector<Sentence> sentences = explain_check(session, index, step);
            constexpr std::size_t most = 12; // a mask that every layer reads has thousands of readers
            for (std::size_t i = 0; i < std::min(sentences.size(), most); ++i)
                text += QStringLiteral("<br>") + sentenceHtml(sentences[i], evidence);
            if (sentences.size() > most)
                text += QStringLiteral("<br>") + coloured(translated("and %1 more").arg(sentences.size() - most), colours.muted);
        }
        html += QStringLiteral("<tr><td width=\"24\" valign=\"top\">%1</td><td>%2</td></tr>")
                    .arg(iconHtml(look.icon, look.colour), text);
    }
    return html + QStringLiteral("</table>");
}

/// One row of the comparison of operand and result; a difference is marked by a sign as well as by colour.
QString comparedRow(const QString& title, const QString& self, const QString& result, const ThemeColours& colours) {
    const bool differs = self != result && !self.isEmpty() && !result.isEmpty();
    const QString sign = differs ? coloured(QStringLiteral("≠"), colours.failure) : QString();
    return QStringLiteral("<tr><td style=\"color:%1\">%2</td><td>%3</td><td align=\"center\">%4</td><td>%5</td></tr>")
        .arg(colours.muted.name(), title.toHtmlEscaped(), codeHtml(self.toHtmlEscaped()), sign, codeHtml(result.toHtmlEscaped()));
}

QString metadataHtml(const Document& document, NodeId self, NodeId result, const ThemeColours& colours) {
    const GraphFacts& facts = document.session()->facts();
    const auto layout = [&facts](NodeId node) {
        return index_of(node) < facts.size() ? facts.tensor(node) : nullptr;
    };
    const TensorLayout* a = layout(self);
    const TensorLayout* b = layout(result);
    const auto row = [&](const QString& title, const auto& text) {
        return comparedRow(title, a ? text(*a) : QString(), b ? text(*b) : QString(), colours);
    };
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\"><tr><td></td><td><b>%1</b> %2</td><td></td>"
                                  "<td><b>%3</b> %4</td></tr>")
                       .arg(translated("operand"), codeHtml(nodeLink(document, self)), translated("result"),
                            codeHtml(nodeLink(document, result)));
    html += comparedRow(translated("value"), valueText(document, self), valueText(document, result), colours);
    html += row(translated("strides"), [](const TensorLayout& t) { return numbersText(t.strides); });
    html += row(translated("offset"), [](const TensorLayout& t) { return QString::number(t.storage_offset); });
    html += row(translated("bytes"), [](const TensorLayout& t) { return elementBytesText(t); });
    html += row(translated("device"), [](const TensorLayout& t) { return QString::fromStdString(t.device); });
    // Another storage is what a pass finds before it rewrites: no mark.
    html += QStringLiteral("<tr><td style=\"color:%1\">%2</td><td>%3</td><td></td><td>%4</td></tr>")
                .arg(colours.muted.name(), translated("storage"), codeHtml(QString::number(document.storageOf(self))),
                     codeHtml(QString::number(document.storageOf(result))));
    return html + QStringLiteral("</table>");
}

QString changeHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    const auto index = static_cast<std::uint32_t>(document.decisionIndex(node));
    const ChangePreview preview = preview_change(*document.session(), index);
    if (preview.before.empty() && preview.after.empty()) return {};
    const bool is_done = document.decision(node) != nullptr;
    QString html = heading(is_done ? translated("What changed") : translated("What would change"), colours.muted);
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\" width=\"100%\">");
    const auto lines = [&](const std::vector<std::string>& texts, const QColor& background, const QString& sign) {
        for (const std::string& text : texts)
            html += QStringLiteral("<tr><td bgcolor=\"%1\" width=\"12\" valign=\"top\">%2</td><td bgcolor=\"%1\">%3</td></tr>")
                        .arg(background.name(), codeHtml(sign),
                             codeHtml(fxHtml(document.session()->original(), QString::fromStdString(text))));
    };
    lines(preview.before, colours.removed, QStringLiteral("−"));
    lines(preview.after, colours.changed, QStringLiteral("+"));
    return html + QStringLiteral("</table>");
}

QString headline(const Document& document, NodeId node, const ThemeColours& colours) {
    const ReinplaceSession& session = *document.session();
    if (const Decision* decision = document.decision(node)) return sentenceHtml(explain(session, *decision));
    if (session.current() == node)
        return translated("Next to be decided. C asks one check, N decides.");
    return coloured(translated("Not reached yet."), colours.muted) +
           QStringLiteral(" <a href=\"through:%1\">%2</a>").arg(index_of(node)).arg(translated("Decide up to here"));
}

QString choiceHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    const Choice choice = document.session()->choice(static_cast<std::uint32_t>(document.decisionIndex(node)));
    QString words;
    switch (choice) {
    case Choice::policy: return {};
    case Choice::accept: words = translated("You accepted what the policy decides."); break;
    case Choice::skip: words = translated("You chose to keep this node as it is."); break;
    case Choice::force: words = translated("You chose to force the rewrite."); break;
    }
    return QStringLiteral("<p>%1 %2 <a href=\"leave:%3\">%4</a></p>")
        .arg(iconHtml(choice == Choice::force ? QStringLiteral("warning") : QStringLiteral("information"), colours.warning),
             words.toHtmlEscaped())
        .arg(index_of(node))
        .arg(translated("Leave it to the policy"));
}

/// A rewrite that autograd would refuse.
QString autogradHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    const auto note = document.autogradNote(node);
    if (!note) return {};
    QString sentence = sentenceHtml(explain_autograd(*document.session(), *document.decision(node), *note));
    sentence[0] = sentence[0].toUpper();
    return QStringLiteral("<p>%1 %2. %3</p>")
        .arg(iconHtml(QStringLiteral("warning"), colours.warning), sentence,
             coloured(translated("Without gradients it does not matter."), colours.muted));
}

/// Where other policies decide otherwise than sound, and why that is wrong or timid.
QString policiesHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    const auto differences = document.policyDifferences(node);
    if (differences.empty()) return {};
    QString html = heading(translated("Policies differ"), colours.muted) +
                   QStringLiteral("<table cellspacing=\"0\" cellpadding=\"3\" width=\"100%\">");
    for (const PolicyDifference& difference : differences) {
        const bool is_unsound = difference.judgement == Judgement::unsound;
        const QColor colour = is_unsound ? colours.failure : colours.warning;
        html += QStringLiteral("<tr><td width=\"24\" valign=\"top\">%1</td><td><b>%2</b> %3<br>%4</td></tr>")
                    .arg(iconHtml(is_unsound ? QStringLiteral("warning") : QStringLiteral("policies-differ"), colour),
                         QString::fromStdString(difference.policy).toHtmlEscaped(),
                         coloured(judgementText(difference.judgement), colour), sentenceHtml(difference.sentence));
    }
    return html + QStringLiteral("</table>");
}

/// What the ranges asked for change here.
QString rangesHtml(const Document& document, NodeId node, const ThemeColours& colours) {
    if (document.askedRanges().empty()) return {};
    QString words = coloured(translated("comparing with the file's ranges…"), colours.muted);
    if (const auto* effects = document.rangeEffects()) {
        const auto effect = std::ranges::find(*effects, node, &RangeEffect::node);
        words = effect == effects->end() ? translated("sound decides as with the file's ranges").toHtmlEscaped()
                                         : coloured(translated("sound decides otherwise: %1").arg(rangeEffectText(*effect)).toHtmlEscaped(), colours.warning);
    }
    return QStringLiteral("<p style=\"margin-top:4px\"><b>%1</b> %2.</p>").arg(translated("And if %1:").arg(askedText(document)).toHtmlEscaped(), words);
}

QString noDecisionPage(const Document& document, NodeId node, const ThemeColours& colours) {
    const Node* found = document.node(node);
    QString html;
    if (found) {
        html = QStringLiteral("<p style=\"font-size:large\">%1</p><p>%2</p>")
                   .arg(codeHtml(nodeText(document, node).toHtmlEscaped()),
                        translated("No decision is made on this node: it is no call of a function (%1).")
                            .arg(operationText(*found).toHtmlEscaped()));
        const QString value = valueText(document, node);
        if (!value.isEmpty()) html += QStringLiteral("<p>%1</p>").arg(codeHtml(value.toHtmlEscaped()));
    } else {
        html = QStringLiteral("<p>%1</p>").arg(translated("No node is selected."));
    }
    const NodeId current = document.session()->current();
    if (current == no_node) html += QStringLiteral("<p>%1</p>").arg(coloured(translated("All decisions are made."), colours.muted));
    else html += QStringLiteral("<p>%1 <a href=\"decide:%2\">%3</a></p>")
                     .arg(coloured(translated("Next to be decided:"), colours.muted))
                     .arg(index_of(current))
                     .arg(nodeText(document, current).toHtmlEscaped());
    return html;
}

} // namespace

QString decisionPage(const Document& document, NodeId node, const QPalette& palette, const Proposals* proposals) {
    const ThemeColours& colours = themeColours(palette);
    const QString body = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    if (document.isEmpty()) {
        return body + QStringLiteral("<p style=\"color:%1\">%2</p>")
                          .arg(colours.muted.name(),
                               translated("Each step of the pass will be explained here: the checks it asked, what they found, and "
                                          "what the rewrite changes.<br><br>Open a graph, then press N to decide a node."));
    }
    if (document.decisionIndex(node) < 0) return body + noDecisionPage(document, node, colours);

    const ReinplaceSession& session = *document.session();
    const VerdictMark mark = verdictMark(document, node);
    const VerdictStyle& style = verdictStyle(mark, schemeOf(palette));

    // First what it is about, then one sentence, details below.
    QString html = body;
    html += QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\"><tr><td>%1</td><td align=\"right\">%2</td></tr></table>")
                .arg(coloured(translated("Decision %1").arg(document.decisionIndex(node)) + QStringLiteral(" · ") +
                                  translated("%1 in all").arg(session.decision_nodes().size()),
                              colours.muted),
                     session.current() == no_node || session.current() == node
                         ? QString()
                         : QStringLiteral("<a href=\"decide:%1\">%2</a>")
                               .arg(index_of(session.current()))
                               .arg(translated("next: %1").arg(nodeText(document, session.current())).toHtmlEscaped()));
    html += QStringLiteral("<p style=\"font-size:large; margin-top:6px; margin-bottom:4px\"><img src=\"verdict:%1\" width=\"20\" "
                           "height=\"20\" style=\"vertical-align:middle\"> <b>%2</b> <span style=\"color:%3\">%4</span></p>")
                .arg(static_cast<int>(mark))
                .arg(codeHtml(nodeText(document, node).toHtmlEscaped()), style.text.name(), style.word.toHtmlEscaped());
    html += QStringLiteral("<p style=\"margin-top:4px\">%1</p>").arg(headline(document, node, colours));
    html += choiceHtml(document, node, colours);
    html += rangesHtml(document, node, colours);
    html += autogradHtml(document, node, colours);

    // As the decision finds it: with the inputs that earlier rewrites gave it, and the target it came with.
    const Node& original = session.original().node(node);
    Node asked = *document.node(node);
    asked.target = original.target;
    html += QStringLiteral("<p>%1</p>").arg(codeHtml(callHtml(session.graph().contains(node) ? session.graph() : session.original(), asked)));
    if (const Operator* op = OperatorTable::instance().find(original.target))
        html += QStringLiteral("<p>%1</p>").arg(coloured(codeHtml(schemaHtml(QString::fromStdString(op->schema_text))), colours.muted));

    html += proposalsHtml(document, node, proposals, colours);
    html += policiesHtml(document, node, colours);
    html += heading(translated("Checks"), colours.muted) + checksHtml(document, node, colours);
    const NodeId operand = operandOf(document, node);
    if (operand != no_node)
        html += heading(translated("Operand and result"), colours.muted) + metadataHtml(document, operand, node, colours);
    html += changeHtml(document, node, colours);
    return html;
}

std::vector<NodeId> evidenceNodes(const Document& document, NodeId node) {
    std::vector<NodeId> nodes;
    if (document.decisionIndex(node) < 0) return nodes;
    for (const CheckStep& step : checksOf(document, node)) {
        // What made a check pass is no news; what the last word was about is.
        if (step.state != CheckStep::State::failed && step.check != CheckId::scatter) continue;
        for (const Witness& witness : step.witnesses) {
            const bool is_evidence = witness.role != WitnessRole::self && witness.role != WitnessRole::result;
            if (is_evidence && witness.node != node && std::ranges::find(nodes, witness.node) == nodes.end())
                nodes.push_back(witness.node);
        }
    }
    return nodes;
}

QString whyNotAsk(const Document& document, NodeId node) {
    if (document.decisionIndex(node) < 0) return translated("no decision is made on this node");
    const Decision* decision = document.decision(node);
    if (!decision || decision->reason == Reason::forced) return {};
    switch (decision->verdict) {
    case Verdict::reinplaced:
    case Verdict::scatter_to_copy: return translated("the node is reinplaced: no check refused it");
    case Verdict::deleted: return translated("the node goes: no check refused it");
    default: return {};
    }
}

QString whyNotForce(const Document& document, NodeId node) {
    if (document.decisionIndex(node) < 0) return translated("no decision is made on this node");
    if (const Decision* decision = document.decision(node)) {
        if (decision->reason == Reason::forced) return translated("the rewrite is forced already");
        if (decision->verdict == Verdict::reinplaced || decision->verdict == Verdict::scatter_to_copy)
            return translated("the node is reinplaced: there is nothing to force");
        if (decision->verdict == Verdict::deleted) return translated("the node goes: there is nothing to force");
    }
    const Node& original = document.session()->original().node(node);
    const Operator* op = OperatorTable::instance().find(original.target);
    if (!op) return translated("its target is no known operator");
    const bool is_scatter = OperatorTable::instance().view_of_scatter(*op) != nullptr;
    if (!is_scatter && !OperatorTable::instance().inplace_variant(*op))
        return translated("%1 has no in-place overload").arg(QString::fromStdString(op->short_target()));
    const NodeId operand = operandOf(document, node);
    if (operand == no_node || document.storageOf(operand) == 0 || document.storageOf(node) == 0)
        return translated("the storages of its operand and result are not known");
    return {};
}

} // namespace inspector
