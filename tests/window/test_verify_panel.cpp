// Verifying from the window: what is shown of the answer, and that it can be stopped at any time.
#include <QComboBox>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QtTest>

#include "tests/window/opened_document.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/panel_dock.h"
#include "ui/verify/verification_run.h"

using namespace inspector;

namespace {

/// `length` products of large matrices: seconds of work.
QByteArray slowText(int length) {
    QByteArray text = "def forward(self, a0: \"f32[700, 700][700, 1]cpu\"):\n";
    for (int i = 1; i <= length; ++i) {
        const QByteArray before = QByteArray::number(i - 1);
        text += "    a" + QByteArray::number(i) + ": \"f32[700, 700][700, 1]cpu\" = torch.ops.aten.mm.default(a" + before + ", a" + before + ")\n";
    }
    return text + "    return (a" + QByteArray::number(length) + ",)\n";
}

} // namespace

class TestVerifyPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void nothingIsOpen();
    void equalSaysWhatWasCompared();
    void aForcedDecisionShowsItsConsequence();
    void theDecisionThatIsToBlameIsALink();
    void whatNoLongerRunsSavesNothing();
    void onlyTheDecisionsMadeSoFar();
    void theMemoryLimitIsRefusedClearly();
    void whatCannotRunIsSaid();
    void theWindowStaysUsable();
    void closingEndsIt();
    void anotherGraphDropsIt();

private:
    void open(const QString& path) { QCOMPARE(openAndWait(window_->document(), path), QString()); }
    QString write(const QString& name, const QByteArray& text) const {
        QFile file(folder_->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
        return file.fileName();
    }
    /// Presses V and waits for the answer.
    void verify() {
        QSignalSpy ended(&window_->verification(), &VerificationRun::ended);
        QTest::keyClick(window_.get(), Qt::Key_V);
        QVERIFY(!ended.isEmpty() || ended.wait(120'000));
    }
    QAction* action(const char* id) const { return window_->actions()[QString::fromUtf8(id)]; }
    QTextBrowser* page() const { return window_->findChild<QTextBrowser*>(QStringLiteral("verificationPage")); }
    QString text() const { return page()->toPlainText(); }
    NodeId node(const char* name) const { return nodeNamed(window_->document(), name); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

void TestVerifyPanel::init() {
    window_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    settings_ = std::make_unique<QSettings>(folder_->filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    window_ = std::make_unique<MainWindow>(settings_.get());
    window_->resize(1280, 800);
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void TestVerifyPanel::nothingIsOpen() {
    QVERIFY(!action("verify.run")->isEnabled());
    QVERIFY(action("verify.run")->toolTip().contains(QStringLiteral("no graph is open")));
    QVERIFY(action("verify.stop")->toolTip().contains(QStringLiteral("no verification is running")));
    window_->dock(QStringLiteral("verify"))->reveal();
    QVERIFY(text().contains(QStringLiteral("Open a graph")));
}

void TestVerifyPanel::equalSaysWhatWasCompared() {
    open(exampleSource("teaching.py.txt"));
    QVERIFY(action("verify.run")->isEnabled());
    verify();
    QVERIFY(window_->dock(QStringLiteral("verify"))->isVisible());
    for (const char* words : {"Equal", "values of 3 outputs", "3 inputs", "strides", "share storage", "second call", "measured", "simulated",
                              "x: made up"})
        QVERIFY2(text().contains(QString::fromUtf8(words)), qPrintable(QString::fromUtf8(words) + QStringLiteral(" is not in\n") + text()));
    const VerificationReport& report = *window_->verification().report();
    QVERIFY(report.verification.peak_after <= report.verification.peak_before);
    QVERIFY(report.simulated.peak_after <= report.simulated.peak_before);
    // x, bias and patch: 128 + 32 + 32 bytes.
    QCOMPARE(report.inputBytes, 192);
}

void TestVerifyPanel::aForcedDecisionShowsItsConsequence() {
    open(exampleSource("teaching.py.txt"));
    Document& document = window_->document();
    document.decide(node("grown"), Choice::force); // its operand is returned
    verify();
    const VerificationReport* report = window_->verification().report();
    QCOMPARE(report->verification.answer, Verification::Answer::different);
    QVERIFY(report->decision.has_value());
    QCOMPARE(report->decision->node, node("grown"));
    QVERIFY2(text().contains(QStringLiteral("Different")), qPrintable(text()));
    QVERIFY2(text().contains(QStringLiteral("output 2")), qPrintable(text()));
    QVERIFY2(text().contains(QStringLiteral("although")), qPrintable(text()));
    QVERIFY2(text().contains(QStringLiteral("Decision %1,").arg(document.decisionIndex(node("grown")))), qPrintable(text()));
    for (const std::string& value : {report->verification.difference->before, report->verification.difference->after}) {
        QVERIFY(!value.empty());
        QVERIFY(text().contains(QString::fromStdString(value)));
    }

    document.choose(node("grown"), Choice::policy);
    QVERIFY(window_->verification().isOutdated());
    QVERIFY2(text().contains(QStringLiteral("Verify again")), qPrintable(text()));
    verify();
    QVERIFY2(text().contains(QStringLiteral("Equal")) && !text().contains(QStringLiteral("Verify again")), qPrintable(text()));
}

void TestVerifyPanel::theDecisionThatIsToBlameIsALink() {
    open(referenceFile(QStringLiteral("unsound-scatter-smaller-region/before.py.txt")));
    Document& document = window_->document();
    document.setPolicy(QStringLiteral("torch-fx"));
    QTRY_COMPARE_WITH_TIMEOUT(document.session()->options().policy, std::string("torch-fx"), 30'000);
    verify();
    QVERIFY2(text().contains(QStringLiteral("element\t[0, 1]")) || text().contains(QStringLiteral("[0, 1]")), qPrintable(text()));
    const NodeId add = node("add");
    QVERIFY(page()->toHtml().contains(QStringLiteral("node:%1").arg(index_of(add))));
    document.select(document.session()->original().first());
    Q_EMIT page()->anchorClicked(QUrl(QStringLiteral("node:%1").arg(index_of(add))));
    QCOMPARE(document.selected(), add);
    QCOMPARE(document.session()->position(), 0U);
    Q_EMIT page()->anchorClicked(QUrl(QStringLiteral("through:%1").arg(index_of(add))));
    QVERIFY(document.decision(add) != nullptr);
}

void TestVerifyPanel::whatNoLongerRunsSavesNothing() {
    open(write(QStringLiteral("grows.py"), "def forward(self, x: \"f32[4][1]cpu\", y: \"f32[4, 4][4, 1]cpu\"):\n"
                                           "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, y)\n    return (a,)\n"));
    window_->document().decide(node("a"), Choice::force);
    verify();
    const Verification& found = window_->verification().report()->verification;
    QCOMPARE(text_id(found.difference->kind), std::string_view("fails_to_run"));
    QVERIFY(found.peak_before && !found.peak_after);
    QVERIFY2(text().contains(QRegularExpression(QStringLiteral("measured\\s+64 B\\s+—\\s+—"))), qPrintable(text()));
    QVERIFY2(text().contains(QRegularExpression(QStringLiteral("simulated\\s+[0-9]+ B\\s+—\\s+—"))), qPrintable(text()));
}

void TestVerifyPanel::onlyTheDecisionsMadeSoFar() {
    open(exampleSource("teaching.py.txt"));
    Document& document = window_->document();
    window_->dock(QStringLiteral("verify"))->reveal();
    auto* scope = window_->findChild<QComboBox*>(QStringLiteral("verifyScope"));
    scope->setCurrentIndex(1);
    QVERIFY(!action("verify.run")->isEnabled());
    QVERIFY(action("verify.run")->toolTip().contains(QStringLiteral("no decision is made yet")));
    document.choose(node("grown"), Choice::force); // not decided yet, so not in the graph
    document.toNode(node("squared"));
    QVERIFY(action("verify.run")->isEnabled());
    verify();
    const VerificationReport* report = window_->verification().report();
    QCOMPARE(report->verification.answer, Verification::Answer::equal);
    QCOMPARE(report->options.first.value_or(0), document.session()->position());
    QVERIFY(!window_->verification().isOutdated());
    document.stepNode();
    QVERIFY(window_->verification().isOutdated());
    document.runToEnd();
    verify();
    QCOMPARE(window_->verification().report()->verification.answer, Verification::Answer::different);
}

void TestVerifyPanel::theMemoryLimitIsRefusedClearly() {
    open(write(QStringLiteral("large.py"), "def forward(self, x: \"f32[4][1]cpu\"):\n    e: \"f32[1000, 1000][1000, 1]cpu\" = "
                                           "torch.ops.aten.full.default([1000, 1000], 1.0)\n    return (e,)\n"));
    window_->dock(QStringLiteral("verify"))->reveal();
    window_->findChild<QSpinBox*>(QStringLiteral("verifyMemoryLimit"))->setValue(1);
    verify();
    for (const char* words : {"Not verified", "%e", "4000000 bytes", "memory limit", "Raise it"})
        QVERIFY2(text().contains(QString::fromUtf8(words)), qPrintable(text()));
    window_->findChild<QSpinBox*>(QStringLiteral("verifyMemoryLimit"))->setValue(64);
    verify();
    QVERIFY2(text().contains(QStringLiteral("Equal")), qPrintable(text()));
}

void TestVerifyPanel::whatCannotRunIsSaid() {
    open(write(QStringLiteral("unknown.py"), "def forward(self, x: \"f32[4][1]cpu\"):\n"
                                             "    a = torch.ops.nowhere.nothing.default(x)\n    return (a,)\n"));
    verify();
    QVERIFY2(text().contains(QStringLiteral("Not verified")) && text().contains(QStringLiteral("%a")), qPrintable(text()));
    QVERIFY(!text().contains(QStringLiteral("Raise it")));
}

void TestVerifyPanel::theWindowStaysUsable() {
    open(write(QStringLiteral("slow.py"), slowText(5000)));
    VerificationRun& run = window_->verification();
    QSignalSpy ended(&run, &VerificationRun::ended);
    QTest::keyClick(window_.get(), Qt::Key_V);
    QVERIFY(run.isRunning());
    QVERIFY(!action("verify.run")->isEnabled());
    QVERIFY(action("verify.stop")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(run.percent() >= 0, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(window_->findChild<QProgressBar*>(QStringLiteral("verifyProgress"))->isVisible(), 10'000);
    QTest::keyClick(window_.get(), Qt::Key_N); // steps go on meanwhile
    QCOMPARE(window_->document().session()->position(), 1U);
    QVERIFY(run.isRunning());
    QTest::keyClick(window_.get(), Qt::Key_V, Qt::ShiftModifier);
    QVERIFY(!ended.isEmpty() || ended.wait(60'000));
    QVERIFY(run.report()->isCancelled);
    QVERIFY2(text().contains(QStringLiteral("Stopped")), qPrintable(text()));
    QVERIFY(action("verify.run")->isEnabled());
}

void TestVerifyPanel::closingEndsIt() {
    open(write(QStringLiteral("slow.py"), slowText(5000)));
    QTest::keyClick(window_.get(), Qt::Key_V);
    QVERIFY(window_->verification().isRunning());
    QVERIFY(window_->close());
    window_.reset(); // waits for one operator, not for all
}

void TestVerifyPanel::anotherGraphDropsIt() {
    open(write(QStringLiteral("slow.py"), slowText(5000)));
    QTest::keyClick(window_.get(), Qt::Key_V);
    QVERIFY(window_->verification().isRunning());
    open(exampleSource("teaching.py.txt"));
    QVERIFY(!window_->verification().isRunning());
    QVERIFY(!window_->verification().report());
    verify();
    QVERIFY2(text().contains(QStringLiteral("Equal")), qPrintable(text()));
}

QTEST_MAIN(TestVerifyPanel)
#include "test_verify_panel.moc"
