// One mutation of the source graph as rich text: what it becomes, who must see it, how it is written back, who reads the
// new values, whether it came back.
#pragma once

#include <QPalette>
#include <QString>

#include "ui/functionalize/round_trip_session.h"

namespace inspector {

/// Of the step on `mutation`, or what there will be. Links: "node:N" chooses a node of the source or the functional graph,
/// "step:N" goes to where N steps are made.
[[nodiscard]] QString stepPage(const RoundTripSession& session, NodeId mutation, const QPalette& palette);

} // namespace inspector
