// Which lines of two texts are the same, as a difference of files shows it.
#pragma once

#include <vector>

#include <QStringList>

namespace inspector {

/// Lines that stand in one row; -1 where that side has none. A row with both either has equal lines, or lines of which
/// one took the place of the other.
struct AlignedRow {
    int before = -1;
    int after = -1;
    bool isSame = false;
};

/// Rows in the order of both texts. As few lines as possible differ (Myers, 1986); where thousands do, what stands between
/// the equal beginning and end counts as replaced.
[[nodiscard]] std::vector<AlignedRow> alignLines(const QStringList& before, const QStringList& after);

} // namespace inspector
