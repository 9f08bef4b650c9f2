// The smallest graph found that makes the pass decide on a node as it does in a whole model: for a report of a bug.
#pragma once

#include <cstddef>
#include <string>

#include "core/graph/program.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct Reproduction {
    std::string text;       ///< a Python module that plain torch runs, and that read_text() reads
    std::string node;       ///< the node's name in it
    std::size_t nodes = 0;  ///< its graph's, inputs and output included
    ReinplaceSession::Options options; ///< to decide it by: policy, choices, donated inputs
};

/// For decision `index` of `session`, which must be made; `session` is on program.graphs[graph].
///
/// Found by trying: nodes are left out, their values becoming inputs, as long as the module, read again, is decided with
/// the same verdict, check and reason. Costs some hundred runs of the pass on small graphs. Errors: the node has no
/// form in Python; the decision rests on what Python does not say (a signature, storage that inputs share), and no
/// smaller graph gives it.
[[nodiscard]] Result<Reproduction> reproduce(const Program& program, std::size_t graph, const ReinplaceSession& session,
                                             std::uint32_t index);

} // namespace inspector
