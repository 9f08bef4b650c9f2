#include <QtTest>

#include <fstream>

#include "tests/operators/meta_case.h"

using namespace inspector;

namespace {

/// Operators whose results differ from what fake tensors say in some of the calls, and why ours is right or as good.
const QHash<QString, QString>& known_differences() {
    static const QString broadcast = "operands of different sizes and orders of strides: the CPU kernel orders as we do";
    static const QString libtorch = "LibTorch's own Meta kernel differs from Python's";
    static const QHash<QString, QString> differences{
        {"aten.floor_divide.default", broadcast},
        {"aten.logaddexp.default", broadcast},
        {"aten.special_xlog1py.default", broadcast},
        {"aten.native_layer_norm.default", "half input, float weights: the CPU kernel keeps statistics in float, as we do"},
        {"aten.native_layer_norm_backward.default", "transposed input: the CPU kernel's result is contiguous, as ours"},
        {"aten.normal.Tensor_Tensor", libtorch},
        {"aten.pixel_shuffle.default", libtorch},
        {"aten.pow.Scalar", libtorch},
        {"aten.replication_pad2d.default", libtorch},
    };
    return differences;
}

} // namespace

class TestMetaKernels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreeWithFakeTensors();
};

void TestMetaKernels::agreeWithFakeTensors() {
    std::ifstream cases(TEST_DATA "/operators/meta_cases.jsonl");
    QVERIFY(cases.is_open());
    int count = 0;
    QStringList wrong;
    QHash<QString, int> differing;
    int refused = 0;
    // An older LibTorch lacks some operators and index types: it may refuse calls, but not give other results.
    const bool is_older = QVersionNumber::fromString(LIBTORCH_VERSION) < QVersionNumber(2, 13);
    for (std::string line; std::getline(cases, line); ++count) {
        const auto recorded = nlohmann::json::parse(line);
        const Difference found = difference(recorded);
        const QString target = QString::fromStdString(recorded["op"].get<std::string>());
        if (found.found.empty()) continue;
        if (is_older && found.refused) ++refused;
        else if (known_differences().contains(target)) ++differing[target];
        else wrong << QString::fromStdString(line + "\n    gives " + found.found);
    }
    QVERIFY(count > 5000);
    QVERIFY2(wrong.isEmpty(), qPrintable(QString("%1 of %2 calls differ:\n").arg(wrong.size()).arg(count) + wrong.join('\n')));
    QVERIFY2(refused * 100 < count, qPrintable(QString("%1 of %2 calls were refused").arg(refused).arg(count)));
    for (const QString& target : known_differences().keys())
        QVERIFY2(differing.value(target) > 0, qPrintable(target + " agrees everywhere; take it off the list"));
}

QTEST_APPLESS_MAIN(TestMetaKernels)
#include "test_meta_kernels.moc"
