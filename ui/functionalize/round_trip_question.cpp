#include "ui/functionalize/round_trip_question.h"

#include <QCoreApplication>

#include "core/passes/reinplace/session.h"

namespace inspector {
namespace {

Result<Program> reinplaced(Program functional, std::size_t graph) {
    ReinplaceSession::Options policy;
    policy.policy = "sound";
    const auto session = ReinplaceSession::start(functional.graphs[graph], std::move(policy));
    if (!session) return tl::unexpected(session.error());
    (*session)->run_to_end();
    functional.graphs[graph].graph = (*session)->graph();
    return functional;
}

} // namespace

EquivalenceQuestion roundTripQuestion(const Document& document, Epilogue epilogue) {
    EquivalenceQuestion question;
    question.source = document.sharedProgram();
    question.graph = document.graphIndex();
    question.forms = {QCoreApplication::translate("RoundTrip", "Functionalized"),
                      QCoreApplication::translate("RoundTrip", "Reinplaced")};
    question.make = [source = question.source, graph = question.graph, epilogue](std::size_t form) -> Result<Program> {
        auto functional = functionalize(*source, graph, {epilogue});
        return functional && form == 1 ? reinplaced(std::move(*functional), graph) : functional;
    };
    return question;
}

} // namespace inspector
