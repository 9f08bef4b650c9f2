#include "core/passes/reinplace/memory_use.h"

#include <span>

namespace inspector {
namespace {

/// Storages after the rewrites so far: a result written in place lives on its operand's storage.
class RewrittenStorages {
public:
    /// `bytes` by storage; those of clones that the pass makes are added.
    RewrittenStorages(const ReinplaceSession& session, std::vector<std::int64_t>& bytes)
        : session_(session), bytes_(bytes), owner_(session.facts().storage_limit()), created_(session.graph().id_limit()) {
        for (StorageId storage = 0; storage < owner_.size(); ++storage) owner_[storage] = storage;
        for (const Decision& decision : session.decisions()) {
            if (!is_rewritten(decision) || decision.operand == no_node) continue;
            const auto& own = session.facts().storages(decision.node);
            const auto& operand = session.facts().storages(decision.operand);
            if (own.size() == 1 && operand.size() == 1) owner_[own.front()] = owner_[operand.front()];
        }
        for (const NodeId id : session.graph()) created_[index_of(id)] = storages_of(id);
    }

    [[nodiscard]] std::span<const StorageId> operator()(NodeId id) const { return created_[index_of(id)]; }

private:
    [[nodiscard]] std::vector<StorageId> storages_of(NodeId id) {
        // Nodes made by the pass are clones of, views of, or copies into their first argument; that one stands before them.
        if (index_of(id) >= session_.facts().size()) {
            const Node& node = session_.graph().node(id);
            const NodeId base = node.args.empty() ? no_node : node.args[0].node();
            if (base == no_node || created_[index_of(base)].empty()) return {};
            if (node.target != "torch.ops.aten.clone.default") return created_[index_of(base)];
            bytes_.push_back(bytes_[created_[index_of(base)].front()]);
            return {static_cast<StorageId>(bytes_.size() - 1)};
        }
        std::vector<StorageId> storages = session_.facts().storages(id);
        for (StorageId& storage : storages) storage = owner_[storage];
        return storages;
    }

    const ReinplaceSession& session_;
    std::vector<std::int64_t>& bytes_;
    std::vector<StorageId> owner_;
    std::vector<std::vector<StorageId>> created_; ///< per node of the rewritten graph
};

} // namespace

MemoryUse simulate_memory_use(const ReinplaceSession& session) {
    std::vector<std::int64_t> bytes(session.facts().storage_limit(), 0);
    MemoryUse memory;
    for (const Storage& storage : session.storages().all()) {
        bytes[storage.id] = storage.bytes;
        const bool is_held = storage.is_input || session.original().node(storage.root).opcode == Opcode::get_attr;
        std::int64_t sum = 0;
        if (is_held && !__builtin_add_overflow(memory.held, storage.bytes, &sum)) memory.held = sum;
    }
    memory.before = simulate_memory(session.original(), [&](NodeId id) -> std::span<const StorageId> {
        return session.facts().storages(id);
    }, bytes);
    const RewrittenStorages rewritten(session, bytes);
    memory.after = simulate_memory(session.graph(), [&](NodeId id) { return rewritten(id); }, bytes);
    return memory;
}

} // namespace inspector
