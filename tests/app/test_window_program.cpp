// Starting reinplace-inspector from a terminal.
#include <sys/stat.h>

#include <QTemporaryDir>

#include "tests/app/command_line.h"

using namespace inspector;

class TestWindowProgram : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void timesTheFirstPicture_data();
    void timesTheFirstPicture();
    void timingEndsWhereThereIsNoPicture_data();
    void timingEndsWhereThereIsNoPicture();

private:
    static CommandResult time(const QStringList& files) {
        return run_program(QStringLiteral(WINDOW_PROGRAM), QStringList{"--fresh-settings", "--time-first-picture"} + files);
    }
};

void TestWindowProgram::timesTheFirstPicture_data() {
    QTest::addColumn<QStringList>("files");
    QTest::newRow("file") << QStringList{data("reference/basic-chain/before.py.txt")};
    QTest::newRow("example") << QStringList{"--example", "transformer-layer"};
}

void TestWindowProgram::timesTheFirstPicture() {
    QFETCH(QStringList, files);
    const CommandResult result = time(files);
    QCOMPARE(result.status, 0);
    QVERIFY2(QRegularExpression("^first picture after [0-9]+ ms\n$").match(result.out).hasMatch(), result.out);
}

void TestWindowProgram::timingEndsWhereThereIsNoPicture_data() {
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("message");
    QTest::newRow("no file given") << QStringList() << 2 << "--time-first-picture needs a FILE";
    QTest::newRow("no example") << QStringList{"--example", "nothing"} << 2 << "there is no example 'nothing'";
    QTest::newRow("example and file") << QStringList{"--example", "teaching", "/dev/null"} << 2 << "--example needs no FILE";
    QTest::newRow("missing") << QStringList{"/nowhere"} << 3 << "/nowhere: cannot be opened: No such file or directory";
    QTest::newRow("no graph") << QStringList{"/dev/null"} << 3 << "/dev/null: the file is empty";
    QTest::newRow("pipe") << QStringList{"(pipe)"} << 3 << "is a pipe: connect it to standard input, and open -";
}

void TestWindowProgram::timingEndsWhereThereIsNoPicture() {
    QFETCH(QStringList, files);
    QFETCH(int, status);
    QFETCH(QString, message);
    const QTemporaryDir folder;
    const QString pipe = folder.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    files.replaceInStrings("(pipe)", pipe);
    const CommandResult result = time(files);
    QCOMPARE(result.status, status);
    QCOMPARE(result.out, QByteArray());
    QVERIFY2(QString::fromUtf8(result.err).contains("reinplace-inspector: ") && QString::fromUtf8(result.err).contains(message), result.err);
}

QTEST_APPLESS_MAIN(TestWindowProgram)
#include "test_window_program.moc"
