#include "ui/document/opening.h"

#include "core/formats/reader.h"
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
        auto restored = restore_session(program->graphs[program->saved->graph], *program->saved);
        if (!restored) return failure(restored.error());
        auto shared = std::make_shared<const Program>(std::move(*program));
        return OpenedProgram{shared, shared->saved->graph, std::move(restored->session), restored->selected,
                             std::move(restored->notes)};
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
    return OpenedProgram{std::move(program), graph, std::move(*session), no_node, {}};
}

} // namespace inspector
