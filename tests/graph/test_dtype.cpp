#include <QtTest>

#include "core/graph/dtype.h"

using namespace inspector;

class TestDtype : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void namesRoundTrip();
    void aliasesNameTheSameType();
};

void TestDtype::namesRoundTrip() {
    for (int value = 0; value <= static_cast<int>(DType::bits8); ++value) {
        const auto dtype = static_cast<DType>(value);
        QCOMPARE(dtype_from_short_name(short_name(dtype)), dtype);
        QCOMPARE(dtype_from_torch_name("torch." + std::string(torch_name(dtype))), dtype);
    }
    QCOMPARE(dtype_from_short_name("f31"), std::nullopt);
}

void TestDtype::aliasesNameTheSameType() {
    QCOMPARE(dtype_from_torch_name("torch.half"), DType::f16);
    QCOMPARE(dtype_from_torch_name("long"), DType::i64);
    QCOMPARE(element_size(DType::c128), 16);
}

QTEST_APPLESS_MAIN(TestDtype)
#include "test_dtype.moc"
