#include <QtTest>

#include <QTemporaryDir>

#include "core/formats/atomic_file.h"

using namespace inspector;

class TestAtomicFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(folder_.isValid()); }
    void cleanup();
    void writesANewFile();
    void replacesAnOldOneAndKeepsItsPermissions();
    void replacesWhatALinkPointsTo();
    void anErrorLeavesEverythingAsItWas();
    void writesToDevicesDirectly();

private:
    std::string path(const char* name) const { return folder_.filePath(QLatin1String(name)).toStdString(); }
    QByteArray contents(const char* name) const {
        QFile file(folder_.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
    }
    QStringList entries() const { return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); }
    QTemporaryDir folder_;
};

void TestAtomicFile::cleanup() {
    for (const QString& entry : entries()) QFile::remove(folder_.filePath(entry));
}

void TestAtomicFile::writesANewFile() {
    const std::string large(3'000'000, 'x');
    QVERIFY(write_file_atomically(path("new.txt"), large));
    QCOMPARE(contents("new.txt").size(), 3'000'000);
    QCOMPARE(entries(), QStringList{QStringLiteral("new.txt")});
}

void TestAtomicFile::replacesAnOldOneAndKeepsItsPermissions() {
    QVERIFY(write_file_atomically(path("a"), "old"));
    QVERIFY(QFile::setPermissions(folder_.filePath("a"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(write_file_atomically(path("a"), "new"));
    QCOMPARE(contents("a"), QByteArray("new"));
    QVERIFY(QFile::permissions(folder_.filePath("a")).testFlag(QFile::ExeOwner));
    QVERIFY(!QFile::permissions(folder_.filePath("a")).testFlag(QFile::ReadOther));
}

void TestAtomicFile::replacesWhatALinkPointsTo() {
    QVERIFY(write_file_atomically(path("target"), "old"));
    QVERIFY(QFile::link(QStringLiteral("target"), folder_.filePath("link")));
    QVERIFY(write_file_atomically(path("link"), "new"));
    QCOMPARE(contents("target"), QByteArray("new"));
    QVERIFY(QFileInfo(folder_.filePath("link")).isSymLink());
}

void TestAtomicFile::anErrorLeavesEverythingAsItWas() {
    const auto in_missing_folder = write_file_atomically(path("nowhere/a"), "x");
    QVERIFY(!in_missing_folder);
    QCOMPARE(QString::fromStdString(in_missing_folder.error().message()),
             QString::fromStdString(path("nowhere/a") + ": cannot write: No such file or directory"));
    QVERIFY(!write_file_atomically(folder_.path().toStdString(), "x"));
    QCOMPARE(entries(), QStringList());

    QVERIFY(write_file_atomically(path("a"), "old"));
    const auto given_up = write_file_atomically(path("a"), [](const PieceWriter& write) -> Result<void> {
        write("half of ");
        return fail("a place", "there is no other half");
    });
    QVERIFY(!given_up);
    QCOMPARE(given_up.error().place, std::string("a place"));
    QCOMPARE(contents("a"), QByteArray("old"));
    QCOMPARE(entries(), QStringList{QStringLiteral("a")});
}

void TestAtomicFile::writesToDevicesDirectly() {
    QVERIFY(write_file_atomically("/dev/null", "x"));
    const auto full = write_file_atomically("/dev/full", "x");
    QVERIFY(!full);
    QVERIFY(full.error().message().find("No space left on device") != std::string::npos);
    QVERIFY(!QFileInfo(QStringLiteral("/dev/full")).isFile());
}

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"
