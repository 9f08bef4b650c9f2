#include <limits>

#include <QtTest>

#include "core/analysis/number_arithmetic.h"
#include "core/analysis/tensor_extent.h"

using namespace inspector;

namespace {
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
TensorLayout layout(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides, std::int64_t offset = 0) {
    TensorLayout made;
    made.sizes = std::move(sizes);
    made.strides = std::move(strides);
    made.storage_offset = offset;
    return made;
}
} // namespace

class TestTensorExtent : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void counts();
    void probe();
    void pythonArithmetic();
};

void TestTensorExtent::counts() {
    QCOMPARE(element_count({}), 1);
    QCOMPARE(element_count({2, 3, 4}), 24);
    QCOMPARE(element_count({largest, 2, 0}), 0);
    QCOMPARE(element_count({largest, 2}), largest);
    QCOMPARE(end_element(layout({2, 3}, {3, 1})), 6);
    QCOMPARE(end_element(layout({2, 3}, {10, 2}, 5)), 20);
    QCOMPARE(end_element(layout({2, 0}, {10, 2}, 5)), 0);
    QCOMPARE(end_element(layout({largest}, {largest})), largest);
    QCOMPARE(end_byte(layout({2, 3}, {3, 1})), 24);
    QCOMPARE(contiguous_strides({2, 1, 4}), (std::vector<std::int64_t>{4, 4, 1}));
    QCOMPARE(contiguous_strides({2, 0, 4}), (std::vector<std::int64_t>{4, 4, 1}));
}

void TestTensorExtent::probe() {
    // torch._debug_has_internal_overlap of these gives 0, 0, 0, 1, 2, 2, 0, 0.
    QCOMPARE(probe_self_overlap(layout({4, 4}, {4, 1})), SelfOverlap::no);
    QCOMPARE(probe_self_overlap(layout({4, 4}, {1, 4})), SelfOverlap::no);
    QCOMPARE(probe_self_overlap(layout({1, 4}, {99, 1})), SelfOverlap::no);
    QCOMPARE(probe_self_overlap(layout({3, 4}, {0, 1})), SelfOverlap::yes);
    QCOMPARE(probe_self_overlap(layout({2, 2}, {1, 1})), SelfOverlap::too_hard);
    QCOMPARE(probe_self_overlap(layout({4}, {2})), SelfOverlap::too_hard);
    QCOMPARE(probe_self_overlap(layout({0, 4}, {0, 0})), SelfOverlap::no);
    QCOMPARE(probe_self_overlap(layout({}, {})), SelfOverlap::no);
}

void TestTensorExtent::pythonArithmetic() {
    const auto whole = [](const char* target, std::int64_t a, std::int64_t b) {
        const auto result = compute_number(target, {a, b});
        return result && result->as<std::int64_t>() ? std::optional(*result->as<std::int64_t>()) : std::nullopt;
    };
    QCOMPARE(whole("operator.floordiv", -7, 2), -4);
    QCOMPARE(whole("_operator.mod", -7, 2), 1);
    QCOMPARE(whole("operator.mod", 7, -2), -1);
    QCOMPARE(whole("operator.mul", largest, 2), std::nullopt);
    QCOMPARE(whole("operator.floordiv", 1, 0), std::nullopt);
    QCOMPARE(whole("torch.sym_max", 3, 5), 5);
    QCOMPARE(whole("torch.ops.aten.add.Tensor", 3, 5), std::nullopt);
    QCOMPARE(*compute_number("operator.ge", {std::int64_t{3}, 2.5})->as<bool>(), true);
    QCOMPARE(*compute_number("operator.truediv", {std::int64_t{3}, std::int64_t{2}})->as<double>(), 1.5);
    QCOMPARE(*compute_number("math.ceil", {1.5})->as<std::int64_t>(), 2);
    QVERIFY(!compute_number("math.ceil", {std::numeric_limits<double>::infinity()}));
    QVERIFY(!compute_number("operator.add", {std::string("a"), std::string("b")}));
}

QTEST_APPLESS_MAIN(TestTensorExtent)
#include "test_tensor_extent.moc"
