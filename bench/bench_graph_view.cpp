// Frames and layouts of the canvas: QT_QPA_PLATFORM=offscreen build/bin/bench_graph_view
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QScrollBar>
#include <QtTest>

#include "tests/graph_view/synthetic_content.h"
#include "ui/appearance/theme.h"
#include "ui/graph_view/graph_item.h"
#include "ui/graph_view/layered_layout.h"

using namespace inspector;

Q_DECLARE_METATYPE(inspector::LayoutInput)

class BenchGraphView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void layout_data() { graphs(); }
    void layout();
    void step_data() { graphs(); }
    void step();
    void panning_data();
    void panning();

private:
    static void graphs();
};

void BenchGraphView::graphs() {
    QTest::addColumn<LayoutInput>("input");
    QTest::newRow("chain of 10,000") << chain(10'000);
    QTest::newRow("chain of 50,000") << chain(50'000);
    QTest::newRow("transformer of 3,800") << transformer(202);
    QTest::newRow("transformer of 50,000") << transformer(2'631);
}

void BenchGraphView::layout() {
    QFETCH(LayoutInput, input);
    GraphLayout layout;
    QBENCHMARK { layout = layered_layout(input); }
    QCOMPARE(layout.centres.size(), input.boxes.size());
}

static GraphPicture pictureOf(const LayoutInput& input) {
    GraphPicture picture(codeFont());
    picture.setContent(contentLike(input));
    picture.setLayout(layered_layout(picture.layoutInput(), picture.layoutOptions()));
    return picture;
}

// What the canvas does after each step of the pass, but for asking the session.
void BenchGraphView::step() {
    QFETCH(LayoutInput, input);
    GraphPicture picture = pictureOf(input);
    QBENCHMARK { picture.updateContent(picture.content()); }
}

void BenchGraphView::panning_data() {
    QTest::addColumn<LayoutInput>("input");
    QTest::addColumn<double>("zoom"); // 0: all fits
    const std::array graphs{std::pair("3,800 nodes", transformer(202)), std::pair("50,000 nodes", transformer(2'631))};
    for (const auto& [name, input] : graphs)
        for (const double zoom : {0.0, 0.1, 0.3, 0.5, 1.0})
            QTest::addRow("%s, %s", name, zoom == 0 ? "fit-all" : qPrintable(QString::number(zoom))) << input << zoom;
}

// One frame of 1400 × 900 pixels while panning.
void BenchGraphView::panning() {
    QFETCH(LayoutInput, input);
    QFETCH(double, zoom);
    const GraphPicture picture = pictureOf(input);
    QGraphicsScene scene;
    scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    auto* item = new GraphItem(picture);
    scene.addItem(item);
    item->setPalette(QApplication::palette());
    item->updatePicture();
    QGraphicsView view(&scene);
    view.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view.resize(1400, 900);
    view.setSceneRect(item->boundingRect().adjusted(-40'000, -40'000, 40'000, 40'000));
    if (zoom == 0) view.fitInView(item, Qt::KeepAspectRatio);
    else view.scale(zoom, zoom);
    view.show();
    view.centerOn(item->boundingRect().center());
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    int step = 0;
    QBENCHMARK {
        view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() + (++step % 2 ? 13 : -13));
        view.viewport()->repaint();
    }
}

QTEST_MAIN(BenchGraphView)
#include "bench_graph_view.moc"
