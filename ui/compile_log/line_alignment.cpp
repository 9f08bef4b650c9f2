#include "ui/compile_log/line_alignment.h"

#include <algorithm>

namespace inspector {
namespace {

/// Indices of equal lines, ascending on both sides.
using Matches = std::vector<std::pair<int, int>>;

/// Of before[begin, beforeEnd) and after[begin, afterEnd). The furthest point reached on each diagonal after each number
/// of differences is kept; the matches are read off it backwards.
Matches matches(const QStringList& before, const QStringList& after, int begin, int beforeEnd, int afterEnd) {
    constexpr int most_differences = 2000; // memory grows with its square
    const int rows = beforeEnd - begin;
    const int columns = afterEnd - begin;
    const int limit = std::min(rows + columns, most_differences);
    std::vector<std::vector<int>> reached; // [differences][diagonal + differences]
    for (int differences = 0; differences <= limit; ++differences) {
        std::vector<int> now(static_cast<std::size_t>(2 * differences + 1), 0);
        const auto previous = [&](int diagonal) { return reached.back()[static_cast<std::size_t>(diagonal + differences - 1)]; };
        for (int diagonal = -differences; diagonal <= differences; diagonal += 2) {
            int row = 0;
            if (differences > 0) {
                const bool is_insertion = diagonal == -differences || (diagonal != differences && previous(diagonal - 1) < previous(diagonal + 1));
                row = is_insertion ? previous(diagonal + 1) : previous(diagonal - 1) + 1;
            }
            while (row < rows && row - diagonal < columns && row - diagonal >= 0 && before[begin + row] == after[begin + row - diagonal]) ++row;
            now[static_cast<std::size_t>(diagonal + differences)] = row;
            if (row < rows || row - diagonal < columns) continue;

            Matches found;
            reached.push_back(std::move(now));
            int at_diagonal = diagonal;
            for (int left = differences; left >= 0; --left) {
                const auto furthest = [&](int step, int on) { return reached[static_cast<std::size_t>(step)][static_cast<std::size_t>(on + step)]; };
                int at = furthest(left, at_diagonal);
                int start = 0;
                int next_diagonal = at_diagonal;
                if (left > 0) {
                    const bool is_insertion = at_diagonal == -left ||
                                              (at_diagonal != left && furthest(left - 1, at_diagonal - 1) < furthest(left - 1, at_diagonal + 1));
                    next_diagonal = at_diagonal + (is_insertion ? 1 : -1);
                    start = is_insertion ? furthest(left - 1, next_diagonal) : furthest(left - 1, next_diagonal) + 1;
                }
                while (at > start) {
                    --at;
                    found.emplace_back(begin + at, begin + at - at_diagonal);
                }
                at_diagonal = next_diagonal;
            }
            std::ranges::reverse(found);
            return found;
        }
        reached.push_back(std::move(now));
    }
    return {};
}

} // namespace

std::vector<AlignedRow> alignLines(const QStringList& before, const QStringList& after) {
    int begin = 0;
    auto before_end = static_cast<int>(before.size());
    auto after_end = static_cast<int>(after.size());
    while (begin < std::min(before_end, after_end) && before[begin] == after[begin]) ++begin;
    while (before_end > begin && after_end > begin && before[before_end - 1] == after[after_end - 1]) {
        --before_end;
        --after_end;
    }
    std::vector<AlignedRow> rows;
    for (int i = 0; i < begin; ++i) rows.push_back({i, i, true});
    int left = begin;
    int right = begin;
    const auto differ_up_to = [&](int left_end, int right_end) {
        for (; left < left_end || right < right_end; ++left, ++right)
            rows.push_back({left < left_end ? left : -1, right < right_end ? right : -1, false});
        left = left_end;
        right = right_end;
    };
    for (const auto& [row, column] : matches(before, after, begin, before_end, after_end)) {
        differ_up_to(row, column);
        rows.push_back({row, column, true});
        left = row + 1;
        right = column + 1;
    }
    differ_up_to(before_end, after_end);
    for (int i = before_end; i < before.size(); ++i) rows.push_back({i, i - before_end + after_end, true});
    return rows;
}

} // namespace inspector
