#include "ui/functionalize/functional_file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QTemporaryDir>

#include "core/formats/atomic_file.h"
#include "core/formats/dot/dot_text.h"
#include "core/formats/functionalization/steps_json.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/python/python_module.h"
#include "core/formats/svg/svg.h"
#include "core/graph/print.h"
#include "core/graph/utf8.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("FunctionalFile", text); }

const QTemporaryDir& folder() {
    static const QTemporaryDir made;
    return made;
}

bool isSame(const QString& path, const std::string& other) { return QFileInfo(path) == QFileInfo(QString::fromStdString(other)); }

Result<std::string> textOf(const QString& suffix, const Program& source, const Program& functional, std::size_t index, Epilogue epilogue) {
    const ProgramGraph& graph = functional.graphs[index];
    if (suffix == QLatin1String("txt")) return print_fx(graph.graph) + "\n";
    if (suffix == QLatin1String("py"))
        return print_python_module(functional, index, graph.graph, weights_path(source));
    if (suffix == QLatin1String("dot")) return print_dot(make_picture(graph, nullptr));
    if (suffix == QLatin1String("svg")) return print_svg(make_picture(graph, nullptr)).text;
    if (suffix == QLatin1String("json")) {
        const auto session = FunctionalizeSession::start(source, index, {epilogue});
        session->run_to_end();
        return functionalization_json(source.path, graph.id, *session) + "\n";
    }
    return fail({}, "the ending ." + suffix.toStdString() + " names no format; known are pt2, txt, py, json, dot and svg");
}

} // namespace

std::vector<FunctionalFormat> functionalFormats(const Program& program) {
    std::vector<FunctionalFormat> formats;
    if (why_not_pt2(program).empty()) formats.push_back({QStringLiteral("pt2"), translated("Exported program for torch.export.load")});
    formats.insert(formats.end(), {{QStringLiteral("txt"), translated("FX text, as str(graph) prints it")},
                                   {QStringLiteral("py"), translated("Python module")},
                                   {QStringLiteral("json"), translated("Steps as JSON")},
                                   {QStringLiteral("dot"), translated("Graphviz DOT")},
                                   {QStringLiteral("svg"), translated("SVG picture")}});
    return formats;
}

Result<void> writeFunctional(const Program& program, std::size_t graph, Epilogue epilogue, const QString& path) {
    const auto refuse = [&path](Error error) {
        if (error.file.empty()) error.file = path.toStdString();
        return tl::unexpected(std::move(error));
    };
    if (isSame(path, program.path) || (program.archive && isSame(path, program.archive->path)))
        return refuse({{}, {}, "this file is open; export to another"});
    auto functional = functionalize(program, graph, {epilogue});
    if (!functional) {
        functional.error().file = program.path;
        return refuse(std::move(functional.error()));
    }
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("pt2")) {
        if (std::string why = why_not_pt2(program); !why.empty()) return refuse({{}, {}, std::move(why)});
        return write_pt2(program.archive->path, program, *functional, path.toStdString());
    }
    auto text = textOf(suffix, program, *functional, graph, epilogue);
    if (!text) return refuse(std::move(text.error()));
    return write_file_atomically(path.toStdString(), valid_utf8(std::move(*text)));
}

Result<QString> functionalFile(const Program& program, std::size_t graph, Epilogue epilogue) {
    const QString name = QFileInfo(QString::fromStdString(program.path)).baseName() + QStringLiteral("-functional");
    // A .pt2 holds all graphs of the program; of a nested one, text is what can stand alone.
    const bool is_pt2 = why_not_pt2(program).empty() && graph == 0;
    const QString path = folder().filePath(name + (is_pt2 ? QStringLiteral(".pt2") : QStringLiteral(".txt")));
    if (is_pt2) {
        if (const auto written = writeFunctional(program, graph, epilogue, path); !written) return tl::unexpected(written.error());
        return path;
    }
    auto functional = functionalize(program, graph, {epilogue});
    if (!functional) {
        functional.error().file = program.path;
        return tl::unexpected(std::move(functional.error()));
    }
    const auto written = write_file_atomically(path.toStdString(), valid_utf8(print_readable(*functional, graph, {})));
    if (!written) return tl::unexpected(written.error());
    return path;
}

bool isFunctionalFile(const QString& path) { return folder().isValid() && QFileInfo(path).absolutePath() == folder().path(); }

} // namespace inspector
