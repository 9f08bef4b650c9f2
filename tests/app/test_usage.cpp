// What the command line refuses, and how it says so.
#include <QTemporaryDir>

#include "tests/app/command_line.h"

using namespace inspector;

class TestUsage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesWhatItDoesNotKnow_data();
    void refusesWhatItDoesNotKnow();
    void refusesWhatDoesNotFitTheFile_data();
    void refusesWhatDoesNotFitTheFile();
    void helpIsAResult();
    void neverWritesOverTheFileItReads();
    void saysThatLibTorchIsMissing();
};

void TestUsage::refusesWhatItDoesNotKnow_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    const QString file = data("reference/basic-chain/before.py.txt");
    QTest::newRow("nothing") << QStringList{} << "A command is required";
    QTest::newRow("unknown command") << QStringList{"frobnicate", file} << "frobnicate";
    QTest::newRow("unknown option") << QStringList{"explain", "--frobnicate", file} << "--frobnicate";
    QTest::newRow("no file") << QStringList{"explain"} << "FILE is required";
    QTest::newRow("unknown policy") << QStringList{"explain", "--policy", "hopeful", file} << "hopeful";
    QTest::newRow("policy none decides nothing") << QStringList{"explain", "--policy", "none", file} << "none";
    QTest::newRow("negative number") << QStringList{"explain", "--first", "-1", file} << "--first";
    QTest::newRow("no number") << QStringList{"explain", "--skip", "two", file} << "--skip";
    QTest::newRow("number too large") << QStringList{"explain", "--first", "4294967296", file} << "--first";
    QTest::newRow("rewrite without output") << QStringList{"rewrite", file} << "--output is required";
    QTest::newRow("two files to rewrite") << QStringList{"rewrite", file, file, "-o", "/dev/null"} << "not expected";
    QTest::newRow("unknown format") << QStringList{"rewrite", file, "-o", "out.txt", "--format", "onnx"} << "onnx";
    QTest::newRow("unknown ending")
        << QStringList{"rewrite", file, "-o", "out.onnx"} << "the ending of out.onnx names no format";
    QTest::newRow("output without a name") << QStringList{"rewrite", file, "-o", ""} << "-o: the name of a file to write is expected";
    QTest::newRow("nothing to keep")
        << QStringList{"decompose", file, "-o", "out.txt", "--keep", ""} << "--keep: an operator's name is expected";
    QTest::newRow("standard output has no ending") << QStringList{"rewrite", file, "-o", "-"} << "--format";
    QTest::newRow("archive on standard output")
        << QStringList{"rewrite", data("reference/nested-cond/before.pt2"), "-o", "-", "--format", "pt2"} << "a .pt2 goes to a file";
    QTest::newRow("text as an archive")
        << QStringList{"rewrite", file, "-o", "out.pt2"} << "only what was read from a .pt2 can be written as one";
    for (const char* seed : {"-1", "18446744073709551616", "0x", "1.5"})
        QTest::addRow("seed %s", seed) << QStringList{"verify", "--seed", seed, file} << "is no number from 0 to 18446744073709551615";
    for (const char* choice : {"--force", "--skip", "--first", "--donate"})
        QTest::addRow("policy none with %s", choice)
            << QStringList{"rewrite", file, "-o", "out.txt", "--policy", "none", choice, "0"}
            << QString("policy none decides nothing that %1 could change").arg(choice);
    QTest::newRow("record of no decisions")
        << QStringList{"rewrite", file, "-o", "out.pt2", "--policy", "none", "--record"} << "policy none decides nothing that --record could keep";
    QTest::newRow("record in no archive")
        << QStringList{"rewrite", file, "-o", "out.txt", "--record"} << "--record is for the metadata of a .pt2; fx has none";
    QTest::newRow("archive in upper case")
        << QStringList{"rewrite", file, "-o", "out.PT2"} << "only what was read from a .pt2 can be written as one";
    QTest::newRow("one policy to compare") << QStringList{"compare", file, "--policies", "sound"} << "two different policies";
    QTest::newRow("one policy twice") << QStringList{"compare", file, "--policies", "sound,sound"} << "two different policies";
    QTest::newRow("unknown policy to compare") << QStringList{"compare", file, "--policies", "sound,hopeful"} << "hopeful";
    QTest::newRow("unknown policy to compare, as JSON")
        << QStringList{"compare", "--json", file, file, "--policies", "sound,hopeful"} << "hopeful";
    QTest::newRow("unknown policy of versions")
        << QStringList{"compare", "--json", file, file, "--fail-on-missed", "--policies", "hopeful"} << "hopeful";
    QTest::newRow("skipped and forced") << QStringList{"verify", file, "--json", "--skip", "0,1", "--force", "1"}
                                        << "decision 1 cannot be both skipped and forced";
    QTest::newRow("no type") << QStringList{"explain", "--json", file, "--input", "x"} << "\"x\" is not NAME=TYPE";
    QTest::newRow("unknown type") << QStringList{"explain", file, "--input", "x=f33[2]"} << "the type of x: ";
    QTest::newRow("input given twice")
        << QStringList{"explain", "--json", file, "--input", "x=f32[2]", "--input", "x=f32[3]"}
        << "the type of x is given twice";
    QTest::newRow("no decisions to write")
        << QStringList{"rewrite", file, "-o", "out.json", "--policy", "none"} << "policy none decides nothing";
}

void TestUsage::refusesWhatItDoesNotKnow() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CommandResult result = reinplace(arguments);
    QCOMPARE(result.status, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY2(result.err.startsWith("reinplace: ") && result.err.count("reinplace: ") == 1, result.err);
    QVERIFY2(QString::fromUtf8(result.err).contains(message), result.err);
}

void TestUsage::refusesWhatDoesNotFitTheFile_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("reason");
    QTest::newRow("graph") << QStringList{"--graph", "tail"} << "there is no graph tail; the file holds ";
    QTest::newRow("node") << QStringList{"--node", "tail"} << "there is no node tail";
    QTest::newRow("decision") << QStringList{"--skip", "1,7"} << "there is no decision 7; there are 3, counted from 0";
    QTest::newRow("input") << QStringList{"--donate", "add"} << "there is no input add to donate";
}

void TestUsage::refusesWhatDoesNotFitTheFile() {
    QFETCH(QStringList, options);
    QFETCH(QString, reason);
    const QString file = data("reference/basic-chain/before.py.txt");
    const CommandResult text = reinplace(QStringList{"explain", file} + options);
    QCOMPARE(text.status, 2);
    QCOMPARE(text.out, QByteArray());
    QVERIFY2(QString::fromUtf8(text.err).startsWith("reinplace: " + file + ": " + reason), text.err);

    const CommandResult json = reinplace(QStringList{"explain", "--json", file} + options);
    QCOMPARE(json.status, 2);
    QCOMPARE(json.objects().size(), 1);
    QCOMPARE(json.objects().first().value("ok"), QJsonValue(false));
    QVERIFY2(json.objects().first().value("error").toString().contains(reason), json.out);
}

void TestUsage::helpIsAResult() {
    for (const QStringList& arguments : {QStringList{"--help"}, QStringList{"explain", "--help"}, QStringList{"--version"}}) {
        const CommandResult result = reinplace(arguments);
        QCOMPARE(result.status, 0);
        QVERIFY(!result.out.isEmpty());
        QCOMPARE(result.err, QByteArray());
    }
    QVERIFY(reinplace({"explain", "--help"}).out.contains("--timing"));
}

void TestUsage::neverWritesOverTheFileItReads() {
    QTemporaryDir folder;
    const QString original = data("reference/basic-chain/before.py.txt");
    const QString file = folder.filePath("graph.txt");
    QVERIFY(QFile::copy(original, file));
    QVERIFY(QFile::link("graph.txt", folder.filePath("link.txt")));
    for (const QString& out : {file, folder.filePath("link.txt")}) {
        const CommandResult result = reinplace({"rewrite", file, "-o", out});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("is the file to read"), result.err);
    }
    QCOMPARE(contents(file), contents(original));
}

/// As after LibTorch was removed: the library that links it is not found.
void TestUsage::saysThatLibTorchIsMissing() {
    const QTemporaryDir folder;
    const QString core = QStringLiteral(REINPLACE_CORE);
    QVERIFY(QFile::copy(core, folder.filePath(QFileInfo(core).fileName())));
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_LIBRARY_PATH"), folder.path());
    const auto run = [&](const QStringList& arguments) {
        return run_program(QStringLiteral(REINPLACE_PROGRAM), arguments, {}, environment);
    };
    const QString file = data("reference/buffer-cache-index/before.pt2");
    QCOMPARE(run({"list", file}).status, 0);
    const CommandResult verified = run({"verify", "--json", file});
    QCOMPARE(verified.status, 1);
    const QJsonObject answer = verified.objects().value(0);
    QCOMPARE(answer["result"].toString(), QStringLiteral("error"));
    QVERIFY2(answer["detail"].toString().startsWith(QStringLiteral("LibTorch cannot be loaded")), verified.out.constData());
}

QTEST_APPLESS_MAIN(TestUsage)
#include "test_usage.moc"
