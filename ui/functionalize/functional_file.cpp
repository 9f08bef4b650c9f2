#include "ui/functionalize/functional_file.h"

#include "core/formats/functionalization/steps_json.h"
#include "ui/document/made_program.h"

namespace inspector {
namespace {

/// Calls `use` with the functionalized program.
template <typename Use>
auto withFunctional(const Program& program, std::size_t graph, Epilogue epilogue,
                    Use&& use) -> decltype(use(std::declval<MadeProgram>())) {
    auto functional = functionalize(program, graph, {epilogue});
    if (!functional) {
        functional.error().file = program.path;
        return tl::unexpected(std::move(functional.error()));
    }
    const auto steps = [&] {
        const auto session = FunctionalizeSession::start(program, graph, {epilogue});
        session->run_to_end();
        return functionalization_json(program.path, program.graphs[graph].id, *session);
    };
    return use(MadeProgram{program, *functional, graph, QStringLiteral("functional"), steps});
}

} // namespace

Result<void> writeFunctional(const Program& program, std::size_t graph, Epilogue epilogue, const QString& path) {
    return withFunctional(program, graph, epilogue, [&](const MadeProgram& made) { return writeMade(made, path); });
}

Result<QString> functionalFile(const Program& program, std::size_t graph, Epilogue epilogue) {
    return withFunctional(program, graph, epilogue, [](const MadeProgram& made) { return madeFile(made); });
}

} // namespace inspector
