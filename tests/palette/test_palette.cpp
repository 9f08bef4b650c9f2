#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QtTest>

#include "ui/appearance/theme.h"
#include "ui/palette/storage_style.h"
#include "ui/palette/verdict_style.h"

using namespace inspector;

Q_DECLARE_METATYPE(inspector::Theme)

class TestPalette : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsCanBeRead_data();
    void wordsCanBeRead();
    void marksDifferWithoutColour();
    void markOfDecision_data();
    void markOfDecision();
    void huesRepeatWithAnotherPattern();
    void iconHasTheShape();
};

void TestPalette::wordsCanBeRead_data() {
    QTest::addColumn<Theme>("theme");
    QTest::newRow("light") << Theme::light;
    QTest::newRow("dark") << Theme::dark;
}

void TestPalette::wordsCanBeRead() {
    QFETCH(Theme, theme);
    applyTheme(theme);
    const QPalette palette = QApplication::palette();
    const Scheme scheme = schemeOf(palette);
    QCOMPARE(scheme, theme == Theme::dark ? Scheme::dark : Scheme::light);
    const QColor base = palette.color(QPalette::Base);
    const QColor window = palette.color(QPalette::Window);
    const QColor text = palette.color(QPalette::Text);
    const QColor muted = themeColours(palette).muted;
    for (const VerdictMark mark : all_verdict_marks) {
        const VerdictStyle& style = verdictStyle(mark, scheme);
        QVERIFY2(contrast(style.ink, style.fill) >= 4.5, qPrintable(style.word));
        QVERIFY2(contrast(style.text, base) >= 4.5, qPrintable(style.word));
        QVERIFY2(contrast(style.text, window) >= 4.5, qPrintable(style.word));
        QVERIFY2(contrast(style.text, style.tint) >= 4.5, qPrintable(style.word));
        QVERIFY2(contrast(text, style.tint) >= 7, qPrintable(style.word));
        QVERIFY2(contrast(muted, style.tint) >= 4.5, qPrintable(style.word));
    }
    for (StorageId storage = 0; storage <= storage_hue_count; ++storage) {
        const StorageStyle style = storageStyle(storage, scheme);
        QVERIFY2(contrast(style.line, base) >= 4.5, qPrintable(QString::number(storage)));
        QVERIFY2(contrast(style.line, style.band) >= 4.5, qPrintable(QString::number(storage)));
        QVERIFY2(contrast(text, style.band) >= 7, qPrintable(QString::number(storage)));
    }
}

void TestPalette::marksDifferWithoutColour() {
    for (const VerdictMark a : all_verdict_marks) {
        for (const VerdictMark b : all_verdict_marks) {
            if (a == b) continue;
            const VerdictStyle& first = verdictStyle(a, Scheme::light);
            const VerdictStyle& second = verdictStyle(b, Scheme::light);
            QVERIFY(first.shape != second.shape || first.letter != second.letter);
            QVERIFY(first.word != second.word);
        }
    }
}

void TestPalette::markOfDecision_data() {
    QTest::addColumn<int>("verdict");
    QTest::addColumn<int>("choice");
    QTest::addColumn<bool>("isMiss");
    QTest::addColumn<int>("mark");
    const auto row = [](const char* name, Verdict verdict, Choice choice, bool isMiss, VerdictMark mark) {
        QTest::newRow(name) << static_cast<int>(verdict) << static_cast<int>(choice) << isMiss
                            << static_cast<int>(mark);
    };
    row("pending", Verdict::pending, Choice::policy, false, VerdictMark::pending);
    row("reinplaced", Verdict::reinplaced, Choice::policy, false, VerdictMark::reinplaced);
    row("accepted", Verdict::reinplaced, Choice::accept, false, VerdictMark::reinplaced);
    row("scatter", Verdict::scatter_to_copy, Choice::policy, false, VerdictMark::scatter_to_copy);
    row("deleted", Verdict::deleted, Choice::policy, false, VerdictMark::deleted);
    row("missed", Verdict::kept, Choice::policy, true, VerdictMark::missed);
    row("kept", Verdict::kept, Choice::policy, false, VerdictMark::kept);
    row("forced", Verdict::reinplaced, Choice::force, false, VerdictMark::forced);
    row("forced scatter", Verdict::scatter_to_copy, Choice::force, false, VerdictMark::forced);
    row("forced in vain", Verdict::kept, Choice::force, true, VerdictMark::missed);
    row("skipped", Verdict::kept, Choice::skip, true, VerdictMark::skipped);
    row("raises", Verdict::upstream_raises, Choice::policy, false, VerdictMark::raises);
}

void TestPalette::markOfDecision() {
    QFETCH(int, verdict);
    QFETCH(int, choice);
    QFETCH(bool, isMiss);
    QFETCH(int, mark);
    Decision decision;
    decision.verdict = static_cast<Verdict>(verdict);
    decision.choice = static_cast<Choice>(choice);
    QCOMPARE(static_cast<int>(verdictMark(&decision, isMiss)), mark);
    QCOMPARE(verdictMark(nullptr, false), VerdictMark::pending);
}

void TestPalette::huesRepeatWithAnotherPattern() {
    for (StorageId storage = 1; storage <= storage_hue_count; ++storage) {
        const StorageStyle first = storageStyle(storage, Scheme::light);
        const StorageStyle second = storageStyle(storage + storage_hue_count, Scheme::light);
        QCOMPARE(first.pattern, Qt::SolidPattern);
        QCOMPARE(second.band, first.band);
        QVERIFY(second.pattern != Qt::SolidPattern);
        QVERIFY(viewEdgeDashes(storage) != viewEdgeDashes(storage + storage_hue_count));
        for (StorageId other = storage + 1; other <= storage_hue_count; ++other)
            QVERIFY(storageStyle(other, Scheme::light).band != first.band);
    }
    QVERIFY(storageStyle(0xFFFFFFFF, Scheme::dark).pattern != Qt::SolidPattern);
}

void TestPalette::iconHasTheShape() {
    const QPixmap pixmap = verdictIcon(VerdictMark::reinplaced, Scheme::light).pixmap(32, 32);
    const QImage icon = pixmap.toImage().convertToFormat(QImage::Format_ARGB32);
    QCOMPARE(icon.size(), QSize(32, 32));
    QCOMPARE(icon.pixelColor(7, 16), verdictStyle(VerdictMark::reinplaced, Scheme::light).fill);
    QCOMPARE(icon.pixelColor(0, 0).alpha(), 0);
    QVERIFY(verdictIcon(VerdictMark::none, Scheme::light).pixmap(32, 32).toImage().pixelColor(16, 16).alpha() == 0);
}

QTEST_MAIN(TestPalette)
#include "test_palette.moc"
