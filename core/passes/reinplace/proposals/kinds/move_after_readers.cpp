// The write comes after those who read the old value.
#include <algorithm>

#include "core/passes/reinplace/proposals/kinds.h"

namespace inspector {

std::vector<Change> move_after_readers(const RefusedNode& refused) {
    const Graph& graph = refused.graph();
    NodeId last = no_node;
    for (const auto& [reader, value] : refused.later_uses())
        if (last == no_node || graph.is_before(last, reader)) last = reader;
    const Operator* op = refused.op(refused.node);
    if (last == no_node || graph.node(last).opcode == Opcode::output || !op || op->has_tag("nondeterministic_seeded"))
        return {};
    if (std::ranges::any_of(graph.users(refused.node), [&](NodeId user) { return !graph.is_before(last, user); }))
        return {};
    const NodeId place = graph.next(last);
    if (refused.is_written_between(refused.node, place, refused.storages_read(refused.node))) return {};
    SentenceWriter words(graph);
    words << "move " << refused.node << " after " << last;
    return {
        {ChangeKind::move_after_readers,
         {refused.node, last},
         words.take(),
         [node = refused.node, place](ChangedProgram& changed) { changed.program.graph.move_before(node, place); }}};
}

} // namespace inspector
