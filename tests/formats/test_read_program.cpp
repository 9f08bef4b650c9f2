// Opening files: recognised by content, errors with the file's name.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "core/formats/reader.h"
#include "sample_file.h"

using namespace inspector;

class TestReadProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textUnderAnyName();
    void encodings_data();
    void encodings();
    void errorsNameTheFile_data();
    void errorsNameTheFile();
    void tooLong();
    void damagedBytesOfALog_data();
    void damagedBytesOfALog();

private:
    QString write(const QString& name, const QByteArray& bytes) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
        return file.fileName();
    }
    QTemporaryDir folder_;
};

namespace {
const QByteArray graph_text = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x, 'ä')\n";
}

void TestReadProgram::textUnderAnyName() {
    const auto program = read_program(write("graph.pt2", graph_text).toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->format, "fx_text");
    QVERIFY(QString::fromStdString(program->path).endsWith("graph.pt2"));
}

void TestReadProgram::encodings_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("string");
    QTest::addColumn<QString>("note");
    const auto utf16 = [](bool big) {
        QByteArray bytes = big ? QByteArray("\xFE\xFF") : QByteArray("\xFF\xFE");
        for (const QChar c : QString::fromUtf8(graph_text)) {
            const char high = static_cast<char>(c.unicode() >> 8);
            const char low = static_cast<char>(c.unicode() & 0xFF);
            bytes.append(big ? high : low).append(big ? low : high);
        }
        return bytes;
    };
    QByteArray latin = graph_text;
    latin.replace("ä", "\xE4");
    QTest::newRow("UTF-8") << graph_text << "ä" << "";
    QTest::newRow("UTF-8 with a mark") << "\xEF\xBB\xBF" + graph_text << "ä" << "";
    QTest::newRow("UTF-16, little end first") << utf16(false) << "ä" << "";
    QTest::newRow("UTF-16, big end first") << utf16(true) << "ä" << "";
    QTest::newRow("Latin-1") << latin << QString(QChar(0xFFFD)) << "line 3: bytes that are not UTF-8, shown as U+FFFD";
    QTest::newRow("Windows line ends") << QByteArray(graph_text).replace("\n", "\r\n") << "ä" << "";
}

void TestReadProgram::encodings() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, string);
    const auto program = read_program(write("graph.txt", bytes).toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const Graph& graph = program->graphs.front().graph;
    const auto* returned = graph.node(graph.output()).args.front().as<ArgumentList>();
    QVERIFY(returned);
    QCOMPARE(returned->items[1], Argument(string.toStdString()));
    QFETCH(QString, note);
    QCOMPARE(program->notes.empty() ? QString() : QString::fromStdString(program->notes.front()), note);
}

void TestReadProgram::errorsNameTheFile_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("reason");
    QTest::newRow("empty") << QByteArray() << "" << "the file is empty";
    QTest::newRow("no graph") << QByteArray("hello\n") << "" << "no FX graph found";
    QTest::newRow("neither archive nor text") << QByteArray("\x7F"
                                                            "ELF\0\0\0",
                                                            7)
                                              << "" << "neither a .pt2 archive nor text";
    QTest::newRow("use before definition")
        << QByteArray("def forward(self):\n    a = torch.relu(b)\n    b = torch.relu(a)\n    return b\n")
        << "line 2, column 20" << "\"b\" is used";
    QTest::newRow("broken archive") << QByteArray("PK\x03\x04 and nothing more") << "" << "";
}

void TestReadProgram::errorsNameTheFile() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, place);
    QFETCH(QString, reason);
    const std::string path = write("broken", bytes).toStdString();
    const auto program = read_program(path);
    QVERIFY(!program);
    QCOMPARE(program.error().file, path);
    if (!place.isEmpty()) QCOMPARE(QString::fromStdString(program.error().place), place);
    QVERIFY2(QString::fromStdString(program.error().reason).contains(reason), program.error().reason.c_str());
    const auto missing = read_program(path + ".missing");
    QVERIFY(!missing);
    QCOMPARE(missing.error().message(), path + ".missing: cannot be opened: No such file or directory");
}

void TestReadProgram::tooLong() {
    ReadOptions options;
    options.limits.text_bytes = 20;
    const auto program = read_program(write("long", graph_text).toStdString(), options);
    QVERIFY(!program);
    QVERIFY(program.error().message().ends_with("the text is longer than 20 bytes"));
}

void TestReadProgram::damagedBytesOfALog_data() {
    QTest::addColumn<QByteArray>("damage");
    QTest::addColumn<QString>("note");
    QTest::newRow("zero") << QByteArray("\0", 1) << "line 1: a zero byte, shown as U+FFFD";
    QTest::newRow("not UTF-8") << QByteArray("\xE4 ") << "line 1: bytes that are not UTF-8, shown as U+FFFD";
}

// Other text with zero bytes is no text; of a log, what is not damaged is worth having.
void TestReadProgram::damagedBytesOfALog() {
    QFETCH(QByteArray, damage);
    QFETCH(QString, note);
    const QByteArray prefix = "V1129 11:12:00.850000 10147 torch/a.py:1] [0/0] [__aot_graphs] ";
    const auto message = [&](const QByteArray& title, const QByteArray& value) {
        return prefix + "===== " + title + " =====\n" + prefix + "class M(torch.nn.Module):\n" + prefix + "    def forward(self, x):\n" + prefix +
               "        return (" + value + ",)\n";
    };
    const auto program = read_program(write("damaged.log", message("Gr" + damage, "x") + message("B", "z" + damage) + message("C", "x")).toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.size(), std::size_t{2});
    QCOMPARE(QString::fromStdString(program->notes.back()), note);
    QVERIFY(QString::fromStdString(program->notes.front()).startsWith("line 8, column "));
}

QTEST_APPLESS_MAIN(TestReadProgram)
#include "test_read_program.moc"
