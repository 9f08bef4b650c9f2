#include <QtTest>

#include <QXmlStreamReader>

#include "core/formats/svg/layered_layout.h"
#include "core/formats/svg/layered_svg.h"
#include "core/formats/svg/svg.h"
#include "tests/formats/pictures.h"
#include "tests/golden.h"

using namespace inspector;

class TestLayeredSvg : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsTheGoldenOne();
    void namesAreText();
    void edgesLeadDownwards();
    void boxesAndLanesOfALayerKeepTheirDistance();
    void inputsStandAboveTheirFirstReader();
    void longEdgesAreStubs();
    void tenThousandNodes();
    void takesOverWhereGraphvizIsTooSlow();
};

namespace {

/// A chain of `count` nodes that all also read node 0.
std::vector<LayerEdge> fan(std::uint32_t count) {
    std::vector<LayerEdge> edges;
    for (std::uint32_t to = 1; to < count; ++to) {
        edges.push_back({0, to});
        if (to > 1) edges.push_back({to - 1, to});
    }
    return edges;
}

struct Case { std::vector<double> widths; std::vector<LayerEdge> edges; };

/// Edges over one to six layers.
Case woven(std::uint32_t count) {
    Case made;
    for (std::uint32_t i = 0; i < count; ++i) {
        made.widths.push_back(20 + i % 7 * 10.0);
        for (std::uint32_t back = 5; back < 60; back += 11)
            if (i >= back && (i * 7 + back) % 3 == 0) made.edges.push_back({i - back, i});
    }
    return made;
}

} // namespace

void TestLayeredSvg::textIsTheGoldenOne() { COMPARE_GOLDEN("formats/hostile.svg", print_layered_svg(hostile_picture())); }

void TestLayeredSvg::namesAreText() {
    QXmlStreamReader xml(QByteArray::fromStdString(print_layered_svg(hostile_picture())));
    QStringList texts;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("text")) texts << xml.readElementText();
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    for (const PictureNode& node : hostile_picture().nodes) QVERIFY(texts.contains(QString::fromStdString(node.name)));
    QVERIFY(texts.contains("R"));
    QVERIFY(texts.contains("M"));
}

void TestLayeredSvg::edgesLeadDownwards() {
    const Case made = woven(500);
    const LayeredLayout layout = lay_out_layers(made.widths, made.edges, 10);
    for (std::size_t i = 0; i < made.edges.size(); ++i) {
        const auto [from, to] = made.edges[i];
        QVERIFY(layout.places[from].layer < layout.places[to].layer);
        const std::size_t passed = layout.places[to].layer - layout.places[from].layer - 1;
        QCOMPARE(layout.lanes[i].size(), layout.is_stub(made.edges[i]) ? 0 : passed);
    }
}

void TestLayeredSvg::boxesAndLanesOfALayerKeepTheirDistance() {
    const Case made = woven(500);
    const LayeredLayout layout = lay_out_layers(made.widths, made.edges, 10);
    std::vector<std::vector<std::pair<double, double>>> layers(layout.layers);
    for (std::size_t i = 0; i < made.widths.size(); ++i) {
        const double left = layout.places[i].centre - made.widths[i] / 2;
        QVERIFY(left > -1e-6 && left + made.widths[i] < layout.width + 1e-6);
        layers[layout.places[i].layer].emplace_back(left, left + made.widths[i]);
    }
    std::size_t lanes = 0;
    for (std::size_t i = 0; i < made.edges.size(); ++i)
        for (std::size_t lane = 0; lane < layout.lanes[i].size(); ++lane, ++lanes)
            layers[layout.places[made.edges[i].from].layer + 1 + lane].emplace_back(layout.lanes[i][lane], layout.lanes[i][lane]);
    QVERIFY(lanes > 100);
    for (auto& boxes : layers) {
        std::sort(boxes.begin(), boxes.end());
        for (std::size_t i = 1; i < boxes.size(); ++i) QVERIFY(boxes[i].first >= boxes[i - 1].second + 10 - 1e-6);
    }
}

void TestLayeredSvg::inputsStandAboveTheirFirstReader() {
    // 1 is an input that only the last node reads.
    const LayeredLayout layout = lay_out_layers(std::vector<double>(5, 40), {{0, 2}, {2, 3}, {3, 4}, {1, 4}}, 10);
    QCOMPARE(layout.places[4].layer, 3U);
    QCOMPARE(layout.places[1].layer, 2U);
    // 0 → 1 → 5 prepares a weight, 2 → 3 → 4 → 5 computes: the weight comes down to where it is used.
    const LayeredLayout weight = lay_out_layers(std::vector<double>(8, 40), {{0, 1}, {2, 3}, {3, 4}, {2, 4}, {4, 5}, {1, 5}}, 10);
    QCOMPARE(weight.places[5].layer, 3U);
    QCOMPARE(weight.places[1].layer, 2U);
    QCOMPARE(weight.places[0].layer, 1U);
}

void TestLayeredSvg::longEdgesAreStubs() {
    Picture picture;
    for (int i = 0; i < 30; ++i) picture.nodes.push_back({"n" + std::to_string(i), "op", "", &verdict_look(nullptr), 0});
    for (const auto& [from, to] : fan(30)) picture.edges.push_back({from, to, false});
    const QString svg = QString::fromStdString(print_layered_svg(picture));
    QVERIFY(!svg.contains("<title>n0 → n10</title>"));
    QVERIFY(svg.contains("<title>n0 → n11</title>"));
    QCOMPARE(svg.count("v10M"), 19); // readers 11 to 29
}

void TestLayeredSvg::tenThousandNodes() {
    const Picture picture = woven_picture(2500, 4);
    const std::string svg = print_layered_svg(picture);
    QCOMPARE(QByteArray::fromStdString(svg).count("<rect x"), 10'000);
}

void TestLayeredSvg::takesOverWhereGraphvizIsTooSlow() {
    const Picture picture = woven_picture(30, 30);
    const Svg svg = print_svg(picture, std::chrono::milliseconds(100));
    QCOMPARE(svg.note, std::string("dot: took longer than 100 ms and was stopped"));
    QVERIFY(svg.text == print_layered_svg(picture));
    QVERIFY(!print_svg(woven_picture(1300, 4)).note.empty()); // more nodes than Graphviz is given
    QVERIFY(print_svg(hostile_picture()).note.empty());
}

QTEST_APPLESS_MAIN(TestLayeredSvg)
#include "test_layered_svg.moc"
