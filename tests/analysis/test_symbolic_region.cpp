#include <QtTest>

#include <functional>
#include <random>

#include "core/analysis/region.h"
#include "core/analysis/symbolic_region.h"

using namespace inspector;

namespace {

SymbolicSize size(const QString& text) { return SymbolicSize::parse(text.trimmed().toStdString()).value(); }

std::vector<SymbolicSize> sizes(const QString& text) {
    std::vector<SymbolicSize> all;
    for (const QString& each : text.split(',', Qt::SkipEmptyParts)) all.push_back(size(each));
    return all;
}

/// "s0, s1 | s1, 1 | 0": sizes, strides, offset.
SymbolicLayout layout(const QString& text) {
    const QStringList parts = text.split('|');
    return {sizes(parts[0]), sizes(parts[1]), size(parts[2]), 4};
}

SizeOrder order() { return SizeOrder({{"s0", {1, {}}}, {"s1", {1, {}}}, {"s2", {2, 64}}}); }

QString words(const SizeAnswer& answer) {
    switch (answer.truth) {
    case Truth::always: return "always";
    case Truth::never: return "never";
    case Truth::unknown: return "unknown";
    case Truth::depends: break;
    }
    QStringList all;
    for (const SizeCondition& condition : answer.if_all) all << QString::fromStdString(order().text(condition));
    return all.join(" and ") + (answer.is_exact ? "" : " ?");
}

Region at(const SymbolicLayout& view, const SymbolValueMap& values) {
    const auto number = [&](const SymbolicSize& each) {
        return each.evaluate([&](std::string_view name) { return std::optional(values.at(std::string(name))); })
            .value();
    };
    std::vector<std::int64_t> extents, strides;
    for (const SymbolicSize& each : view.sizes) extents.push_back(number(each));
    for (const SymbolicSize& each : view.strides) strides.push_back(number(each));
    return Region::of_view(number(view.offset), extents, strides, view.element_size);
}

} // namespace

class TestSymbolicRegion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void apart_data();
    void apart();
    void ownCells_data();
    void ownCells();
    void dense();
    void agreesWithNumbers();
};

void TestSymbolicRegion::apart_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<QString>("answer");
    const auto row = [](const char* name, const char* a, const char* b, const char* answer) {
        QTest::newRow(name) << a << b << answer;
    };
    row("halves of rows", "s1, s0 | 2*s0, 1 | 0", "s1, s0 | 2*s0, 1 | s0", "always");
    row("halves, the other way", "s1, s0 | 2*s0, 1 | s0", "s1, s0 | 2*s0, 1 | 0", "always");
    row("the same", "s0, s1 | s1, 1 | 0", "s0, s1 | s1, 1 | 0", "never");
    row("two rows", "s1 | 1 | 0", "s1 | 1 | s1", "always");
    row("first row and the rest", "1, s1 | s1, 1 | 0", "s0, s1 | s1, 1 | s1", "always");
    row("two columns", "s0 | s1 | 0", "s0 | s1 | 1", "s0*s1 < s1 + 1 ?");
    row("two columns of a wide one", "s0 | s2 | 0", "s0 | s2 | 1", "always");
    row("four and from s0 on", "4 | 1 | 0", "s1 | 1 | s0", "s0 ≥ 4");
    row("up to s0 and from 4 on", "s0 | 1 | 0", "s1 | 1 | 4", "s0 ≤ 4");
    row("up to s0 and from s1 on", "s0 | 1 | 0", "2 | 1 | s1", "s0 ≤ s1");
    row("halves rounded down and up", "(s0//2) | 1 | 0", "s0 - (s0//2) | 1 | (s0//2)", "always");
    row("interleaved", "s0 | 2 | 0", "s0 | 2 | 1", "always");
    row("a row and a column", "s2 | 1 | 0", "s0 | s2 | 0", "never");
    row("nothing", "0 | 1 | 0", "s0 | 1 | 0", "always");
}

void TestSymbolicRegion::apart() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(QString, answer);
    QCOMPARE(words(lie_apart(layout(a), layout(b), order())), answer);
}

void TestSymbolicRegion::ownCells_data() {
    QTest::addColumn<QString>("answer");
    const auto row = [](const char* view, const char* answer) { QTest::newRow(view) << answer; };
    row("s0, s1 | s1, 1 | 0", "always");
    row("s1, s0 | 1, s1 | 3", "always");
    row("s0, s1 | 0, 1 | 0", "s0 = 1");
    row("s2, s1 | 0, 1 | 0", "never");
    row("1, s1 | 0, 1 | 0", "always");
    row("s0, s1 | 1, 1 | 0", "unknown");
}

void TestSymbolicRegion::ownCells() {
    QFETCH(QString, answer);
    QCOMPARE(words(has_own_cells(layout(QTest::currentDataTag()), order())), answer);
}

void TestSymbolicRegion::dense() {
    QVERIFY(surely_dense(layout("s0, s1 | s1, 1 | 0"), order()));
    QVERIFY(surely_dense(layout("s1, s0 | 1, s1 | 0"), order()));
    QVERIFY(!surely_dense(layout("s0, s1 | 2*s1, 1 | 0"), order()));
    QVERIFY(!surely_dense(layout("s0, s1 | 0, 1 | 0"), order()));
}

/// Random views of a [s0, s1, 2*s0] storage: what is said for all sizes is so at each.
void TestSymbolicRegion::agreesWithNumbers() {
    std::mt19937 random(3);
    const auto draw = [&](std::size_t count) { return random() % count; };
    const QStringList extents{"1", "2", "s0", "s1", "2*s0", "s0 + 1", "(s1//2)"},
        steps{"0", "1", "2", "s0", "s1", "2*s0", "2*s0*s1", "s1 + 1"},
        starts{"0", "1", "s0", "s1", "2*s0", "s0*s1", "2*s0*s1 + s0", "(s1//2)"};
    std::size_t decided = 0;
    for (int i = 0; i < 6000; ++i) {
        const auto view = [&] {
            SymbolicLayout made{{}, {}, size(starts[qsizetype(draw(8))]), 4};
            for (std::size_t d = 0; d < 1 + draw(3); ++d) {
                made.sizes.push_back(size(extents[qsizetype(draw(7))]));
                made.strides.push_back(size(steps[qsizetype(draw(8))]));
            }
            return made;
        };
        const SymbolicLayout a = view(), b = view();
        const SizeAnswer answer = lie_apart(a, b, order());
        if (answer.truth == Truth::unknown) continue;
        ++decided;
        for (std::int64_t s0 = 1; s0 < 6; ++s0) {
            for (std::int64_t s1 = 1; s1 < 6; ++s1) {
                const SymbolValueMap values{{"s0", s0}, {"s1", s1}};
                const Region left = at(a, values), right = at(b, values);
                const bool are_apart = overlaps(left, right) == Overlap::no;
                const bool is_empty = left.is_empty() || right.is_empty();
                const bool all = std::ranges::all_of(
                    answer.if_all, [&](const SizeCondition& condition) { return *holds(condition, values); });
                if (answer.truth == Truth::always) QVERIFY(are_apart);
                if (answer.truth == Truth::never && !is_empty) QVERIFY(!are_apart);
                if (answer.truth == Truth::depends && all) QVERIFY(are_apart);
                if (answer.truth == Truth::depends && !all && answer.is_exact && !is_empty) QVERIFY(!are_apart);
            }
        }
    }
    QVERIFY(decided > 600);
}

QTEST_APPLESS_MAIN(TestSymbolicRegion)
#include "test_symbolic_region.moc"
