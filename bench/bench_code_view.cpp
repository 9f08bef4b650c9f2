// Frames of the code panel: QT_QPA_PLATFORM=offscreen build/bin/bench_code_view
#include <QTemporaryDir>
#include <QtTest>

#include "tests/window/opened_document.h"
#include "ui/code/code_panel.h"
#include "ui/code/code_view.h"

using namespace inspector;

class BenchCodeView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selecting_data();
    void selecting();
};

void BenchCodeView::selecting_data() {
    QTest::addColumn<int>("lines");
    for (const int lines : {500, 5'000, 50'000}) QTest::addRow("%d lines", lines) << lines;
}

// What a selection elsewhere costs: it is scrolled to and drawn. Not to grow with the number of lines.
void BenchCodeView::selecting() {
    QFETCH(int, lines);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("chain.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(chainText(lines));
    file.close();
    Document document;
    document.setPolicy(QStringLiteral("torch-fx"));
    CodePanel panel(&document);
    panel.resize(1000, 600);
    panel.show();
    QCOMPARE(openAndWait(document, file.fileName()), QString());
    QPixmap picture(panel.view()->size());
    int step = 0;
    QBENCHMARK {
        document.select(nodeNamed(document, qPrintable(QStringLiteral("a%1").arg(1 + ++step * 97 % lines))));
        panel.view()->render(&picture);
    }
}

QTEST_MAIN(BenchCodeView)
#include "bench_code_view.moc"
