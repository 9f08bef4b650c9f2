#include "ui/document/made_program.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTemporaryDir>

#include "core/formats/atomic_file.h"
#include "core/formats/dot/dot_text.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/python/python_module.h"
#include "core/formats/svg/svg.h"
#include "core/graph/print.h"
#include "core/graph/utf8.h"
#include "ui/document/same_file.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("MadeProgram", text); }

const QTemporaryDir& folder() {
    static const QTemporaryDir made;
    return made;
}

Result<std::string> textOf(const QString& suffix, const MadeProgram& program) {
    const ProgramGraph& graph = program.made.graphs[program.graph];
    if (suffix == QLatin1String("txt")) return print_fx(graph.graph) + "\n";
    if (suffix == QLatin1String("py"))
        return print_python_module(program.made, program.graph, graph.graph, weights_path(program.source));
    if (suffix == QLatin1String("dot")) return print_dot(make_picture(graph, nullptr));
    if (suffix == QLatin1String("svg")) return print_svg(make_picture(graph, nullptr)).text;
    if (suffix == QLatin1String("json")) return program.steps() + "\n";
    return fail({},
                "the ending ." + suffix.toStdString() + " names no format; known are pt2, txt, py, json, dot and svg");
}

} // namespace

std::vector<MadeFormat> madeFormats(const Program& source) {
    std::vector<MadeFormat> formats;
    if (why_not_pt2(source).empty())
        formats.push_back({QStringLiteral("pt2"), translated("Exported program for torch.export.load")});
    formats.insert(formats.end(), {{QStringLiteral("txt"), translated("FX text, as str(graph) prints it")},
                                   {QStringLiteral("py"), translated("Python module")},
                                   {QStringLiteral("json"), translated("Steps as JSON")},
                                   {QStringLiteral("dot"), translated("Graphviz DOT")},
                                   {QStringLiteral("svg"), translated("SVG picture")}});
    return formats;
}

Result<void> writeMade(const MadeProgram& program, const QString& path) {
    const Program& source = program.source;
    const auto refuse = [&path](Error error) {
        if (error.file.empty()) error.file = path.toStdString();
        return tl::unexpected(std::move(error));
    };
    if (isReadFrom(source, path))
        return refuse({{}, {}, "this file is open; export to another"});
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("pt2")) {
        if (std::string why = why_not_pt2(source); !why.empty()) return refuse({{}, {}, std::move(why)});
        return write_pt2(source.archive->path, source, program.made, path.toStdString());
    }
    auto text = textOf(suffix, program);
    if (!text) return refuse(std::move(text.error()));
    return write_file_atomically(path.toStdString(), valid_utf8(std::move(*text)));
}

Result<QString> madeFile(const MadeProgram& program) {
    const QString name =
        QFileInfo(QString::fromStdString(program.source.path)).baseName() + QLatin1Char('-') + program.kind;
    // A .pt2 holds all graphs of the program; of a nested one, text is what can stand alone.
    const bool is_pt2 = why_not_pt2(program.source).empty() && program.graph == 0;
    const QString path = folder().filePath(name + (is_pt2 ? QStringLiteral(".pt2") : QStringLiteral(".txt")));
    const auto written =
        is_pt2 ? writeMade(program, path)
               : write_file_atomically(path.toStdString(), valid_utf8(print_readable(program.made, program.graph, {})));
    if (!written) return tl::unexpected(written.error());
    return path;
}

bool isMadeFile(const QString& path) { return folder().isValid() && QFileInfo(path).absolutePath() == folder().path(); }

} // namespace inspector
