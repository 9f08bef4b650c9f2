// Storages after the rewrites made so far: a reinplaced node's own storage is gone, its values live on its operand's.
#pragma once

#include <vector>

#include "core/passes/reinplace/session.h"

namespace inspector {

class MergedStorages {
public:
    /// Linear in the number of storages.
    [[nodiscard]] static MergedStorages run(const ReinplaceSession& session);
    /// Storage of a node of session.graph() or session.original(); 0 where there is none.
    [[nodiscard]] StorageId of(const ReinplaceSession& session, NodeId node) const;
    /// Where the values of an original storage live now.
    [[nodiscard]] StorageId merged(StorageId original) const;

private:
    std::vector<StorageId> merged_; ///< by original storage
};

} // namespace inspector
