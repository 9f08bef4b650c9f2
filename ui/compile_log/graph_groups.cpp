#include "ui/compile_log/graph_groups.h"

#include <map>

#include <QCoreApplication>

#include "core/graph/print.h"

namespace inspector {
namespace {

QString tr(const char* words) { return QCoreApplication::translate("inspector::GraphGroup", words); }

std::string folderPart(const std::string& id) {
    const std::size_t slash = id.rfind('/');
    return slash == std::string::npos ? std::string() : id.substr(0, slash);
}

/// "rank_0" of a graph in a folder of logs: what stands before the compile id.
QString logName(const ProgramGraph& graph) {
    if (!graph.text || graph.text->file.empty() || graph.compile_id.empty()) return {};
    std::string folder = folderPart(graph.id);
    if (!folder.ends_with("/" + graph.compile_id)) return {};
    folder.resize(folder.size() - graph.compile_id.size() - 1);
    return QString::fromStdString(folder);
}

QString title(const ProgramGraph& graph) {
    const QString log = logName(graph);
    if (!graph.compile_id.empty()) {
        const QString compile = tr("compile %1").arg(QString::fromStdString(graph.compile_id));
        return log.isEmpty() ? compile : QStringLiteral("%1 · %2").arg(log, compile);
    }
    const std::string folder = folderPart(graph.id);
    return folder.empty() ? tr("no compile id") : QString::fromStdString(folder);
}

bool isBackward(const ProgramGraph& graph) {
    const bool says_it = graph.kind.find("backward") != std::string::npos || graph.kind.find("joint") != std::string::npos;
    if (says_it || !graph.text) return false;
    const std::string_view text = graph.text->text;
    return text.substr(0, text.find("return")).find("tangents_1") != std::string_view::npos;
}

} // namespace

std::vector<GraphGroup> graphGroups(const Program& program) {
    std::vector<GraphGroup> groups;
    std::map<QString, std::size_t> known;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        const ProgramGraph& graph = program.graphs[i];
        if (graph.parent) continue;
        const QString name = title(graph);
        const auto [found, is_new] = known.try_emplace(name, groups.size());
        if (is_new) groups.push_back({name, graph.compile_id, {}});
        groups[found->second].graphs.push_back(i);
    }
    return groups;
}

QString graphLabel(const ProgramGraph& graph) {
    const bool is_numbered = graph.kind == "aot_graphs" || graph.kind == "subgraph" || !graph.text;
    const QString label = QString::fromStdString(is_numbered ? graph.id.substr(graph.id.rfind('/') + 1) : graph.kind);
    return isBackward(graph) ? tr("%1 (backward)").arg(label) : label;
}

QString graphText(const Program& program, std::size_t graph) {
    const ProgramGraph& source = program.graphs[graph];
    if (source.text) return QString::fromStdString(source.text->text);
    ReadableOptions options;
    if (!source.title.empty()) options.class_name = source.title;
    return QString::fromStdString(print_readable(program, graph, options));
}

} // namespace inspector
