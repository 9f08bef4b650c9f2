// Memory over the program: the curves, what is listed, and that both lead to nodes.
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "tests/window/opened_document.h"
#include "ui/document/describe.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_list_model.h"
#include "ui/memory/memory_panel.h"

using namespace inspector;

namespace {

/// Three results of 4 KiB in a chain, the first alive to the end: it peaks with three, with two once rewritten.
constexpr const char* chain = R"(
def forward(self, x: "f32[1024][1]cpu"):
    kept: "f32[1024][1]cpu" = torch.ops.aten.relu.default(x)
    a: "f32[1024][1]cpu" = torch.ops.aten.add.Tensor(kept, 1)
    b: "f32[1024][1]cpu" = torch.ops.aten.mul.Tensor(a, 2)
    c: "f32[1024][1]cpu" = torch.ops.aten.sub.Tensor(b, 3)
    return (c, kept)
)";

QStringList column(const QAbstractItemModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) texts << model.index(row, column).data().toString();
    return texts;
}

} // namespace

class TestMemoryPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void emptySaysWhatToDo();
    void curvesOfAChain();
    void listsWhatIsLive();
    void listsWhatDecisionsSave();
    void hoverSaysNodeAndBytes();
    void clickAndKeysSelect();
    void everyNodeOfALargeGraphHasItsPlace();

private:
    void openChain() {
        QFile file(folder_->filePath(QStringLiteral("chain.py")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(chain);
        file.close();
        QCOMPARE(openAndWait(*document_, file.fileName()), QString());
    }
    QString summary() const {
        QTextDocument text;
        text.setHtml(panel_->findChild<QLabel*>(QStringLiteral("memorySummary"))->text());
        return text.toPlainText().simplified();
    }
    MemoryChart* chart() const { return panel_->findChild<MemoryChart*>(); }
    const QAbstractItemModel& list() const { return *panel_->findChild<QTreeView*>(QStringLiteral("memoryList"))->model(); }
    void choose(MemoryListModel::Kind kind) {
        auto* box = panel_->findChild<QComboBox*>(QStringLiteral("memoryKind"));
        box->setCurrentIndex(box->findData(static_cast<int>(kind)));
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<Document> document_;
    std::unique_ptr<MemoryPanel> panel_;
};

void TestMemoryPanel::init() {
    panel_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    document_ = std::make_unique<Document>();
    panel_ = std::make_unique<MemoryPanel>(document_.get());
    panel_->resize(900, 220);
    panel_->show();
}

void TestMemoryPanel::emptySaysWhatToDo() {
    QCOMPARE(list().rowCount(), 0);
    QVERIFY(!panel_->findChild<QLabel*>(QStringLiteral("memorySummary"))->isVisible());
    QVERIFY(!panel_->grab().isNull());
}

void TestMemoryPanel::curvesOfAChain() {
    openChain();
    MemoryCurves curves = MemoryCurves::of(*document_, false);
    // x, kept, a, b, c, output: kept and what each node reads and writes.
    QCOMPARE(curves.before.bytes, (std::vector<std::int64_t>{0, 4096, 8192, 12288, 12288, 8192}));
    QCOMPARE(curves.before.peak, 12288);
    QCOMPARE(curves.nodes[curves.before.peakPlace], nodeNamed(*document_, "b"));
    QCOMPARE(curves.after.bytes, curves.before.bytes);
    QVERIFY2(summary().contains(QStringLiteral("Before peaks with 12 KiB at %b")), qPrintable(summary()));
    QVERIFY2(summary().contains(QStringLiteral("besides 4 KiB of inputs")), qPrintable(summary()));

    document_->runToEnd();
    curves = MemoryCurves::of(*document_, true);
    QCOMPARE(curves.after.bytes, (std::vector<std::int64_t>{4096, 8192, 12288, 12288, 12288, 12288}));
    QVERIFY2(summary().contains(QStringLiteral("After peaks with 8 KiB at %a")), qPrintable(summary()));
    QVERIFY2(summary().contains(QStringLiteral("4 KiB less (33 %)")), qPrintable(summary()));
    panel_->findChild<QToolButton*>(QStringLiteral("memoryInputs"))->click();
    QVERIFY2(summary().contains(QStringLiteral("Before peaks with 16 KiB")), qPrintable(summary()));
}

void TestMemoryPanel::listsWhatIsLive() {
    MemoryListModel model(document_.get());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    openChain();
    model.show(MemoryCurves::of(*document_, false), MemoryListModel::Kind::peak_before, false);
    QCOMPARE(model.sum(), 12288);
    QCOMPARE(column(list(), MemoryListModel::node_column), (QStringList{"%kept", "%a", "%b"}));
    QCOMPARE(column(list(), MemoryListModel::bytes_column), (QStringList{"4 KiB", "4 KiB", "4 KiB"}));
    QCOMPARE(column(list(), MemoryListModel::detail_column), (QStringList{"%output", "%b", "%c"}));
    document_->runToEnd();
    choose(MemoryListModel::Kind::peak_after);
    QCOMPARE(column(list(), MemoryListModel::node_column), (QStringList{"%kept", "%a"}));
    choose(MemoryListModel::Kind::selected);
    document_->select(nodeNamed(*document_, "kept"));
    QCOMPARE(column(list(), MemoryListModel::node_column), QStringList{"%kept"});
    panel_->findChild<QToolButton*>(QStringLiteral("memoryInputs"))->click();
    QCOMPARE(column(list(), MemoryListModel::node_column), (QStringList{"%x", "%kept"}));
}

void TestMemoryPanel::listsWhatDecisionsSave() {
    openChain();
    choose(MemoryListModel::Kind::saved);
    QCOMPARE(list().rowCount(), 0);
    document_->runToEnd();
    QCOMPARE(column(list(), MemoryListModel::node_column), (QStringList{"%b", "%c"}));
    QCOMPARE(column(list(), MemoryListModel::detail_column), (QStringList{"reinplaced", "reinplaced"}));
    auto* view = panel_->findChild<QTreeView*>(QStringLiteral("memoryList"));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(list().index(1, 0)).center());
    QCOMPARE(document_->selected(), nodeNamed(*document_, "c"));
}

void TestMemoryPanel::hoverSaysNodeAndBytes() {
    openChain();
    document_->runToEnd();
    const std::size_t place = MemoryCurves::of(*document_, false).placeOf(nodeNamed(*document_, "b"));
    QCOMPARE(chart()->placeAt(chart()->xOf(place)), place);
    QCOMPARE(chart()->wordsAt(place), QStringLiteral("%b\n12 KiB live before, 8 KiB after"));
}

void TestMemoryPanel::clickAndKeysSelect() {
    openChain();
    const std::size_t place = MemoryCurves::of(*document_, false).placeOf(nodeNamed(*document_, "a"));
    QTest::mouseClick(chart(), Qt::LeftButton, {}, QPoint(static_cast<int>(chart()->xOf(place)), chart()->height() / 2));
    QCOMPARE(document_->selected(), nodeNamed(*document_, "a"));
    QTest::keyClick(chart(), Qt::Key_Right);
    QCOMPARE(document_->selected(), nodeNamed(*document_, "b"));
    QTest::keyClick(chart(), Qt::Key_Left);
    QCOMPARE(document_->selected(), nodeNamed(*document_, "a"));
}

void TestMemoryPanel::everyNodeOfALargeGraphHasItsPlace() {
    QFile file(folder_->filePath(QStringLiteral("large.py")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(chainText(3000));
    file.close();
    QCOMPARE(openAndWait(*document_, file.fileName()), QString());
    document_->runToEnd();
    const MemoryCurves curves = MemoryCurves::of(*document_, false);
    QCOMPARE(curves.nodes.size(), document_->nodes().size());
    QCOMPARE(curves.before.bytes.size(), curves.nodes.size());
    QCOMPARE(curves.after.bytes.size(), curves.nodes.size());
    QVERIFY(curves.after.peak <= curves.before.peak);
    QVERIFY(!panel_->grab().isNull()); // several nodes to a pixel
}

QTEST_MAIN(TestMemoryPanel)
#include "test_memory_panel.moc"
