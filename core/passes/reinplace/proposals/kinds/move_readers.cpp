// Those who read the old value come before the write.
#include <algorithm>

#include "core/passes/reinplace/proposals/kinds.h"
#include "core/passes/reinplace/proposals/movable.h"

namespace inspector {

std::vector<Change> move_readers(const RefusedNode& refused) {
    std::vector<NodeId> readers;
    for (const auto& [reader, value] : refused.later_uses()) {
        if (std::ranges::find(readers, reader) != readers.end() || !movable_before(refused, {reader})) continue;
        readers.push_back(reader);
    }
    const auto moved = movable_before(refused, readers);
    if (!moved || moved->empty()) return {};
    SentenceWriter words(refused.graph());
    words << "move ";
    for (std::size_t i = 0; i < moved->size(); ++i)
        words << (i == 0 ? "" : i + 1 == moved->size() ? " and " : ", ") << (*moved)[i];
    words << " before " << refused.node;
    std::vector<NodeId> nodes = *moved;
    nodes.push_back(refused.node);
    return {{ChangeKind::move_readers, std::move(nodes), words.take(),
             [moved = *moved, place = refused.node](ChangedProgram& changed) {
                 for (const NodeId node : moved) changed.program.graph.move_before(node, place);
             }}};
}

} // namespace inspector
