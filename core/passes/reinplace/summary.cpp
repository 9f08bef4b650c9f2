#include <algorithm>
#include <span>

#include "core/analysis/memory_timeline.h"
#include "core/passes/reinplace/session.h"

namespace inspector {
namespace {

/// Storages after the rewrites so far: a result written in place lives on its operand's storage.
class RewrittenStorages {
public:
    explicit RewrittenStorages(const ReinplaceSession& session)
        : session_(session), owner_(session.facts().storage_limit()), created_(session.graph().id_limit()) {
        for (StorageId storage = 0; storage < owner_.size(); ++storage) owner_[storage] = storage;
        for (const Decision& decision : session.decisions()) {
            const bool moved = decision.verdict == Verdict::reinplaced ||
                               decision.verdict == Verdict::scatter_to_copy || decision.verdict == Verdict::deleted;
            if (!moved || decision.operand == no_node) continue;
            const auto& own = session.facts().storages(decision.node);
            const auto& operand = session.facts().storages(decision.operand);
            if (own.size() == 1 && operand.size() == 1) owner_[own.front()] = owner_[operand.front()];
        }
        for (const NodeId id : session.graph()) created_[index_of(id)] = storages_of(id);
    }

    [[nodiscard]] std::span<const StorageId> operator()(NodeId id) const { return created_[index_of(id)]; }

private:
    [[nodiscard]] std::vector<StorageId> storages_of(NodeId id) const {
        // Nodes made by the pass are views of, or copies into, their first argument; that one stands before them.
        if (index_of(id) >= session_.facts().size()) {
            const auto& args = session_.graph().node(id).args;
            return args.empty() || args[0].node() == no_node ? std::vector<StorageId>{}
                                                             : created_[index_of(args[0].node())];
        }
        std::vector<StorageId> storages = session_.facts().storages(id);
        for (StorageId& storage : storages) storage = owner_[storage];
        return storages;
    }

    const ReinplaceSession& session_;
    std::vector<StorageId> owner_;
    std::vector<std::vector<StorageId>> created_; ///< per node of the rewritten graph
};

} // namespace

ReinplaceSummary summarize(const ReinplaceSession& session) {
    ReinplaceSummary summary;
    summary.nodes = session.original().size();
    for (const Decision& decision : session.decisions()) {
        const bool is_candidate = decision.check != CheckId::not_an_operator &&
                                  decision.check != CheckId::no_arguments &&
                                  decision.check != CheckId::first_argument_not_tensor;
        const bool rewritten = decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy;
        summary.candidates += is_candidate ? 1 : 0;
        summary.reinplaced += rewritten ? 1 : 0;
        std::int64_t saved = 0;
        if ((rewritten || decision.verdict == Verdict::deleted) &&
            !__builtin_add_overflow(summary.bytes_saved, decision.bytes, &saved))
            summary.bytes_saved = saved;
    }
    std::vector<std::int64_t> bytes(session.facts().storage_limit(), 0);
    for (const Storage& storage : session.storages().all()) bytes[storage.id] = storage.bytes;
    summary.peak_before = simulate_memory(session.original(), [&](NodeId id) -> std::span<const StorageId> {
        return session.facts().storages(id);
    }, bytes).peak;
    const RewrittenStorages rewritten(session);
    summary.peak_after = simulate_memory(session.graph(), [&](NodeId id) { return rewritten(id); }, bytes).peak;
    return summary;
}

} // namespace inspector
