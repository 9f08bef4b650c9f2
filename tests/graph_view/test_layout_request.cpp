#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/graph_view/synthetic_layouts.h"
#include "ui/graph_view/layout_request.h"

using namespace inspector;

constexpr int patience = 30'000; ///< milliseconds for dot where the test is not about time: the machine may be busy

/// What a request answers, in the order it comes.
class Answers : public QObject {
    Q_OBJECT
public:
    explicit Answers(LayoutRequest& request) {
        connect(&request, &LayoutRequest::layoutReady, this, [this](const GraphLayout& layout, bool isFromDot) {
            boxes << static_cast<int>(layout.centres.size());
            fromDot << isFromDot;
        });
    }
    QList<int> boxes;
    QList<bool> fromDot;
};

class TestLayoutRequest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oursComesFirstThenDots();
    void largeGraphsKeepOurs();
    void withoutDotOursStays();
    void dotIsGivenUpAfterASecond();
    void answerThatMakesNoSenseIsDropped();
    void wideAnswerIsDropped();
    void newRequestSupersedesTheOld();
    void cancelEndsDot();
    void destructionEndsEverything();

private:
    /// A program that stands in for dot.
    QString script(const char* name, const QByteArray& text);
    QTemporaryDir directory_;
};

QString TestLayoutRequest::script(const char* name, const QByteArray& text) {
    const QString path = directory_.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + text);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void TestLayoutRequest::oursComesFirstThenDots() {
    LayoutRequest request;
    request.setDotTimeLimit(patience);
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    request.start(transformer(3), {});
    QVERIFY(request.isRunning());
    QVERIFY(finished.wait(patience));
    QCOMPARE(answers.fromDot, (QList<bool>{false, true}));
    QVERIFY(!request.isRunning());
}

void TestLayoutRequest::largeGraphsKeepOurs() {
    LayoutRequest request;
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    request.start(chain(LayoutRequest::mostBoxesForDot + 1), {});
    QVERIFY(finished.wait(patience));
    QCOMPARE(answers.fromDot, QList<bool>{false});
}

void TestLayoutRequest::withoutDotOursStays() {
    LayoutRequest request;
    request.setDotProgram(QStringLiteral("/nowhere/dot"));
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    request.start(chain(5), {});
    QVERIFY(finished.wait(patience));
    QCOMPARE(answers.fromDot, QList<bool>{false});
}

void TestLayoutRequest::dotIsGivenUpAfterASecond() {
    LayoutRequest request;
    request.setDotProgram(script("slow", "sleep 60\n"));
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    QElapsedTimer timer;
    timer.start();
    request.start(chain(5), {});
    QVERIFY(finished.wait(patience));
    QVERIFY(timer.elapsed() >= 1000);
    QVERIFY(timer.elapsed() < 10'000);
    QCOMPARE(answers.fromDot, QList<bool>{false});
}

void TestLayoutRequest::answerThatMakesNoSenseIsDropped() {
    for (const char* text : {"echo graph 1 2 3\n", "exit 1\n", "kill -9 $$\n"}) {
        LayoutRequest request;
        request.setDotTimeLimit(patience);
        request.setDotProgram(script("strange", text));
        const Answers answers(request);
        QSignalSpy finished(&request, &LayoutRequest::finished);
        request.start(chain(5), {});
        QVERIFY(finished.wait(patience));
        QCOMPARE(answers.fromDot, QList<bool>{false});
    }
}

void TestLayoutRequest::wideAnswerIsDropped() {
    for (const bool isWide : {false, true}) {
        LayoutRequest request;
        request.setDotTimeLimit(patience);
        request.setDotProgram(script("drifting", "cat <<END\n"
                                                 "graph 1 4 3\n"
                                                 "node r0 0 2.5 0 0 x\nnode r1 0 0.5 0 0 x\n"
                                                 "node b0 2 2.5 2.7 0.6 x\n"
                                                 "node b1 " + QByteArray(isWide ? "40" : "2") + " 0.5 2.7 0.6 x\n"
                                                 "edge b0 b1 4 2 2.2 2 1.5 2 1.5 2 0.8 x\n"
                                                 "stop\nEND\n"));
        const Answers answers(request);
        QSignalSpy finished(&request, &LayoutRequest::finished);
        request.start(chain(2), {});
        QVERIFY(finished.wait(patience));
        QCOMPARE(answers.fromDot, isWide ? QList<bool>{false} : (QList<bool>{false, true}));
    }
}

void TestLayoutRequest::newRequestSupersedesTheOld() {
    LayoutRequest request;
    request.setDotTimeLimit(patience);
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    request.start(chain(5), {});
    request.start(chain(7), {});
    QVERIFY(finished.wait(patience));
    QCOMPARE(answers.boxes, (QList<int>{7, 7}));
    QCOMPARE(finished.count(), 1);

    // Also while dot works.
    request.setDotProgram(script("slow", "sleep 60\n"));
    QSignalSpy progress(&request, &LayoutRequest::progressChanged);
    request.start(chain(8), {});
    QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty() && progress.last().first().toInt() == -1, 30'000);
    request.setDotProgram(QStringLiteral("dot"));
    request.start(chain(9), {});
    QVERIFY(finished.wait(patience));
    QCOMPARE(answers.boxes, (QList<int>{7, 7, 8, 9, 9}));
}

void TestLayoutRequest::cancelEndsDot() {
    LayoutRequest request;
    request.setDotProgram(script("slow", "sleep 60\n"));
    const Answers answers(request);
    QSignalSpy finished(&request, &LayoutRequest::finished);
    QSignalSpy progress(&request, &LayoutRequest::progressChanged);
    request.start(chain(5), {});
    QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty() && progress.last().first().toInt() == -1, 30'000);
    request.cancel();
    QCOMPARE(finished.count(), 1);
    QVERIFY(!request.isRunning());
    QCOMPARE(answers.boxes, QList<int>{5});
    request.cancel();
    QCOMPARE(finished.count(), 1);
}

void TestLayoutRequest::destructionEndsEverything() {
    QElapsedTimer timer;
    timer.start();
    {
        LayoutRequest request;
        request.start(chain(50'000), {});
    }
    {
        LayoutRequest request;
        request.setDotProgram(script("slow", "sleep 60\n"));
        QSignalSpy progress(&request, &LayoutRequest::progressChanged);
        request.start(chain(5), {});
        QTRY_VERIFY_WITH_TIMEOUT(!progress.isEmpty() && progress.last().first().toInt() == -1, 30'000);
    }
    QVERIFY(timer.elapsed() < 5000);
}

QTEST_GUILESS_MAIN(TestLayoutRequest)
#include "test_layout_request.moc"
