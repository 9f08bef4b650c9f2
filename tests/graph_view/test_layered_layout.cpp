#include <cmath>

#include <QtTest>

#include "tests/graph_view/synthetic_layouts.h"
#include "ui/graph_view/layered_layout.h"
#include "ui/graph_view/row_assignment.h"
#include "ui/graph_view/row_placement.h"

using namespace inspector;

Q_DECLARE_METATYPE(inspector::LayoutInput)

static std::uint32_t columnOf(const GraphLayout& layout, std::uint32_t box) {
    std::uint32_t column = 0;
    while (layout.row_of[box] >= layout.columns[column].last_row) ++column;
    return column;
}

class TestLayeredLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void placesInOrder_data();
    void placesInOrder();
    void readingDownwardsIsReadingTheProgram_data() { graphs(); }
    void readingDownwardsIsReadingTheProgram();
    void nothingOverlaps_data() { graphs(); }
    void nothingOverlaps();
    void routesLeadFromValueToReader_data() { graphs(); }
    void routesLeadFromValueToReader();
    void chainIsStraight();
    void inputsStandAboveTheirFirstReader();
    void longEdgesAreCut();
    void highGraphsAreFolded();
    void manyFarOperandsShareAReference();
    void wideRowsAreBroken();
    void badEdgesAreIgnored();
    void emptyGraph();
    void sameInputSameLayout();
    void cancels();

private:
    static void graphs();
};

void TestLayeredLayout::graphs() {
    QTest::addColumn<LayoutInput>("input");
    QTest::addColumn<bool>("folds");
    for (const bool folds : {false, true}) {
        const auto row = [folds](const char* name, LayoutInput input) {
            QTest::addRow("%s, %s", name, folds ? "columns" : "one column") << std::move(input) << folds;
        };
        row("chain", chain(40));
        row("transformer", transformer(6));
        row("long transformer", transformer(30));
        row("fan", fan(120));
        row("inputs only", {{parameter(), parameter(), parameter()}, {}});
    }
}

void TestLayeredLayout::placesInOrder_data() {
    QTest::addColumn<QList<QList<float>>>("items"); // wanted, weight, width
    QTest::addColumn<QList<float>>("centres");
    using Items = QList<QList<float>>;
    QTest::newRow("none") << Items{} << QList<float>{};
    QTest::newRow("where they want") << Items{{0, 1, 10}, {50, 1, 10}} << QList<float>{0, 50};
    QTest::newRow("pushed apart evenly") << Items{{0, 1, 10}, {0, 1, 10}} << QList<float>{-5, 5};
    QTest::newRow("the heavier one stays") << Items{{0, 3, 10}, {0, 1, 10}} << QList<float>{-2.5F, 7.5F};
    QTest::newRow("against the order") << Items{{30, 1, 10}, {0, 1, 10}} << QList<float>{10, 20};
    QTest::newRow("pools meet") << Items{{0, 1, 10}, {0, 1, 10}, {5, 1, 10}}
                                << QList<float>{-25 / 3.F, 5 / 3.F, 35 / 3.F};
}

void TestLayeredLayout::placesInOrder() {
    QFETCH(QList<QList<float>>, items);
    QFETCH(QList<float>, centres);
    std::vector<RowItem> row;
    for (const QList<float>& item : items) row.push_back({item[0], item[1], item[2], 0, 0});
    place_in_order(row);
    for (qsizetype i = 0; i < centres.size(); ++i)
        QVERIFY(std::abs(row[static_cast<std::size_t>(i)].centre - centres[i]) < 1e-4F);
}

void TestLayeredLayout::readingDownwardsIsReadingTheProgram() {
    QFETCH(LayoutInput, input);
    QFETCH(bool, folds);
    const GraphLayout layout = layered_layout(input, {.folds = folds});
    // Down the column, then on to the right; one column is the plain case of it.
    std::pair<std::uint32_t, float> last{0, 0.0F};
    for (std::uint32_t box = 0; box < input.boxes.size(); ++box) {
        if (input.boxes[box].is_beside_reader) continue;
        const std::pair place(columnOf(layout, box), layout.centres[box].y);
        QVERIFY(place >= last);
        last = place;
    }
    for (const auto [from, to] : input.edges) {
        QVERIFY(columnOf(layout, from) <= columnOf(layout, to));
        if (columnOf(layout, from) == columnOf(layout, to)) QVERIFY(layout.centres[from].y < layout.centres[to].y);
    }
    if (!folds) QCOMPARE(layout.columns.size(), std::size_t{1});
}

void TestLayeredLayout::nothingOverlaps() {
    QFETCH(LayoutInput, input);
    QFETCH(bool, folds);
    const GraphLayout layout = layered_layout(input, {.folds = folds});
    struct Span { float left, right; };
    std::vector<std::vector<Span>> rows(layout.rows.size());
    for (std::size_t row = 0; row < layout.rows.size(); ++row) {
        const bool beginsColumn = layout.rows[row].top == 0;
        if (!beginsColumn) QVERIFY(layout.rows[row].top > layout.rows[row - 1].bottom);
        for (std::uint32_t i = layout.rows[row].first; i < layout.rows[row].last; ++i) {
            const std::uint32_t box = layout.boxes_in_rows[i];
            QCOMPARE(layout.row_of[box], row);
            const float half = input.boxes[box].width / 2;
            rows[row].push_back({layout.centres[box].x - half, layout.centres[box].x + half});
            QVERIFY(layout.centres[box].y - input.boxes[box].height / 2 >= layout.rows[row].top);
            QVERIFY(layout.centres[box].y + input.boxes[box].height / 2 <= layout.rows[row].bottom);
        }
    }
    for (const LayoutReference& reference : layout.references) {
        const float half = reference.width / 2;
        rows[reference.row].push_back({reference.centre.x - half, reference.centre.x + half});
    }
    float beyond = -1;
    for (const LayoutColumn& column : layout.columns) {
        QVERIFY(column.left > beyond);
        beyond = column.right;
        for (std::uint32_t index = column.first_row; index < column.last_row; ++index) {
            std::vector<Span>& row = rows[index];
            std::sort(row.begin(), row.end(), [](Span a, Span b) { return a.left < b.left; });
            for (std::size_t i = 1; i < row.size(); ++i) QVERIFY(row[i].left > row[i - 1].right);
            if (row.empty()) continue;
            QVERIFY(row.front().left >= column.left - 0.1F);
            QVERIFY(row.back().right <= column.right + 0.1F);
        }
    }
    QCOMPARE(layout.right, beyond);
}

void TestLayeredLayout::routesLeadFromValueToReader() {
    QFETCH(LayoutInput, input);
    QFETCH(bool, folds);
    const GraphLayout layout = layered_layout(input, {.folds = folds});
    QCOMPARE(layout.route_starts.size(), input.edges.size() + 1);
    for (std::size_t index = 0; index < input.edges.size(); ++index) {
        const auto [from, to] = input.edges[index];
        const std::span<const LayoutPoint> route = layout.route(index);
        const bool is_cut = layout.row_of[to] - layout.row_of[from] > LayoutOptions().longest_edge ||
                            columnOf(layout, from) != columnOf(layout, to);
        QCOMPARE(route.empty(), is_cut);
        if (is_cut) continue;
        QCOMPARE(route.size() % 3, std::size_t{1});
        QCOMPARE(route.front().x, layout.centres[from].x);
        QCOMPARE(route.front().y, layout.centres[from].y + input.boxes[from].height / 2);
        QVERIFY(std::abs(route.back().x - layout.centres[to].x) <= input.boxes[to].width / 2);
        QCOMPARE(route.back().y, layout.centres[to].y - input.boxes[to].height / 2);
        // It passes no box between.
        for (std::size_t i = 3; i + 3 < route.size(); i += 3) {
            for (std::size_t box = 0; box < input.boxes.size(); ++box) {
                const bool beside = std::abs(route[i].x - layout.centres[box].x) > input.boxes[box].width / 2;
                const bool apart = std::abs(route[i].y - layout.centres[box].y) > input.boxes[box].height / 2 + 1;
                QVERIFY(beside || apart);
            }
        }
    }
}

void TestLayeredLayout::chainIsStraight() {
    const GraphLayout layout = layered_layout(chain(40), {.folds = false});
    QCOMPARE(layout.rows.size(), std::size_t{40});
    for (const LayoutPoint& centre : layout.centres) QCOMPARE(centre.x, layout.centres.front().x);
}

void TestLayeredLayout::inputsStandAboveTheirFirstReader() {
    // 0 is read by 3 and 5, 1 by 4; 2 by nobody.
    LayoutInput input;
    for (int i = 0; i < 3; ++i) input.boxes.push_back(parameter());
    for (int i = 0; i < 3; ++i) input.boxes.push_back(operation());
    input.edges = {{0, 3}, {3, 4}, {1, 4}, {4, 5}, {0, 5}};
    const GraphLayout layout = layered_layout(input);
    QCOMPARE(layout.row_of, (std::vector<std::uint32_t>{0, 1, 0, 1, 2, 3}));
}

void TestLayeredLayout::longEdgesAreCut() {
    LayoutInput input = chain(30);
    input.edges.push_back({2, 20});
    input.edges.push_back({2, 25});
    const GraphLayout layout = layered_layout(input);
    QCOMPARE(layout.references.size(), std::size_t{3});
    const LayoutReference& below = layout.references[0];
    QVERIFY(!below.is_above_reader);
    QCOMPARE(below.box, 2U);
    QCOMPARE(below.other, 20U);
    QCOMPARE(below.count, 2U);
    QCOMPARE(below.row, 3U);
    for (const std::size_t i : {1, 2}) {
        const LayoutReference& above = layout.references[i];
        QVERIFY(above.is_above_reader);
        QCOMPARE(above.other, 2U);
        QCOMPARE(above.row, layout.row_of[above.box] - 1);
    }
    // What is cut costs the others nothing: the chain stays straight.
    QVERIFY(std::abs(layout.centres[0].x - layout.centres[29].x) < 30);
}

void TestLayeredLayout::highGraphsAreFolded() {
    const LayoutInput input = transformer(30);
    const GraphLayout high = layered_layout(input, {.folds = false});
    const GraphLayout folded = layered_layout(input);
    QVERIFY(high.height > 10 * (high.right - high.left));
    QVERIFY(folded.columns.size() > 2);
    const float aspect = (folded.right - folded.left) / folded.height;
    QVERIFY2(aspect > 0.8F && aspect < 3.2F, qPrintable(QString::number(static_cast<double>(aspect))));
    // What leads from one column to the next is said at both ends.
    std::size_t crossing = 0;
    for (std::uint32_t edge = 0; edge < input.edges.size(); ++edge) {
        const auto [from, to] = input.edges[edge];
        if (columnOf(folded, from) == columnOf(folded, to)) continue;
        ++crossing;
        const auto stands = [&](bool above, std::uint32_t box) {
            return std::any_of(folded.references.begin(), folded.references.end(), [&](const auto& reference) {
                return reference.is_above_reader == above && reference.box == box &&
                       columnOf(folded, box) == columnOf(folded, reference.box);
            });
        };
        QVERIFY(stands(true, to));
        QVERIFY(stands(false, from));
    }
    QVERIFY(crossing > 0);
    QCOMPARE(layered_layout(chain(30)).columns.size(), std::size_t{1});
}

void TestLayeredLayout::manyFarOperandsShareAReference() {
    LayoutInput input = chain(30);
    for (std::uint32_t from = 0; from < 12; ++from) input.edges.push_back({from, 29});
    const GraphLayout layout = layered_layout(input);
    const auto above = std::count_if(layout.references.begin(), layout.references.end(),
                                     [](const LayoutReference& reference) { return reference.is_above_reader; });
    QCOMPARE(above, 1);
    QCOMPARE(layout.references.back().count, 12U);
}

void TestLayeredLayout::wideRowsAreBroken() {
    const LayoutInput input = fan(500);
    const GraphLayout layout = layered_layout(input, {.folds = false});
    QVERIFY(layout.right - layout.left < 3 * LayoutOptions().widest_row);
    QVERIFY(layout.rows.size() > 50);
}

void TestLayeredLayout::badEdgesAreIgnored() {
    LayoutInput input = chain(3);
    input.edges.push_back({2, 0});
    input.edges.push_back({1, 1});
    input.edges.push_back({1, 77});
    const GraphLayout layout = layered_layout(input);
    QCOMPARE(layout.row_of, (std::vector<std::uint32_t>{0, 1, 2}));
    for (std::size_t edge = 2; edge < 5; ++edge) QVERIFY(layout.route(edge).empty());
}

void TestLayeredLayout::emptyGraph() {
    const GraphLayout layout = layered_layout({});
    QVERIFY(layout.rows.empty());
    QCOMPARE(layout.height, 0.0F);
}

void TestLayeredLayout::sameInputSameLayout() {
    const LayoutInput input = transformer(4);
    const GraphLayout first = layered_layout(input);
    const GraphLayout second = layered_layout(input);
    for (std::size_t box = 0; box < input.boxes.size(); ++box) {
        QCOMPARE(first.centres[box].x, second.centres[box].x);
        QCOMPARE(first.centres[box].y, second.centres[box].y);
    }
}

void TestLayeredLayout::cancels() {
    const std::atomic<bool> cancelled{true};
    int reports = 0;
    LayoutOptions options;
    options.cancelled = &cancelled;
    options.progress = [&reports](int) { ++reports; };
    const LayoutInput input = transformer(4);
    QCOMPARE(layered_layout(input, options).centres.size(), input.boxes.size());
    QCOMPARE(reports, 0);
    options.cancelled = nullptr;
    QCOMPARE(layered_layout(input, options).centres.size(), input.boxes.size());
    QVERIFY(reports > 0);
}

QTEST_APPLESS_MAIN(TestLayeredLayout)
#include "test_layered_layout.moc"
