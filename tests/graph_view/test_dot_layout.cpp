#include <QProcess>
#include <QtTest>

#include "tests/graph_view/synthetic_layouts.h"
#include "ui/graph_view/dot_layout.h"

using namespace inspector;

class TestDotLayout : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sourceHoldsRows();
    void answerIsRead();
    void badAnswersAreErrors_data();
    void badAnswersAreErrors();
    void dotKeepsTheProgramsOrder();
};

static LayoutInput pair() { return {{operation(), operation()}, {{0, 1}}}; }

void TestDotLayout::sourceHoldsRows() {
    const LayoutInput input = pair();
    const QByteArray source = dotSource(input, assign_rows(input, {}), {});
    QVERIFY(source.contains("{rank=same; r0; b0;}"));
    QVERIFY(source.contains("{rank=same; r1; b1;}"));
    QVERIFY(source.contains("r0 -> r1"));
    QVERIFY(source.contains("b0 -> b1"));
    QVERIFY(!source.contains("ortho")); // dot ends in an assertion on it
}

void TestDotLayout::answerIsRead() {
    const LayoutInput input = pair();
    const QByteArray answer = "graph 1 4 3\n"
                              "node b0 2 2.5 2.7 0.6 \"\" solid box black lightgrey\n"
                              "node b1 2.5 0.5 2.7 0.6 \"\" solid box black lightgrey\n"
                              "node r0 0.1 2.5 0.01 0.01 \"\" invis box black lightgrey\n"
                              "node r1 0.1 0.5 0.01 0.01 \"\" invis box black lightgrey\n"
                              "edge r0 r1 4 0 0 0 0 0 0 0 0 invis black\n"
                              "edge b0 b1 4 2 2.2 2 1.5 2.5 1.5 2.5 0.8 solid black\n"
                              "stop\n";
    const Result<GraphLayout> layout = readDotAnswer(answer, input, assign_rows(input, {}), {});
    QVERIFY(layout.has_value());
    // 72 units an inch, y downwards, the picture's corner at 0.
    QCOMPARE(layout->centres[0].x, 100.0F);
    QCOMPARE(layout->centres[0].y, 22.0F);
    QCOMPARE(layout->centres[1].x, 136.0F);
    QCOMPARE(layout->centres[1].y, 166.0F);
    QCOMPARE(layout->rows.size(), std::size_t{2});
    QCOMPARE(layout->rows[0].top, 0.0F);
    QCOMPARE(layout->rows[1].bottom, 188.0F);
    QCOMPARE(layout->left, 0.0F);
    QCOMPARE(layout->right, 236.0F);
    const auto route = layout->route(0);
    QCOMPARE(route.size(), std::size_t{4});
    QCOMPARE(route.front().x, 100.0F);
    QVERIFY(std::abs(route.back().y - 144.4F) < 0.01F);
}

void TestDotLayout::badAnswersAreErrors_data() {
    const QByteArray head = "graph 1 4 3\nnode r0 0 2.5 0 0 x\nnode r1 0 0.5 0 0 x\n";
    const QByteArray first = "node b0 2 2.5 2.7 0.6 x solid box black lightgrey\n";
    const QByteArray second = "node b1 2 0.5 2.7 0.6 x solid box black lightgrey\n";
    const QByteArray edge = "edge b0 b1 4 2 2 2 2 2 2 2 2 solid black\n";
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("broken off") << head + first + second + edge;
    QTest::newRow("a row is missing") << head.left(32) + first + second + edge + "stop\n";
    QTest::newRow("a node is missing") << head + first + edge + "stop\n";
    QTest::newRow("an edge is missing") << head + first + second + "stop\n";
    QTest::newRow("a node that is not ours") << head + first + second + edge + "node b7 1 1 1 1 x\nstop\n";
    QTest::newRow("no number") << head + first + "node b1 x 0.5 1 1 x\n" + edge + "stop\n";
    QTest::newRow("not finite") << head + first + "node b1 nan 0.5 1 1 x\n" + edge + "stop\n";
    QTest::newRow("two points") << head + first + second + "edge b0 b1 2 2 2 2 2 solid black\nstop\n";
    QTest::newRow("points are missing") << head + first + second + "edge b0 b1 4 2 2 2\nstop\n";
    QTest::newRow("absurd count") << head + first + second + "edge b0 b1 4000000000 2 2 2\nstop\n";
}

void TestDotLayout::badAnswersAreErrors() {
    QFETCH(QByteArray, answer);
    const LayoutInput input = pair();
    const Result<GraphLayout> layout = readDotAnswer(answer, input, assign_rows(input, {}), {});
    QVERIFY(!layout.has_value());
    QVERIFY(!layout.error().reason.empty());
}

void TestDotLayout::dotKeepsTheProgramsOrder() {
    const LayoutInput input = transformer(6);
    const LayoutOptions options{.folds = false};
    const RowAssignment rows = assign_rows(input, options);
    QProcess dot;
    dot.start(QStringLiteral("dot"), {QStringLiteral("-Tplain")});
    QVERIFY2(dot.waitForStarted(), "Graphviz is needed for this test");
    dot.write(dotSource(input, rows, options));
    dot.closeWriteChannel();
    QVERIFY(dot.waitForFinished());
    const Result<GraphLayout> layout = readDotAnswer(dot.readAllStandardOutput(), input, rows, options);
    QVERIFY(layout.has_value());
    QVERIFY(!layout->references.empty());
    for (std::size_t row = 1; row < layout->rows.size(); ++row)
        QVERIFY(layout->rows[row].top > layout->rows[row - 1].bottom);
    float y = 0;
    for (std::size_t box = 0; box < input.boxes.size(); ++box) {
        if (input.boxes[box].is_beside_reader) continue;
        QVERIFY(layout->centres[box].y >= y - 0.5F);
        y = layout->centres[box].y;
    }
    for (const LayoutEdge& edge : input.edges) QVERIFY(layout->centres[edge.from].y < layout->centres[edge.to].y);
    for (const LayoutRow& row : layout->rows) {
        for (std::uint32_t i = row.first + 1; i < row.last; ++i) {
            const std::uint32_t left = layout->boxes_in_rows[i - 1];
            const std::uint32_t right = layout->boxes_in_rows[i];
            const float distance = (input.boxes[left].width + input.boxes[right].width) / 2;
            QVERIFY(layout->centres[right].x - layout->centres[left].x >= distance);
        }
    }
}

QTEST_GUILESS_MAIN(TestDotLayout)
#include "test_dot_layout.moc"
