#include <QtTest>

#include "core/graph/utf8.h"

using namespace inspector;

class TestUtf8 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void replacesWhatIsIllFormed_data();
    void replacesWhatIsIllFormed();
    void everyCodePointComesBack();
    void oneLineShowsWhatWouldMoveTheCursor();
};

void TestUtf8::replacesWhatIsIllFormed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("valid");
    const QByteArray mark = "\xEF\xBF\xBD";
    QTest::newRow("valid") << QByteArray("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") << QByteArray("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << "a" + mark + "z";
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << mark + mark;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << mark + mark + mark;
    QTest::newRow("above U+10FFFF") << QByteArray("\xF4\x90\x80\x80") << mark + mark + mark + mark;
    QTest::newRow("cut after two of three") << QByteArray("\xE2\x82z") << mark + "z";
    QTest::newRow("cut at the end") << QByteArray("a\xF0\x9F\x98") << "a" + mark;
    QTest::newRow("never a byte") << QByteArray("\xFF") << mark;
}

void TestUtf8::replacesWhatIsIllFormed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, valid);
    QCOMPARE(QByteArray::fromStdString(valid_utf8(bytes.toStdString())), valid);
}

void TestUtf8::everyCodePointComesBack() {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, c);
        const CodePoint point = decode_utf8(text, 0);
        if (!point.is_valid || point.value != c || point.bytes != text.size())
            QFAIL(qPrintable(QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16)));
    }
}

void TestUtf8::oneLineShowsWhatWouldMoveTheCursor() {
    const QString mark = QChar(0xFFFD);
    const auto shown = [](const char* text) { return QString::fromStdString(one_line(text)); };
    QCOMPARE(shown("plain %x"), QStringLiteral("plain %x"));
    QCOMPARE(shown("a\nb\tc\x1b[2J\x7f"), QString("a" + mark + "b" + mark + "c" + mark + "[2J" + mark));
    QCOMPARE(shown("\xE2\x80\xAE" "x"), QString(mark + "x")); // right-to-left override
    QCOMPARE(shown("\xC2\x85"), mark);                        // next line, of C1
}

QTEST_APPLESS_MAIN(TestUtf8)
#include "test_utf8.moc"
