// Sets of storages that grow by union and keep every earlier state: the alias sets of the re-inplacing pass.
//
//     {a} ── +b ── +c          version 3 = {a, b, c}; version 2 = {a, b} still stands,
//               └─ +d          and version 4 = {a, b, d} branched off it
//
// torch.fx.passes.reinplace copies its sets when it merges two, so that a later merge does not reach earlier copies. Here
// a copy is a version number. Versions form a tree; a storage is in a version exactly when the step that added it is the
// version itself or an ancestor of it, which jump pointers answer in logarithmic time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operators/infer.h"

namespace inspector {

class SetHistory {
public:
    /// Names one state of one set. Version `s` is the set {s}, for every storage s below the limit.
    using Version = std::uint32_t;

    explicit SetHistory(StorageId storage_limit);

    [[nodiscard]] bool contains(Version version, StorageId storage) const;
    /// Union of both. Extends the longer history by what only the other has; gives one of the two back where that is
    /// already the union. Cost: the shorter history down to where the two meet.
    [[nodiscard]] Version unite(Version a, Version b);

    /// Number of versions made: undo is taking back to an earlier number.
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    void undo_to(std::size_t size);

private:
    struct Step {
        Version parent = 0;
        Version jump = 0;               ///< an ancestor far above; skew-binary distances
        std::uint32_t depth = 0;
        StorageId root = 0;             ///< the storage at the root of this tree
        StorageId added = 0;
        Version added_before = 0;       ///< previous step that added the same storage, in any tree; 0: none
    };

    [[nodiscard]] Version ancestor(Version version, std::uint32_t depth) const;
    [[nodiscard]] bool is_ancestor(Version older, Version younger) const;
    Version extend(Version parent, StorageId storage);

    StorageId storage_limit_;
    std::vector<Step> steps_;
    std::vector<StorageId> missing_;  ///< unite's scratch
    std::vector<Version> last_added_; ///< per storage: last step that added it, apart from its own root; 0: none
};

} // namespace inspector
