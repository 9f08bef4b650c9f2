#include <QtTest>

#include <QSet>
#include <QXmlStreamReader>

#include "core/formats/dot/dot_text.h"
#include "core/formats/dot/graphviz.h"
#include "tests/formats/pictures.h"
#include "tests/golden.h"

using namespace inspector;
using namespace std::chrono_literals;

class TestDot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsTheGoldenOne();
    void verdictsDifferInLetterShapeAndWord();
    void graphvizReadsNamesAsText();
    void graphvizIsStoppedAtTheLimit();
    void graphvizSaysWhatItDislikes();
    void missingGraphvizIsAnError();
};

void TestDot::textIsTheGoldenOne() { COMPARE_GOLDEN("formats/hostile.dot", print_dot(hostile_picture())); }

void TestDot::verdictsDifferInLetterShapeAndWord() {
    QSet<QString> letters;
    QSet<QString> shapes;
    QSet<QString> words;
    for (const VerdictLook& look : verdict_looks()) {
        letters.insert(QString(QChar::fromLatin1(look.letter)));
        shapes.insert(QString::fromUtf8(look.dot_shape.data(), static_cast<qsizetype>(look.dot_shape.size())));
        words.insert(QString::fromUtf8(look.word.data(), static_cast<qsizetype>(look.word.size())));
    }
    const auto count = static_cast<qsizetype>(verdict_looks().size());
    QCOMPARE(letters.size(), count);
    QCOMPARE(shapes.size(), count);
    QCOMPARE(words.size(), count);
}

void TestDot::graphvizReadsNamesAsText() {
    const auto svg = run_dot(print_dot(hostile_picture()), 20s);
    QVERIFY2(svg, svg ? "" : svg.error().message().c_str());
    QXmlStreamReader xml(QByteArray::fromStdString(*svg));
    QStringList texts;
    int nodes = 0;
    int edges = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        nodes += xml.attributes().value("class") == QLatin1String("node");
        edges += xml.attributes().value("class") == QLatin1String("edge");
        if (xml.name() == QLatin1String("text")) texts << xml.readElementText();
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(nodes, 5);
    QCOMPARE(edges, 5);
    for (const char* name : {"x", "view\"];n0->n1[label=\"", "[R] <b>add</b>\\N", "[M] mul&lt;", "aten.add_.Tensor"})
        QVERIFY2(texts.contains(QString::fromUtf8(name)), qPrintable(texts.join('\n')));
}

void TestDot::graphvizIsStoppedAtTheLimit() {
    const std::string text = print_dot(woven_picture(30, 30));
    const auto svg = run_dot(text, 200ms);
    QVERIFY(!svg);
    QCOMPARE(svg.error().reason, std::string("took longer than 200 ms and was stopped"));
}

void TestDot::graphvizSaysWhatItDislikes() {
    const auto svg = run_dot("digraph {", 20s);
    QVERIFY(!svg);
    QVERIFY2(svg.error().reason.find("syntax error") != std::string::npos, svg.error().reason.c_str());
}

void TestDot::missingGraphvizIsAnError() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    const auto svg = run_dot("digraph {}", 20s);
    qputenv("PATH", path);
    QVERIFY(!svg);
    QCOMPARE(svg.error().message(), std::string("dot: cannot be started: No such file or directory"));
}

QTEST_APPLESS_MAIN(TestDot)
#include "test_dot.moc"
