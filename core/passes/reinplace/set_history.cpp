#include "core/passes/reinplace/set_history.h"

#include <utility>

namespace inspector {

SetHistory::SetHistory(StorageId storage_limit)
    : storage_limit_(storage_limit), steps_(storage_limit), last_added_(storage_limit, 0) {
    for (StorageId storage = 0; storage < storage_limit; ++storage)
        steps_[storage] = {.parent = storage, .jump = storage, .depth = 0, .root = storage, .added = storage};
}

SetHistory::Version SetHistory::ancestor(Version version, std::uint32_t depth) const {
    while (steps_[version].depth > depth) {
        const Step& step = steps_[version];
        version = steps_[step.jump].depth >= depth ? step.jump : step.parent;
    }
    return version;
}

bool SetHistory::is_ancestor(Version older, Version younger) const {
    return steps_[older].depth <= steps_[younger].depth && ancestor(younger, steps_[older].depth) == older;
}

bool SetHistory::contains(Version version, StorageId storage) const {
    if (steps_[version].root == storage) return true;
    for (Version step = last_added_[storage]; step != 0; step = steps_[step].added_before)
        if (is_ancestor(step, version)) return true;
    return false;
}

SetHistory::Version SetHistory::extend(Version parent, StorageId storage) {
    const Step& above = steps_[parent];
    const Step& jumped = steps_[above.jump];
    // Two jumps of equal length in a row become one of twice the length and one.
    const bool doubles = above.depth - jumped.depth == jumped.depth - steps_[jumped.jump].depth;
    const Step step{.parent = parent,
                    .jump = doubles ? jumped.jump : parent,
                    .depth = above.depth + 1,
                    .root = above.root,
                    .added = storage,
                    .added_before = last_added_[storage]};
    last_added_[storage] = static_cast<Version>(steps_.size());
    steps_.push_back(step);
    return last_added_[storage];
}

SetHistory::Version SetHistory::unite(Version a, Version b) {
    if (steps_[a].depth < steps_[b].depth) std::swap(a, b);
    missing_.clear();
    for (Version step = b; !is_ancestor(step, a); step = steps_[step].parent) {
        if (!contains(a, steps_[step].added)) missing_.push_back(steps_[step].added);
        if (steps_[step].depth == 0) break;
    }
    for (auto storage = missing_.rbegin(); storage != missing_.rend(); ++storage) a = extend(a, *storage);
    return a;
}

void SetHistory::undo_to(std::size_t size) {
    while (steps_.size() > size) {
        last_added_[steps_.back().added] = steps_.back().added_before;
        steps_.pop_back();
    }
}

} // namespace inspector
