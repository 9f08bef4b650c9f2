#include "ui/inspector/node_page.h"

#include <algorithm>

#include <QCoreApplication>

#include "core/operators/operator_table.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/document/page_rows.h"
#include "ui/inspector/stack_trace.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("NodePage", text); }

void addMetadata(const Document& document, NodeId node, PageRows& rows) {
    const GraphFacts& facts = document.session()->facts();
    rows.addText(translated("Value"), valueText(document, node));
    if (index_of(node) >= facts.size()) return;
    const ValueFacts& value = facts.of(node);
    if (const TensorLayout* tensor = facts.tensor(node)) {
        rows.addText(translated("Sizes"), numbersText(tensor->sizes));
        rows.addText(translated("Strides"), numbersText(tensor->strides));
        rows.addText(translated("Offset"), QString::number(tensor->storage_offset));
        rows.addText(translated("Device"), QString::fromStdString(tensor->device));
        rows.addText(translated("Bytes"), elementBytesText(*tensor));
        QStringList bits;
        if (tensor->conjugated) bits << translated("conjugated");
        if (tensor->negated) bits << translated("negated");
        rows.addText(translated("Lazy"), bits.join(QStringLiteral(", ")));
    } else if (value.is_list) {
        QStringList items;
        for (const auto& item : value.items)
            items << (item ? QString::fromStdString(std::string(short_name(item->dtype))) + numbersText(item->sizes)
                           : QStringLiteral("None"));
        rows.addText(translated("Items"), items.join(QStringLiteral(", ")));
    }
    switch (value.source) {
    case MetaSource::file: rows.add(translated("Known from"), translated("the file").toHtmlEscaped()); break;
    case MetaSource::propagated:
        rows.add(translated("Known from"), translated("running the operator on metadata").toHtmlEscaped());
        break;
    case MetaSource::unknown:
        rows.add(translated("Metadata"), translated("unknown: %1").arg(QString::fromStdString(value.unknown_reason)).toHtmlEscaped());
        break;
    }
    if (value.view_of != no_node) rows.add(translated("View of"), codeHtml(nodeLink(document, value.view_of)));
    const StorageId storage = document.storageOf(node);
    if (storage == 0) return;
    std::vector<NodeId> others;
    for (const NodeId other : document.nodes())
        if (other != node && document.storageOf(other) == storage && document.node(other)->opcode != Opcode::output)
            others.push_back(other);
    rows.add(translated("Storage"), codeHtml(QString::number(storage)) +
                                        (others.empty() ? QString() : translated(", shared with ") + nodeLinks(document, others, {})));
}

QString traceHtml(const Node& node, const ThemeColours& colours) {
    std::vector<StackFrame> frames = stackFrames(node.origin.stack_trace);
    if (frames.empty()) return QStringLiteral("<p style=\"color:%1\">%2</p>")
        .arg(colours.muted.name(), translated("The file does not say where in the model's source this node comes from."));
    // The innermost frame is the source line; the callers follow.
    std::ranges::reverse(frames);
    QString html = QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">");
    for (const StackFrame& frame : frames) {
        const QString place = translated("%1, line %2, in %3").arg(frame.file, QString::number(frame.line), frame.function);
        html += QStringLiteral("<tr><td style=\"color:%1\">%2</td></tr>").arg(colours.muted.name(), place.toHtmlEscaped());
        if (!frame.code.isEmpty())
            html += QStringLiteral("<tr><td style=\"padding-left:16px\">%1</td></tr>").arg(codeHtml(frame.code.toHtmlEscaped()));
    }
    return html + QStringLiteral("</table>");
}

} // namespace

QString nodePage(const Document& document, NodeId id, const QPalette& palette) {
    const ThemeColours& colours = themeColours(palette);
    const QString body = QStringLiteral("<body style=\"color:%1\">").arg(palette.color(QPalette::Text).name());
    const Node* node = document.node(id);
    if (!node) {
        const QString words = document.isEmpty()
            ? translated("The selected node will be described here: its schema, metadata, users and source line.<br>Open a graph to begin.")
            : translated("Select a node to see its schema, metadata, users and source line.");
        return body + QStringLiteral("<p style=\"color:%1\">%2</p>").arg(colours.muted.name(), words);
    }
    const Graph& rewritten = *document.graph();
    const Graph& graph = rewritten.contains(id) ? rewritten : document.session()->original();
    const auto heading = [&](const QString& text) {
        return QStringLiteral("<p style=\"margin-top:12px; margin-bottom:4px; color:%1\"><b>%2</b></p>")
            .arg(colours.muted.name(), text.toHtmlEscaped());
    };

    QString html = body + QStringLiteral("<p>%1</p>").arg(codeHtml(callHtml(graph, *node)));
    if (!rewritten.contains(id))
        html += QStringLiteral("<p style=\"color:%1\">%2</p>").arg(colours.warning.name(), translated("The pass has erased this node."));
    else if (node->origin.created_by_pass)
        html += QStringLiteral("<p style=\"color:%1\">%2</p>").arg(colours.warning.name(), translated("The pass has made this node."));

    PageRows rows(colours.muted);
    rows.addText(translated("Operation"), operationText(*node));
    if (const Operator* op = OperatorTable::instance().find(node->target)) {
        rows.addText(translated("Schema"), QString::fromStdString(op->schema_text));
        QStringList tags;
        for (const std::string& tag : op->tags) tags << QString::fromStdString(tag);
        rows.addText(translated("Tags"), tags.join(QStringLiteral(", ")));
        if (const Operator* variant = OperatorTable::instance().inplace_variant(*op))
            rows.addText(translated("In place"), QString::fromStdString(variant->short_target()));
    } else if (node->opcode == Opcode::call_function && !node->target.starts_with("operator.") &&
               !node->target.starts_with("_operator.")) {
        rows.add(translated("Schema"), translated("unknown here: the node stays as it is").toHtmlEscaped());
    }
    addMetadata(document, id, rows);
    const QString none = translated("none").toHtmlEscaped();
    rows.add(translated("Reads"), nodeLinks(document, graph.inputs(id), none));
    rows.add(translated("Read by"), nodeLinks(document, graph.users(id), none));
    html += rows.html();

    html += heading(translated("Source")) + traceHtml(*node, colours);
    if (!node->origin.properties.empty()) {
        PageRows properties(colours.muted);
        for (const auto& [key, text] : node->origin.properties)
            properties.addText(QString::fromStdString(key), QString::fromStdString(text).left(2000));
        html += heading(translated("Further metadata in the file")) + properties.html();
    }
    return html;
}

} // namespace inspector
