#include <QtTest>

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QThread>

#include <array>
#include <csignal>
#include <functional>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
    void killedAtAnyMoment();
    void fullDisk();
    void noPermission();

private:
    std::string path(const char* name) const { return folder_.filePath(QLatin1String(name)).toStdString(); }
    QByteArray contents(const char* name) const {
        QFile file(folder_.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(unreadable)");
    }
    QStringList entries() const { return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot); }
    QTemporaryDir folder_;
};

/// What `work` returns, run in a process of its own.
static QByteArray in_another_process(const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const std::string said = work();
        const auto written = write(ends[1], said.data(), said.size());
        _exit(written < 0 ? 1 : 0);
    }
    close(ends[1]);
    QByteArray said;
    std::array<char, 256> block{};
    for (ssize_t count; (count = read(ends[0], block.data(), block.size())) > 0;) said.append(block.data(), count);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return said;
}

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

void TestAtomicFile::killedAtAnyMoment() {
    const std::string target = path("saved");
    const std::string one(2'000'000, '1'), two(3'000'000, '2');
    QVERIFY(write_file_atomically(target, one));
    for (int round = 0; round < 30; ++round) {
        std::array<int, 2> ends{};
        QCOMPARE(pipe(ends.data()), 0);
        const pid_t saver = fork();
        if (saver == 0)
            for (bool first = round % 2 != 0;; first = !first) {
                const bool saved = write_file_atomically(target, first ? one : two).has_value();
                if (!saved || write(ends[1], "x", 1) != 1) _exit(1);
            }
        close(ends[1]);
        // Once or more it has saved, and is about to save again.
        char saved = 0;
        for (int saves = round % 3; saves >= 0; --saves) QCOMPARE(read(ends[0], &saved, 1), ssize_t(1));
        QThread::usleep(QRandomGenerator::global()->bounded(10'000U));
        kill(saver, SIGKILL);
        close(ends[0]);
        waitpid(saver, nullptr, 0);
        const QByteArray now = contents("saved");
        QVERIFY2(now == QByteArray::fromStdString(one) || now == QByteArray::fromStdString(two),
                 qPrintable(QString("after round %1 there are %2 bytes").arg(round).arg(now.size())));
    }
}

void TestAtomicFile::fullDisk() {
    QVERIFY(write_file_atomically(path("a"), "old"));
    const QByteArray said = in_another_process([&] {
        const rlimit small{1'000'000, 1'000'000};
        setrlimit(RLIMIT_FSIZE, &small);
        std::signal(SIGXFSZ, SIG_IGN);
        const auto written = write_file_atomically(path("a"), std::string(3'000'000, 'x'));
        return written ? std::string("written") : written.error().message();
    });
    QCOMPARE(said, QByteArray::fromStdString(path("a") + ": cannot write: File too large"));
    QCOMPARE(contents("a"), QByteArray("old"));
    QCOMPARE(entries(), QStringList{QStringLiteral("a")});
}

void TestAtomicFile::noPermission() {
    QVERIFY(write_file_atomically(path("a"), "old"));
    QVERIFY(QFile::setPermissions(folder_.path(), QFile::ReadOwner | QFile::ExeOwner));
    const QByteArray said = in_another_process([&] {
        constexpr uid_t nobody = 65534; // the superuser may write anywhere
        if (geteuid() == 0 && setuid(nobody) != 0) return std::string("no other user");
        const auto written = write_file_atomically(path("a"), "new");
        return written ? std::string("written") : written.error().message();
    });
    QVERIFY(QFile::setPermissions(folder_.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(said, QByteArray::fromStdString(path("a") + ": cannot write: Permission denied"));
    QCOMPARE(contents("a"), QByteArray("old"));
    QCOMPARE(entries(), QStringList{QStringLiteral("a")});
}

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"
