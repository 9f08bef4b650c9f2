#include "ui/graph_view/row_assignment.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace inspector {

namespace {

constexpr std::uint32_t no_row = 0xFFFFFFFF;
constexpr std::uint32_t fewest_rows_to_fold = 40;

class Rows {
public:
    Rows(const LayoutInput& input, const LayoutOptions& options) : input_(input), options_(options) {}

    RowAssignment run() {
        placed_.row_of.assign(input_.boxes.size(), no_row);
        place_program();
        place_beside_readers();
        fold();
        cut_edges();
        return std::move(placed_);
    }

private:
    void place_program() {
        std::vector<std::uint32_t> lowest_operand(input_.boxes.size(), no_row); // among boxes with a place so far
        const std::vector<std::vector<std::uint32_t>> readers = edges_by_source();
        std::uint32_t row = 0;
        float width = 0;
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box) {
            if (input_.boxes[box].is_beside_reader) continue;
            const bool is_after_operands = lowest_operand[box] == no_row || lowest_operand[box] < row;
            const float wider = width + input_.boxes[box].width + options_.box_gap;
            if (!is_after_operands || (width > 0 && wider > options_.widest_row)) {
                ++row;
                widths_.push_back(width);
                width = 0;
            }
            width += input_.boxes[box].width + options_.box_gap;
            placed_.row_of[box] = row;
            for (const std::uint32_t reader : readers[box])
                if (lowest_operand[reader] == no_row || lowest_operand[reader] < row) lowest_operand[reader] = row;
        }
        widths_.push_back(width);
    }

    std::vector<std::vector<std::uint32_t>> edges_by_source() const {
        std::vector<std::vector<std::uint32_t>> readers(input_.boxes.size());
        for (const LayoutEdge& edge : input_.edges)
            if (is_forward(edge, input_)) readers[edge.from].push_back(edge.to);
        return readers;
    }

    // Boxes beside readers fill up the row above their first reader; those that do not fit get rows of their own
    // between the two.
    void place_beside_readers() {
        const auto program_rows = static_cast<std::uint32_t>(widths_.size());
        std::vector<std::uint32_t> first_reader(input_.boxes.size(), no_row);
        for (const LayoutEdge& edge : input_.edges) {
            if (!is_forward(edge, input_) || !input_.boxes[edge.from].is_beside_reader) continue;
            first_reader[edge.from] = std::min(first_reader[edge.from], placed_.row_of[edge.to]);
        }
        std::vector<std::vector<std::uint32_t>> above(program_rows);
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box) {
            if (!input_.boxes[box].is_beside_reader) continue;
            above[first_reader[box] == no_row ? 0 : first_reader[box]].push_back(box);
        }
        std::vector<std::uint32_t> final_row(program_rows);
        std::uint32_t next = 0;
        for (std::uint32_t row = 0; row < program_rows; ++row) {
            float width = row == 0 ? options_.widest_row : widths_[row - 1];
            for (const std::uint32_t box : above[row]) {
                const float wider = width + input_.boxes[box].width + options_.box_gap;
                if (wider > options_.widest_row || next == 0) {
                    ++next;
                    width = 0;
                }
                width += input_.boxes[box].width + options_.box_gap;
                placed_.row_of[box] = next - 1;
            }
            final_row[row] = next++;
        }
        placed_.row_count = input_.boxes.empty() ? 0 : next;
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box)
            if (!input_.boxes[box].is_beside_reader) placed_.row_of[box] = final_row[placed_.row_of[box]];
    }

    // Columns of about equal height, each broken where the fewest edges pass among the last rows it could have.
    void fold() {
        placed_.column_starts.assign(1, 0);
        const std::uint32_t rows = placed_.row_count;
        if (!options_.folds || rows < fewest_rows_to_fold) return;
        float row_height = options_.reference_height;
        for (const LayoutBox& box : input_.boxes) row_height = std::max(row_height, box.height);
        row_height += options_.row_gap;
        // Lanes and chains that stand aside make a column wider than its widest row of boxes.
        const float width = *std::max_element(widths_.begin(), widths_.end()) * 1.5F + options_.column_gap;
        const float columns = std::round(std::sqrt(options_.aspect * static_cast<float>(rows) * row_height / width));
        if (columns < 2) return;
        const auto most = static_cast<std::uint32_t>(std::ceil(static_cast<float>(rows) / columns)) * 10 / 9;

        std::vector<std::int64_t> passing(rows + 1, 0); // edges from above a row to it or below it
        for (const LayoutEdge& edge : input_.edges) {
            if (!is_drawn(edge, input_, placed_)) continue;
            const std::uint32_t from = placed_.row_of[edge.from];
            const std::uint32_t to = placed_.row_of[edge.to];
            if (to - from > options_.longest_edge) continue;
            ++passing[from + 1];
            --passing[to + 1];
        }
        std::partial_sum(passing.begin(), passing.end(), passing.begin());
        for (std::uint32_t start = 0; rows - start > most; start = placed_.column_starts.back()) {
            const auto first = passing.begin() + start + most * 4 / 5;
            const auto last = passing.begin() + start + most + 1;
            // The last of the best.
            const auto best = std::min_element(std::reverse_iterator(last), std::reverse_iterator(first));
            placed_.column_starts.push_back(static_cast<std::uint32_t>(best.base() - 1 - passing.begin()));
        }
        make_room_for_references();
    }

    // Where a column ends and the next begins, a row each for the references to what is on the other side.
    void make_room_for_references() {
        std::vector<std::uint32_t>& starts = placed_.column_starts;
        for (std::uint32_t& row : placed_.row_of) {
            const auto column = std::upper_bound(starts.begin(), starts.end(), row) - starts.begin() - 1;
            row += 2 * static_cast<std::uint32_t>(column);
        }
        for (std::uint32_t column = 1; column < starts.size(); ++column) starts[column] += 2 * column - 1;
        placed_.row_count += 2 * static_cast<std::uint32_t>(starts.size() - 1);
    }

    void cut_edges() {
        placed_.is_cut.assign(input_.edges.size(), false);
        std::vector<std::uint32_t> column_of(placed_.row_count);
        for (std::uint32_t row = 0, column = 0; row < placed_.row_count; ++row) {
            if (column + 1 < placed_.column_starts.size() && placed_.column_starts[column + 1] == row) ++column;
            column_of[row] = column;
        }
        std::vector<std::vector<std::uint32_t>> far_operands(input_.boxes.size());
        std::vector<std::vector<std::uint32_t>> far_readers(input_.boxes.size());
        for (std::uint32_t index = 0; index < input_.edges.size(); ++index) {
            const LayoutEdge& edge = input_.edges[index];
            if (!is_drawn(edge, input_, placed_)) continue;
            const std::uint32_t from = placed_.row_of[edge.from];
            const std::uint32_t to = placed_.row_of[edge.to];
            if (to - from <= options_.longest_edge && column_of[from] == column_of[to]) continue;
            placed_.is_cut[index] = true;
            far_operands[edge.to].push_back(edge.from);
            far_readers[edge.from].push_back(edge.to);
        }
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box) {
            const auto add = [&](bool is_above_reader, std::uint32_t other, std::size_t count) {
                const std::uint32_t row = placed_.row_of[box];
                placed_.references.push_back({.is_above_reader = is_above_reader,
                                              .box = box,
                                              .other = other,
                                              .count = static_cast<std::uint32_t>(count),
                                              .row = is_above_reader ? row - 1 : row + 1,
                                              .width = input_.boxes[other].reference_width,
                                              .centre = {}});
            };
            const std::vector<std::uint32_t>& operands = far_operands[box];
            if (operands.size() > options_.most_references) add(true, operands.front(), operands.size());
            else
                for (const std::uint32_t operand : operands) add(true, operand, 1);
            const std::vector<std::uint32_t>& readers = far_readers[box];
            if (!readers.empty()) add(false, *std::min_element(readers.begin(), readers.end()), readers.size());
        }
        std::stable_sort(placed_.references.begin(), placed_.references.end(),
                         [](const LayoutReference& a, const LayoutReference& b) { return a.row < b.row; });
    }

    const LayoutInput& input_;
    const LayoutOptions& options_;
    RowAssignment placed_;
    std::vector<float> widths_; ///< of the program's rows
};

} // namespace

RowAssignment assign_rows(const LayoutInput& input, const LayoutOptions& options) { return Rows(input, options).run(); }

} // namespace inspector
