// A graph as it is drawn: boxes with a verdict's mark and a storage's colour, arrows for data, dashed ones for views.
// DOT text and the SVG writer both start from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/dot/verdict_look.h"
#include "core/passes/reinplace/session.h"
#include "core/graph/program.h"
#include "core/operators/infer.h"
#include "core/passes/reinplace/decision.h"

namespace inspector {

struct PictureNode {
    std::string name;
    std::string operation;   ///< "aten.add.Tensor", "placeholder"
    std::string layout;      ///< "f32[4, 4]"; empty where nothing is known
    const VerdictLook* look = nullptr;
    StorageId storage = 0;
};

/// From a value to a node that reads it, by position in `Picture::nodes`; `from` is before `to`.
struct PictureEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool is_view = false;    ///< `to` is a view of `from`
};

struct Picture {
    std::string title;
    std::vector<PictureNode> nodes; ///< program order
    std::vector<PictureEdge> edges; ///< by `to`, then by the order of its arguments
};

/// Texts are one line each and valid UTF-8. `graph` is drawn as it stands: after a pass, give the rewritten graph and the
/// session that made it; nullptr: nothing was decided.
[[nodiscard]] Picture make_picture(const ProgramGraph& graph, const ReinplaceSession* session);

} // namespace inspector
