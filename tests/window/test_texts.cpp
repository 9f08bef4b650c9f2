#include <QDir>
#include <QtTest>

#include "core/graph/graph.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/appearance/theme.h"
#include "ui/code/python_tokens.h"
#include "ui/document/describe.h"
#include "ui/document/program_order.h"
#include "ui/inspector/stack_trace.h"
#include "ui/main_window/examples.h"

using namespace inspector;

class TestTexts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bytesAreRounded_data();
    void bytesAreRounded();
    void tokensCoverTheLine_data();
    void tokensCoverTheLine();
    void tokensHaveKinds();
    void identifierUnderTheMouse();
    void framesOfPythonsText();
    void framesOfTheShortForm();
    void orderHoldsErasedAndCreatedNodes();
    void everyPaletteCanBeRead();
    void examplesBecomeFiles();
    void iconsHaveOneStrokeWidth();
};

void TestTexts::bytesAreRounded_data() {
    QTest::addColumn<qlonglong>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("nothing") << 0LL << "0 B";
    QTest::newRow("bytes") << 1023LL << "1023 B";
    QTest::newRow("whole") << 2048LL << "2 KiB";
    QTest::newRow("fraction") << 1536LL << "1.5 KiB";
    QTest::newRow("large") << (5LL << 30) << "5 GiB";
    QTest::newRow("largest") << std::numeric_limits<qlonglong>::max() << "8 EiB";
}

void TestTexts::bytesAreRounded() {
    QFETCH(qlonglong, bytes);
    QTEST(bytesText(bytes), "text");
}

void TestTexts::tokensCoverTheLine_data() {
    QTest::addColumn<QString>("line");
    for (const char* line : {"", "    ", "    # File: a.py:3 in f, code: x = \"y\"",
                             "    mul: \"f32[4][1]cpu\" = torch.ops.aten.mul.Tensor(x, 2.5);  x = None",
                             "class GraphModule(torch.nn.Module):", "    return (add,)", "  s = 'it is open", "größe = 1"})
        QTest::newRow(line) << QString::fromUtf8(line);
}

void TestTexts::tokensCoverTheLine() {
    QFETCH(QString, line);
    qsizetype end = 0;
    for (const PythonToken& token : pythonTokens(line)) {
        QCOMPARE(token.start, end);
        QVERIFY(token.length > 0);
        end = token.start + token.length;
    }
    QCOMPARE(end, line.size());
}

void TestTexts::tokensHaveKinds() {
    const QString line = QStringLiteral("    mul: \"f32[4]\" = aten.mul(x, 2.5, 'a');  x = None");
    const std::vector<PythonToken> tokens = pythonTokens(line);
    const auto kind_of = [&](const QString& word) {
        const qsizetype at = line.indexOf(word);
        for (const PythonToken& token : tokens)
            if (at >= token.start && at < token.start + token.length) return token.kind;
        return PythonToken::Kind::plain;
    };
    QCOMPARE(kind_of(QStringLiteral("mul:")), PythonToken::Kind::name);
    QCOMPARE(kind_of(QStringLiteral("\"f32")), PythonToken::Kind::annotation);
    QCOMPARE(kind_of(QStringLiteral("aten")), PythonToken::Kind::plain);
    QCOMPARE(kind_of(QStringLiteral("2.5")), PythonToken::Kind::literal);
    QCOMPARE(kind_of(QStringLiteral("'a'")), PythonToken::Kind::literal);
    QCOMPARE(kind_of(QStringLiteral(";  x")), PythonToken::Kind::comment);
    QCOMPARE(pythonTokens(u"    return (x,)")[1].kind, PythonToken::Kind::keyword);
}

void TestTexts::identifierUnderTheMouse() {
    const QString line = QStringLiteral("add_1 = f(x, mul)");
    QCOMPARE(identifierAt(line, 0), u"add_1");
    QCOMPARE(identifierAt(line, 4), u"add_1");
    QCOMPARE(identifierAt(line, 5), u"");
    QCOMPARE(identifierAt(line, 16), u"");
    QCOMPARE(identifierAt(line, 15), u"mul");
    QCOMPARE(identifierAt(line, 400), u"");
    QCOMPARE(identifierAt(line, -1), u"");
}

void TestTexts::framesOfPythonsText() {
    const auto frames = stackFrames("  File \"model.py\", line 6, in forward\n    h = x @ w\n"
                                    "  File \"a dir/inner.py\", line 12, in <lambda>\n    return g(y)\n");
    QCOMPARE(frames.size(), std::size_t{2});
    QCOMPARE(frames[0].file, QStringLiteral("model.py"));
    QCOMPARE(frames[0].line, 6);
    QCOMPARE(frames[0].function, QStringLiteral("forward"));
    QCOMPARE(frames[0].code, QStringLiteral("h = x @ w"));
    QCOMPARE(frames[1].file, QStringLiteral("a dir/inner.py"));
    QCOMPARE(frames[1].function, QStringLiteral("<lambda>"));
    QVERIFY(stackFrames("").empty());
    QVERIFY(stackFrames("no frame here").empty());
}

void TestTexts::framesOfTheShortForm() {
    const auto frames = stackFrames("File: lesson.py:3 in lesson, code: active = shifted.relu()");
    QCOMPARE(frames.size(), std::size_t{1});
    QCOMPARE(frames[0].file, QStringLiteral("lesson.py"));
    QCOMPARE(frames[0].line, 3);
    QCOMPARE(frames[0].code, QStringLiteral("active = shifted.relu()"));
}

void TestTexts::orderHoldsErasedAndCreatedNodes() {
    const auto call = [](const char* name) { Node node;
        node.name = name;
        node.target = "torch.ops.aten.abs.default";
        return node;
    };
    Graph original;
    const NodeId a = original.append(call("a"));
    const NodeId b = original.append(call("b"));
    const NodeId c = original.append(call("c"));
    Graph rewritten = original;
    const NodeId before_b = rewritten.insert_before(b, call("before_b"));
    const NodeId after_c = rewritten.insert_after(c, call("after_c"));
    rewritten.erase(b);
    QCOMPARE(programOrder(original, rewritten), (std::vector<NodeId>{a, b, before_b, c, after_c}));
    QCOMPARE(programOrder(original, original), (std::vector<NodeId>{a, b, c}));
    QCOMPARE(programOrder(Graph(), Graph()), std::vector<NodeId>());
}

void TestTexts::everyPaletteCanBeRead() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        applyTheme(theme);
        const QPalette palette = QGuiApplication::palette();
        QCOMPARE(isDark(palette), theme == Theme::dark);
        const ThemeColours& colours = themeColours(palette);
        const auto readable = [](const QColor& text, const QColor& background) { return contrast(text, background) >= 4.5; };
        for (const auto background : {QPalette::Base, QPalette::Window, QPalette::AlternateBase}) {
            const QColor ground = palette.color(background);
            for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::PlaceholderText, QPalette::Link})
                QVERIFY2(readable(palette.color(role), ground), qPrintable(palette.color(role).name() + ground.name()));
            for (const QColor& colour : {colours.success, colours.failure, colours.warning, colours.muted})
                QVERIFY2(readable(colour, ground), qPrintable(colour.name() + ground.name()));
        }
        QVERIFY(readable(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)));
        QVERIFY(readable(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)));
        QVERIFY(readable(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)));
        for (const QColor& ground : {palette.color(QPalette::Base), colours.changed, colours.added, colours.removed, colours.evidence})
            for (const QColor& colour : {palette.color(QPalette::Text), palette.color(QPalette::Link), colours.keyword,
                                         colours.literal, colours.annotation, colours.comment})
                QVERIFY2(readable(colour, ground), qPrintable(colour.name() + ground.name()));
    }
}

void TestTexts::examplesBecomeFiles() {
    QCOMPARE(examples().size(), std::size_t{2});
    for (const Example& example : examples()) {
        const QString path = exampleFile(example);
        QVERIFY2(!path.isEmpty(), qPrintable(example.resource));
        QVERIFY(isExampleFile(path));
        QFile copy(path);
        QFile resource(example.resource);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QVERIFY(resource.open(QIODevice::ReadOnly));
        QVERIFY(copy.size() > 0);
        QCOMPARE(copy.readAll(), resource.readAll());
        QCOMPARE(exampleFile(example), path); // a second time too
    }
    QVERIFY(!isExampleFile(QStringLiteral("/tmp/mine.pt2")));
}

void TestTexts::iconsHaveOneStrokeWidth() {
    const QDir icons(QStringLiteral(":/icons"));
    QVERIFY(icons.count() > 30);
    for (const QString& name : icons.entryList()) {
        QFile file(icons.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY2(svg.count("stroke-width=") == 1 && svg.contains("stroke-width=\"1.6\""), qPrintable(name));
        QVERIFY2(svg.contains("stroke=\"currentColor\"") && svg.contains("fill=\"none\""), qPrintable(name));
        // Drawn, it covers some of its square, and only in the colour asked for.
        const QImage image = strokePixmap(name.chopped(4), Qt::red, 24, 2).toImage().convertToFormat(QImage::Format_ARGB32);
        QCOMPARE(image.size(), QSize(48, 48));
        int covered = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor colour = image.pixelColor(x, y);
                if (colour.alpha() < 200) continue;
                ++covered;
                QVERIFY2(colour.red() > 240 && colour.green() < 20 && colour.blue() < 20, qPrintable(name));
            }
        QVERIFY2(covered > 30 && covered < 48 * 48 / 2, qPrintable(name));
    }
    QVERIFY(strokeIcon(QStringLiteral("no such icon")).isNull());
}

QTEST_MAIN(TestTexts)
#include "test_texts.moc"
