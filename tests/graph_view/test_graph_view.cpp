#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
#include <QXmlStreamReader>
#include <QtTest>

#include "ui/appearance/theme.h"
#include "ui/graph_view/graph_view.h"
#include "ui/graph_view/layout_progress.h"
#include "ui/graph_view/minimap.h"

using namespace inspector;

class TestGraphView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void emptyViewSaysWhatToDo();
    void drawsTheProgramInOrder_data();
    void drawsTheProgramInOrder();
    void dotsLayoutKeepsWhatIsLookedAt();
    void longLayoutCanBeCancelled();
    void clickSelects();
    void clickOnAReferenceGoesThere();
    void doubleClickRunsToTheNode();
    void dragMovesTheView();
    void wheelZoomsAroundTheCursor();
    void keysMoveAlongEdges();
    void fitShowsAllAndStays();
    void selectionComesIntoSight();
    void whatIsInSightStays();
    void revealShowsFarEnds();
    void steppingMovesNothing();
    void verdictsFollowTheSteps();
    void scatterMakesNodesBesideIt();
    void anotherPolicyMovesNothing();
    void evidenceIsNumbered();
    void minimapMovesTheView();
    void minimapLeavesTheSelectionInSight();
    void columnsCanBeTurnedOff();
    void contextMenuCopies();
    void contextMenuDonatesAnInput();
    void contextMenuGivesAnInputItsType();
    void contextMenuSelectsTheAliasSet();
    void toolTipSaysSchemaAndMetadata();
    void selectionIsToldToScreenReaders();
    void actionsSayWhyTheyAreDisabled();
    void exportsSvg();
    void exportsPdf();
    void exportsPng();
    void exportFailsWithAReason();
    void anotherFileReplacesTheGraph();
    void followsThePalette();

private:
    /// Opens tests/data/reference/NAME with the policy torch-fx, and waits for the last layout.
    void open(const QString& name);
    [[nodiscard]] NodeId node(const char* name) const { return document_->session()->original().find(name); }
    [[nodiscard]] std::uint32_t index(const char* name) const { return view_->picture().content().indexOf(node(name)); }
    [[nodiscard]] bool isInSight(NodeId id) const {
        return view_->viewport()->rect().contains(view_->viewPositionOf(id));
    }
    void click(QPoint position) { QTest::mouseClick(view_->viewport(), Qt::LeftButton, {}, position); }
    void press(Qt::Key key) { QTest::keyClick(view_.get(), key); }
    /// What the context menu at `position` offers, after `choose` of it has been triggered.
    QStringList contextMenu(QPoint position, const QString& choose = {});

    std::unique_ptr<Document> document_;
    std::unique_ptr<GraphView> view_;
};

void TestGraphView::init() {
    applyTheme(Theme::light);
    document_ = std::make_unique<Document>();
    view_ = std::make_unique<GraphView>(document_.get());
    view_->layoutRequest().setDotTimeLimit(30'000); // the machine may be busy
    view_->resize(900, 700);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void TestGraphView::cleanup() {
    view_.reset();
    document_.reset();
}

void TestGraphView::open(const QString& name) {
    const QDir directory(QStringLiteral(TEST_DATA "/reference/") + name);
    const QString archive = QStringLiteral("before.pt2");
    const QString file = directory.filePath(directory.exists(archive) ? archive : QStringLiteral("before.py.txt"));
    QSignalSpy finished(view_.get(), &GraphView::layoutFinished);
    QSignalSpy failed(document_.get(), &Document::openFailed);
    document_->open(file);
    QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() || !failed.isEmpty(), 30'000);
    if (!failed.isEmpty()) QFAIL(qPrintable(failed.first().first().toString()));
    if (document_->policy() == QStringLiteral("torch-fx")) return;
    QSignalSpy shown(document_.get(), &Document::graphShown);
    document_->setPolicy(QStringLiteral("torch-fx"));
    QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 30'000);
}

QStringList TestGraphView::contextMenu(QPoint position, const QString& choose) {
    QStringList offered;
    QTimer::singleShot(0, this, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu) return;
        for (QAction* action : menu->actions()) {
            if (action->isEnabled() && !action->isSeparator()) offered << action->text();
            if (action->text() == choose) action->trigger();
        }
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, position, view_->viewport()->mapToGlobal(position));
    QApplication::sendEvent(view_->viewport(), &event);
    return offered;
}

// --- what is drawn ---------------------------------------------------------------------------------------------------

void TestGraphView::emptyViewSaysWhatToDo() {
    const auto labels = view_->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("Open"));
    }));
    for (const QAction* action : view_->viewActions()) QVERIFY(!action->isEnabled());
    QVERIFY(!view_->exportSvg(QStringLiteral("/nowhere.svg")).has_value());
    // Nothing of this needs a graph to be there.
    press(Qt::Key_Down);
    view_->fit();
    view_->zoomIn();
    view_->revealInputs();
    click(QPoint(100, 100));
    QCOMPARE(document_->selected(), no_node);
}

void TestGraphView::drawsTheProgramInOrder_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"random-00022", "model-llama-func", "nested-cond", "multi-output-op", "kv-cache-write"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestGraphView::drawsTheProgramInOrder() {
    QFETCH(QString, name);
    view_->toggleColumns();
    open(name);
    const GraphPicture& picture = view_->picture();
    QVERIFY(picture.hasLayout());
    QCOMPARE(picture.content().nodes.size(), document_->session()->original().size());
    double y = -1;
    for (std::uint32_t i = 0; i < picture.content().nodes.size(); ++i) {
        for (std::uint32_t other = 0; other < i; ++other) QVERIFY(!picture.rect(i).intersects(picture.rect(other)));
        if (picture.content().nodes[i].isInput) continue;
        QVERIFY(picture.rect(i).center().y() >= y - 1);
        y = picture.rect(i).center().y();
    }
}

void TestGraphView::dotsLayoutKeepsWhatIsLookedAt() {
    QList<bool> fromDot;
    QPoint before;
    // Someone looks at a node in the middle while dot works.
    connect(&view_->layoutRequest(), &LayoutRequest::layoutReady, view_.get(), [&](const GraphLayout&, bool isFromDot) {
        fromDot << isFromDot;
        if (isFromDot) return;
        document_->select(node("mm_4"));
        view_->centreOnSelection();
        before = view_->viewPositionOf(node("mm_4"));
    });
    QSignalSpy finished(view_.get(), &GraphView::layoutFinished);
    document_->open(QStringLiteral(TEST_DATA "/reference/model-llama-core/before.pt2"));
    QVERIFY(finished.wait(30'000));
    QCOMPARE(fromDot, (QList<bool>{false, true}));
    const QPoint moved = view_->viewPositionOf(node("mm_4")) - before;
    QVERIFY2(moved.manhattanLength() <= 3, qPrintable(QStringLiteral("%1, %2").arg(moved.x()).arg(moved.y())));
}

void TestGraphView::longLayoutCanBeCancelled() {
    // A dot that takes its time.
    const QTemporaryDir directory;
    QFile slow(directory.filePath(QStringLiteral("dot")));
    QVERIFY(slow.open(QIODevice::WriteOnly));
    slow.write("#!/bin/sh\nsleep 60\n");
    slow.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    slow.close();
    view_->layoutRequest().setDotProgram(slow.fileName());
    auto* progress = view_->findChild<LayoutProgress*>();
    QSignalSpy finished(view_.get(), &GraphView::layoutFinished);
    document_->open(QStringLiteral(TEST_DATA "/reference/basic-chain/before.py.txt"));
    QVERIFY(!progress->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), 30'000);
    QVERIFY(view_->picture().hasLayout()); // ours is there already
    QVERIFY(view_->rect().contains(progress->geometry()));
    QTest::mouseClick(progress->findChild<QToolButton*>(), Qt::LeftButton);
    QCOMPARE(finished.count(), 1);
    QVERIFY(!progress->isVisible());
}

// --- mouse -----------------------------------------------------------------------------------------------------------

void TestGraphView::clickSelects() {
    open(QStringLiteral("random-00022"));
    click(view_->viewPositionOf(node("mul")));
    QCOMPARE(document_->selected(), node("mul"));
    QCOMPARE(view_->emphasis().selected, index("mul"));
    click(QPoint(2, 2));
    QCOMPARE(document_->selected(), no_node);
}

void TestGraphView::clickOnAReferenceGoesThere() {
    open(QStringLiteral("model-llama-core"));
    const auto& references = view_->picture().references();
    const auto single = std::find_if(references.begin(), references.end(), [](const auto& reference) {
        return reference.isAboveReader && reference.others.size() == 1;
    });
    QVERIFY(single != references.end());
    const NodeId far = view_->picture().content().nodes[single->others.front()].id;
    view_->centerOn(single->rect.center());
    click(view_->mapFromScene(single->rect.center()));
    QCOMPARE(document_->selected(), far);
    QVERIFY(isInSight(far));
}

void TestGraphView::doubleClickRunsToTheNode() {
    open(QStringLiteral("random-00022"));
    const QPoint position = view_->viewPositionOf(node("ge_2"));
    QTest::mouseDClick(view_->viewport(), Qt::LeftButton, {}, position);
    QCOMPARE(document_->session()->current(), node("ge_2"));
    QCOMPARE(view_->emphasis().current, index("ge_2"));
}

void TestGraphView::dragMovesTheView() {
    open(QStringLiteral("model-llama-core"));
    document_->select(node("mm_4"));
    view_->centreOnSelection();
    const QPoint before = view_->viewPositionOf(node("mm_4"));
    const QPoint from(450, 350);
    QTest::mousePress(view_->viewport(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 6; ++step) QTest::mouseMove(view_->viewport(), from + step * QPoint(10, -15));
    QTest::mouseRelease(view_->viewport(), Qt::LeftButton, {}, from + QPoint(60, -90));
    QCOMPARE(view_->viewPositionOf(node("mm_4")), before + QPoint(60, -90));
    QCOMPARE(document_->selected(), node("mm_4"));
}

void TestGraphView::wheelZoomsAroundTheCursor() {
    open(QStringLiteral("model-llama-core"));
    const QPointF cursor(200, 500);
    const auto turn = [&](int delta) {
        const QPointF scene = view_->viewportTransform().inverted().map(cursor);
        const double before = view_->zoom();
        QWheelEvent event(cursor, view_->viewport()->mapToGlobal(cursor), {}, QPoint(0, delta), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_->viewport(), &event);
        QVERIFY(delta > 0 ? view_->zoom() > before : view_->zoom() < before);
        const QPointF moved = view_->viewportTransform().map(scene) - cursor;
        QVERIFY(moved.manhattanLength() < 2);
    };
    for (const int delta : {120, 120, -120, -240, -480, 30}) turn(delta);
    for (int i = 0; i < 60; ++i) view_->zoomIn();
    QVERIFY(view_->zoom() <= 4.01);
    for (int i = 0; i < 80; ++i) view_->zoomOut();
    QVERIFY(view_->mapFromScene(view_->picture().bounds()).boundingRect().width() > 200);
}

// --- keys and places -------------------------------------------------------------------------------------------------

void TestGraphView::keysMoveAlongEdges() {
    open(QStringLiteral("random-00022"));
    document_->select(node("add"));
    press(Qt::Key_Down);
    QCOMPARE(document_->selected(), node("slice_1"));
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    QCOMPARE(document_->selected(), node("fill"));
    press(Qt::Key_Up);
    QCOMPARE(document_->selected(), node("arg1_1"));
    press(Qt::Key_Up);
    QCOMPARE(document_->selected(), node("arg1_1"));
    press(Qt::Key_Right);
    const NodeId right = document_->selected();
    QVERIFY(right != node("arg1_1"));
    press(Qt::Key_Left);
    QCOMPARE(document_->selected(), node("arg1_1"));
    document_->select(no_node);
    press(Qt::Key_Down);
    QVERIFY(document_->selected() != no_node);
}

void TestGraphView::fitShowsAllAndStays() {
    open(QStringLiteral("model-llama-core"));
    const auto showsAll = [this] {
        return view_->viewport()->rect().contains(view_->mapFromScene(view_->picture().bounds()).boundingRect());
    };
    QVERIFY(!showsAll());
    press(Qt::Key_0);
    QVERIFY(showsAll());
    view_->resize(500, 400);
    QVERIFY(showsAll());
    view_->zoomIn();
    view_->zoomIn();
    view_->resize(600, 500);
    QVERIFY(!showsAll());
}

void TestGraphView::selectionComesIntoSight() {
    open(QStringLiteral("model-llama-core"));
    for (const char* name : {"mm_10", "embedding", "mm_4"}) {
        document_->select(node(name));
        QVERIFY(isInSight(node(name)));
    }
}

void TestGraphView::whatIsInSightStays() {
    open(QStringLiteral("random-00022"));
    const QPoint before = view_->viewPositionOf(node("add"));
    document_->select(node("sin"));
    document_->select(node("fill"));
    document_->highlight({node("mul")});
    QCOMPARE(view_->viewPositionOf(node("add")), before);
}

void TestGraphView::revealShowsFarEnds() {
    open(QStringLiteral("model-llama-core"));
    const NodeId reader = node("mul_3"); // reads %embedding, from further up
    document_->select(reader);
    view_->centreOnSelection();
    view_->zoomIn();
    view_->zoomIn();
    QVERIFY(!isInSight(node("embedding")));
    press(Qt::Key_I);
    QVERIFY(view_->emphasis().revealsInputs);
    QVERIFY(!view_->emphasis().revealsOutputs);
    for (const NodeId operand : document_->session()->original().inputs(reader)) QVERIFY(isInSight(operand));
    QVERIFY(isInSight(reader));
    press(Qt::Key_I);
    QVERIFY(!view_->emphasis().revealsInputs);
    press(Qt::Key_O);
    QVERIFY(view_->emphasis().revealsOutputs);
    document_->select(node("mm_4"));
    QVERIFY(!view_->emphasis().revealsOutputs);
}

// --- stepping --------------------------------------------------------------------------------------------------------

void TestGraphView::steppingMovesNothing() {
    open(QStringLiteral("model-llama-core"));
    const GraphPicture& picture = view_->picture();
    std::vector<QRectF> places;
    for (std::uint32_t i = 0; i < picture.content().originalCount; ++i) places.push_back(picture.rect(i));
    for (int i = 0; i < 20; ++i) document_->stepNode();
    document_->runToEnd();
    document_->stepBack();
    for (std::uint32_t i = 0; i < picture.content().originalCount; ++i) QCOMPARE(picture.rect(i), places[i]);
}

void TestGraphView::verdictsFollowTheSteps() {
    open(QStringLiteral("random-00022"));
    const auto content = [this](const char* name) { return view_->picture().content().nodes[index(name)]; };
    QCOMPARE(content("arg0_1").mark, VerdictMark::none);
    QCOMPARE(content("add").mark, VerdictMark::pending);
    QCOMPARE(view_->emphasis().current, index("fill"));
    QVERIFY(content("fill").storage != content("add").storage);
    document_->runToEnd();
    QCOMPARE(content("add").mark, VerdictMark::reinplaced);
    QCOMPARE(content("add").target, QStringLiteral("aten.add_.Tensor"));
    QCOMPARE(content("add").storage, content("fill").storage);
    QCOMPARE(content("slice_1").storage, content("fill").storage);
    QCOMPARE(content("slice_1").mark, VerdictMark::kept);
    QCOMPARE(view_->emphasis().current, GraphPicture::none);
    const auto kindOf = [this](const char* from, const char* to) {
        for (const GraphPicture::Edge& edge : view_->picture().edges())
            if (edge.from == index(from) && edge.to == index(to)) return std::optional(edge.kind);
        return std::optional<EdgeKind>();
    };
    QCOMPARE(kindOf("fill", "add"), EdgeKind::write);
    QCOMPARE(kindOf("slice_1", "ge_1"), EdgeKind::data);
    document_->restart();
    QCOMPARE(content("add").mark, VerdictMark::pending);
    QCOMPARE(content("add").target, QStringLiteral("aten.add.Tensor"));
    QCOMPARE(kindOf("fill", "add"), EdgeKind::data);
    QCOMPARE(kindOf("add", "slice_1"), EdgeKind::view);
}

void TestGraphView::scatterMakesNodesBesideIt() {
    open(QStringLiteral("random-00008"));
    document_->runToEnd();
    const GraphContent& content = view_->picture().content();
    const Graph& graph = document_->session()->graph();
    std::size_t created = 0;
    std::size_t erased = 0;
    for (std::uint32_t i = 0; i < content.nodes.size(); ++i) {
        const NodeContent& shown = content.nodes[i];
        QCOMPARE(shown.isErased, !graph.contains(shown.id));
        erased += shown.isErased;
        if (i < content.originalCount) continue;
        ++created;
        const std::uint32_t beside = content.indexOf(shown.beside);
        QCOMPARE(content.nodes[beside].mark, VerdictMark::scatter_to_copy);
        QVERIFY(content.nodes[beside].isErased);
        QCOMPARE(view_->picture().rowOf(i), view_->picture().rowOf(beside));
        for (std::uint32_t other = 0; other < i; ++other)
            QVERIFY(!view_->picture().rect(i).intersects(view_->picture().rect(other)));
        click(view_->viewPositionOf(shown.id));
        QCOMPARE(document_->selected(), shown.id);
    }
    QVERIFY(created > 0);
    QVERIFY(erased > 0);
    QCOMPARE(content.nodes.size() - erased, graph.size());
}

void TestGraphView::anotherPolicyMovesNothing() {
    open(QStringLiteral("model-llama-core"));
    view_->zoomIn();
    const double zoom = view_->zoom();
    const QRectF before = view_->picture().rect(index("mm_4"));
    document_->runToEnd();
    QVERIFY(view_->picture().content().nodes[index("mm_4")].mark != VerdictMark::pending);
    QSignalSpy finished(view_.get(), &GraphView::layoutFinished);
    QSignalSpy shown(document_.get(), &Document::graphShown);
    document_->setPolicy(QStringLiteral("sound"));
    QVERIFY(shown.wait());
    QCOMPARE(view_->picture().content().nodes[index("mm_4")].mark, VerdictMark::pending);
    QCOMPARE(view_->picture().rect(index("mm_4")), before);
    QCOMPARE(view_->zoom(), zoom);
    QVERIFY(!view_->layoutRequest().isRunning());
    QVERIFY(finished.isEmpty());
}

void TestGraphView::evidenceIsNumbered() {
    open(QStringLiteral("random-00022"));
    document_->highlight({node("slice_1"), node("arg2_1"), node("add")});
    QCOMPARE(view_->emphasis().numbered, (std::vector<std::uint32_t>{index("slice_1"), index("arg2_1"), index("add")}));
    const QImage with = view_->grab().toImage();
    document_->highlight({});
    QVERIFY(view_->emphasis().numbered.empty());
    QVERIFY(view_->grab().toImage() != with);
}

// --- minimap and columns ---------------------------------------------------------------------------------------------

void TestGraphView::minimapMovesTheView() {
    open(QStringLiteral("random-00022"));
    auto* minimap = view_->findChild<Minimap*>();
    view_->fit();
    QVERIFY(!minimap->isVisible()); // all is in sight
    open(QStringLiteral("model-llama-core"));
    QVERIFY(minimap->isVisible());
    // Whatever the size of the view leaves for centring on whole pixels.
    const QSize size = view_->size();
    for (int less = 0; less < 7; ++less) {
        view_->resize(size - QSize(less, 3 * less));
        view_->fit();
        QVERIFY2(!minimap->isVisible(), qPrintable(QString::number(less)));
    }
    view_->resize(size);
    for (int i = 0; i < 20; ++i) view_->zoomIn();
    QVERIFY(minimap->isVisible());
    QVERIFY(view_->rect().contains(minimap->geometry()));
    QTest::mouseClick(minimap, Qt::LeftButton, {}, QPoint(minimap->width() - 8, minimap->height() - 8));
    const QRectF bounds = view_->picture().bounds();
    const QPointF centre = view_->mapToScene(view_->viewport()->rect().center());
    QVERIFY(centre.x() > bounds.left() + bounds.width() * 0.8);
    QVERIFY(centre.y() > bounds.top() + bounds.height() * 0.8);
    QTest::mousePress(minimap, Qt::LeftButton, {}, minimap->rect().center());
    QTest::mouseMove(minimap, QPoint(8, 8));
    QTest::mouseRelease(minimap, Qt::LeftButton, {}, QPoint(8, 8));
    QVERIFY(view_->mapToScene(view_->viewport()->rect().center()).x() < bounds.left() + bounds.width() * 0.2);
}

void TestGraphView::minimapLeavesTheSelectionInSight() {
    open(QStringLiteral("model-llama-core"));
    auto* minimap = view_->findChild<Minimap*>();
    QVERIFY(minimap->isVisible());
    for (const NodeId node : document_->session()->original()) {
        document_->select(node);
        const QRect card = view_->mapFromScene(view_->picture().rect(view_->picture().content().indexOf(node))).boundingRect();
        QVERIFY(view_->rect().contains(minimap->geometry()));
        QVERIFY2(!minimap->geometry().contains(card.center()), qPrintable(QString::number(index_of(node))));
    }
}

void TestGraphView::columnsCanBeTurnedOff() {
    open(QStringLiteral("model-llama-core"));
    QVERIFY(!view_->picture().columnLines().empty());
    QSignalSpy finished(view_.get(), &GraphView::layoutFinished);
    view_->viewActions().last()->trigger();
    QVERIFY(finished.wait());
    QVERIFY(view_->picture().columnLines().empty());
    QVERIFY(!view_->viewActions().last()->isChecked());
}

// --- menu, words, files ----------------------------------------------------------------------------------------------

void TestGraphView::contextMenuCopies() {
    open(QStringLiteral("random-00022"));
    document_->runToEnd();
    const QPoint position = view_->viewPositionOf(node("add"));
    const QStringList offered = contextMenu(position, QStringLiteral("Copy FX &line"));
    QVERIFY(offered.contains(QStringLiteral("Run to Here")));
    QCOMPARE(QGuiApplication::clipboard()->text(),
             QStringLiteral("%add : [num_users=0] = call_function[target=torch.ops.aten.add_.Tensor]"
                            "(args = (%fill, -1), kwargs = {})"));
    contextMenu(position, QStringLiteral("Copy node's &name"));
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("add"));
    contextMenu(view_->viewPositionOf(node("ge_1")), QStringLiteral("Run to Here"));
    QCOMPARE(document_->session()->current(), node("ge_1"));
    QVERIFY(!contextMenu(QPoint(2, 2)).contains(QStringLiteral("Copy node's &name")));
}

void TestGraphView::contextMenuDonatesAnInput() {
    QSignalSpy opened(document_.get(), &Document::opened), shown(document_.get(), &Document::graphShown);
    document_->openText("def forward(self, x: \"f32[4][1]cpu\"):\n    add: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(x, 1)\n"
                        "    return (add,)\n", QStringLiteral("donated"));
    QVERIFY(opened.wait());
    QTRY_VERIFY_WITH_TIMEOUT(view_->picture().hasLayout() && view_->picture().content().nodes.size() == 3, 30'000);
    const auto point = [&] { return view_->viewPositionOf(node("x")); };
    if (document_->policy() != QStringLiteral("sound")) {
        QVERIFY(!contextMenu(point()).contains(QStringLiteral("Caller Gives It Up (Donate)")));
        document_->setPolicy(QStringLiteral("sound"));
        QVERIFY(shown.wait());
    }
    document_->runToEnd();
    QVERIFY(document_->decision(node("add"))->verdict == Verdict::kept);
    QVERIFY(!contextMenu(view_->viewPositionOf(node("add"))).contains(QStringLiteral("Caller Gives It Up (Donate)")));
    for (const bool donated : {true, false}) {
        contextMenu(point(), QStringLiteral("Caller Gives It Up (Donate)"));
        QTRY_COMPARE_WITH_TIMEOUT(document_->isDonated(node("x")), donated, 30'000);
        document_->runToEnd();
        QCOMPARE(document_->decision(node("add"))->verdict == Verdict::reinplaced, donated);
        QTRY_VERIFY_WITH_TIMEOUT(view_->picture().hasLayout(), 30'000);
    }
}

void TestGraphView::contextMenuGivesAnInputItsType() {
    QSignalSpy opened(document_.get(), &Document::opened), shown(document_.get(), &Document::graphShown);
    document_->openText("graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                        "    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n"
                        "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%relu, 1), kwargs = {})\n"
                        "    return (add,)", QStringLiteral("untyped"));
    QVERIFY(opened.wait());
    QTRY_VERIFY_WITH_TIMEOUT(view_->picture().hasLayout() && view_->picture().content().nodes.size() == 4, 30'000);
    document_->runToEnd();
    QVERIFY(document_->decision(node("add"))->verdict == Verdict::kept);
    // First what is no type: it is asked again, with the reason.
    QStringList labels;
    QTimer answering;
    connect(&answering, &QTimer::timeout, this, [&] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        if (!dialog) return;
        labels << dialog->labelText();
        dialog->setTextValue(labels.size() == 1 ? QStringLiteral("f33[2]") : QStringLiteral("f32[2, 16]"));
        dialog->accept();
    });
    answering.start(20);
    contextMenu(view_->viewPositionOf(node("x")), QStringLiteral("Give Its Type…"));
    QTRY_COMPARE_WITH_TIMEOUT(shown.count(), 1, 30'000);
    QCOMPARE(labels.size(), 2);
    QVERIFY2(labels.last().startsWith(QStringLiteral("the type of x: ")), qPrintable(labels.last()));
    document_->runToEnd();
    QVERIFY(document_->decision(node("add"))->verdict == Verdict::reinplaced);
    QTRY_VERIFY_WITH_TIMEOUT(view_->picture().hasLayout(), 30'000);
    QVERIFY(!contextMenu(view_->viewPositionOf(node("x"))).contains(QStringLiteral("Give Its Type…")));
}

void TestGraphView::contextMenuSelectsTheAliasSet() {
    open(QStringLiteral("random-00022"));
    contextMenu(view_->viewPositionOf(node("slice_1")), QStringLiteral("Select Alias Set"));
    QCOMPARE(document_->highlighted(), (std::vector<NodeId>{node("add"), node("slice_1")}));
    QCOMPARE(document_->selected(), node("slice_1"));
    // Nothing shares the storage of %mul.
    QVERIFY(!contextMenu(view_->viewPositionOf(node("mul"))).contains(QStringLiteral("Select Alias Set")));
}

void TestGraphView::toolTipSaysSchemaAndMetadata() {
    open(QStringLiteral("random-00022"));
    const auto tipAt = [this](QPoint position) {
        QHelpEvent event(QEvent::ToolTip, position, view_->viewport()->mapToGlobal(position));
        QApplication::sendEvent(view_->viewport(), &event);
        return QToolTip::text();
    };
    const QString tip = tipAt(view_->viewPositionOf(node("slice_1")));
    QVERIFY2(tip.contains(QStringLiteral("aten::slice.Tensor(")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("f32[8]")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("offset 8")), qPrintable(tip));
    QVERIFY2(tip.contains(QStringLiteral("view of %add")), qPrintable(tip));
    tipAt(QPoint(2, 2));
    QTRY_VERIFY_WITH_TIMEOUT(!QToolTip::isVisible(), 30'000);
}

void TestGraphView::selectionIsToldToScreenReaders() {
    open(QStringLiteral("random-00022"));
    QVERIFY(!view_->accessibleName().isEmpty());
    document_->select(node("mul"));
    QCOMPARE(view_->accessibleDescription(), QStringLiteral("%mul, aten.mul.Tensor, f32[8], pending"));
    for (const QWidget* widget : view_->findChildren<Minimap*>()) QVERIFY(!widget->accessibleName().isEmpty());
}

void TestGraphView::actionsSayWhyTheyAreDisabled() {
    const auto actionCalled = [this](const QString& text) {
        const auto& actions = view_->viewActions();
        return *std::find_if(actions.begin(), actions.end(),
                             [&](const QAction* action) { return action->text() == text; });
    };
    const QAction* reveal = actionCalled(QStringLiteral("Reveal inputs"));
    QVERIFY(reveal->toolTip().contains(QStringLiteral("Open a graph")));
    open(QStringLiteral("random-00022"));
    QVERIFY(reveal->isEnabled());
    document_->select(no_node);
    QVERIFY(!reveal->isEnabled());
    QVERIFY(reveal->toolTip().contains(QStringLiteral("Select a node")));
    for (const QAction* action : view_->viewActions()) {
        QVERIFY(!action->icon().isNull());
        QVERIFY(action->toolTip().contains(action->shortcut().toString(QKeySequence::NativeText)));
    }
}

void TestGraphView::exportsSvg() {
    open(QStringLiteral("random-00022"));
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("graph.svg"));
    QVERIFY(view_->exportSvg(path).has_value());
    QVERIFY(QSvgRenderer(path).isValid());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(&file);
    QStringList words;
    while (!reader.atEnd()) {
        const bool isText = reader.readNext() == QXmlStreamReader::Characters;
        if (isText && !reader.isWhitespace()) words << reader.text().toString().trimmed();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    for (const NodeContent& node : view_->picture().content().nodes) {
        QVERIFY2(words.contains(node.name), qPrintable(node.name));
        QVERIFY2(words.contains(node.target), qPrintable(node.target));
    }
    // Only what is in view.
    view_->centerOn(view_->picture().rect(index("output")).center());
    for (int i = 0; i < 6; ++i) view_->zoomIn();
    QVERIFY(view_->exportSvg(path, GraphView::ExportArea::view).has_value());
    QVERIFY(QSvgRenderer(path).defaultSize().height() < 500);
}

void TestGraphView::exportsPdf() {
    open(QStringLiteral("random-00022"));
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("graph.pdf"));
    const auto page = [&path] {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) return QSizeF();
        const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"));
        const auto found = box.match(QString::fromLatin1(file.readAll()));
        return QSizeF(found.captured(1).toDouble(), found.captured(2).toDouble());
    };
    QVERIFY(view_->exportPdf(path).has_value());
    // One page, as large as the picture, in points.
    const QSizeF whole = page();
    QVERIFY2(whole.width() >= view_->picture().bounds().width() * 0.75 - 1, qPrintable(QString::number(whole.width())));
    QVERIFY(whole.height() >= view_->picture().bounds().height() * 0.75 - 1);
    for (int i = 0; i < 6; ++i) view_->zoomIn();
    QVERIFY(view_->exportPdf(path, GraphView::ExportArea::view).has_value());
    QVERIFY(page().height() < whole.height() && page().height() > 10);
    QVERIFY(!view_->exportPdf(directory.filePath(QStringLiteral("nowhere/graph.pdf"))).has_value());
}

void TestGraphView::exportsPng() {
    open(QStringLiteral("random-00022"));
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("graph.png"));
    QCOMPARE(view_->exportPng(path, 1).value(), 1.0);
    const QImage image(path);
    QVERIFY(image.width() >= view_->picture().bounds().width());
    QVERIFY(image.height() >= view_->picture().bounds().height());
    const QColor pending = verdictStyle(VerdictMark::pending, Scheme::light).fill;
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += image.pixelColor(x, y) == pending;
    QVERIFY(found > 50);
    // More than an image can be: as large as it can be.
    const Result<double> scale = view_->exportPng(path, 1000);
    QVERIFY(scale.has_value());
    QVERIFY(*scale < 1000 && *scale > 4);
}

void TestGraphView::exportFailsWithAReason() {
    open(QStringLiteral("random-00022"));
    for (const QString& path : {QStringLiteral("/nowhere/graph.svg"), QString()}) {
        const Result<void> svg = view_->exportSvg(path);
        QVERIFY(!svg.has_value());
        QVERIFY(!svg.error().reason.empty());
        QVERIFY(!view_->exportPng(path, 1).has_value());
    }
}

void TestGraphView::anotherFileReplacesTheGraph() {
    open(QStringLiteral("model-llama-core"));
    const std::size_t large = view_->picture().content().nodes.size();
    open(QStringLiteral("random-00022"));
    QVERIFY(view_->picture().content().nodes.size() < large);
    QVERIFY(isInSight(node("add")));
    // While one is laid out, the next is opened.
    document_->open(QStringLiteral(TEST_DATA "/reference/model-llama-core/before.pt2"));
    QSignalSpy opened(document_.get(), &Document::opened);
    QVERIFY(opened.wait());
    open(QStringLiteral("basic-chain"));
    QCOMPARE(view_->picture().content().nodes.size(), document_->session()->original().size());
}

void TestGraphView::followsThePalette() {
    open(QStringLiteral("random-00022"));
    const QColor light = view_->grab().toImage().pixelColor(2, 2);
    applyTheme(Theme::dark);
    QCoreApplication::processEvents();
    const QColor dark = view_->grab().toImage().pixelColor(2, 2);
    QCOMPARE(light, QColor(Qt::white));
    QVERIFY(dark.lightness() < 60);
    QCOMPARE(dark, view_->palette().color(QPalette::Base));
}

QTEST_MAIN(TestGraphView)
#include "test_graph_view.moc"
