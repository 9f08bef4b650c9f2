// What happens off the UI thread: reading a file, propagating metadata, starting a session.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <QString>

#include "core/passes/reinplace/session.h"

namespace inspector {

/// A program with a session on one of its graphs.
struct OpenedProgram {
    std::shared_ptr<const Program> program;
    std::size_t graph = 0;
    std::unique_ptr<ReinplaceSession> session;
};

/// Reads `path` and starts a session on its first graph. `progress` is called from the calling thread.
[[nodiscard]] Result<OpenedProgram> openProgram(const QString& path, const QString& policy,
                                                const std::atomic<bool>& cancelled,
                                                const std::function<void(int percent)>& progress);

/// Starts a session on another graph of an open program, or with another policy.
[[nodiscard]] Result<OpenedProgram> openGraph(std::shared_ptr<const Program> program, std::size_t graph,
                                              const QString& policy);

} // namespace inspector
