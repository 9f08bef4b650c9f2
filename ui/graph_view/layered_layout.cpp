#include "ui/graph_view/layered_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "ui/graph_view/layout_columns.h"
#include "ui/graph_view/row_assignment.h"
#include "ui/graph_view/row_placement.h"

namespace inspector {

namespace {

/// What takes room in a row: a box, a reference, or the lane of one value past the row. Slots are numbered in this
/// order: all boxes, all references, all lanes.
struct Slot {
    float width = 0;
    float gap = 0;
    float x = 0;
    std::uint32_t row = 0;
};

/// Two slots in neighbouring rows (or, for a box's reference, neighbouring too) that want to be below each other.
/// The weights say how much each of them cares.
struct Link {
    std::uint32_t upper = 0;
    std::uint32_t lower = 0;
    float upper_weight = 1;
    float lower_weight = 1;
};

struct Neighbour { std::uint32_t slot = 0; float weight = 1; };

/// Lists of neighbours, one after the other.
struct Neighbours {
    std::vector<std::uint32_t> starts;
    std::vector<Neighbour> items;
    [[nodiscard]] std::span<const Neighbour> of(std::uint32_t slot) const {
        return {items.data() + starts[slot], items.data() + starts[slot + 1]};
    }
};

enum class Side : std::uint8_t { above, below };

Neighbours neighbours_on(Side side, const std::vector<Link>& links, std::size_t slot_count) {
    Neighbours result;
    result.starts.assign(slot_count + 1, 0);
    const auto owner = [side](const Link& link) { return side == Side::above ? link.lower : link.upper; };
    for (const Link& link : links) ++result.starts[owner(link) + 1];
    std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
    result.items.resize(links.size());
    std::vector<std::uint32_t> next(result.starts.begin(), result.starts.end() - 1);
    for (const Link& link : links)
        result.items[next[owner(link)]++] = side == Side::above ? Neighbour{link.upper, link.lower_weight}
                                                                : Neighbour{link.lower, link.upper_weight};
    return result;
}

class LayeredLayout {
public:
    LayeredLayout(const LayoutInput& input, const LayoutOptions& options)
        : input_(input), options_(options), rows_(assign_rows(input, options)) {}

    GraphLayout run() {
        make_slots();
        make_lanes();
        link_slots();
        order_rows();
        sweep();
        for (int pass = 0; pass < options_.sweeps && !is_cancelled(); ++pass) straighten();
        return result();
    }

private:
    static constexpr float main_operand = 4;
    static constexpr float other_operand = 1;
    static constexpr float lane_to_lane = 40;
    static constexpr float attached = 0.05F; ///< an input or reference gives way; its reader does not care
    static constexpr float towards_middle = 0.02F; ///< else long graphs drift to one side
    static constexpr float unattached = 0.2F; ///< what has no neighbour stays

    [[nodiscard]] bool is_cancelled() const { return options_.cancelled && *options_.cancelled; }
    [[nodiscard]] bool has_lane(std::size_t edge) const {
        return is_drawn(input_.edges[edge], input_, rows_) && !rows_.is_cut[edge];
    }
    [[nodiscard]] std::uint32_t reference_slot(std::size_t reference) const {
        return static_cast<std::uint32_t>(input_.boxes.size() + reference);
    }

    void make_slots() {
        slots_.reserve(input_.boxes.size() * 2);
        for (std::size_t box = 0; box < input_.boxes.size(); ++box)
            slots_.push_back({input_.boxes[box].width, options_.box_gap, 0, rows_.row_of[box]});
        for (const LayoutReference& reference : rows_.references)
            slots_.push_back({reference.width, options_.lane_gap, 0, reference.row});
    }

    // All edges of one value share its lanes, from the row below it to the row above its last reader.
    void make_lanes() {
        last_row_.assign(input_.boxes.size(), 0);
        for (std::size_t edge = 0; edge < input_.edges.size(); ++edge) {
            if (!has_lane(edge)) continue;
            std::uint32_t& last = last_row_[input_.edges[edge].from];
            last = std::max(last, rows_.row_of[input_.edges[edge].to]);
        }
        first_lane_.resize(input_.boxes.size());
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box) {
            first_lane_[box] = static_cast<std::uint32_t>(slots_.size());
            for (std::uint32_t row = rows_.row_of[box] + 1; row < last_row_[box]; ++row)
                slots_.push_back({0, options_.lane_gap, 0, row});
        }
    }

    /// Where the value of `box` is in a row below it that its lanes reach; in its own row the box itself.
    [[nodiscard]] std::uint32_t slot_of_value(std::uint32_t box, std::uint32_t row) const {
        return row == rows_.row_of[box] ? box : first_lane_[box] + (row - rows_.row_of[box] - 1);
    }

    void link_slots() {
        std::vector<Link> links;
        links.reserve(slots_.size() * 2);
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box)
            for (std::uint32_t row = rows_.row_of[box] + 1; row < last_row_[box]; ++row)
                links.push_back({slot_of_value(box, row - 1), slot_of_value(box, row), lane_to_lane, lane_to_lane});
        std::vector<std::uint32_t> latest_operand(input_.boxes.size(), 0); // the one that a reader stands below
        for (std::size_t edge = 0; edge < input_.edges.size(); ++edge) {
            const auto [from, to] = input_.edges[edge];
            const bool is_operand = has_lane(edge) && !input_.boxes[from].is_beside_reader;
            if (is_operand) latest_operand[to] = std::max(latest_operand[to], from);
        }
        for (std::size_t edge = 0; edge < input_.edges.size(); ++edge) {
            const auto [from, to] = input_.edges[edge];
            if (!has_lane(edge)) continue;
            const bool is_input = input_.boxes[from].is_beside_reader;
            const float weight = is_input ? attached : from == latest_operand[to] ? main_operand : other_operand;
            links.push_back({slot_of_value(from, rows_.row_of[to] - 1), to, weight, is_input ? 0 : weight});
        }
        for (std::size_t i = 0; i < rows_.references.size(); ++i) {
            const LayoutReference& reference = rows_.references[i];
            if (reference.is_above_reader) links.push_back({reference_slot(i), reference.box, attached, 0});
            else links.push_back({reference.box, reference_slot(i), 0, attached});
        }
        above_ = neighbours_on(Side::above, links, slots_.size());
        below_ = neighbours_on(Side::below, links, slots_.size());
    }

    // The order before the first sweep: that of the program, inputs and references where their box is.
    void order_rows() {
        std::vector<std::uint32_t> rank(slots_.size());
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box) {
            rank[box] = box;
            for (std::uint32_t row = rows_.row_of[box] + 1; row < last_row_[box]; ++row)
                rank[slot_of_value(box, row)] = box;
        }
        for (std::size_t edge = input_.edges.size(); edge-- > 0;)
            if (has_lane(edge) && input_.boxes[input_.edges[edge].from].is_beside_reader)
                rank[input_.edges[edge].from] = input_.edges[edge].to;
        for (std::size_t i = 0; i < rows_.references.size(); ++i)
            rank[reference_slot(i)] = rows_.references[i].box;

        row_starts_.assign(rows_.row_count + 1, 0);
        for (const Slot& slot : slots_) ++row_starts_[slot.row + 1];
        std::partial_sum(row_starts_.begin(), row_starts_.end(), row_starts_.begin());
        in_rows_.resize(slots_.size());
        std::vector<std::uint32_t> next(row_starts_.begin(), row_starts_.end() - 1);
        for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) in_rows_[next[slots_[slot].row]++] = slot;
        for (std::uint32_t row = 0; row < rows_.row_count; ++row) {
            const std::span<std::uint32_t> members = slots_in(row);
            std::stable_sort(members.begin(), members.end(), [&](auto a, auto b) { return rank[a] < rank[b]; });
            place(row, [](std::uint32_t) { return Wish{0, 1}; });
        }
    }

    [[nodiscard]] std::span<std::uint32_t> slots_in(std::uint32_t row) {
        return {in_rows_.data() + row_starts_[row], in_rows_.data() + row_starts_[row + 1]};
    }

    struct Wish { float x; float weight; };

    [[nodiscard]] Wish wish(std::uint32_t slot, std::span<const Neighbours* const> sides) const {
        float sum = 0;
        float weight = 0;
        for (const Neighbours* side : sides) {
            for (const Neighbour& neighbour : side->of(slot)) {
                sum += slots_[neighbour.slot].x * neighbour.weight;
                weight += neighbour.weight;
            }
        }
        return weight > 0 ? Wish{sum / weight, weight} : Wish{slots_[slot].x, unattached};
    }

    template <typename WishOf> void place(std::uint32_t row, WishOf&& wish_of) {
        items_.clear();
        for (const std::uint32_t slot : slots_in(row)) {
            const Wish wanted = wish_of(slot);
            const float weight = wanted.weight + towards_middle;
            items_.push_back({wanted.x * wanted.weight / weight, weight, slots_[slot].width, slots_[slot].gap, 0});
        }
        place_in_order(items_);
        for (std::size_t i = 0; const std::uint32_t slot : slots_in(row)) slots_[slot].x = items_[i++].centre;
    }

    void order_by_wish(std::uint32_t row, std::span<const Neighbours* const> sides) {
        const std::span<std::uint32_t> members = slots_in(row);
        keys_.clear();
        for (const std::uint32_t slot : members) keys_.emplace_back(wish(slot, sides).x, slot);
        std::stable_sort(keys_.begin(), keys_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < members.size(); ++i) members[i] = keys_[i].second;

        // A value passes between its readers rather than beside them.
        const auto is_lane = [this](std::uint32_t slot) { return slot >= reference_slot(rows_.references.size()); };
        for (std::size_t first = 0, last = 0; first < members.size(); first = last) {
            while (last < members.size() && keys_[last].first == keys_[first].first) ++last;
            if (last - first < 3) continue;
            const auto equal = members.subspan(first, last - first);
            const auto lanes = std::stable_partition(equal.begin(), equal.end(), std::not_fn(is_lane));
            std::rotate(equal.begin() + (lanes - equal.begin()) / 2, lanes, equal.end());
        }
    }

    void sweep() {
        const std::array<const Neighbours*, 2> both{&above_, &below_};
        const std::span<const Neighbours* const> above(both.data(), 1);
        const std::span<const Neighbours* const> below(both.data() + 1, 1);
        const int passes = 2 * options_.sweeps;
        for (int pass = 0; pass < passes && !is_cancelled(); ++pass) {
            const bool is_down = pass % 2 == 0;
            const bool is_ordering = pass < options_.sweeps;
            const std::span<const Neighbours* const> sides = is_ordering ? (is_down ? above : below) : std::span(both);
            for (std::uint32_t i = 0; i < rows_.row_count; ++i) {
                const std::uint32_t row = is_down ? i : rows_.row_count - 1 - i;
                if (is_ordering) order_by_wish(row, sides);
                place(row, [&](std::uint32_t slot) { return wish(slot, sides); });
            }
            if (options_.progress) options_.progress(100 * (pass + 1) / passes);
        }
    }

    // Chains: a value, its lanes, the reader that stands below it, that one's lanes and so on. As far as the slots
    // beside it allow, a chain is one vertical line, where what it is linked to besides wants it.
    void straighten() {
        place_of_.resize(slots_.size());
        for (std::uint32_t i = 0; i < in_rows_.size(); ++i) place_of_[in_rows_[i]] = i;
        std::vector<bool> is_done(slots_.size(), false);
        for (const std::uint32_t start : in_rows_) {
            if (is_done[start]) continue;
            Room room = room_beside(start);
            chain_.assign(1, start);
            for (std::uint32_t slot = below_in_chain(start); slot != no_slot; slot = below_in_chain(slot)) {
                if (is_done[slot]) break;
                const Room next = room_beside(slot);
                const Room both{std::max(room.left, next.left), std::min(room.right, next.right)};
                if (both.left > both.right) break;
                room = both;
                chain_.push_back(slot);
            }
            const float x = std::clamp(wish_of_chain(), room.left, room.right);
            for (const std::uint32_t slot : chain_) {
                slots_[slot].x = x;
                is_done[slot] = true;
            }
        }
    }

    static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

    /// The neighbour below that cares most to be below `slot`, where `slot` is what it cares most about too.
    [[nodiscard]] std::uint32_t below_in_chain(std::uint32_t slot) const {
        const auto dearest = [](std::span<const Neighbour> neighbours) {
            std::uint32_t best = no_slot;
            float weight = attached;
            for (const Neighbour& neighbour : neighbours)
                if (neighbour.weight > weight) { best = neighbour.slot; weight = neighbour.weight; }
            return best;
        };
        const std::uint32_t below = dearest(below_.of(slot));
        return below != no_slot && dearest(above_.of(below)) == slot ? below : no_slot;
    }

    struct Room { float left; float right; }; ///< where the centre may be; never empty

    [[nodiscard]] Room room_beside(std::uint32_t slot) const {
        const std::uint32_t place = place_of_[slot];
        const std::uint32_t row = slots_[slot].row;
        const float x = slots_[slot].x;
        Room room{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
        const auto distance = [&](std::uint32_t other) {
            return (slots_[other].width + slots_[slot].width) / 2 + std::min(slots_[other].gap, slots_[slot].gap);
        };
        if (place > row_starts_[row]) {
            const std::uint32_t left = in_rows_[place - 1];
            room.left = std::min(x, slots_[left].x + distance(left));
        }
        if (place + 1 < row_starts_[row + 1]) {
            const std::uint32_t right = in_rows_[place + 1];
            room.right = std::max(x, slots_[right].x - distance(right));
        }
        return room;
    }

    [[nodiscard]] float wish_of_chain() const {
        float sum = 0;
        float weight = 0;
        for (std::size_t i = 0; i < chain_.size(); ++i) {
            weight += towards_middle;
            for (const Neighbours* side : {&above_, &below_}) {
                for (const Neighbour& neighbour : side->of(chain_[i])) {
                    const bool is_inside = (i > 0 && neighbour.slot == chain_[i - 1]) ||
                                           (i + 1 < chain_.size() && neighbour.slot == chain_[i + 1]);
                    if (is_inside) continue;
                    sum += slots_[neighbour.slot].x * neighbour.weight;
                    weight += neighbour.weight;
                }
            }
        }
        return sum / weight;
    }

    GraphLayout result() {
        GraphLayout layout;
        layout.row_of = rows_.row_of;
        layout.references = rows_.references;
        layout.centres.resize(input_.boxes.size());
        set_rows(layout);
        set_places(layout);
        set_routes(layout);
        place_columns(layout, input_, rows_, options_);
        return layout;
    }

    void set_rows(GraphLayout& layout) {
        float y = 0;
        for (std::uint32_t row = 0; row < rows_.row_count; ++row) {
            LayoutRow made{y, y, static_cast<std::uint32_t>(layout.boxes_in_rows.size()), 0};
            float height = 0;
            for (const std::uint32_t slot : slots_in(row)) {
                if (slot < input_.boxes.size()) {
                    height = std::max(height, input_.boxes[slot].height);
                    layout.boxes_in_rows.push_back(slot);
                } else if (slot < input_.boxes.size() + rows_.references.size()) {
                    height = std::max(height, options_.reference_height);
                }
            }
            made.last = static_cast<std::uint32_t>(layout.boxes_in_rows.size());
            made.bottom = y + height;
            layout.rows.push_back(made);
            y = made.bottom + options_.row_gap;
        }
    }

    void set_places(GraphLayout& layout) {
        const auto middle = [&](std::uint32_t row) { return (layout.rows[row].top + layout.rows[row].bottom) / 2; };
        for (std::uint32_t box = 0; box < input_.boxes.size(); ++box)
            layout.centres[box] = {slots_[box].x, middle(rows_.row_of[box])};
        for (std::size_t i = 0; i < layout.references.size(); ++i)
            layout.references[i].centre = {slots_[reference_slot(i)].x, middle(layout.references[i].row)};
    }

    void set_routes(GraphLayout& layout) {
        std::vector<float> arrival(input_.edges.size(), 0); // x where the edge ends, relative to the reader's centre
        spread_arrivals(arrival);
        layout.route_starts.assign(1, 0);
        for (std::size_t index = 0; index < input_.edges.size(); ++index) {
            if (has_lane(index)) {
                const auto [from, to] = input_.edges[index];
                std::vector<LayoutPoint>& points = layout.route_points;
                const auto curve_to = [&points](LayoutPoint end) {
                    const LayoutPoint start = points.back();
                    const float middle = (start.y + end.y) / 2;
                    points.insert(points.end(), {{start.x, middle}, {end.x, middle}, end});
                };
                points.push_back({slots_[from].x, layout.centres[from].y + input_.boxes[from].height / 2});
                for (std::uint32_t row = rows_.row_of[from] + 1; row < rows_.row_of[to]; ++row) {
                    const float x = slots_[slot_of_value(from, row)].x;
                    curve_to({x, layout.rows[row].top});
                    curve_to({x, layout.rows[row].bottom});
                }
                curve_to({slots_[to].x + arrival[index], layout.centres[to].y - input_.boxes[to].height / 2});
            }
            layout.route_starts.push_back(static_cast<std::uint32_t>(layout.route_points.size()));
        }
    }

    // A reader's edges end side by side in the order in which they come, so that they do not cross at the last moment.
    // That of the operand it stands below ends in its middle.
    void spread_arrivals(std::vector<float>& arrival) const {
        struct Arriving { float x; std::size_t edge; };
        std::vector<std::vector<Arriving>> arriving(input_.boxes.size());
        for (std::size_t index = 0; index < input_.edges.size(); ++index) {
            if (!has_lane(index)) continue;
            const auto [from, to] = input_.edges[index];
            arriving[to].push_back({slots_[slot_of_value(from, rows_.row_of[to] - 1)].x, index});
        }
        for (std::uint32_t to = 0; to < arriving.size(); ++to) {
            std::vector<Arriving>& edges = arriving[to];
            if (edges.size() < 2) continue;
            std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
            const auto middle = std::min_element(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
                return std::abs(a.x - slots_[to].x) < std::abs(b.x - slots_[to].x);
            });
            const float step = std::min(input_.boxes[to].width * 0.4F / static_cast<float>(edges.size() - 1), 16.0F);
            for (auto edge = edges.begin(); edge != edges.end(); ++edge)
                arrival[edge->edge] = step * static_cast<float>(edge - middle);
        }
    }

    const LayoutInput& input_;
    const LayoutOptions& options_;
    RowAssignment rows_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> last_row_;    ///< by box: the lowest row an uncut edge of it leads to
    std::vector<std::uint32_t> first_lane_;  ///< by box
    Neighbours above_;
    Neighbours below_;
    std::vector<std::uint32_t> row_starts_;
    std::vector<std::uint32_t> in_rows_;     ///< slots row by row, each from left to right
    std::vector<std::uint32_t> place_of_;    ///< by slot: where it is in in_rows_
    std::vector<std::uint32_t> chain_;
    std::vector<RowItem> items_;
    std::vector<std::pair<float, std::uint32_t>> keys_;
};

} // namespace

GraphLayout layered_layout(const LayoutInput& input, const LayoutOptions& options) {
    return LayeredLayout(input, options).run();
}

} // namespace inspector
