#include "ui/level/level_page.h"

#include <QCoreApplication>

#include "core/analysis/operator_forms.h"
#include "ui/appearance/theme.h"
#include "ui/document/node_links.h"
#include "ui/document/page_rows.h"
#include "ui/level/level_model.h"
#include "ui/palette/page_browser.h"

namespace inspector {
namespace {

constexpr Level levels[] = {Level::not_aten, Level::training, Level::functional_aten, Level::core_aten};

QString translated(const char* text) { return QCoreApplication::translate("LevelPage", text); }
QString text(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

QString paragraph(const QString& html) {
    return QStringLiteral("<p style=\"margin-top:0; margin-bottom:8px\">%1</p>").arg(html);
}

QString title(const QString& html) { return paragraph(QStringLiteral("<b>%1</b>").arg(html)); }

QString meaning(Level level) {
    switch (level) {
    case Level::not_aten: return translated("Python functions, methods or module calls stand among the operators.");
    case Level::training: return translated("Operators only; some write their arguments, as the model's source does.");
    case Level::functional_aten:
        return translated(
            "No operator writes an argument: what run_decompositions({}) gives, and what re-inplacing begins with.");
    case Level::core_aten:
        return translated("Functional, and every operator is of the core set that backends implement.");
    }
    return {};
}

QString meaning(LevelObstacle::Kind kind) {
    switch (kind) {
    case LevelObstacle::Kind::not_an_operator:
        return translated("A Python function, a method or a module is called: nothing is known of it but its name.");
    case LevelObstacle::Kind::mutating:
        return translated("The operator writes an argument. Functionalization puts its functional form in its place: "
                          "Graph → Round trip.");
    case LevelObstacle::Kind::custom:
        return translated("The operator is of another library than ATen; no decomposition takes it apart.");
    case LevelObstacle::Kind::composite:
        return translated(
            "The operator is made of others, which run_decompositions() puts in its place: Graph → Decompose.");
    case LevelObstacle::Kind::not_core: break;
    }
    return translated(
        "The operator is ATen's, but does not have the tag core. Graph → Decompose takes apart what it can.");
}

QString overview(const NestedLevel& found, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    QString rows;
    for (const Level level : levels) {
        std::size_t count = 0;
        for (const NestedLevel::Use& use : found.operators)
            count += use.obstacle && stands_against(*use.obstacle) <= level;
        const bool is_here = level == found.level;
        const QString state = is_here               ? translated("the graph is here")
                              : level < found.level ? translated("passed")
                                                    : translated("%1 against it").arg(count);
        const QString name = text(level_name(level)).toHtmlEscaped();
        rows += QStringLiteral("<tr><td>%1<br>%2</td><td width=\"16\"></td><td>%3</td></tr>")
                    .arg(is_here ? QStringLiteral("<b>%1</b>").arg(name) : name,
                         coloured(state, is_here ? colours.success : colours.muted), meaning(level).toHtmlEscaped());
    }
    return title(translated("The levels, lowest first")) +
           QStringLiteral("<table cellspacing=\"0\" cellpadding=\"4\">%1</table>").arg(rows) +
           paragraph(coloured(translated("Choose an operator to see its schema and forms."), colours.muted));
}

QString groupPage(const LevelModel& model, const QModelIndex& row) {
    switch (model.group(row)) {
    case LevelModel::Group::training:
        return title(text(level_name(Level::training))) + paragraph(meaning(Level::training));
    case LevelModel::Group::functional_aten:
        return title(text(level_name(Level::functional_aten))) + paragraph(meaning(Level::functional_aten));
    case LevelModel::Group::core_aten:
        return title(text(level_name(Level::core_aten))) + paragraph(meaning(Level::core_aten));
    case LevelModel::Group::nothing_against:
        return title(translated("Against no level")) +
               paragraph(translated("Core operators; besides them arithmetic on sizes, getitem, assertions and control "
                                    "flow, which belong to every level."));
    case LevelModel::Group::no_meta_kernel: break;
    }
    return title(translated("Without meta kernel")) +
           paragraph(translated("Nothing here computes the sizes, strides and types of what these operators return. "
                                "Choose one to see what it takes."));
}

/// Of how many nodes nobody knows the layout: no kernel computes it, and the file does not say it.
QString unknownText(const Document& document, const NestedLevel::Use& use) {
    std::size_t unknown = 0;
    for (const NestedLevel::Place& place : use.places) {
        const bool is_shown = place.graph == document.graphIndex();
        const Node* node =
            is_shown ? document.node(place.node) : &document.program()->graphs[place.graph].graph.node(place.node);
        unknown += node && std::holds_alternative<UnknownMeta>(node->meta);
    }
    if (unknown == 0) return translated("The file gives the layout of each of its nodes.");
    if (unknown == use.places.size()) return translated("The file gives no layout of its nodes either.");
    return translated("The file gives no layout either for %1 of its %2 nodes.").arg(unknown).arg(use.places.size());
}

QString yesOrNo(bool is_so) { return is_so ? translated("yes") : translated("no"); }

QString operatorPage(const Document& document, const NestedLevel::Use& use, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    QString html = title(codeHtml(QString::fromStdString(short_name(use)).toHtmlEscaped()));
    if (use.obstacle) {
        const QString against =
            translated("Against %1: %2.")
                .arg(text(level_name(stands_against(*use.obstacle))), text(kind_name(*use.obstacle)));
        html += paragraph(coloured(against.toHtmlEscaped(), colours.failure) + QLatin1Char(' ') +
                          meaning(*use.obstacle).toHtmlEscaped());
    } else {
        html += paragraph(coloured(translated("It belongs to Core ATen and every level below."), colours.success));
    }
    PageRows rows(colours.muted);
    if (const Operator* op = use.op) {
        const OperatorForms forms = forms_of(*op);
        const auto form = [&](const QString& name, const Operator* found) {
            rows.add(name, !found        ? translated("none").toHtmlEscaped()
                           : found == op ? translated("this one").toHtmlEscaped()
                                         : codeHtml(QString::fromStdString(found->short_target()).toHtmlEscaped()));
        };
        rows.addText(translated("Schema"), QString::fromStdString(op->schema_text));
        QStringList tags;
        for (const std::string& tag : op->tags) tags << QString::fromStdString(tag);
        rows.add(translated("Tags"),
                 tags.isEmpty() ? translated("none") : codeHtml(tags.join(QStringLiteral(", ")).toHtmlEscaped()));
        rows.add(translated("Core"), yesOrNo(op->has_tag("core")));
        rows.add(translated("Decomposes"), op->is_composite       ? translated("yes, it is made of other operators")
                                           : op->has_decomposition ? translated("yes, run_decompositions() has a rule")
                                                                   : translated("no"));
        form(translated("Functional"), forms.functional);
        form(translated("In place"), forms.in_place);
        form(translated("out="), forms.out);
        rows.add(translated("Metadata"), text(meta_words(*op)).toHtmlEscaped());
    } else if (use.obstacle == LevelObstacle::Kind::custom) {
        rows.add(translated("Schema"), translated("not known"));
    }
    if (const std::string needed = needed_for_metadata(use); !needed.empty())
        rows.add(translated("Needed"), QString::fromStdString(needed).toHtmlEscaped() + QStringLiteral(". ") +
                                           unknownText(document, use).toHtmlEscaped());
    std::vector<NodeId> own;
    for (const NestedLevel::Place& place : use.places)
        if (place.graph == document.graphIndex()) own.push_back(place.node);
    QString nodes = nodeLinks(document, own, {});
    if (const std::size_t nested = use.places.size() - own.size(); nested > 0) {
        if (!nodes.isEmpty()) nodes += QStringLiteral(", ");
        nodes += translated("%1 in nested graphs").arg(nested);
    }
    rows.add(translated("Nodes"), nodes);
    return html + rows.html();
}

} // namespace

QString levelSentence(const NestedLevel& shown, Level asRead, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    QStringList ladder;
    for (const Level level : levels) {
        const QString name = text(level_name(level)).toHtmlEscaped();
        ladder << (level == shown.level ? QStringLiteral("<b>%1</b>").arg(name) : coloured(name, colours.muted));
    }
    QString html = ladder.join(coloured(QStringLiteral("&nbsp;› "), colours.muted)) + QStringLiteral(" &nbsp; ") +
                   text(why_not_higher(shown)).toHtmlEscaped();
    if (shown.own_level != shown.level)
        html +=
            QStringLiteral("; ") + translated("without nested graphs it is %1").arg(text(level_name(shown.own_level)));
    if (asRead != shown.level)
        html += QStringLiteral("; ") +
                coloured(translated("as read it was %1").arg(text(level_name(asRead))), colours.warning);
    return html;
}

QString levelPage(const Document& document, const LevelModel& model, const QModelIndex& row, const QPalette& palette) {
    const QString body = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    if (document.isEmpty()) return body;
    if (!row.isValid()) return body + overview(model.level(), palette);
    if (const NestedLevel::Use* use = model.use(row)) return body + operatorPage(document, *use, palette);
    if (model.kind(row) == LevelModel::Kind::group) return body + groupPage(model, row);
    const NestedLevel::Use* first = model.use(model.index(0, 0, row));
    return body + title(text(kind_name(*first->obstacle))) + paragraph(meaning(*first->obstacle));
}

} // namespace inspector
