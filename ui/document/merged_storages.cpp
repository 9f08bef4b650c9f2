#include "ui/document/merged_storages.h"

namespace inspector {

MergedStorages MergedStorages::run(const ReinplaceSession& session) {
    MergedStorages result;
    result.merged_.resize(session.facts().storage_limit());
    for (StorageId id = 0; id < result.merged_.size(); ++id) result.merged_[id] = id;
    // In program order, so that an operand's storage is final before a result is put on it.
    for (const Decision& decision : session.decisions()) {
        if (!is_rewritten(decision) || decision.operand == no_node) continue;
        const Storage* own = session.storages().of(decision.node);
        const Storage* operand = session.storages().of(decision.operand);
        if (own && operand) result.merged_[own->id] = result.merged_[operand->id];
    }
    return result;
}

StorageId MergedStorages::of(const ReinplaceSession& session, NodeId node) const {
    // Nodes made by the pass are views of, or copies into, their first argument.
    while (node != no_node && !session.original().contains(node)) {
        if (!session.graph().contains(node)) return 0;
        const Node& created = session.graph().node(node);
        node = created.args.empty() ? no_node : created.args.front().node();
    }
    if (node == no_node) return 0;
    const Storage* storage = session.storages().of(node);
    return storage ? merged(storage->id) : 0;
}

StorageId MergedStorages::merged(StorageId original) const {
    return original < merged_.size() ? merged_[original] : original;
}

} // namespace inspector
