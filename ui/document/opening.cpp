#include "ui/document/opening.h"

#include <algorithm>
#include <iterator>

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

Result<OpenedProgram> opened(Result<Program> program, const std::string& path, const QString& policy) {
    const auto failure = [&path](Error error) {
        if (error.file.empty()) error.file = path;
        return tl::unexpected(std::move(error));
    };
    if (!program) return failure(program.error());
    if (program->graphs.empty()) return failure({{}, {}, "the file holds no graph"});
    if (program->saved) {
        OpenedProgram made;
        const auto restore = [&](const SavedSession& saved) -> Result<GraphSession> {
            const ProgramGraph& graph = program->graphs[saved.graph];
            return restore_session(graph, saved).map([&](RestoredSession&& restored) {
                std::ranges::move(restored.notes, std::back_inserter(made.notes));
                return GraphSession{graph.id, std::move(restored.session), restored.selected, {}};
            });
        };
        auto shown = restore(*program->saved);
        if (!shown) return failure(shown.error());
        made.shown = std::move(*shown);
        for (const SavedSession& each : program->other_sessions) {
            auto other = restore(each);
            if (!other) return failure(other.error());
            made.others.push_back(std::move(*other));
        }
        made.program = std::make_shared<const Program>(std::move(*program));
        return made;
    }
    return openGraph(std::make_shared<const Program>(std::move(*program)), 0, policy, {});
}

} // namespace

Result<OpenedProgram> openProgram(const QString& path, const OpeningContext& context) {
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
