#include <QtTest>

#include <limits>

#include "core/graph/symbolic_arithmetic.h"

using namespace inspector;

namespace {

SymbolicSize size(const QString& text) { return SymbolicSize::parse(text.toStdString()).value(); }

QString text(const std::optional<SymbolicSize>& size) { return size ? QString::fromStdString(size->to_string()) : "none"; }

} // namespace

class TestSymbolicArithmetic : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void printsAsSympy_data();
    void printsAsSympy();
    void foldsConstants();
    void computesHints();
    void refusesWhatDoesNotFit();
    void laysOutInRowMajorOrder();
};

void TestSymbolicArithmetic::printsAsSympy_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("sum");
    QTest::addColumn<QString>("product");
    const auto row = [](const char* a, const char* b, const char* sum, const char* product) {
        QTest::addRow("%s, %s", a, b) << a << b << sum << product;
    };
    row("s0", "0", "s0", "0");
    row("s0", "1", "s0 + 1", "s0");
    row("s1", "s0", "s0 + s1", "s0*s1");
    row("s0", "s0", "2*s0", "s0**2");
    row("2*s0", "3*s0", "5*s0", "6*s0**2");
    row("s0 + 1", "2", "s0 + 3", "2*s0 + 2");
    row("s0 + 1", "-1", "s0", "-s0 - 1");
    row("s0", "-1*s0", "0", "-s0**2");
    row("s0*s1", "s1", "s0*s1 + s1", "s0*s1**2");
    row("(s0//2)", "3", "((s0//2)) + 3", "3*((s0//2))");
}

void TestSymbolicArithmetic::printsAsSympy() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QTEST(text(sum(size(a), size(b))), "sum");
    QTEST(text(sum(size(b), size(a))), "sum");
    QTEST(text(product(size(a), size(b))), "product");
    QTEST(text(product(size(b), size(a))), "product");
}

void TestSymbolicArithmetic::foldsConstants() {
    QCOMPARE(sum(3, 4)->constant(), std::optional<std::int64_t>(7));
    QCOMPARE(product(3, 4)->constant(), std::optional<std::int64_t>(12));
    QCOMPARE(product(size("s0"), 0)->constant(), std::optional<std::int64_t>(0));
    QCOMPARE(sum(size("s0"), size("-1*s0"))->constant(), std::optional<std::int64_t>(0));
}

void TestSymbolicArithmetic::computesHints() {
    const SymbolicSize s0 = SymbolicSize::parse_srepr("Symbol('s0', integer=True)", 8).value();
    QCOMPARE(sum(s0, 2)->hint(), std::optional<std::int64_t>(10));
    QCOMPARE(product(s0, s0)->hint(), std::optional<std::int64_t>(64));
    QCOMPARE(sum(s0, size("u0"))->hint(), std::nullopt);
}

void TestSymbolicArithmetic::refusesWhatDoesNotFit() {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    QVERIFY(!sum(most, 1));
    QVERIFY(!product(most, 2));
    QVERIFY(!sum(size("s0"), size("1.5*s0")));
}

void TestSymbolicArithmetic::laysOutInRowMajorOrder() {
    using Sizes = std::vector<SymbolicSize>;
    QVERIFY(contiguous_strides(Sizes{2, 3, 4}) == Sizes({12, 4, 1}));
    QVERIFY(contiguous_strides(Sizes{size("s0"), 0, 4}) == Sizes({4, 4, 1}));
    QVERIFY(contiguous_strides(Sizes{}) == Sizes());
    QVERIFY(!contiguous_strides(Sizes{2, size("s0")}));
    QVERIFY(!contiguous_strides(Sizes{2, std::numeric_limits<std::int64_t>::max(), 4}));
}

QTEST_APPLESS_MAIN(TestSymbolicArithmetic)
#include "test_symbolic_arithmetic.moc"
