#include "ui/document/opening.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "core/formats/reader.h"
#include "core/passes/reinplace/range_effect.h"
#include "core/passes/reinplace/saved_session.h"

namespace inspector {

namespace {

ReadOptions readOptions(const OpeningContext& context) {
    ReadOptions options;
    options.cancelled = context.cancelled;
    options.progress = context.progress;
    options.read_at_once = 8 << 20; // about a tenth of a second
    return options;
}

/// The sessions of a document. In `decided` graphs have the ranges that were asked for; in the result's program the file's.
Result<OpenedProgram> restored(const std::shared_ptr<const Program>& decided) {
    OpenedProgram made;
    made.program = decided;
    std::vector<SavedSession> all{*decided->saved};
    all.insert(all.end(), decided->other_sessions.begin(), decided->other_sessions.end());
    if (std::ranges::any_of(all, [](const SavedSession& each) { return each.file_ranges.has_value(); })) {
        const auto read = std::make_shared<Program>(*decided);
        for (const SavedSession& each : all) take_file_ranges(read->graphs[each.graph], each);
        made.program = read;
    }
    std::vector<GraphSession> sessions;
    for (const SavedSession& saved : all) {
        const ProgramGraph& graph = decided->graphs[saved.graph];
        auto session = restore_session(graph, saved);
        if (!session) return tl::unexpected(session.error());
        std::ranges::move(session->notes, std::back_inserter(made.notes));
        sessions.push_back({graph.id, std::move(session->session), session->selected, {}});
        GraphSession& each = sessions.back();
        each.ranges = asked_ranges(graph, saved);
        if (each.ranges.empty()) continue;
        const auto ranged = std::make_shared<Program>(*made.program);
        ranged->graphs[saved.graph] = graph;
        each.program = ranged;
    }
    made.shown = std::move(sessions.front());
    made.others.assign(std::make_move_iterator(sessions.begin() + 1), std::make_move_iterator(sessions.end()));
    return made;
}

Result<OpenedProgram> opened(Result<Program> program, const std::string& path, const QString& policy) {
    const auto failure = [&path](Error error) {
        if (error.file.empty()) error.file = path;
        return tl::unexpected(std::move(error));
    };
    if (!program) return failure(program.error());
    if (program->graphs.empty()) return failure({{}, {}, "the file holds no graph"});
    auto decided = std::make_shared<const Program>(std::move(*program));
    if (!decided->saved) return openGraph(std::move(decided), 0, policy, {});
    auto made = restored(decided);
    if (!made) return failure(made.error());
    return made;
}

} // namespace

Result<OpenedProgram> openProgram(const QString& path, const OpeningContext& context) {
    // Reading one waits for its writer, and nobody could end that here.
    if (std::error_code missing; path != QLatin1String("-") && std::filesystem::is_fifo(path.toStdString(), missing))
        return tl::unexpected(Error{path.toStdString(), {}, "is a pipe: connect it to standard input, and open -"});
    return opened(read_program(path.toStdString(), readOptions(context)), path.toStdString(), context.policy);
}

Result<OpenedProgram> openAbandoned(const QString& path, const OpeningContext& context) {
    Result<Program> program = read_program(path.toStdString(), readOptions(context));
    if (program && !program->saved) return tl::unexpected(Error{path.toStdString(), {}, "this is no session document"});
    if (program) program->path = program->saved->document.empty() ? program->saved->origin : program->saved->document;
    return opened(std::move(program), path.toStdString(), context.policy);
}

Result<OpenedProgram> openText(QByteArray text, const QString& title, const OpeningContext& context) {
    Result<Program> program = read_text(text.toStdString(), readOptions(context));
    if (program) program->path = title.toStdString();
    return opened(std::move(program), title.toStdString(), context.policy);
}

Result<OpenedProgram> openGraph(std::shared_ptr<const Program> program, std::size_t graph, const QString& policy,
                                const std::vector<std::string>& donated) {
    if (!program->graphs[graph].is_read) {
        auto read = read_graph(*program, graph);
        if (!read) return tl::unexpected(read.error());
        graph = read->index;
        program = std::make_shared<const Program>(std::move(read->program));
    }
    ReinplaceSession::Options options;
    options.policy = policy.toStdString();
    options.donated = donated;
    auto session = ReinplaceSession::start(program->graphs[graph], std::move(options));
    if (!session) {
        Error error = session.error();
        if (error.file.empty()) error.file = program->path;
        return tl::unexpected(std::move(error));
    }
    GraphSession shown{program->graphs[graph].id, std::move(*session), no_node, {}};
    return OpenedProgram{std::move(program), std::move(shown)};
}

Result<OpenedProgram> openWithRanges(std::shared_ptr<const Program> program, std::size_t graph,
                                     ReinplaceSession::Options options, const std::vector<SymbolRange>& ranges,
                                     const SessionPlace& place) {
    const auto ranged = std::make_shared<Program>(*program);
    set_ranges(ranged->graphs[graph], ranges);
    auto session = ReinplaceSession::start(ranged->graphs[graph], std::move(options));
    if (!session) return tl::unexpected(session.error());
    place.restore(**session);
    OpenedProgram opened;
    opened.program = std::move(program);
    opened.shown.graph = ranged->graphs[graph].id;
    opened.shown.session = std::move(*session);
    opened.shown.selected = place.selected;
    opened.shown.ranges = ranges;
    if (!ranges.empty()) opened.shown.program = ranged;
    return opened;
}

} // namespace inspector
