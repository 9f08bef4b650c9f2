#include <QtTest>

#include <random>

#include "core/graph/size_order.h"

using namespace inspector;

namespace {

SymbolicSize size(const QString& text) { return SymbolicSize::parse(text.toStdString()).value(); }

/// s0 and s1 from 1, s2 from 2 to 64, n from 0, s8 from 8, a multiple of 8; u0 may be anything.
SizeOrder order() {
    SizeOrder order({{"s0", {1, {}}}, {"s1", {1, {}}}, {"s2", {2, 64}}, {"n", {0, {}}}, {"s8", {8, {}}}});
    order.assume_divisible("s8", 8);
    return order;
}

SizeCondition condition(const QString& text) {
    using enum SizeRelation;
    for (const auto& [sign, relation] : {std::pair("!=", not_equal), {"<=", at_most}, {"==", equal}, {"<", less}}) {
        const qsizetype at = text.indexOf(sign);
        if (at >= 0) return {size(text.left(at)), relation, size(text.mid(at + qstrlen(sign)))};
    }
    return {};
}

QString name(Truth truth) {
    switch (truth) {
    case Truth::always: return "always";
    case Truth::never: return "never";
    case Truth::depends: return "depends";
    case Truth::unknown: break;
    }
    return "unknown";
}

} // namespace

class TestSizeOrder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decides_data();
    void decides();
    void saysConditions_data();
    void saysConditions();
    void examplesAreOnBothSides();
    void neverContradictsNumbers();
};

void TestSizeOrder::decides_data() {
    QTest::addColumn<QString>("truth");
    const auto row = [](const char* text, const char* truth) { QTest::newRow(text) << truth; };
    row("2*s0 + s0 == 3*s0", "always");
    row("(s0 + s1)*(s0 + s1) == s0**2 + 2*s0*s1 + s1**2", "always");
    row("s0 == s1", "depends");
    row("s0 == s0 + 1", "never");
    row("2*s0 == 2*s1 + 1", "never");
    row("2*s0 <= s2 + 2*s0", "always");
    row("s0 <= s0*s1", "always");
    row("s0 <= s0*n", "depends");
    row("0 <= n", "always");
    row("0 <= u0", "depends");
    row("s2 < 65", "always");
    row("s2 == 65", "never");
    row("s2 == 64", "depends");
    row("s2 == 1", "never");
    row("(s0//2) <= s0", "always");
    row("s0 - ((s0 + 1)//2) == (s0//2)", "always");
    row("0 <= s0 - ((s0 + 1)//2)", "always");
    row("(s0//2) < s0", "always");
    row("((2*s0 + 6)//2) == s0 + 3", "always");
    row("s0 % 4 < 4", "always");
    row("0 <= s0 % 4", "always");
    row("s0 % 4 == 0", "depends");
    row("4*(s0//4) + s0 % 4 == s0", "always");
    row("s8 % 8 == 0", "always");
    row("8*(s8//8) == s8", "always");
    row("2*(s8//2) == s8", "always");
    row("s8 == 12", "never");
    row("s0 <= Max(s0, s1)", "always");
    row("Min(s0, s1) <= s1", "always");
    row("Max(s0, s1) <= s0 + s1", "always");
    row("Max(1, s0) == s0", "always");
    row("Max(2, s0) == s0", "depends");
    row("s0*s1 + s1 == s1*(s0 + 1)", "always");
    row("s0/s1 == 2", "depends");
    row("2.5*s0 == 5", "unknown");
}

void TestSizeOrder::decides() {
    QFETCH(QString, truth);
    QCOMPARE(name(order().decide(condition(QTest::currentDataTag()))), truth);
}

void TestSizeOrder::saysConditions_data() {
    QTest::addColumn<QString>("words");
    const auto row = [](const char* text, const char* words) { QTest::newRow(text) << words; };
    row("4*s0 <= 8", "s0 ≤ 2");
    row("4*s0 < 8", "s0 = 1");
    row("3 < 2*s0", "s0 ≥ 2");
    row("s0*s1 == s1", "s0 = 1");
    row("s0*s1 != s1", "s0 ≠ 1");
    row("2*s0 == 4*s1", "s0 = 2*s1");
    row("s0 - s1 <= 0", "s0 ≤ s1");
    row("64 <= s2", "s2 = 64");
}

void TestSizeOrder::saysConditions() {
    QFETCH(QString, words);
    QCOMPARE(QString::fromStdString(order().text(condition(QTest::currentDataTag()))), words);
}

void TestSizeOrder::examplesAreOnBothSides() {
    const std::vector<SizeCondition> both{condition("s0 == 2*s1"), condition("s2 <= 7")};
    const auto yes = order().example(both, true), no = order().example(both, false);
    QVERIFY(yes && no);
    for (const SizeCondition& each : both) QVERIFY(*holds(each, *yes));
    QVERIFY(!*holds(both[0], *no) || !*holds(both[1], *no));
    QVERIFY(!order().example({condition("s2 == 70")}, true));
}

/// Random expressions: what is said to hold always, or never, does so at every sample.
void TestSizeOrder::neverContradictsNumbers() {
    std::mt19937 random(7);
    const auto draw = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const QStringList symbols{"s0", "s1", "s2", "n", "s8"};
    const std::function<QString(int)> expression = [&](int depth) -> QString {
        if (depth == 0 || draw(4) == 0) return draw(3) == 0 ? QString::number(draw(6)) : symbols[draw(5)];
        const QString a = expression(depth - 1), b = expression(depth - 1);
        switch (draw(7)) {
        case 0: return "(" + a + " + " + b + ")";
        case 1: return "(" + a + " - " + b + ")";
        case 2: return "(" + a + ")*(" + b + ")";
        case 3: return "((" + a + ")//" + QString::number(draw(4) + 1) + ")";
        case 4: return "((" + a + ") % " + QString::number(draw(4) + 1) + ")";
        case 5: return "Max(" + a + ", " + b + ")";
        default: return "Min(" + a + ", " + b + ")";
        }
    };
    const SizeOrder known = order();
    int proven = 0;
    for (int i = 0; i < 3000; ++i) {
        const QString left = expression(3), right = draw(3) == 0 ? expression(1) : expression(2);
        const SizeCondition asked{size(left), static_cast<SizeRelation>(draw(4)), size(right)};
        const Truth truth = known.decide(asked);
        if (truth != Truth::always && truth != Truth::never) continue;
        ++proven;
        for (int j = 0; j < 60; ++j) {
            const SymbolValueMap values{{"s0", 1 + draw(9)},
                                        {"s1", 1 + draw(9)},
                                        {"s2", 2 + draw(63)},
                                        {"n", draw(6)},
                                        {"s8", 8 + 8 * draw(4)}};
            const auto found = holds(asked, values);
            if (found) QVERIFY2(*found == (truth == Truth::always), qPrintable(left + " ? " + right));
        }
    }
    QVERIFY(proven > 500);
}

QTEST_APPLESS_MAIN(TestSizeOrder)
#include "test_size_order.moc"
