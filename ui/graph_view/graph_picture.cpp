#include "ui/graph_view/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inspector {

GraphPicture::GraphPicture(const QFont& font) : card_(font) {
    options_.reference_height = static_cast<float>(card_.referenceHeight());
}

void GraphPicture::setContent(GraphContent content) {
    content_ = std::move(content);
    layout_ = {};
    hasLayout_ = false;
    bounds_ = {};
    rects_.clear();
    edges_.clear();
    references_.clear();
    sizes_.clear();
    for (std::size_t i = 0; i < content_.originalCount; ++i) sizes_.push_back(card_.size(content_.nodes[i]));
    firstOriginalEdge_.assign(content_.originalCount + 1, 0);
    for (const EdgeContent& edge : content_.originalEdges) ++firstOriginalEdge_[edge.to + 1];
    for (std::size_t i = 1; i < firstOriginalEdge_.size(); ++i) firstOriginalEdge_[i] += firstOriginalEdge_[i - 1];
    // A scatter may become a view and a copy: room for them beside it, should its row be full.
    const auto end = content_.nodes.begin() + static_cast<std::ptrdiff_t>(content_.originalCount);
    const bool hasScatter = std::any_of(content_.nodes.begin(), end, [](const NodeContent& node) {
        return node.target.contains(QLatin1String("_scatter."));
    });
    options_.column_gap = LayoutOptions().column_gap * (hasScatter ? 3 : 1);
    countStorages();
}

LayoutInput GraphPicture::layoutInput() const {
    LayoutInput input;
    input.boxes.reserve(content_.originalCount);
    for (std::size_t i = 0; i < content_.originalCount; ++i) {
        const NodeContent& node = content_.nodes[i];
        input.boxes.push_back({static_cast<float>(sizes_[i].width()), static_cast<float>(sizes_[i].height()),
                               static_cast<float>(card_.referenceWidth(node)), node.isInput});
    }
    input.edges.reserve(content_.originalEdges.size());
    for (const EdgeContent& edge : content_.originalEdges) input.edges.push_back({edge.from, edge.to});
    return input;
}

void GraphPicture::setLayout(GraphLayout layout) {
    layout_ = std::move(layout);
    hasLayout_ = true;
    place();
}

void GraphPicture::updateContent(GraphContent content) {
    content_ = std::move(content);
    countStorages();
    if (hasLayout_) place();
}

void GraphPicture::countStorages() {
    valuesOnStorage_.clear();
    for (const NodeContent& node : content_.nodes) {
        if (node.storage == 0 || node.isErased) continue;
        if (node.storage >= valuesOnStorage_.size()) valuesOnStorage_.resize(node.storage + 1, 0);
        ++valuesOnStorage_[node.storage];
    }
}

void GraphPicture::place() {
    rects_.resize(content_.nodes.size());
    rows_.resize(content_.nodes.size());
    for (std::uint32_t i = 0; i < content_.originalCount; ++i) {
        const auto [x, y] = layout_.centres[i];
        rects_[i] = QRectF(QPointF(x - sizes_[i].width() / 2, y - sizes_[i].height() / 2), sizes_[i]);
        rows_[i] = layout_.row_of[i];
    }
    bounds_ = QRectF(layout_.left, 0, layout_.right - layout_.left, layout_.height);
    columns_ = layout_.columns;
    createdIn_.assign(layout_.rows.size(), {});
    for (auto i = static_cast<std::uint32_t>(content_.originalCount); i < content_.nodes.size(); ++i) placeCreated(i);

    nodesInRows_.clear();
    rowStarts_.assign(1, 0);
    for (std::size_t row = 0; row < layout_.rows.size(); ++row) {
        nodesInRows_.insert(nodesInRows_.end(), layout_.boxes_in_rows.begin() + layout_.rows[row].first,
                            layout_.boxes_in_rows.begin() + layout_.rows[row].last);
        if (!createdIn_[row].empty()) {
            nodesInRows_.insert(nodesInRows_.end(), createdIn_[row].begin(), createdIn_[row].end());
            std::stable_sort(nodesInRows_.begin() + rowStarts_.back(), nodesInRows_.end(),
                             [this](auto a, auto b) { return rects_[a].left() < rects_[b].left(); });
        }
        rowStarts_.push_back(static_cast<std::uint32_t>(nodesInRows_.size()));
    }
    routeEdges();
    fillReferences();
}

// In the free space of its row that is nearest to what it replaces.
void GraphPicture::placeCreated(std::uint32_t node) {
    const std::uint32_t beside = content_.indexOf(content_.nodes[node].beside);
    const std::uint32_t row = beside == none ? static_cast<std::uint32_t>(layout_.rows.size() - 1) : rows_[beside];
    const double wanted = beside == none ? bounds_.center().x() : rects_[beside].center().x();
    const double gap = options_.box_gap;
    std::vector<QRectF> taken;
    for (std::uint32_t i = layout_.rows[row].first; i < layout_.rows[row].last; ++i)
        taken.push_back(rects_[layout_.boxes_in_rows[i]]);
    for (const std::uint32_t created : createdIn_[row]) taken.push_back(rects_[created]);

    const QSizeF size = card_.size(content_.nodes[node]);
    const double y = (layout_.rows[row].top + layout_.rows[row].bottom) / 2;
    const auto rectAt = [&](double x) { return QRectF(QPointF(x - size.width() / 2, y - size.height() / 2), size); };
    const auto isFree = [&](const QRectF& rect) {
        const QRectF wide = rect.adjusted(1 - gap, 0, gap - 1, 0);
        return std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(wide); });
    };
    QRectF best;
    for (const QRectF& other : taken) {
        for (const double x : {other.right() + gap + size.width() / 2, other.left() - gap - size.width() / 2}) {
            const bool isNearer = best.isNull() || std::abs(x - wanted) < std::abs(best.center().x() - wanted);
            if (const QRectF rect = rectAt(x); isNearer && isFree(rect)) best = rect;
        }
    }
    rects_[node] = best.isNull() ? rectAt(wanted) : best;
    rows_[node] = row;
    createdIn_[row].push_back(node);
    LayoutColumn& column = columns_[columnOf(node)];
    column.left = std::min(column.left, static_cast<float>(rects_[node].left()));
    column.right = std::max(column.right, static_cast<float>(rects_[node].right()));
    bounds_ |= rects_[node];
}

static LayoutPoint point(QPointF p) { return {static_cast<float>(p.x()), static_cast<float>(p.y())}; }

std::size_t GraphPicture::columnOf(std::uint32_t node) const {
    const auto column = std::partition_point(columns_.begin(), columns_.end(), [&](const LayoutColumn& each) {
        return each.last_row <= rows_[node];
    });
    return static_cast<std::size_t>(column - columns_.begin());
}

bool GraphPicture::isOriginal(const EdgeContent& edge) const {
    if (edge.to >= content_.originalCount) return false;
    const auto first = content_.originalEdges.begin() + firstOriginalEdge_[edge.to];
    const auto last = content_.originalEdges.begin() + firstOriginalEdge_[edge.to + 1];
    return std::any_of(first, last, [&](const EdgeContent& known) { return known.from == edge.from; });
}

/// Empty where the original graph has no such edge, or it is cut.
std::span<const LayoutPoint> GraphPicture::originalRoute(std::uint32_t from, std::uint32_t to) const {
    if (to >= content_.originalCount) return {};
    for (std::uint32_t i = firstOriginalEdge_[to]; i < firstOriginalEdge_[to + 1]; ++i)
        if (content_.originalEdges[i].from == from) return layout_.route(i);
    return {};
}

// An edge that a rewrite has made. Rewriting in place lets the readers of a result read its operand instead: the new
// edge follows the old ones, from the operand to the result and on to the reader, behind the result's card.
std::vector<LayoutPoint> GraphPicture::newRoute(const EdgeContent& edge) const {
    const std::uint32_t longest = options_.longest_edge;
    if (rows_[edge.from] > rows_[edge.to] || rows_[edge.to] - rows_[edge.from] > longest) return {};
    if (columnOf(edge.from) != columnOf(edge.to)) return {};
    if (edge.to < content_.originalCount) {
        for (std::uint32_t i = firstOriginalEdge_[edge.to]; i < firstOriginalEdge_[edge.to + 1]; ++i) {
            std::vector<LayoutPoint> path; // from the reader upwards, part by part
            std::uint32_t below = edge.to;
            std::uint32_t above = content_.originalEdges[i].from;
            for (std::uint32_t step = 0; step <= longest; ++step) {
                const std::span<const LayoutPoint> part = originalRoute(above, below);
                if (part.empty()) break;
                if (!path.empty()) {
                    // Behind the card between the two parts.
                    const LayoutPoint start = part.back();
                    const LayoutPoint end = path.front();
                    path.insert(path.begin(), {start, end});
                }
                path.insert(path.begin(), part.begin(), part.end());
                if (above == edge.from) return path;
                const bool hasOperand = firstOriginalEdge_[above] < firstOriginalEdge_[above + 1];
                if (!hasOperand) break;
                below = std::exchange(above, content_.originalEdges[firstOriginalEdge_[above]].from);
            }
        }
    }
    const QRectF& upper = rects_[edge.from];
    const QRectF& lower = rects_[edge.to];
    if (rows_[edge.from] == rows_[edge.to]) { // two new nodes in one row: from side to side
        const bool isToRight = lower.center().x() > upper.center().x();
        const LayoutPoint start = point({isToRight ? upper.right() : upper.left(), upper.center().y()});
        const LayoutPoint end = point({isToRight ? lower.left() : lower.right(), lower.center().y()});
        return {start, start, end, end};
    }
    // Down below the reader or the value, wherever no card is in the way.
    std::vector<LayoutPoint> route{point({upper.center().x(), upper.bottom()})};
    const auto curveTo = [&route](double x, double y) {
        const LayoutPoint start = route.back();
        const LayoutPoint end = point({x, y});
        const float middle = (start.y + end.y) / 2;
        for (const LayoutPoint& next : {LayoutPoint{start.x, middle}, LayoutPoint{end.x, middle}, end}) route.push_back(next);
    };
    if (rows_[edge.to] - rows_[edge.from] > 1) {
        for (const double x : {lower.center().x(), upper.center().x()}) {
            if (!isFree(x, rows_[edge.from] + 1, rows_[edge.to])) continue;
            curveTo(x, layout_.rows[rows_[edge.from] + 1].top);
            curveTo(x, layout_.rows[rows_[edge.to] - 1].bottom);
            break;
        }
    }
    curveTo(lower.center().x(), lower.top());
    return route;
}

bool GraphPicture::isFree(double x, std::uint32_t firstRow, std::uint32_t lastRow) const {
    for (std::uint32_t row = firstRow; row < lastRow; ++row)
        for (const std::uint32_t node : nodesIn(row))
            if (rects_[node].left() <= x && x <= rects_[node].right()) return false;
    return true;
}

void GraphPicture::routeEdges() {
    edges_.clear();
    newRoutes_.clear();
    struct NewRoute { std::size_t edge, start, size; };
    std::vector<NewRoute> added;
    for (const EdgeContent& edge : content_.edges) {
        edges_.push_back({edge.from, edge.to, edge.kind, originalRoute(edge.from, edge.to)});
        if (isOriginal(edge)) continue;
        const std::vector<LayoutPoint> route = newRoute(edge);
        added.push_back({edges_.size() - 1, newRoutes_.size(), route.size()});
        newRoutes_.insert(newRoutes_.end(), route.begin(), route.end());
    }
    for (const auto& [edge, start, size] : added) edges_[edge].route = {newRoutes_.data() + start, size};
    std::stable_sort(edges_.begin(), edges_.end(),
                     [this](const Edge& a, const Edge& b) { return rows_[a.to] < rows_[b.to]; });
}

// The layout knows which edges of the original graph are cut. Rewriting takes some away and adds others: a reference
// stands for what is cut now, and disappears where nothing is.
void GraphPicture::fillReferences() {
    references_.clear();
    std::vector<std::vector<std::uint32_t>> operands(content_.nodes.size()); // far ones
    std::vector<std::vector<std::uint32_t>> readers(content_.nodes.size());
    for (const Edge& edge : edges_) {
        if (!edge.route.empty()) continue;
        operands[edge.to].push_back(edge.from);
        readers[edge.from].push_back(edge.to);
    }
    for (const LayoutReference& place : layout_.references) {
        Reference made;
        made.rect = QRectF(place.centre.x - place.width / 2, place.centre.y - card_.referenceHeight() / 2, place.width,
                           card_.referenceHeight());
        made.node = place.box;
        made.isAboveReader = place.is_above_reader;
        made.row = place.row;
        std::vector<std::uint32_t>& far = (place.is_above_reader ? operands : readers)[place.box];
        const auto same = std::find(far.begin(), far.end(), place.other);
        if (place.is_above_reader && place.count == 1 && same != far.end()) {
            made.others = {*same};
            far.erase(same);
        } else if (!place.is_above_reader || place.count > 1) {
            made.others = std::exchange(far, {});
        }
        references_.push_back(std::move(made));
    }
    // Operands that the pass has exchanged for others.
    for (Reference& reference : references_) {
        std::vector<std::uint32_t>& far = operands[reference.node];
        if (!reference.isAboveReader || !reference.others.empty() || far.empty()) continue;
        reference.others = {far.front()};
        far.erase(far.begin());
    }
    std::erase_if(references_, [](const Reference& reference) { return reference.others.empty(); });

    // Those for which the layout has left no room stand between the rows, at the corner of the card.
    std::vector<std::vector<QRectF>> taken; // by row
    for (const auto* lists : {&operands, &readers}) {
        for (std::uint32_t node = 0; node < lists->size(); ++node) {
            std::vector<std::uint32_t> far = (*lists)[node];
            if (far.empty()) continue;
            const bool isAbove = lists == &operands;
            const QRectF& card = rects_[node];
            const QSizeF size(card_.referenceWidth(content_.nodes[far.front()]), card_.referenceHeight());
            const double y = isAbove ? card.top() - size.height() - 4 : card.bottom() + 4;
            if (taken.empty()) {
                taken.resize(rowStarts_.size());
                for (const Reference& reference : references_) taken[reference.row].push_back(reference.rect);
            }
            const QRectF place = freePlace(QRectF(QPointF(card.right() - size.width(), y), size), node, taken);
            references_.push_back({place, node, isAbove, std::move(far), rows_[node]});
            taken[rows_[node]].push_back(place);
        }
    }
    std::stable_sort(references_.begin(), references_.end(),
                     [](const Reference& a, const Reference& b) { return a.row < b.row; });
}

// Beside its card, where neither another reference nor a card is: first at the right corner, then the left one, then
// further and further out. Where all is taken, at the right corner.
QRectF GraphPicture::freePlace(const QRectF& wanted, std::uint32_t node, const std::vector<std::vector<QRectF>>& taken) const {
    const std::uint32_t row = rows_[node];
    const std::uint32_t first = row > 0 ? row - 1 : 0;
    const std::uint32_t last = std::min<std::uint32_t>(row + 2, static_cast<std::uint32_t>(rowStarts_.size()) - 1);
    constexpr double gap = 4;
    const auto isTaken = [&](const QRectF& place) {
        const QRectF around = place.adjusted(-gap, 0, gap, 0);
        const auto meets = [&around](const QRectF& other) { return around.intersects(other); };
        for (std::uint32_t each = first; each < last; ++each) {
            const auto cards = nodesIn(each);
            if (std::any_of(cards.begin(), cards.end(), [&](std::uint32_t other) { return meets(rects_[other]); })) return true;
            if (std::any_of(taken[each].begin(), taken[each].end(), meets)) return true;
        }
        return false;
    };
    const double step = wanted.width() + 2 * gap;
    std::vector<double> offsets{0, wanted.width() - rects_[node].width()};
    for (const double count : {1, 2, 3}) {
        offsets.push_back(count * step);
        offsets.push_back(wanted.width() - rects_[node].width() - count * step);
    }
    for (const double offset : offsets)
        if (const QRectF place = wanted.translated(offset, 0); !isTaken(place)) return place;
    return wanted;
}

std::vector<std::uint32_t> GraphPicture::edgesAt(std::uint32_t node) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < edges_.size(); ++i)
        if (edges_[i].from == node || edges_[i].to == node) found.push_back(i);
    return found;
}

std::vector<GraphPicture::RowRange> GraphPicture::rowsIn(const QRectF& area) const {
    std::vector<RowRange> found;
    for (const LayoutColumn& column : columns_) {
        const double gap = options_.column_gap / 2; // rings and bands stick out
        if (column.right + gap < area.left() || column.left - gap > area.right()) continue;
        const auto begin = layout_.rows.begin() + column.first_row;
        const auto end = layout_.rows.begin() + column.last_row;
        const auto first = std::partition_point(begin, end, [&](const auto& row) { return row.bottom < area.top(); });
        const auto last = std::partition_point(first, end, [&](const auto& row) { return row.top <= area.bottom(); });
        if (first == last) continue;
        found.push_back({static_cast<std::uint32_t>(first - layout_.rows.begin()),
                         static_cast<std::uint32_t>(last - layout_.rows.begin())});
    }
    return found;
}

std::vector<QLineF> GraphPicture::columnLines() const {
    std::vector<QLineF> lines;
    for (std::size_t i = 1; i < layout_.columns.size(); ++i) {
        const double x = (layout_.columns[i - 1].right + layout_.columns[i].left) / 2;
        lines.emplace_back(x, 0, x, layout_.height);
    }
    return lines;
}

std::span<const std::uint32_t> GraphPicture::nodesIn(std::uint32_t row) const {
    return {nodesInRows_.data() + rowStarts_[row], nodesInRows_.data() + rowStarts_[row + 1]};
}

std::span<const GraphPicture::Edge> GraphPicture::edgesAcross(RowRange rows) const {
    const auto first = std::partition_point(edges_.begin(), edges_.end(),
                                            [&](const Edge& edge) { return rows_[edge.to] < rows.first; });
    const std::uint32_t beyond = rows.last + options_.longest_edge;
    const auto last =
        std::partition_point(first, edges_.end(), [&](const Edge& edge) { return rows_[edge.to] < beyond; });
    return {first, last};
}

std::span<const GraphPicture::Reference> GraphPicture::referencesIn(RowRange rows) const {
    const auto before = [](std::uint32_t row) {
        return [row](const Reference& reference) { return reference.row < row; };
    };
    const auto first = std::partition_point(references_.begin(), references_.end(), before(rows.first));
    return {first, std::partition_point(first, references_.end(), before(rows.last))};
}

std::uint32_t GraphPicture::nodeAt(QPointF point) const {
    for (const RowRange rows : rowsIn(QRectF(point, QSizeF(0, 0))))
        for (std::uint32_t row = rows.first; row < rows.last; ++row)
            for (const std::uint32_t node : nodesIn(row))
                if (rects_[node].contains(point)) return node;
    return none;
}

std::uint32_t GraphPicture::nearest(QPointF point) const {
    const auto distance = [&](std::uint32_t node) {
        const QPointF away = rects_[node].center() - point;
        return QPointF::dotProduct(away, away);
    };
    std::uint32_t best = none;
    for (std::uint32_t node = 0; node < rects_.size(); ++node)
        if (best == none || distance(node) < distance(best)) best = node;
    return best;
}

const GraphPicture::Reference* GraphPicture::referenceAt(QPointF point) const {
    // A reference may stand between the rows.
    const double reach = options_.row_gap;
    for (const RowRange rows : rowsIn(QRectF(point - QPointF(0, reach), QSizeF(0, 2 * reach))))
        for (const Reference& reference : referencesIn(rows))
            if (reference.rect.contains(point)) return &reference;
    return nullptr;
}

} // namespace inspector
