// Files that are not what they seem, and places results cannot go to.
#include <QTemporaryDir>

#include "tests/app/command_line.h"

using namespace inspector;

class TestBadInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysFilePlaceAndReason_data();
    void saysFilePlaceAndReason();
    void otherFilesAreStillDone();
    void cutFiles();
    void flippedBytes();
    void outputIsValidUtf8();
    void fullDisk();
    void closedPipe();

private:
    QString written(const char* name, const QByteArray& bytes) {
        QFile file(folder_.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }
    QTemporaryDir folder_;
};

namespace {

const QString chain = QStringLiteral("reference/basic-chain/before.py.txt");
const QString exported = QStringLiteral("reference/input-mutated/before.pt2");

} // namespace

void TestBadInput::saysFilePlaceAndReason_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray text = contents(data(chain));
    const auto changed = [&](const char* from, const QByteArray& to) { return QByteArray(text).replace(from, to); };
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no graph") << QByteArray("Dear reader,\nthis is a letter.\n");
    QTest::newRow("zeros") << QByteArray(4096, '\0');
    QTest::newRow("a zip without entries") << QByteArray("PK\x05\x06", 4) + QByteArray(18, '\0');
    QTest::newRow("unknown dtype") << changed("f32[4, 4]", "f31[4, 4]");
    QTest::newRow("use before definition") << changed("(clone, 1)", "(relu, 1)");
    QTest::newRow("use without definition") << changed("(clone, 1)", "(nobody, 1)");
    QTest::newRow("unclosed call") << changed("(clone, 1)", "(clone, (1");
    QTest::newRow("deep nesting") << changed("(clone, 1)", "(clone, " + QByteArray(100'000, '[') + QByteArray(100'000, ']') + ")");
}

void TestBadInput::saysFilePlaceAndReason() {
    QFETCH(QByteArray, bytes);
    const QString file = written("bad", bytes);
    const CommandResult text = reinplace({"explain", file});
    QCOMPARE(text.status, 3);
    QCOMPARE(text.out, QByteArray());
    QVERIFY2(text.err.startsWith("reinplace: " + file.toUtf8() + ": "), text.err);
    QVERIFY2(text.err.size() > file.size() + 25, text.err);
    QCOMPARE(text.err.count('\n'), 1);

    for (const char* command : {"explain", "list"}) {
        const CommandResult json = reinplace({command, "--json", file});
        QCOMPARE(json.status, 3);
        QCOMPARE(json.objects().size(), 1);
        const QJsonObject object = json.objects().first();
        QCOMPARE(object.keys(), (QStringList{"error", "file", "ok", "schema"}));
        QCOMPARE(object.value("ok"), QJsonValue(false));
        QCOMPARE(object.value("file").toString(), file);
        QVERIFY(!object.value("error").toString().isEmpty());
    }
    QCOMPARE(reinplace({"rewrite", file, "-o", folder_.filePath("out.fx")}).status, 3);
    QVERIFY(!QFile::exists(folder_.filePath("out.fx")));
}

void TestBadInput::otherFilesAreStillDone() {
    const QString missing = folder_.filePath("missing.pt2");
    const CommandResult result = reinplace({"explain", "--json", data(chain), missing, data(exported)});
    QCOMPARE(result.status, 3);
    const QList<QJsonObject> objects = result.objects();
    QCOMPARE(objects.size(), 3);
    QCOMPARE(objects[0].value("ok"), QJsonValue(true));
    QCOMPARE(objects[1].value("ok"), QJsonValue(false));
    QCOMPARE(objects[1].value("file").toString(), missing);
    QCOMPARE(objects[2].value("ok"), QJsonValue(true));
    QCOMPARE(result.err.count('\n'), 1);
    QVERIFY2(result.err.contains("No such file or directory"), result.err);
}

// A cut .pt2 has lost the directory at its end; a cut text may be a shorter graph, or none, but never a crash.
void TestBadInput::cutFiles() {
    const QByteArray archive = contents(data(exported));
    QVERIFY(archive.size() > 10'000);
    QStringList files;
    for (qsizetype size = 0; size < archive.size(); size += 500)
        files << written(qPrintable(QStringLiteral("cut-%1.pt2").arg(size)), archive.left(size));
    const CommandResult cut = reinplace(QStringList{"explain", "--json"} + files);
    QCOMPARE(cut.status, 3);
    QCOMPARE(cut.objects().size(), files.size());
    for (const QJsonObject& object : cut.objects()) QCOMPARE(object.value("ok"), QJsonValue(false));

    const QByteArray text = contents(data("reference/random-00078/before.py.txt"));
    files.clear();
    for (qsizetype size = 0; size < text.size(); size += 29)
        files << written(qPrintable(QStringLiteral("cut-%1.txt").arg(size)), text.left(size));
    QVERIFY(files.size() > 50);
    const CommandResult shorter = reinplace(QStringList{"explain", "--json"} + files);
    QCOMPARE(shorter.status, 3);
    QCOMPARE(shorter.objects().size(), files.size());
}

void TestBadInput::flippedBytes() {
    const QByteArray archive = contents(data(exported));
    QStringList files;
    for (int i = 0; i < 200; ++i) {
        QByteArray flipped = archive;
        const qsizetype at = archive.size() * i / 200;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << i % 8));
        files << written(qPrintable(QStringLiteral("flipped-%1.pt2").arg(at)), flipped);
    }
    const CommandResult result = reinplace(QStringList{"explain", "--json"} + files);
    QVERIFY(result.status == 0 || result.status == 3);
    const QList<QJsonObject> objects = result.objects();
    QCOMPARE(objects.size(), files.size());
    for (qsizetype i = 0; i < files.size(); ++i) {
        QCOMPARE(objects[i].value("file").toString(), files[i]);
        QVERIFY(objects[i].value("ok").toBool() || !objects[i].value("error").toString().isEmpty());
    }
}

void TestBadInput::outputIsValidUtf8() {
    const QByteArray text = contents(data(chain)).replace("# No stacktrace found for following nodes",
                                                          "# File: \xFF\xFE.py:1 in f, code: \xE2\x82");
    // A name no QString holds: the shell makes it.
    const QString name = "\"$(printf '%s/\\303\\050\\377.txt' \"$1\")\"";
    const auto in_shell = [&](const QString& command, const QByteArray& input) {
        return run_program("sh", {"-c", command.arg(name), REINPLACE_PROGRAM, folder_.path()}, input);
    };
    QCOMPARE(in_shell("cat > %1", text).status, 0);
    for (const char* options : {"explain --json", "explain", "list --json", "list", "rewrite --format python -o -"}) {
        const CommandResult result = in_shell("exec \"$0\" " + QString::fromUtf8(options) + " %1", {});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(!result.out.isEmpty());
        QCOMPARE(QString::fromUtf8(result.out).toUtf8(), result.out);
    }
    QCOMPARE(in_shell("rm %1", {}).status, 0);
}

void TestBadInput::fullDisk() {
    const CommandResult result =
        run_program("sh", {"-c", "exec \"$0\" explain --json \"$1\" > /dev/full", REINPLACE_PROGRAM, data(exported)});
    QCOMPARE(result.status, 3);
    QCOMPARE(result.err, QByteArray("reinplace: cannot write the results: No space left on device\n"));
}

void TestBadInput::closedPipe() {
    const QString command = "{ sleep 0.2; \"$0\" explain --json \"$1\"; echo \"status $?\" >&2; } | true";
    const CommandResult result = run_program("sh", {"-c", command, REINPLACE_PROGRAM, data(exported)});
    QCOMPARE(result.err, QByteArray("status 0\n"));
}

QTEST_APPLESS_MAIN(TestBadInput)
#include "test_bad_input.moc"
