#include <QtTest>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"

using namespace inspector;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// One row per case of tests/data/reference that has `file_name`.
void add_cases(const QString& file_name) {
    QTest::addColumn<QString>("path");
    const QDir reference(TEST_DATA "/reference");
    for (const QString& name : reference.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString path = reference.filePath(name + "/" + file_name);
        if (QFile::exists(path)) QTest::newRow(qPrintable(name)) << path;
    }
}

/// Reads text that has exactly one graph.
const Graph* only_graph(const Result<Program>& program) {
    if (!program || program->graphs.size() != 1) return nullptr;
    return &program->graphs.front().graph;
}

} // namespace

/// What PyTorch printed, read and printed again, is the same text.
class TestPrintReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readableTextComesBack_data() { add_cases("before.py.txt"); }
    void readableTextComesBack();
    void fxTextComesBack_data() { add_cases("after.fx.txt"); }
    void fxTextComesBack();
    void everyCaseIsThere();
};

void TestPrintReference::readableTextComesBack() {
    QFETCH(QString, path);
    const QByteArray text = contents(path);
    const auto program = read_fx_text(text.toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const ProgramGraph& root = program->graphs.front();
    QVERIFY(verify(root.graph).empty());
    QCOMPARE(QString::fromStdString(print_readable(*program, 0, {root.title, true, true})), QString(text));
}

void TestPrintReference::fxTextComesBack() {
    QFETCH(QString, path);
    const QByteArray text = contents(path);
    const auto program = read_fx_text(text.toStdString());
    const Graph* graph = only_graph(program);
    QVERIFY2(graph, program ? "not one graph" : program.error().message().c_str());
    QVERIFY(verify(*graph).empty());
    QCOMPARE(QString::fromStdString(print_fx(*graph)), QString(text).trimmed());
}

void TestPrintReference::everyCaseIsThere() {
    const auto count = [](const QString& file_name) {
        int found = 0;
        QDirIterator files(TEST_DATA "/reference", {file_name}, QDir::Files, QDirIterator::Subdirectories);
        for (; files.hasNext(); files.next()) ++found;
        return found;
    };
    QCOMPARE(count("before.py.txt"), 221);
    QCOMPARE(count("after.fx.txt"), 258);
}

QTEST_APPLESS_MAIN(TestPrintReference)
#include "test_print_reference.moc"
