// Places in one row: as near as possible to where each wants to be, in the given order, without overlap.
#pragma once

#include <span>
#include <vector>

namespace inspector {

struct RowItem {
    float wanted = 0;   ///< centre
    float weight = 1;   ///< how much it matters to be there; above 0
    float width = 0;
    float gap = 0;      ///< free space this item wants; two neighbours keep the smaller of theirs
    float centre = 0;   ///< result
};

/// The order's least-squares solution (isotonic regression by pooling neighbours); linear.
void place_in_order(std::span<RowItem> items);

} // namespace inspector
