#include <QtTest>

#include "core/graph/count_text.h"

using namespace inspector;

class TestCountText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void oneIsOne() {
        QCOMPARE(count_text(0, "node"), std::string("0 nodes"));
        QCOMPARE(count_text(1, "node"), std::string("1 node"));
        QCOMPARE(count_text(2, "node"), std::string("2 nodes"));
        QCOMPARE(count_text(1, "decision differs", "decisions differ"), std::string("1 decision differs"));
        QCOMPARE(count_text(3, "decision differs", "decisions differ"), std::string("3 decisions differ"));
    }
};

QTEST_APPLESS_MAIN(TestCountText)
#include "test_count_text.moc"
