// The panel of symbols: the table, links, ranges asked for, what is decided under them, refusals of bad input, reset.
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include "core/analysis/symbols.h"
#include "tests/window/window_fixture.h"
#include "ui/main_window/panel_dock.h"
#include "ui/symbols/symbol_model.h"

using namespace inspector;

namespace {

/// In place only where x has one row: the row that is added disappears in the matrix elsewhere.
const QByteArray broadcast_text = "def forward(self, x: \"f32[s0, 4][4, 1]cpu\", r: \"f32[1, 4][4, 1]cpu\"):\n"
                                  "    c: \"f32[1, 4][4, 1]cpu\" = torch.ops.aten.clone.default(r)\n"
                                  "    add: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(c, x)\n"
                                  "    n: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.neg.default(add)\n"
                                  "    return (n,)\n";
const QByteArray related_text =
    "def forward(self, x: \"f32[s0, 3][3, 1]cpu\", y: \"f32[s1, 3][3, 1]cpu\", z: \"f32[2*s0][1]cpu\"):\n"
    "    add: \"f32[s0, 3][3, 1]cpu\" = torch.ops.aten.add.Tensor(x, y)\n"
    "    view: \"f32[(s0//8), 8, 3][24, 3, 1]cpu\" = torch.ops.aten.view.default(add, [-1, 8, 3])\n"
    "    nonzero: \"i64[u0, 1]\" = torch.ops.aten.nonzero.default(z)\n"
    "    return (view, nonzero)\n";

} // namespace

class TestSymbolsPanel : public WindowFixture {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void nothingIsOpen();
    void noSymbols();
    void theTableIsTheReport();
    void originsAndRelations();
    void linksAndHighlights();
    void askingARange();
    void askingKeepsPlaceAndChoices();
    void badInputIsRefused_data();
    void badInputIsRefused();
    void resetting();
    void undoBringsTheRangesBack();
    void savedWithItsRanges();
    void namesAreShownLiterally();
    void verifiedInTheRange();
    void anotherGraphBeginsAnew();

private:
    void open(const QString& path) {
        QCOMPARE(openAndWait(window_->document(), path), QString());
        QTest::keyClick(window_.get(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(dock()->isVisible());
    }
    void openSymbols(const QString& path) {
        open(path);
        QTRY_VERIFY_WITH_TIMEOUT(table()->model()->rowCount() > 0, 30'000);
    }
    /// Writes a range as a person does, and waits for what is decided under it.
    void ask(const QString& range) {
        QSignalSpy compared(&document(), &Document::policiesCompared);
        type(range);
        QTest::keyClick(line(), Qt::Key_Return);
        QVERIFY(compared.wait(30'000));
    }
    void type(const QString& range) {
        line()->setFocus();
        line()->selectAll();
        QTest::keyClick(line(), Qt::Key_Delete);
        QTest::keyClicks(line(), range);
    }
    void choose(const QString& symbol) {
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const QModelIndex index = table()->model()->index(row, 0);
            if (index.data().toString() == symbol)
                QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(index).center());
        }
        QCOMPARE(table()->currentIndex().siblingAtColumn(0).data().toString(), symbol);
    }
    QString cell(const QString& symbol, int column) const {
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (table()->model()->index(row, 0).data().toString() == symbol)
                return table()->model()->index(row, column).data().toString();
        return {};
    }
    PanelDock* dock() const { return window_->dock(QStringLiteral("symbols")); }
    QTreeView* table() const { return window_->findChild<QTreeView*>(QStringLiteral("symbolTable")); }
    QLineEdit* line() const { return window_->findChild<QLineEdit*>(QStringLiteral("symbolRange")); }
    QLabel* label(const char* name) const { return window_->findChild<QLabel*>(QString::fromUtf8(name)); }
    QString plain(const char* name) const {
        QTextDocument text;
        text.setHtml(label(name)->text());
        return text.toPlainText();
    }
    QString page() const { return window_->findChild<QTextBrowser*>(QStringLiteral("symbolPage"))->toPlainText(); }
    QString decision() const {
        return window_->findChild<QTextBrowser*>(QStringLiteral("decisionPage"))->toPlainText();
    }
};

void TestSymbolsPanel::init() { makeWindow(QSize(1280, 800)); }

void TestSymbolsPanel::cleanup() {
    window_->document().markExported();
    dropWindow();
}

void TestSymbolsPanel::nothingIsOpen() {
    QVERIFY(action("symbols.show")->toolTip().contains(QStringLiteral("no graph is open")));
    QVERIFY(!action("symbols.reset")->isEnabled());
    dock()->reveal();
    QVERIFY(label("symbolsEmpty")->isVisible());
    QVERIFY(label("symbolsEmpty")->text().contains(QStringLiteral("Open a graph")));
    QVERIFY(!table()->accessibleName().isEmpty() && !line()->accessibleName().isEmpty());
}

void TestSymbolsPanel::noSymbols() {
    open(exampleSource(QStringLiteral("teaching.py.txt")));
    QTRY_COMPARE_WITH_TIMEOUT(label("symbolsEmpty")->text(),
                              QStringLiteral("This graph has no symbols: every size is a number."), 30'000);
    QVERIFY(label("symbolsEmpty")->isVisible());
    QVERIFY(!table()->isVisible());
}

void TestSymbolsPanel::theTableIsTheReport() {
    openSymbols(QStringLiteral(TEST_DATA "/pt2/dynamic.pt2"));
    const QAbstractItemModelTester tester(table()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    const std::vector<SymbolFacts> expected = symbol_table(*document().source());
    QCOMPARE(std::size_t(table()->model()->rowCount()), expected.size());
    for (const SymbolFacts& symbol : expected) {
        const QString name = QString::fromStdString(symbol.name);
        QCOMPARE(cell(name, SymbolModel::range_column),
                 QString::fromStdString(range_words(symbol.minimum, symbol.maximum)));
        QCOMPARE(cell(name, SymbolModel::sample_column),
                 symbol.hint ? QString::number(*symbol.hint) : QStringLiteral("none"));
        QCOMPARE(cell(name, SymbolModel::uses_column), QString::number(symbol.uses.size()));
    }
    QCOMPARE(cell(QStringLiteral("s77"), SymbolModel::range_column), QStringLiteral("3..64"));
    QCOMPARE(cell(QStringLiteral("s77"), SymbolModel::origin_column), QStringLiteral("dimension 0 of %x"));
    QCOMPARE(cell(QStringLiteral("u0"), SymbolModel::origin_column),
             QStringLiteral("depends on data, made by %nonzero"));
    QVERIFY(plain("symbolsSentence").contains(QStringLiteral("5 symbols, with the ranges of the file")));
}

void TestSymbolsPanel::originsAndRelations() {
    openSymbols(write(QStringLiteral("related.py"), related_text));
    QCOMPARE(cell(QStringLiteral("s0"), SymbolModel::divisor_column), QStringLiteral("8"));
    QVERIFY(cell(QStringLiteral("s0"), SymbolModel::relations_column).contains(QStringLiteral("%z.size(0) = 2*s0")));
    choose(QStringLiteral("s1"));
    for (const char* words : {"from 0", "dimension 0 of %y", "s1 = s0", "asked for by %add"})
        QVERIFY2(page().contains(QString::fromUtf8(words)),
                 qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in\n") + page()));
}

void TestSymbolsPanel::linksAndHighlights() {
    openSymbols(write(QStringLiteral("related.py"), related_text));
    choose(QStringLiteral("u0"));
    QCOMPARE(document().highlighted(), std::vector{nodeNamed(document(), "nonzero")});
    const NodeId nonzero = nodeNamed(document(), "nonzero");
    Q_EMIT window_->findChild<QTextBrowser*>(QStringLiteral("symbolPage"))
        ->anchorClicked(QUrl(QStringLiteral("node:%1").arg(index_of(nonzero))));
    QCOMPARE(document().selected(), nonzero);
    // By keys: the row above, and to where it comes from.
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Home);
    QCOMPARE(table()->currentIndex().siblingAtColumn(0).data().toString(), QStringLiteral("s0"));
    QTest::keyClick(table(), Qt::Key_Return);
    QCOMPARE(document().selected(), nodeNamed(document(), "x"));
}

/// The same graph is decided otherwise at one row, and the decision panel says so.
void TestSymbolsPanel::askingARange() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    QVERIFY2(plain("symbolsSentence").contains(QStringLiteral("1 decision of sound depends on sizes")),
             qPrintable(plain("symbolsSentence")));
    QVERIFY2(page().contains(QStringLiteral("in place only if s0 = 1")), qPrintable(page()));
    const NodeId add = nodeNamed(document(), "add");
    document().throughNode(add);
    QCOMPARE(document().decision(add)->verdict, Verdict::kept);
    QVERIFY(!decision().contains(QStringLiteral("And if")));

    ask(QStringLiteral("1"));
    QCOMPARE(document().decision(add)->verdict, Verdict::reinplaced);
    QCOMPARE(document().selected(), add);
    QVERIFY2(decision().contains(QStringLiteral(
                 "And if s0 is 1: sound decides otherwise: kept with the file's ranges, in place with these (s0 = 1)")),
             qPrintable(decision()));
    QTRY_COMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("1"));
    QVERIFY2(plain("symbolsSentence").contains(QStringLiteral("And if s0 is 1: sound takes 1 decision otherwise")),
             qPrintable(plain("symbolsSentence")));
    QVERIFY2(page().contains(QStringLiteral("asked for; in the file from 0")), qPrintable(page()));
    QVERIFY(page().contains(QStringLiteral("%add")));

    ask(QStringLiteral(" 2..64 "));
    QCOMPARE(document().decision(add)->verdict, Verdict::kept);
    QVERIFY2(decision().contains(QStringLiteral("And if s0 is 2..64: sound decides as with the file's ranges")),
             qPrintable(decision()));
    QTRY_VERIFY(
        plain("symbolsSentence").contains(QStringLiteral("every decision of sound is as with the file's ranges")));
    // The file's own range is no question.
    QSignalSpy shown(&document(), &Document::graphShown);
    type(QStringLiteral("0.."));
    QTest::keyClick(line(), Qt::Key_Return);
    QVERIFY(shown.wait(30'000));
    QVERIFY(document().askedRanges().empty());
}

void TestSymbolsPanel::askingKeepsPlaceAndChoices() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    const NodeId n = nodeNamed(document(), "n");
    document().runToEnd();
    document().decide(n, Choice::skip);
    const auto position = document().session()->position();
    ask(QStringLiteral("1"));
    QCOMPARE(document().session()->position(), position);
    QCOMPARE(document().selected(), n);
    QCOMPARE(document().session()->choice(std::uint32_t(document().decisionIndex(n))), Choice::skip);
    QCOMPARE(document().decision(n)->verdict, Verdict::kept);
    // Another policy is asked with the same ranges.
    QSignalSpy shown(&document(), &Document::graphShown);
    document().setPolicy(QStringLiteral("torch-fx"));
    QVERIFY(shown.wait(30'000));
    QCOMPARE(document().askedRanges().size(), 1U);
}

void TestSymbolsPanel::badInputIsRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");
    QTest::newRow("nothing") << "" << "Nothing is written";
    QTest::newRow("a word") << "few" << "“few”: a range is written LOW..HIGH";
    QTest::newRow("half a number") << "2..6x" << "a range is written LOW..HIGH";
    QTest::newRow("three") << "1..2..3" << "a range is written LOW..HIGH";
    QTest::newRow("too large") << "1..99999999999999999999" << "a range is written LOW..HIGH";
    QTest::newRow("reversed") << "9..3" << "no number is in this range";
    QTest::newRow("negative") << "..-1" << "a size is not negative";
    QTest::newRow("no multiple") << "9..15" << "s0 is divisible by 8, and no number of this range is";
}

void TestSymbolsPanel::badInputIsRefused() {
    QFETCH(QString, text);
    QFETCH(QString, reason);
    openSymbols(write(QStringLiteral("related.py"), related_text));
    choose(QStringLiteral("s0"));
    QSignalSpy changing(&document(), &Document::openingChanged);
    type(text);
    QVERIFY(!label("symbolRefusal")->isVisible());
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("symbolAsk")), Qt::LeftButton);
    QVERIFY(label("symbolRefusal")->isVisible());
    QVERIFY2(label("symbolRefusal")->text().contains(reason), qPrintable(label("symbolRefusal")->text()));
    QVERIFY(changing.isEmpty());
    QVERIFY(document().askedRanges().empty());
    QTest::keyClicks(line(), QStringLiteral("1")); // writing on ends the refusal
    QVERIFY(!label("symbolRefusal")->isVisible());
}

void TestSymbolsPanel::resetting() {
    openSymbols(write(QStringLiteral("related.py"), related_text));
    QVERIFY(action("symbols.reset")->toolTip().contains(QStringLiteral("the ranges are the file's")));
    choose(QStringLiteral("s0"));
    ask(QStringLiteral("8..16"));
    choose(QStringLiteral("s1"));
    ask(QStringLiteral("8"));
    QCOMPARE(document().askedRanges().size(), 2U);
    QVERIFY(plain("symbolsSentence").contains(QStringLiteral("And if s0 is 8..16, s1 is 8")));
    // One of them, by its button.
    QSignalSpy shown(&document(), &Document::graphShown);
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("symbolForget")), Qt::LeftButton);
    QVERIFY(shown.wait(30'000));
    QCOMPARE(document().askedRanges().size(), 1U);
    QCOMPARE(document().askedRanges().front().symbol, std::string("s0"));
    QTRY_COMPARE(cell(QStringLiteral("s1"), SymbolModel::range_column), QStringLiteral("from 0"));
    // All, by the action.
    shown.clear();
    QTest::keyClick(window_.get(), Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(shown.wait(30'000));
    QVERIFY(document().askedRanges().empty());
    QCOMPARE(document().sharedProgram(), document().programAsRead());
    QTRY_COMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("from 0"));
    QVERIFY(!action("symbols.reset")->isEnabled());
    QTRY_VERIFY(plain("symbolsSentence").contains(QStringLiteral("with the ranges of the file")));
}

void TestSymbolsPanel::undoBringsTheRangesBack() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    const NodeId add = nodeNamed(document(), "add");
    document().throughNode(add);
    ask(QStringLiteral("1"));
    QCOMPARE(document().decision(add)->verdict, Verdict::reinplaced);
    QVERIFY(action("edit.undo")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(document().askedRanges().empty());
    QCOMPARE(document().decision(add)->verdict, Verdict::kept);
    QTRY_COMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("from 0"));
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(document().askedRanges().size(), 1U);
    QCOMPARE(document().decision(add)->verdict, Verdict::reinplaced);
    QTRY_COMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("1"));
    QTRY_VERIFY(decision().contains(QStringLiteral("sound decides otherwise")));
}

/// A document keeps the graph as it was decided on.
void TestSymbolsPanel::savedWithItsRanges() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    const QString kept = folder_->filePath(QStringLiteral("kept.session.json"));
    QVERIFY(window_->saveTo(kept));
    QVERIFY(!document().isModified());
    const std::vector<SymbolRange> ranges = document().programAsRead()->graphs[0].ranges;
    ask(QStringLiteral("1"));
    QVERIFY(document().isModified());
    document().runToEnd();
    QVERIFY(window_->saveTo(kept));
    QVERIFY(!document().isModified());
    openSymbols(kept);
    QCOMPARE(document().decision(nodeNamed(document(), "add"))->verdict, Verdict::reinplaced);
    QCOMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("1"));
    QVERIFY(document().notes().empty());
    QVERIFY(!document().isModified());
    // What was asked for is a question still, and the file's range can be had back.
    QCOMPARE(document().askedRanges().size(), 1U);
    QVERIFY(document().programAsRead()->graphs[0].ranges == ranges);
    QTRY_VERIFY(decision().contains(QStringLiteral("And if s0 is 1")));
    document().forgetRanges();
    QTRY_VERIFY(document().askedRanges().empty());
    QTRY_COMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("from 0"));
    QVERIFY(document().isModified());
    document().undoStack()->undo();
    QCOMPARE(document().askedRanges().size(), 1U);
    QVERIFY(!document().isModified());
}

void TestSymbolsPanel::namesAreShownLiterally() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    QVERIFY(window_->saveTo(folder_->filePath(QStringLiteral("kept.session.json"))));
    const QByteArray named = content(QStringLiteral("kept.session.json")).replace("\"x\"", "\"<b>x\"");
    openSymbols(write(QStringLiteral("named.session.json"), named));
    QTRY_VERIFY(cell(QStringLiteral("s0"), SymbolModel::origin_column).contains(QStringLiteral("%<b>x")));
    const QString tip = table()->model()->index(0, SymbolModel::origin_column).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("%&lt;b&gt;x")), qPrintable(tip));
}

/// At one row the rewrite is right: what is run has that size.
void TestSymbolsPanel::verifiedInTheRange() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    ask(QStringLiteral("1"));
    document().runToEnd();
    QTest::keyClick(window_.get(), Qt::Key_V);
    QTRY_VERIFY_WITH_TIMEOUT(window_->verification().report() != nullptr, 120'000);
    QVERIFY2(window_->verification().report()->verification.answer == Verification::Answer::equal,
             window_->verification().report()->verification.detail.c_str());
}

void TestSymbolsPanel::anotherGraphBeginsAnew() {
    openSymbols(write(QStringLiteral("broadcast.py"), broadcast_text));
    ask(QStringLiteral("1"));
    document().markExported();
    openSymbols(write(QStringLiteral("related.py"), related_text));
    QVERIFY(document().askedRanges().empty());
    QTRY_COMPARE(table()->model()->rowCount(), 3);
    QCOMPARE(cell(QStringLiteral("s0"), SymbolModel::range_column), QStringLiteral("from 0"));
}

QTEST_MAIN(TestSymbolsPanel)
#include "test_symbols_panel.moc"
