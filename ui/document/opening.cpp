#include "ui/document/opening.h"

#include "core/formats/reader.h"

namespace inspector {

Result<OpenedProgram> openProgram(const QString& path, const QString& policy, const std::atomic<bool>& cancelled,
                                  const std::function<void(int)>& progress) {
    ReadOptions options;
    options.cancelled = &cancelled;
    options.progress = progress;
    Result<Program> program = read_program(path.toStdString(), options);
    if (!program) {
        Error error = program.error();
        if (error.file.empty()) error.file = path.toStdString();
        return tl::unexpected(std::move(error));
    }
    if (program->graphs.empty())
        return tl::unexpected(Error{path.toStdString(), {}, "the file holds no graph"});
    return openGraph(std::make_shared<const Program>(std::move(*program)), 0, policy);
}

Result<OpenedProgram> openGraph(std::shared_ptr<const Program> program, std::size_t graph, const QString& policy) {
    ReinplaceSession::Options options;
    options.policy = policy.toStdString();
    auto session = ReinplaceSession::start(program->graphs[graph], std::move(options));
    if (!session) {
        Error error = session.error();
        if (error.file.empty()) error.file = program->path;
        return tl::unexpected(std::move(error));
    }
    return OpenedProgram{std::move(program), graph, std::move(*session)};
}

} // namespace inspector
