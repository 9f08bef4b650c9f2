#include "ui/main_window/export_graph.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "core/formats/atomic_file.h"
#include "core/formats/decisions/decision_records.h"
#include "core/formats/decisions/decisions_json.h"
#include "core/formats/dot/dot_text.h"
#include "core/formats/dot/picture.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/python/python_module.h"
#include "core/formats/report/report.h"
#include "core/graph/print.h"
#include "core/graph/utf8.h"
#include "ui/document/same_file.h"
#include "ui/graph_view/graph_view.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("ExportGraph", text); }

Result<std::string> dotText(const Document& document) {
    ProgramGraph rewritten = *document.source();
    rewritten.graph = document.session()->graph();
    return print_dot(make_picture(rewritten, document.session()));
}

Report reportOf(const Document& document) {
    return make_report(document.program()->path, *document.source(), *document.session());
}

Result<std::string> exportedText(const Document& document, const QString& suffix) {
    const ReinplaceSession& session = *document.session();
    if (suffix == QLatin1String("txt")) return print_fx(session.graph()) + "\n";
    if (suffix == QLatin1String("py"))
        return print_python_module(*document.program(), document.graphIndex(), session.graph(), weights_path(*document.program()));
    if (suffix == QLatin1String("json"))
        return decisions_json(document.program()->path, document.source()->id, session) + "\n";
    if (suffix == QLatin1String("dot")) return dotText(document);
    if (suffix == QLatin1String("html")) return print_html(reportOf(document));
    if (suffix == QLatin1String("md")) return print_markdown(reportOf(document));
    if (suffix == QLatin1String("sarif")) return print_sarif(reportOf(document));
    return fail({}, "the ending ." + suffix.toStdString() +
                        " names no format; known are pt2, txt, py, json, dot, svg, png, pdf, html, md and sarif");
}

/// What a name says before its ending: "a.view.pdf" is what is in sight, "a.decisions.pt2" has them in its metadata.
bool hasMark(const QString& path, QLatin1String mark) {
    const QFileInfo file(path);
    return QFileInfo(file.completeBaseName()).suffix().compare(mark, Qt::CaseInsensitive) == 0;
}

} // namespace

std::vector<ExportFormat> exportFormats(const Program& program) {
    std::vector<ExportFormat> formats;
    if (why_not_pt2(program).empty())
        formats.insert(formats.end(), {{QStringLiteral("pt2"), translated("Exported program for torch.export.load")},
                                       {QStringLiteral("decisions.pt2"), translated("Exported program with the decisions in its metadata")}});
    formats.insert(formats.end(), {{QStringLiteral("txt"), translated("FX text, as str(graph) prints it")},
                                   {QStringLiteral("py"), translated("Python module")},
                                   {QStringLiteral("json"), translated("Decisions as JSON")},
                                   {QStringLiteral("dot"), translated("Graphviz DOT")},
                                   {QStringLiteral("svg"), translated("SVG picture")},
                                   {QStringLiteral("png"), translated("PNG picture")},
                                   {QStringLiteral("pdf"), translated("PDF picture")},
                                   {QStringLiteral("view.pdf"), translated("PDF picture of what is in view")},
                                   {QStringLiteral("html"), translated("Report as a web page")},
                                   {QStringLiteral("md"), translated("Report as Markdown")},
                                   {QStringLiteral("sarif"), translated("Misses as SARIF, for code review")}});
    return formats;
}

Result<void> exportGraph(const Document& document, const GraphView& view, const QString& path) {
    constexpr double png_scale = 2;
    const QString suffix = QFileInfo(path).suffix().toLower();
    const Program& program = *document.program();
    if (isReadFrom(program, path) || isSameFile(path, document.path()))
        return tl::unexpected(Error{path.toStdString(), {}, "this file is open; export to another"});
    if (suffix == QLatin1String("pt2")) {
        if (std::string why = why_not_pt2(program); !why.empty())
            return tl::unexpected(Error{path.toStdString(), {}, std::move(why)});
        const ReinplaceSession& session = *document.session();
        const DecisionRecords records =
            hasMark(path, QLatin1String("decisions")) ? decision_records(session) : DecisionRecords{};
        return write_pt2(program.archive->path, *document.source(), session.graph(), path.toStdString(), records);
    }
    const auto area = hasMark(path, QLatin1String("view")) ? GraphView::ExportArea::view : GraphView::ExportArea::graph;
    if (suffix == QLatin1String("svg")) return view.exportSvg(path, area);
    if (suffix == QLatin1String("pdf")) return view.exportPdf(path, area);
    if (suffix == QLatin1String("png")) {
        const Result<double> scale = view.exportPng(path, png_scale, area);
        if (!scale) return tl::unexpected(scale.error());
        return {};
    }
    const Result<std::string> text = exportedText(document, suffix);
    if (!text) {
        Error error = text.error();
        if (error.file.empty()) error.file = path.toStdString();
        return tl::unexpected(std::move(error));
    }
    return write_file_atomically(path.toStdString(), valid_utf8(*text));
}

} // namespace inspector
