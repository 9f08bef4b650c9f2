#include "ui/graph_view/dot_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <QByteArrayView>
#include <QList>

#include "ui/graph_view/layout_columns.h"

namespace inspector {

namespace {

// dot counts inches in its answer and points (1/72 inch) in lengths we give; one of our units is a point.
constexpr float unitsPerInch = 72;

QByteArray inches(float units) { return QByteArray::number(static_cast<double>(units / unitsPerInch), 'f', 4); }

/// "b12" is box 12, "f3" reference 3, "r7" the anchor of row 7.
QByteArray name(char kind, std::size_t number) { return kind + QByteArray::number(static_cast<qulonglong>(number)); }

} // namespace

QByteArray dotSource(const LayoutInput& input, const RowAssignment& rows, const LayoutOptions& options) {
    QByteArray text;
    text += "digraph {\n"
            "graph [splines=true, nslimit=2, nslimit1=2, mclimit=0.5, ranksep=" + inches(options.row_gap) +
            ", nodesep=" + inches(options.box_gap) + "]\n"
            "node [shape=box, fixedsize=true, label=\"\"]\n"
            "edge [dir=none]\n";
    const auto node = [&text](const QByteArray& id, float width, float height) {
        text += id + " [width=" + inches(width) + ", height=" + inches(height) + "]\n";
    };
    std::vector<QByteArray> members(rows.row_count);
    for (std::size_t box = 0; box < input.boxes.size(); ++box) {
        node(name('b', box), input.boxes[box].width, input.boxes[box].height);
        members[rows.row_of[box]] += ' ' + name('b', box) + ';';
    }
    for (std::size_t i = 0; i < rows.references.size(); ++i) {
        node(name('f', i), rows.references[i].width, options.reference_height);
        members[rows.references[i].row] += ' ' + name('f', i) + ';';
    }
    // A chain of invisible anchors holds the rows apart and in order.
    text += "node [style=invis, width=0.01, height=0.01]\nedge [style=invis, weight=0]\n";
    for (std::size_t row = 0; row < members.size(); ++row) {
        text += "{rank=same; " + name('r', row) + ';' + members[row] + "}\n";
        if (row > 0) text += name('r', row - 1) + " -> " + name('r', row) + '\n';
    }
    text += "edge [style=solid, weight=1]\n";
    for (std::size_t i = 0; i < rows.references.size(); ++i) {
        const LayoutReference& reference = rows.references[i];
        const QByteArray box = name('b', reference.box);
        const QByteArray sign = name('f', i);
        text += reference.is_above_reader ? sign + " -> " + box : box + " -> " + sign;
        text += '\n';
    }
    std::vector<std::uint32_t> latest_operand(input.boxes.size(), 0);
    for (const LayoutEdge& edge : input.edges)
        if (is_drawn(edge, input, rows) && !input.boxes[edge.from].is_beside_reader)
            latest_operand[edge.to] = std::max(latest_operand[edge.to], edge.from);
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        const LayoutEdge& edge = input.edges[i];
        if (!is_drawn(edge, input, rows) || rows.is_cut[i]) continue;
        const bool is_main = edge.from == latest_operand[edge.to] && !input.boxes[edge.from].is_beside_reader;
        text += name('b', edge.from) + " -> " + name('b', edge.to) + (is_main ? " [weight=8]\n" : "\n");
    }
    return text + "}\n";
}

namespace {

/// Words of one line of plain output. Our names need no quotes.
class Words {
public:
    explicit Words(QByteArrayView line) : rest_(line) {}
    QByteArrayView next() {
        while (!rest_.isEmpty() && rest_.front() == ' ') rest_ = rest_.sliced(1);
        const qsizetype end = std::find(rest_.begin(), rest_.end(), ' ') - rest_.begin();
        const QByteArrayView word = rest_.first(end);
        rest_ = rest_.sliced(end);
        return word;
    }
    /// A length in our units; sets failed() where the word is no finite number.
    float length() {
        bool ok = false;
        const float value = next().toFloat(&ok) * unitsPerInch;
        if (!ok || !std::isfinite(value)) failed_ = true;
        return failed_ ? 0 : value;
    }
    std::size_t count() {
        bool ok = false;
        const auto value = next().toUInt(&ok);
        if (!ok) failed_ = true;
        return failed_ ? 0 : value;
    }
    /// The number in "b12", where the word begins with `kind` and the number is below `limit`.
    std::size_t number(char kind, std::size_t limit) {
        const QByteArrayView word = next();
        bool ok = false;
        const auto value = word.size() > 1 && word.front() == kind ? word.sliced(1).toUInt(&ok) : 0;
        if (!ok || value >= limit) failed_ = true;
        return failed_ ? 0 : value;
    }
    [[nodiscard]] char kind() const {
        const auto word = std::find_if(rest_.begin(), rest_.end(), [](char c) { return c != ' '; });
        return word == rest_.end() ? '\0' : *word;
    }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    QByteArrayView rest_;
    bool failed_ = false;
};

} // namespace

// Plain output: "graph scale width height", "node name x y width height …", "edge tail head n x1 y1 … xn yn …", "stop".
// Its y grows upwards.
Result<GraphLayout> readDotAnswer(const QByteArray& answer, const LayoutInput& input, const RowAssignment& rows,
                                  const LayoutOptions& options) {
    GraphLayout layout;
    layout.row_of = rows.row_of;
    layout.references = rows.references;
    const float nowhere = std::numeric_limits<float>::quiet_NaN();
    layout.centres.assign(input.boxes.size(), {nowhere, nowhere});
    for (LayoutReference& reference : layout.references) reference.centre = {nowhere, nowhere};
    layout.rows.assign(rows.row_count, {nowhere, nowhere, 0, 0});
    std::map<std::pair<std::size_t, std::size_t>, std::vector<LayoutPoint>> routes;
    float height = 0;
    bool has_stopped = false;
    for (const QByteArray& line : answer.split('\n')) {
        Words words(line);
        const QByteArrayView what = words.next();
        if (what == "graph") {
            words.next();
            words.next();
            height = words.length();
        } else if (what == "node") {
            const char kind = words.kind();
            const std::size_t limit = kind == 'b'   ? input.boxes.size()
                                      : kind == 'f' ? layout.references.size()
                                                    : rows.row_count;
            const std::size_t number = words.number(kind == 'b' || kind == 'f' ? kind : 'r', limit);
            const float x = words.length();
            const float y = height - words.length();
            if (words.failed()) return fail({}, "dot's answer names something that was not asked for");
            if (kind == 'b') layout.centres[number] = {x, y};
            else if (kind == 'f') layout.references[number].centre = {x, y};
            else layout.rows[number] = {y, y, 0, 0};
        } else if (what == "edge") {
            if (words.kind() != 'b') continue;
            const std::size_t from = words.number('b', input.boxes.size());
            if (words.kind() != 'b') continue;
            const std::size_t to = words.number('b', input.boxes.size());
            const std::size_t count = words.count();
            if (words.failed() || count % 3 != 1) return fail({}, "an edge in dot's answer cannot be read");
            std::vector<LayoutPoint>& route = routes[{from, to}];
            route.clear();
            for (std::size_t i = 0; i < count && !words.failed(); ++i) {
                const float x = words.length();
                route.push_back({x, height - words.length()});
            }
            if (words.failed()) return fail({}, "an edge in dot's answer cannot be read");
        } else if (what == "stop") {
            has_stopped = true;
        }
    }
    if (!has_stopped) return fail({}, "dot's answer is broken off");

    std::vector<std::vector<std::uint32_t>> members(rows.row_count);
    for (std::uint32_t box = 0; box < input.boxes.size(); ++box) {
        if (std::isnan(layout.centres[box].x)) return fail({}, "dot's answer leaves out a node");
        members[rows.row_of[box]].push_back(box);
    }
    const auto is_missing = [](const auto& thing) {
        if constexpr (requires { thing.centre; }) return std::isnan(thing.centre.x);
        else return std::isnan(thing.top);
    };
    if (std::any_of(layout.references.begin(), layout.references.end(), is_missing) ||
        std::any_of(layout.rows.begin(), layout.rows.end(), is_missing))
        return fail({}, "dot's answer leaves out a node");

    const auto heighten = [&layout](std::uint32_t row, float y, float box_height) {
        layout.rows[row].top = std::min(layout.rows[row].top, y - box_height / 2);
        layout.rows[row].bottom = std::max(layout.rows[row].bottom, y + box_height / 2);
    };
    for (std::size_t row = 0; row < members.size(); ++row) {
        std::stable_sort(members[row].begin(), members[row].end(),
                         [&](auto a, auto b) { return layout.centres[a].x < layout.centres[b].x; });
        layout.rows[row].first = static_cast<std::uint32_t>(layout.boxes_in_rows.size());
        layout.boxes_in_rows.insert(layout.boxes_in_rows.end(), members[row].begin(), members[row].end());
        layout.rows[row].last = static_cast<std::uint32_t>(layout.boxes_in_rows.size());
    }
    for (std::size_t box = 0; box < input.boxes.size(); ++box)
        heighten(rows.row_of[box], layout.centres[box].y, input.boxes[box].height);
    for (const LayoutReference& reference : layout.references)
        heighten(reference.row, reference.centre.y, options.reference_height);

    layout.route_starts.assign(1, 0);
    for (std::size_t i = 0; i < input.edges.size(); ++i) {
        const LayoutEdge& edge = input.edges[i];
        if (is_drawn(edge, input, rows) && !rows.is_cut[i]) {
            const auto route = routes.find({edge.from, edge.to});
            if (route == routes.end()) return fail({}, "dot's answer leaves out an edge");
            layout.route_points.insert(layout.route_points.end(), route->second.begin(), route->second.end());
        }
        layout.route_starts.push_back(static_cast<std::uint32_t>(layout.route_points.size()));
    }
    place_columns(layout, input, rows, options);
    return layout;
}

} // namespace inspector
