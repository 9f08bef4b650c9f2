#include <QtTest>

#include <random>
#include <set>

#include "core/analysis/region.h"

using namespace inspector;

namespace {

struct View {
    std::int64_t offset;
    std::vector<std::int64_t> sizes, strides;
    std::int64_t element_size = 1;

    Region region() const { return Region::of_view(offset, sizes, strides, element_size); }

    /// Every byte, as often as indices name it.
    std::vector<std::int64_t> bytes() const {
        std::vector<std::int64_t> cells{offset};
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::vector<std::int64_t> more;
            for (const std::int64_t cell : cells)
                for (std::int64_t index = 0; index < sizes[i]; ++index) more.push_back(cell + index * strides[i]);
            cells = std::move(more);
        }
        std::vector<std::int64_t> all;
        for (const std::int64_t cell : cells)
            for (std::int64_t byte = 0; byte < element_size; ++byte) all.push_back(cell * element_size + byte);
        return all;
    }

    QByteArray text() const {
        QByteArray text = "offset " + QByteArray::number(qlonglong(offset));
        for (std::size_t i = 0; i < sizes.size(); ++i)
            text += " " + QByteArray::number(qlonglong(sizes[i])) + ":" + QByteArray::number(qlonglong(strides[i]));
        return text + " of " + QByteArray::number(qlonglong(element_size)) + " bytes";
    }
};

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + std::int64_t(random_() % std::uint64_t(high - low + 1));
    }
    View view(std::int64_t element_size) {
        View view{between(0, 12), {}, {}, element_size};
        for (std::int64_t dims = between(0, 3); dims > 0; --dims) {
            view.sizes.push_back(between(between(0, 9) == 0 ? 0 : 1, 4));
            view.strides.push_back(between(between(0, 9) == 0 ? -5 : 0, 9));
        }
        return view;
    }

private:
    std::mt19937 random_;
};

} // namespace

class TestRegion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void overlapAgreesWithEnumeration();
    void selfOverlapAgreesWithEnumeration();
    void sameAndInsideNeverClaimTooMuch();
    void largeViewsAreDecidedWithoutEnumeration_data();
    void largeViewsAreDecidedWithoutEnumeration();
    void absurdNumbersAreNotRepresentable();
    void hardEquationsGiveUp();
};

void TestRegion::overlapAgreesWithEnumeration() {
    Draw draw(1);
    int shared = 0;
    for (int round = 0; round < 1'000'000; ++round) {
        const View a = draw.view(std::int64_t(1) << draw.between(0, 2));
        const View b = draw.view(draw.between(0, 1) ? a.element_size : std::int64_t(1) << draw.between(0, 3));
        const std::vector<std::int64_t> cells = a.bytes();
        std::vector<bool> covered(2048);
        for (const std::int64_t byte : cells) covered[std::size_t(byte + 512)] = true;
        const std::vector<std::int64_t> others = b.bytes();
        const bool expected = std::ranges::any_of(others, [&](std::int64_t byte) { return covered[std::size_t(byte + 512)]; });
        shared += expected;
        if (overlaps(a.region(), b.region()) != (expected ? Overlap::yes : Overlap::no))
            QFAIL("wrong for " + a.text() + " and " + b.text());
    }
    // The draw must hold plenty of both answers.
    QVERIFY(shared > 200'000 && shared < 800'000);
}

void TestRegion::selfOverlapAgreesWithEnumeration() {
    Draw draw(2);
    int shared = 0;
    for (int round = 0; round < 300'000; ++round) {
        View view = draw.view(1);
        const std::vector<std::int64_t> cells = view.bytes();
        const bool expected = std::set(cells.begin(), cells.end()).size() != cells.size();
        shared += expected;
        if (overlaps_itself(view.sizes, view.strides) != (expected ? Overlap::yes : Overlap::no))
            QFAIL("wrong for " + view.text());
    }
    QVERIFY(shared > 50'000);
}

void TestRegion::sameAndInsideNeverClaimTooMuch() {
    Draw draw(3);
    int same = 0, inside = 0;
    for (int round = 0; round < 300'000; ++round) {
        const View a = draw.view(1), b = draw.view(1);
        const auto cellsOfA = a.bytes(), cellsOfB = b.bytes();
        const std::set<std::int64_t> setOfA(cellsOfA.begin(), cellsOfA.end()), setOfB(cellsOfB.begin(), cellsOfB.end());
        if (covers_same_bytes(a.region(), b.region())) {
            ++same;
            QVERIFY2(setOfA == setOfB, a.text() + " and " + b.text());
        }
        if (surely_inside(a.region(), b.region())) {
            ++inside;
            QVERIFY2(std::ranges::includes(setOfB, setOfA), a.text() + " and " + b.text());
        }
    }
    QVERIFY(same > 1000 && inside > same);
}

void TestRegion::largeViewsAreDecidedWithoutEnumeration_data() {
    QTest::addColumn<View>("a");
    QTest::addColumn<View>("b");
    QTest::addColumn<Overlap>("expected");
    const std::int64_t k = 1 << 20;
    QTest::newRow("halves") << View{0, {k, k}, {2 * k, 1}, 4} << View{k, {k, k}, {2 * k, 1}, 4} << Overlap::no;
    QTest::newRow("even and odd") << View{0, {k * k}, {2}, 4} << View{1, {k * k}, {2}, 4} << Overlap::no;
    QTest::newRow("row and column") << View{5 * k, {k}, {1}, 4} << View{7, {k}, {k}, 4} << Overlap::yes;
    QTest::newRow("transposed") << View{0, {k, k}, {k, 1}, 2} << View{0, {k, k}, {1, k}, 2} << Overlap::yes;
    QTest::newRow("real and imaginary") << View{0, {k, k}, {2 * k, 2}, 4} << View{1, {k, k}, {2 * k, 2}, 4} << Overlap::no;
    QTest::newRow("pieces of unbind") << View{0, {64, k, 64}, {k * 192, 192, 1}, 2}
                                      << View{64, {64, k, 64}, {k * 192, 192, 1}, 2} << Overlap::no;
    QTest::newRow("windows") << View{0, {k, 3}, {5, 2}, 4} << View{1, {k, 3}, {5, 2}, 4} << Overlap::yes;
    QTest::newRow("complex and its imaginary part") << View{0, {k}, {1}, 8} << View{1, {k}, {2}, 4} << Overlap::yes;
}

void TestRegion::largeViewsAreDecidedWithoutEnumeration() {
    QFETCH(View, a);
    QFETCH(View, b);
    QFETCH(Overlap, expected);
    QCOMPARE(overlaps(a.region(), b.region()), expected);
    QCOMPARE(overlaps(b.region(), a.region()), expected);
}

void TestRegion::absurdNumbersAreNotRepresentable() {
    QVERIFY(Region::is_representable(0, {1 << 20, 1 << 20}, {1 << 20, 1}, 8));
    QVERIFY(!Region::is_representable(0, {INT64_MAX, INT64_MAX}, {INT64_MAX, 1}, 8));
    QVERIFY(!Region::is_representable(INT64_MAX, {2}, {1}, 8));
    QVERIFY(!Region::is_representable(0, {2, 2}, {1}, 4));
    QVERIFY(Region::is_representable(0, {0, INT64_MAX}, {INT64_MAX, 1}, 8));
}

void TestRegion::hardEquationsGiveUp() {
    // Coprime strides of one magnitude, with many indices each, leave the search nothing to prune with.
    const View a{0, {900, 900, 900, 900}, {100003, 200017, 400031, 800077}, 1};
    const View b{1, {900, 900, 900, 900}, {100057, 200087, 400109, 800117}, 1};
    QVERIFY(overlaps(a.region(), b.region()) != Overlap::no);
}

QTEST_APPLESS_MAIN(TestRegion)
#include "test_region.moc"
