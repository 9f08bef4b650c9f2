// The decomposition in the window: steps, operators to keep, the result as code, what stays, verifying, files.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTreeView>
#include <QtTest>

#include "core/graph/print.h"
#include "core/passes/decompose/decompose.h"
#include "core/passes/functionalize/functionalize.h"
#include "tests/window/window_fixture.h"
#include "ui/decompose/step_model.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

namespace {

const QByteArray block_text =
    "def forward(self, x: \"f32[4, 8][8, 1]cpu\", w: \"f32[8, 8][8, 1]cpu\"):\n"
    "    linear: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.linear.default(x, w)\n"
    "    silu: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.silu.default(linear)\n"
    "    other: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.silu.default(silu)\n"
    "    add: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.add.Tensor(other, 1)\n    return (add,)\n";
const QByteArray custom_text =
    "def forward(self, x: \"f32[4, 8][8, 1]cpu\"):\n"
    "    silu: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.silu.default(x)\n"
    "    scaled: \"f32[4, 8][8, 1]cpu\" = torch.ops.mylib.scale.default(silu, 2.0)\n    return (scaled,)\n";
const QByteArray writing_text =
    "def forward(self, x: \"f32[4, 8][8, 1]cpu\"):\n"
    "    silu: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.silu.default(x)\n"
    "    add_: \"f32[4, 8][8, 1]cpu\" = torch.ops.aten.add_.Tensor(x, silu)\n    return (silu,)\n";
const QByteArray refused_text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                                "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                                "    r: \"f32[2][1]cpu\" = torch.ops.aten.resize_.default(c, [2])\n    return (r,)\n";

} // namespace

class TestDecomposePanel : public WindowFixture {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsOpen();
    void theStepsAreTheLibrarys_data();
    void theStepsAreTheLibrarys();
    void choosingAStep();
    void keepingAnOperator();
    void whatStays();
    void namesAreShownLiterally();
    void theNameSaysWhatItIs();
    void aGraphThatWrites();
    void refusal();
    void verifying_data();
    void verifying();
    void exporting();
    void openingTheResult();
    void anotherGraphBeginsAnew();

private:
    void open(const QString& path) {
        QCOMPARE(openAndWait(window_->document(), path), QString());
        QTest::keyClick(window_.get(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
        wait();
    }
    void wait() { QTRY_VERIFY_WITH_TIMEOUT(run().found() != nullptr && !run().isPreparing(), 60'000); }
    static QString pair(const char* path) { return QStringLiteral(TEST_DATA "/pairs/") + QString::fromUtf8(path); }
    static Decomposition expected(const Program& program, const DecomposeSession::Options& options = {}) {
        const auto functional = functional_form(program, 0, {Epilogue::outputs});
        if (!functional) qFatal("cannot be made functional");
        auto made = decompose(*functional, 0, options);
        if (!made) qFatal("cannot be taken apart");
        return std::move(*made);
    }
    static ReadableOptions brief() {
        ReadableOptions options;
        options.strides = options.device = false;
        return options;
    }
    QStringList column(int number) const {
        QStringList found;
        for (int row = 0; row < steps()->model()->rowCount(); ++row)
            found << steps()->model()->index(row, number).data().toString();
        return found;
    }
    /// Checks or unchecks an operator with the mouse.
    void toggle(int row) {
        kept()->scrollToItem(kept()->item(row));
        const QRect place = kept()->visualItemRect(kept()->item(row));
        QTest::mouseClick(kept()->viewport(), Qt::LeftButton, {}, QPoint(place.left() + 10, place.center().y()));
    }
    PanelDock* dock() const { return window_->dock(QStringLiteral("decompose")); }
    DecompositionRun& run() const { return window_->decomposition(); }
    QTreeView* steps() const { return window_->findChild<QTreeView*>(QStringLiteral("decomposeSteps")); }
    QListWidget* kept() const { return window_->findChild<QListWidget*>(QStringLiteral("decomposeKept")); }
    QPlainTextEdit* code() const { return window_->findChild<QPlainTextEdit*>(QStringLiteral("decomposeCode")); }
    QLabel* label(const char* name) const { return window_->findChild<QLabel*>(QString::fromUtf8(name)); }
    QString sentence() const {
        QTextDocument text;
        text.setHtml(label("decomposeSentence")->text());
        return text.toPlainText();
    }
    /// Lines of the code that stand out.
    QStringList marked() const {
        QStringList lines;
        for (const auto& selection : code()->extraSelections()) lines << selection.cursor.block().text().trimmed();
        return lines;
    }
};

void TestDecomposePanel::init() { makeWindow(QSize(1280, 800)); }

void TestDecomposePanel::cleanup() { dropWindow(); }

void TestDecomposePanel::nothingIsOpen() {
    for (const char* id : {"decompose.show", "decompose.verify", "decompose.export", "decompose.open"}) {
        QVERIFY2(!action(id)->isEnabled(), id);
        QVERIFY2(action(id)->toolTip().contains(QStringLiteral("no graph is open")), id);
    }
    dock()->reveal();
    QVERIFY(label("decomposeEmpty")->isVisible());
    QVERIFY(label("decomposeEmpty")->text().contains(QStringLiteral("Open a graph")));
    QVERIFY(!steps()->accessibleName().isEmpty() && !kept()->accessibleName().isEmpty() &&
            !code()->accessibleName().isEmpty());
}

void TestDecomposePanel::theStepsAreTheLibrarys_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"cnn-train/training.pt2", "cnn-eval/functional.pt2", "nested-cond/functional.pt2",
                             "mutating-00003/training.pt2"})
        QTest::newRow(name) << pair(name);
    QTest::newRow("core") << exampleSource(QStringLiteral("transformer-layer.pt2"));
}

void TestDecomposePanel::theStepsAreTheLibrarys() {
    QFETCH(QString, file);
    open(file);
    const QAbstractItemModelTester tester(steps()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Decomposition made = expected(*document().program());
    const auto functional = functional_form(*document().program(), 0, {Epilogue::outputs});
    const auto session = DecomposeSession::start(functional->graphs[0], {});
    (*session)->run_to_end();
    QCOMPARE(std::size_t(steps()->model()->rowCount()), made.left.size() + (*session)->steps().size());
    for (std::size_t i = 0; i < (*session)->steps().size(); ++i) {
        const DecomposeStep& step = (*session)->steps()[i];
        const QModelIndex row =
            steps()->model()->index(int(made.left.size() + i), DecompositionStepModel::operator_column);
        QCOMPARE(row.data().toString(), QString::fromStdString(step.target));
        QCOMPARE(row.siblingAtColumn(DecompositionStepModel::rule_column).data().toString(),
                 QString::fromStdString(step.rule));
        QCOMPARE(std::size_t(steps()->model()->rowCount(row.siblingAtColumn(0))), step.added.size());
    }
    const QString text = QString::fromStdString(print_readable(made.program.graphs[0].graph, brief()));
    QCOMPARE(code()->toPlainText().trimmed(), text.trimmed());
    QVERIFY2(sentence().contains(QString::fromUtf8(level_name(find_level(made.program, 0).level).data())),
             qPrintable(sentence()));
}

void TestDecomposePanel::choosingAStep() {
    open(write(QStringLiteral("block.py"), block_text));
    const int row = int(column(DecompositionStepModel::node_column).indexOf(QStringLiteral("%other")));
    QVERIFY(row >= 0);
    const QModelIndex step = steps()->model()->index(row, 0);
    QTest::mouseClick(steps()->viewport(), Qt::LeftButton, {}, steps()->visualRect(step).center());
    QCOMPARE(document().selected(), nodeNamed(document(), "other"));
    QCOMPARE(marked().size(), 2);
    QVERIFY2(marked().at(0).contains(QStringLiteral("aten.sigmoid.default")),
             qPrintable(marked().join(QLatin1Char('\n'))));
    QVERIFY(marked().at(1).contains(QStringLiteral("aten.mul.Tensor")));
    // Its new nodes, by keys.
    QTest::keyClick(steps(), Qt::Key_Right);
    QTest::keyClick(steps(), Qt::Key_Down);
    QCOMPARE(steps()->currentIndex().parent(), step);
    QVERIFY(steps()
                ->currentIndex()
                .siblingAtColumn(DecompositionStepModel::operator_column)
                .data()
                .toString()
                .contains(QStringLiteral("aten.sigmoid.default(")));
    QCOMPARE(marked().size(), 1);
    // From elsewhere.
    document().select(nodeNamed(document(), "linear"));
    QCOMPARE(steps()->currentIndex().siblingAtColumn(DecompositionStepModel::node_column).data().toString(),
             QStringLiteral("%linear"));
    document().select(nodeNamed(document(), "add"));
    QVERIFY(!steps()->currentIndex().isValid());
    QCOMPARE(marked().size(), 1);
    QVERIFY(marked().at(0).startsWith(QStringLiteral("add:")));
}

void TestDecomposePanel::keepingAnOperator() {
    open(write(QStringLiteral("block.py"), block_text));
    QStringList names;
    for (int row = 0; row < kept()->count(); ++row) names << kept()->item(row)->text();
    const int silu = int(names.indexOf(QStringLiteral("aten.silu.default  ×2")));
    QVERIFY2(silu >= 0, qPrintable(names.join(QLatin1Char('\n'))));
    QVERIFY(sentence().startsWith(QStringLiteral("Core ATen")));
    toggle(silu);
    wait();
    QCOMPARE(kept()->item(silu)->checkState(), Qt::Checked);
    QCOMPARE(kept()->count(), names.size()); // it can be taken apart all the same
    QVERIFY2(sentence().startsWith(QStringLiteral("functional ATen: 1 operator is not tagged core")),
             qPrintable(sentence()));
    QCOMPARE(column(DecompositionStepModel::operator_column).count(QStringLiteral("aten.silu.default")), 2);
    QCOMPARE(column(DecompositionStepModel::number_column).count(QStringLiteral("stays")), 2);
    const Decomposition made = expected(*document().program(), {{"aten.silu.default"}});
    QCOMPARE(code()->toPlainText().trimmed(),
             QString::fromStdString(print_readable(made.program.graphs[0].graph, brief())).trimmed());
    // And back, with the space bar.
    kept()->setFocus();
    kept()->setCurrentRow(silu);
    QTest::keyClick(kept(), Qt::Key_Space);
    wait();
    QVERIFY(sentence().startsWith(QStringLiteral("Core ATen")));
}

void TestDecomposePanel::whatStays() {
    open(write(QStringLiteral("custom.py"), custom_text));
    QVERIFY2(sentence().startsWith(QStringLiteral("functional ATen: 1 operator is not ATen's")),
             qPrintable(sentence()));
    QCOMPARE(column(DecompositionStepModel::number_column).value(0), QStringLiteral("stays"));
    QCOMPARE(column(DecompositionStepModel::node_column).value(0), QStringLiteral("%scaled"));
    QVERIFY(column(DecompositionStepModel::rule_column)
                .value(0)
                .contains(QStringLiteral("no operator of that name is known")));
    QTest::mouseClick(steps()->viewport(), Qt::LeftButton, {},
                      steps()->visualRect(steps()->model()->index(0, 0)).center());
    QCOMPARE(document().selected(), nodeNamed(document(), "scaled"));
    QCOMPARE(marked().size(), 1);
}

void TestDecomposePanel::namesAreShownLiterally() {
    open(write(QStringLiteral("block.py"), block_text));
    QVERIFY(window_->saveTo(folder_->filePath(QStringLiteral("kept.session.json"))));
    open(write(QStringLiteral("named.session.json"),
               content(QStringLiteral("kept.session.json")).replace("\"silu\"", "\"<b>silu\"")));
    const int row = static_cast<int>(column(DecompositionStepModel::node_column).indexOf(QStringLiteral("%<b>silu")));
    QVERIFY(row >= 0);
    const QModelIndex name = steps()->model()->index(row, DecompositionStepModel::node_column);
    QVERIFY(name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("%&lt;b&gt;silu")));
}

/// A graph with operators kept is not Core ATen, and its file is not called so.
void TestDecomposePanel::theNameSaysWhatItIs() {
    open(write(QStringLiteral("block.py"), block_text));
    QCOMPARE(run().made().kind, QStringLiteral("core"));
    toggle(0);
    wait();
    QVERIFY(run().found()->level.level != Level::core_aten);
    QCOMPARE(run().made().kind, QStringLiteral("decomposed"));
    const auto file = madeFile(run().made());
    QVERIFY(file && file->endsWith(QStringLiteral("block-decomposed.txt")));
}

void TestDecomposePanel::aGraphThatWrites() {
    open(write(QStringLiteral("writing.py"), writing_text));
    QVERIFY2(sentence().startsWith(QStringLiteral("Core ATen")), qPrintable(sentence()));
    QVERIFY(sentence().contains(QStringLiteral("made functional first")));
    const Decomposition made = expected(*document().program());
    QCOMPARE(code()->toPlainText().trimmed(),
             QString::fromStdString(print_readable(made.program.graphs[0].graph, brief())).trimmed());
}

void TestDecomposePanel::refusal() {
    open(write(QStringLiteral("refused.py"), refused_text));
    QVERIFY(label("decomposeEmpty")->isVisible());
    QVERIFY2(label("decomposeEmpty")->text().contains(QStringLiteral("cannot be made functional first")),
             qPrintable(label("decomposeEmpty")->text()));
    QVERIFY(label("decomposeEmpty")->text().contains(QStringLiteral("%r")));
    for (const char* id : {"decompose.verify", "decompose.export", "decompose.open"})
        QVERIFY2(!action(id)->isEnabled(), id);
}

void TestDecomposePanel::verifying_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("cnn") << pair("cnn-eval/functional.pt2");
    QTest::newRow("writes") << QString();
}

void TestDecomposePanel::verifying() {
    QFETCH(QString, file);
    open(file.isEmpty() ? write(QStringLiteral("writing.py"), writing_text) : file);
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(action("decompose.stop")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(window_->decompositionVerification().report() != nullptr, 120'000);
    const EquivalenceReport& report = *window_->decompositionVerification().report();
    QCOMPARE(report.findings.size(), 1U);
    QVERIFY2(report.findings[0].answer == EquivalenceFinding::Answer::equal, report.findings[0].detail.c_str());
    QVERIFY(report.outputs > 0 && report.calls == 2);
    QVERIFY(label("decomposeVerification")->isVisible());
    QVERIFY(label("decomposeVerification")->text().contains(QStringLiteral("Decomposed equal to the source")));
    QVERIFY(label("decomposeVerification")->text().contains(QStringLiteral("within 1e-05")));
}

void TestDecomposePanel::exporting() {
    open(pair("cnn-eval/functional.pt2"));
    const Decomposition made = expected(*document().program());
    QVERIFY(window_->exportDecomposedTo(folder_->filePath(QStringLiteral("made.txt"))));
    QCOMPARE(content(QStringLiteral("made.txt")),
             QByteArray::fromStdString(print_fx(made.program.graphs[0].graph)) + "\n");
    for (const char* ending : {"py", "json", "dot", "pt2"}) {
        const QString name = QStringLiteral("made.") + QString::fromUtf8(ending);
        QVERIFY2(window_->exportDecomposedTo(folder_->filePath(name)), ending);
        QVERIFY2(!content(name).isEmpty(), ending);
    }
    QVERIFY(content(QStringLiteral("made.json")).contains("\"steps\""));
    QVERIFY(!window_->exportDecomposedTo(folder_->filePath(QStringLiteral("made.xyz"))));
    QVERIFY(!window_->exportDecomposedTo(document().path()));
    const auto read = read_program(folder_->filePath(QStringLiteral("made.pt2")).toStdString());
    QVERIFY2(read, read ? "" : read.error().message().c_str());
    QCOMPARE(print_fx(read->graphs[0].graph), print_fx(made.program.graphs[0].graph));
}

void TestDecomposePanel::openingTheResult() {
    for (const QString& file : {pair("cnn-eval/functional.pt2"), write(QStringLiteral("block.py"), block_text)}) {
        open(file);
        const Decomposition made = expected(*document().program());
        QSignalSpy opened(&document(), &Document::opened);
        press(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(!opened.isEmpty() || opened.wait(30'000));
        QVERIFY(document().path().contains(QStringLiteral("-core")));
        QCOMPARE(print_fx(document().source()->graph), print_fx(made.program.graphs[0].graph));
        wait();
        QVERIFY2(sentence().contains(QStringLiteral("no call had to be taken apart")), qPrintable(sentence()));
    }
}

void TestDecomposePanel::anotherGraphBeginsAnew() {
    open(write(QStringLiteral("block.py"), block_text));
    toggle(0);
    wait();
    open(write(QStringLiteral("custom.py"), custom_text));
    QCOMPARE(kept()->count(), 1);
    QCOMPARE(kept()->item(0)->checkState(), Qt::Unchecked);
    // Hidden, it costs nothing until it is shown again.
    dock()->hide();
    QCOMPARE(openAndWait(document(), exampleSource(QStringLiteral("teaching.py.txt"))), QString());
    QVERIFY(!run().found() && !run().isPreparing());
    QVERIFY(action("decompose.verify")->toolTip().contains(QStringLiteral("the decomposition is not shown")));
}

QTEST_MAIN(TestDecomposePanel)
#include "test_decompose_panel.moc"
