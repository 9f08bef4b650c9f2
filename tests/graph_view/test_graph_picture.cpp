#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <QtTest>

#include "tests/graph_view/synthetic_content.h"
#include "ui/appearance/theme.h"
#include "ui/graph_view/graph_item.h"
#include "ui/graph_view/layered_layout.h"

using namespace inspector;

/// A graph drawn without a document.
static GraphPicture pictureOf(GraphContent content) {
    GraphPicture picture(codeFont());
    picture.setContent(std::move(content));
    const LayoutOptions options = picture.layoutOptions();
    picture.setLayout(layered_layout(picture.layoutInput(), options));
    return picture;
}

class TestGraphPicture : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyNodeIsFoundWhereItIs();
    void rowsInViewHoldWhatIsInView();
    void referencesStandForCutEdges();
    void createdNodesStandBesideWhatTheyReplace();
    void referencesOfNewEdgesCoverNothing();
    void originalNodesStayWhenOthersAreCreated();
    void newEdgesFollowTheOldOnes();
    void exchangedOperandsKeepTheirReference();
    void sharedStoragesAreKnown();
    void cardsHoldTheirWords();
    void currentNodeIsRinged();
    void farAndNearPictureAgree();

private:
    static QImage draw(const GraphPicture& picture, const GraphEmphasis& emphasis, double zoom);
};

void TestGraphPicture::everyNodeIsFoundWhereItIs() {
    const GraphPicture picture = pictureOf(contentLike(transformer(12)));
    QVERIFY(picture.columnLines().size() > 0);
    for (std::uint32_t node = 0; node < picture.content().nodes.size(); ++node) {
        QCOMPARE(picture.nodeAt(picture.rect(node).center()), node);
        QCOMPARE(picture.nodeAt(picture.rect(node).topLeft() + QPointF(1, 1)), node);
        QCOMPARE(picture.nearest(picture.rect(node).center()), node);
        QVERIFY(picture.bounds().adjusted(-1, -1, 1, 1).contains(picture.rect(node)));
    }
    QCOMPARE(picture.nodeAt(picture.bounds().bottomRight() + QPointF(500, 500)), GraphPicture::none);
    for (const GraphPicture::Reference& reference : picture.references())
        QCOMPARE(picture.referenceAt(reference.rect.center()), &reference);
}

void TestGraphPicture::rowsInViewHoldWhatIsInView() {
    const GraphPicture picture = pictureOf(contentLike(transformer(12)));
    const QRectF all = picture.bounds();
    for (int i = 0; i < 20; ++i) {
        const QRectF area(all.left() + all.width() * i / 20, all.top() + all.height() * (i * 7 % 20) / 20, 700, 500);
        std::vector<bool> isSeen(picture.content().nodes.size(), false);
        for (const GraphPicture::RowRange rows : picture.rowsIn(area))
            for (std::uint32_t row = rows.first; row < rows.last; ++row)
                for (const std::uint32_t node : picture.nodesIn(row)) isSeen[node] = true;
        for (std::uint32_t node = 0; node < isSeen.size(); ++node)
            if (picture.rect(node).intersects(area)) QVERIFY(isSeen[node]);
        std::size_t edgesThere = 0;
        std::size_t edgesFound = 0;
        const auto isThere = [&area](const GraphPicture::Edge& edge) {
            return !edge.route.empty() && area.contains(edge.route[3].x, edge.route[3].y);
        };
        for (const GraphPicture::Edge& edge : picture.edges()) edgesThere += isThere(edge);
        for (const GraphPicture::RowRange rows : picture.rowsIn(area))
            for (const GraphPicture::Edge& edge : picture.edgesAcross(rows)) edgesFound += isThere(edge);
        QCOMPARE(edgesFound, edgesThere);
    }
}

void TestGraphPicture::referencesStandForCutEdges() {
    const GraphPicture picture = pictureOf(contentLike(transformer(12)));
    for (const GraphPicture::Edge& edge : picture.edges()) {
        if (!edge.route.empty()) continue;
        const auto says = [&](bool above, std::uint32_t node, std::uint32_t other) {
            return std::any_of(picture.references().begin(), picture.references().end(), [&](const auto& reference) {
                return reference.isAboveReader == above && reference.node == node &&
                       std::find(reference.others.begin(), reference.others.end(), other) != reference.others.end();
            });
        };
        QVERIFY(says(true, edge.to, edge.from));
        QVERIFY(says(false, edge.from, edge.to));
    }
    for (const GraphPicture::Reference& reference : picture.references())
        for (std::uint32_t node = 0; node < picture.content().nodes.size(); ++node)
            QVERIFY(!picture.rect(node).intersects(reference.rect));
}

/// `content` after a step that made %made beside node `beside`, reading `operand`.
static GraphContent withCreated(GraphContent content, std::uint32_t beside, std::uint32_t operand) {
    NodeContent made;
    made.id = NodeId{static_cast<std::uint32_t>(content.indices.size())};
    made.name = QStringLiteral("%made");
    made.target = QStringLiteral("aten.copy_.default");
    made.beside = content.nodes[beside].id;
    content.indices.push_back(static_cast<std::uint32_t>(content.nodes.size()));
    content.nodes.push_back(made);
    content.edges.push_back({operand, static_cast<std::uint32_t>(content.nodes.size() - 1), EdgeKind::write});
    return content;
}

void TestGraphPicture::createdNodesStandBesideWhatTheyReplace() {
    GraphContent before = contentLike(transformer(4));
    for (const std::uint32_t beside : {20U, 33U, 50U})
        before.nodes[beside].target = QStringLiteral("aten.select_scatter.default");
    GraphPicture picture = pictureOf(before);
    for (const std::uint32_t beside : {20U, 33U, 50U}) {
        picture.updateContent(withCreated(withCreated(before, beside, beside - 1), beside, beside - 1));
        const auto first = static_cast<std::uint32_t>(before.nodes.size());
        for (const std::uint32_t created : {first, first + 1}) {
            QCOMPARE(picture.rowOf(created), picture.rowOf(beside));
            QCOMPARE(picture.rect(created).center().y(), picture.rect(beside).center().y());
            for (std::uint32_t other = 0; other < picture.content().nodes.size(); ++other)
                if (other != created) QVERIFY(!picture.rect(other).intersects(picture.rect(created)));
            QCOMPARE(picture.nodeAt(picture.rect(created).center()), created);
        }
    }
    picture.updateContent(before);
    QCOMPARE(picture.content().nodes.size(), before.nodes.size());
}

void TestGraphPicture::referencesOfNewEdgesCoverNothing() {
    const GraphContent before = contentLike(transformer(12));
    GraphPicture picture = pictureOf(before);
    const std::size_t references = picture.references().size();
    for (const std::uint32_t beside : {150U, 160U, 170U}) {
        GraphContent content = before;
        for (const std::uint32_t node : {beside, beside, beside + 1}) content = withCreated(content, node, 1);
        for (std::uint32_t reader = beside; reader < beside + 4; ++reader) content.edges.push_back({2, reader, EdgeKind::data});
        picture.updateContent(content);
        QVERIFY(picture.references().size() > references);
        for (const GraphPicture::Reference& one : picture.references()) {
            for (const GraphPicture::Reference& other : picture.references())
                QVERIFY2(&one == &other || !one.rect.intersects(other.rect), qPrintable(QString::number(beside)));
            for (std::uint32_t node = 0; node < picture.content().nodes.size(); ++node)
                QVERIFY2(!picture.rect(node).intersects(one.rect), qPrintable(QString::number(beside)));
        }
    }
}

void TestGraphPicture::originalNodesStayWhenOthersAreCreated() {
    const GraphContent before = contentLike(transformer(4));
    GraphPicture picture = pictureOf(before);
    std::vector<QRectF> places;
    for (std::uint32_t node = 0; node < before.nodes.size(); ++node) places.push_back(picture.rect(node));
    picture.updateContent(withCreated(before, 20, 19));
    for (std::uint32_t node = 0; node < before.nodes.size(); ++node) QCOMPARE(picture.rect(node), places[node]);
}

void TestGraphPicture::newEdgesFollowTheOldOnes() {
    // %n0 → %n1 → %n2; %n1 is reinplaced, and %n2 reads %n0 from then on.
    GraphContent content = contentLike(chain(3));
    GraphPicture picture = pictureOf(content);
    content.edges = {{0, 1, EdgeKind::write}, {0, 2, EdgeKind::data}};
    picture.updateContent(content);
    QCOMPARE(picture.edges().size(), std::size_t{2});
    const std::span<const LayoutPoint> route = picture.edges()[1].route;
    QCOMPARE(route.size() % 3, std::size_t{1});
    QCOMPARE(route.front().y, static_cast<float>(picture.rect(0).bottom()));
    QCOMPARE(route.back().y, static_cast<float>(picture.rect(2).top()));
    const auto passes = [&route](QRectF rect) {
        return std::any_of(route.begin(), route.end(), [&](LayoutPoint p) { return rect.contains(p.x, p.y); });
    };
    QVERIFY(passes(picture.rect(1).adjusted(0, -1, 0, 1)));
}

void TestGraphPicture::exchangedOperandsKeepTheirReference() {
    LayoutInput input = chain(30);
    input.edges.push_back({2, 20});
    GraphContent content = contentLike(input);
    GraphPicture picture = pictureOf(content);
    const auto above = [&picture] {
        std::vector<std::uint32_t> named;
        for (const GraphPicture::Reference& reference : picture.references())
            if (reference.isAboveReader && reference.node == 20) named = reference.others;
        return named;
    };
    QCOMPARE(above(), std::vector<std::uint32_t>{2});
    content.edges.back().from = 1; // %n20 reads %n1 instead
    picture.updateContent(content);
    QCOMPARE(above(), std::vector<std::uint32_t>{1});
    content.edges.pop_back();
    picture.updateContent(content);
    QVERIFY(picture.references().empty());
    content.edges.push_back({3, 25, EdgeKind::data}); // between two that had no reference
    picture.updateContent(content);
    QCOMPARE(picture.references().size(), std::size_t{2});
    for (const GraphPicture::Reference& reference : picture.references())
        for (std::uint32_t node = 0; node < content.nodes.size(); ++node)
            QVERIFY(!picture.rect(node).intersects(reference.rect));
}

void TestGraphPicture::sharedStoragesAreKnown() {
    GraphContent content = contentLike(chain(3));
    content.nodes[0].storage = content.nodes[1].storage = 7;
    content.nodes[2].storage = 8;
    const GraphPicture picture = pictureOf(content);
    QVERIFY(picture.isShared(7));
    QVERIFY(!picture.isShared(8));
    QVERIFY(!picture.isShared(0));
    QVERIFY(!picture.isShared(4'000'000'000));
    content.nodes[1].isErased = true;
    QVERIFY(!pictureOf(content).isShared(7));
}

void TestGraphPicture::cardsHoldTheirWords() {
    const NodeCard card(codeFont());
    NodeContent node;
    node.name = QStringLiteral("%a");
    node.target = QStringLiteral("aten.add.Tensor");
    const double narrow = card.size(node).width();
    node.type = QStringLiteral("f32[2, 8, 64]");
    QVERIFY(card.size(node).width() > narrow);
    node.name = QLatin1Char('%') + QString(500, QLatin1Char('x'));
    node.type = QString(500, QLatin1Char('y'));
    node.target = QString(500, QLatin1Char('z'));
    QVERIFY(card.size(node).width() < 800);
    QCOMPARE(card.size(node).height(), card.height());
}

QImage TestGraphPicture::draw(const GraphPicture& picture, const GraphEmphasis& emphasis, double zoom) {
    applyTheme(Theme::light);
    GraphItem item(picture);
    item.setPalette(QApplication::palette());
    item.updatePicture();
    item.setEmphasis(emphasis);
    QImage image((item.boundingRect().size() * zoom).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(zoom, zoom);
    painter.translate(-item.boundingRect().topLeft());
    QStyleOptionGraphicsItem option;
    option.exposedRect = item.boundingRect();
    item.paint(&painter, &option, nullptr);
    return image;
}

static int pixelsOf(const QImage& image, const QColor& colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == colour;
    return count;
}

void TestGraphPicture::currentNodeIsRinged() {
    const GraphPicture picture = pictureOf(contentLike(chain(3)));
    const QColor ring = themeColours(QApplication::palette()).current;
    for (const double zoom : {1.0, 0.1}) {
        QCOMPARE(pixelsOf(draw(picture, {}, zoom), ring), 0);
        GraphEmphasis emphasis;
        emphasis.current = 1;
        QVERIFY(pixelsOf(draw(picture, emphasis, zoom), ring) > 20);
    }
}

void TestGraphPicture::farAndNearPictureAgree() {
    const GraphPicture picture = pictureOf(contentLike(chain(8)));
    const QColor reinplaced = verdictStyle(VerdictMark::reinplaced, Scheme::light).fill;
    const QColor missed = verdictStyle(VerdictMark::missed, Scheme::light).fill;
    for (const double zoom : {1.0, 0.2}) {
        const QImage image = draw(picture, {}, zoom);
        QVERIFY(pixelsOf(image, reinplaced) > 20);
        QVERIFY(pixelsOf(image, missed) > 20);
    }
}

QTEST_MAIN(TestGraphPicture)
#include "test_graph_picture.moc"
