#include "core/passes/reinplace/memory_use.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

ReinplaceSummary summarize(const ReinplaceSession& session) {
    ReinplaceSummary summary;
    summary.nodes = session.original().size();
    for (const Decision& decision : session.decisions()) {
        const bool is_candidate = decision.check != CheckId::not_an_operator &&
                                  decision.check != CheckId::no_arguments &&
                                  decision.check != CheckId::not_a_candidate &&
                                  decision.check != CheckId::first_argument_not_tensor;
        const bool rewritten = decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy;
        summary.candidates += is_candidate ? 1 : 0;
        summary.reinplaced += rewritten ? 1 : 0;
        std::int64_t saved = 0;
        if ((rewritten || decision.verdict == Verdict::deleted) &&
            !__builtin_add_overflow(summary.bytes_saved, decision.bytes, &saved))
            summary.bytes_saved = saved;
    }
    const MemoryUse memory = simulate_memory_use(session);
    summary.peak_before = memory.before.peak;
    summary.peak_after = memory.after.peak;
    return summary;
}

} // namespace inspector
