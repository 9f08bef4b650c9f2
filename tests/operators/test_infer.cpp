#include <QtTest>

#include "core/operators/infer.h"
#include "core/operators/operator_table.h"

using namespace inspector;

namespace {

using Kwargs = std::vector<std::pair<std::string, MetaValue>>;

const Operator& op(const char* target) {
    const Operator* found = OperatorTable::instance().find(target);
    if (!found) qFatal("no operator %s", target);
    return *found;
}

TensorLayout tensor(std::vector<std::int64_t> sizes, StorageId storage, DType dtype = DType::f32) {
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= std::max<std::int64_t>(sizes[i], 1);
    }
    return {dtype, std::move(sizes), std::move(strides), 0, "cpu", storage, false, false};
}

MetaValue constant(Argument argument) { return {std::move(argument)}; }
MetaValue ints(std::initializer_list<std::int64_t> numbers) {
    ArgumentList list;
    for (const std::int64_t n : numbers) list.items.emplace_back(n);
    return {Argument(std::move(list))};
}

QString describe(const Result<MetaValue>& result) {
    if (!result) return QString::fromStdString(result.error().message());
    if (std::holds_alternative<std::monostate>(result->value)) return "None";
    if (const auto* list = std::get_if<MetaList>(&result->value)) {
        QStringList items;
        for (const MetaValue& item : *list) items << describe(item);
        return "[" + items.join(", ") + "]";
    }
    if (const auto* layout = std::get_if<TensorLayout>(&result->value)) {
        const auto numbers = [](const std::vector<std::int64_t>& v) {
            QStringList out;
            for (const auto n : v) out << QString::number(n);
            return "[" + out.join(",") + "]";
        };
        return QString::fromUtf8(short_name(layout->dtype).data()) + numbers(layout->sizes) + numbers(layout->strides) + "+" +
               QString::number(layout->storage_offset) + "@" + QString::number(layout->storage) +
               (layout->device == "cpu" ? QString() : " " + QString::fromStdString(layout->device));
    }
    const auto& argument = std::get<Argument>(result->value);
    if (const auto* number = argument.as<std::int64_t>()) return QString::number(*number);
    if (const auto* flag = argument.as<bool>()) return *flag ? "True" : "False";
    return "?";
}

} // namespace

class TestInfer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aliasesKeepTheirStorage_data();
    void aliasesKeepTheirStorage();
    void numbersBecomeTensors();
    void keywordsAndDefaults();
    void severalOutArguments();
    void listsOfTensors();
    void factoriesMakeNoMemory();
    void devicesAreThoseOfFakeTensors();
    void errorsAreValues_data();
    void errorsAreValues();
    void hostileSizesAreErrors();
    void knowsWhatHasAKernel();
};

void TestInfer::aliasesKeepTheirStorage_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("result");
    QTest::newRow("view") << "aten.t.default" << "f32[3,2][1,3]+0@7";
    QTest::newRow("in-place") << "aten.sin_.default" << "f32[2,3][3,1]+0@7";
    QTest::newRow("in-place view") << "aten.t_.default" << "f32[3,2][1,3]+0@7";
    QTest::newRow("annotated, aliases here") << "aten.contiguous.default" << "f32[2,3][3,1]+0@7";
    QTest::newRow("not annotated, aliases") << "aten.resolve_conj.default" << "f32[2,3][3,1]+0@7";
    QTest::newRow("functional") << "aten.sin.default" << "f32[2,3][3,1]+0@8";
    QTest::newRow("copy of a view") << "aten.t_copy.default" << "f32[3,2][2,1]+0@8";
    QTest::newRow("several views") << "aten.unbind.int" << "[f32[3][1]+0@7, f32[3][1]+3@7]";
}

void TestInfer::aliasesKeepTheirStorage() {
    QFETCH(QString, target);
    MetaExecutor executor;
    const auto result = executor.run(op(target.toUtf8()), {{tensor({2, 3}, 7)}}, {});
    QTEST(describe(result), "result");
}

void TestInfer::numbersBecomeTensors() {
    MetaExecutor executor;
    const MetaValue x{tensor({2}, 1, DType::i64)};
    // A number promotes like a number, a 0-dim tensor of its own type like a tensor of that category.
    QCOMPARE(describe(executor.run(op("aten.add.Tensor"), {x, constant(2)}, {})), "i64[2][1]+0@2");
    QCOMPARE(describe(executor.run(op("aten.add.Tensor"), {x, constant(2.5)}, {})), "f32[2][1]+0@3");
    QCOMPARE(describe(executor.run(op("aten.mul.Tensor"), {{tensor({2}, 1, DType::f16)}, {tensor({}, 4, DType::f32)}}, {})),
             "f16[2][1]+0@5");
}

void TestInfer::keywordsAndDefaults() {
    MetaExecutor executor;
    const MetaValue x{tensor({2, 3, 4, 4}, 1)};
    QCOMPARE(describe(executor.run(op("aten.clone.default"), {x}, {{"memory_format", constant(MemoryFormat::channels_last)}})),
             "f32[2,3,4,4][48,1,12,3]+0@2");
    QCOMPARE(describe(executor.run(op("aten._to_copy.default"), {x}, {{"dtype", constant(DType::bf16)}})),
             "bf16[2,3,4,4][48,16,4,1]+0@3");
    QCOMPARE(describe(executor.run(op("aten.sum.dim_IntList"), {x, ints({1, 2})}, {{"keepdim", constant(true)}})),
             "f32[2,1,1,4][4,4,4,1]+0@4");
    QCOMPARE(describe(executor.run(op("aten.as_strided.default"), {}, {{"self", x}, {"size", ints({2})}, {"stride", ints({5})}})),
             "f32[2][5]+0@1");
    // An int for int[2] stands for both.
    QCOMPARE(describe(executor.run(op("aten.max_pool2d_with_indices.default"), {x, constant(2)}, {})),
             "[f32[2,3,2,2][12,4,2,1]+0@5, i64[2,3,2,2][12,4,2,1]+0@6]");
}

void TestInfer::severalOutArguments() {
    MetaExecutor executor;
    const MetaValue x{tensor({2, 4}, 1)}, values{tensor({4}, 2)}, indices{tensor({4}, 3, DType::i64)};
    QCOMPARE(describe(executor.run(op("aten.max.dim_max"), {x, constant(0)}, {{"max", values}, {"max_values", indices}})),
             "[f32[4][1]+0@2, i64[4][1]+0@3]");
}

void TestInfer::listsOfTensors() {
    MetaExecutor executor;
    const MetaValue x{tensor({4, 3}, 1)};
    QCOMPARE(describe(executor.run(op("aten.cat.default"), {{MetaList{x, x}}, constant(1)}, {})), "f32[4,6][6,1]+0@2");
    QCOMPARE(describe(executor.run(op("aten.split.Tensor"), {x, constant(2)}, {})),
             "[f32[2,3][3,1]+0@1, f32[2,3][3,1]+6@1]");
    QCOMPARE(describe(executor.run(op("aten.index.Tensor"), {x, {MetaList{{}, {tensor({5}, 3, DType::i64)}}}}, {})),
             "f32[4,5][5,1]+0@4");
    QCOMPARE(describe(executor.run(op("aten._foreach_add_.Scalar"), {{MetaList{x}}, constant(1)}, {})), "None");
    QCOMPARE(describe(executor.run(op("aten.sym_size.int"), {x, constant(1)}, {})), "3");
}

void TestInfer::factoriesMakeNoMemory() {
    MetaExecutor executor;
    QCOMPARE(describe(executor.run(op("aten.zeros.default"), {ints({1 << 20, 1 << 20})}, {{"device", constant(DeviceName{"cpu"})}})),
             "f32[1048576,1048576][1048576,1]+0@1");
    QCOMPARE(describe(executor.run(op("aten.arange.start_step"), {constant(0), constant(10), constant(3)}, {})), "i64[4][1]+0@2");
    QCOMPARE(describe(executor.run(op("aten.randn.default"), {ints({3})}, {{"dtype", constant(DType::f64)}})), "f64[3][1]+0@3");
    QCOMPARE(describe(executor.run(op("aten.scalar_tensor.default"), {constant(true)}, {})), "f32[][]+0@4");
}

void TestInfer::devicesAreThoseOfFakeTensors() {
    MetaExecutor executor;
    TensorLayout gpu = tensor({2}, 1);
    gpu.device = "cuda:0";
    const MetaValue number{tensor({}, 2)};
    QCOMPARE(describe(executor.run(op("aten.mul.Tensor"), {number, {gpu}}, {})), "f32[2][1]+0@3 cuda:0");
    QCOMPARE(describe(executor.run(op("aten.new_zeros.default"), {{gpu}, ints({3})}, {})), "f32[3][1]+0@4 cuda:0");
    QCOMPARE(describe(executor.run(op("aten._to_copy.default"), {{gpu}}, {{"device", constant(DeviceName{"cpu"})}})), "f32[2][1]+0@5");
    QCOMPARE(describe(executor.run(op("aten.ones.default"), {ints({2})}, {{"device", constant(DeviceName{"cuda:1"})}})),
             "f32[2][1]+0@6 cuda:1");
}

void TestInfer::errorsAreValues_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("tensors");
    QTest::addColumn<QString>("keyword");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "aten.add.Tensor" << 1 << "" << "argument other: it is missing and has no default";
    QTest::newRow("too many") << "aten.sin.default" << 2 << "" << "aten.sin.default: 2 arguments are given, aten.sin.default takes 1";
    QTest::newRow("unknown keyword") << "aten.add.Tensor" << 2 << "beta" << "argument beta: aten.add.Tensor does not have it";
    QTest::newRow("twice") << "aten.add.Tensor" << 2 << "other" << "argument other: it is given twice";
    QTest::newRow("wrong type") << "aten.clone.default" << 1 << "memory_format"
                                << "argument memory_format: a value of type String does not fit MemoryFormat?";
    QTest::newRow("kernel refuses") << "aten.mm.default" << 2 << "" << "aten.mm.default: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)";
    QTest::newRow("depends on data") << "aten.nonzero.default" << 1 << ""
                                     << "aten.nonzero.default: it has no kernel that works on metadata alone";
    QTest::newRow("reads a file") << "aten.from_file.default" << 0 << "" << "aten.from_file.default: it has no kernel that works on metadata alone";
    QTest::newRow("TorchScript's") << "aten.add.str" << 0 << "" << "aten.add.str: LibTorch 2.13.0 does not have it";
}

void TestInfer::errorsAreValues() {
    QFETCH(QString, target);
    QFETCH(int, tensors);
    QFETCH(QString, keyword);
    MetaExecutor executor;
    std::vector<MetaValue> args(static_cast<std::size_t>(tensors), MetaValue{tensor({2, 3}, 1)});
    Kwargs kwargs;
    if (!keyword.isEmpty()) kwargs.emplace_back(keyword.toStdString(), constant("text"));
    const auto result = executor.run(op(target.toUtf8()), args, kwargs);
    QVERIFY(!result);
    QFETCH(QString, message);
    message.replace(QRegularExpression("LibTorch [0-9.]+"), "LibTorch");
    QCOMPARE(QString::fromStdString(result.error().message()).replace(QRegularExpression("LibTorch [0-9.]+"), "LibTorch"), message);
}

void TestInfer::hostileSizesAreErrors() {
    MetaExecutor executor;
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    const auto run = [&](TensorLayout layout) { return describe(executor.run(op("aten.sin.default"), {{std::move(layout)}}, {})); };
    const QString refused = "argument self: a tensor's sizes, strides or offset are negative or too large";
    QCOMPARE(run({DType::f32, {huge}, {1}, 0, "cpu", 1, false, false}), refused);
    QCOMPARE(run({DType::f32, {huge, huge}, {huge, 1}, 0, "cpu", 1, false, false}), refused);
    QCOMPARE(run({DType::f32, {2}, {1}, huge, "cpu", 1, false, false}), refused);
    QCOMPARE(run({DType::f32, {-1}, {1}, 0, "cpu", 1, false, false}), refused);
    QCOMPARE(run({DType::f32, {2}, {-1}, 0, "cpu", 1, false, false}), refused);
    QVERIFY(run({DType::f32, {huge, huge}, {0, 0}, 0, "cpu", 1, false, false}).contains("overflow"));
    QCOMPARE(run({DType::f32, {2, 2}, {1}, 0, "cpu", 1, false, false}), "argument self: a tensor has 2 sizes and 1 strides");
    QVERIFY(run(tensor(std::vector<std::int64_t>(1000, 1), 1)).contains("1000 sizes"));

    const TensorLayout flat{DType::b8, {1'000'000'000'000}, {1}, 0, "cpu", 2, false, false};
    QCOMPARE(describe(executor.run(op("aten.unbind.int"), {{flat}}, {})),
             "aten.unbind.int: the operator would take more than 100000 steps");
    QVERIFY(!executor.run(op("aten.tensor_split.sections"), {{flat}, constant(huge)}, {}));
    QVERIFY(!executor.run(op("aten.split.Tensor"), {{flat}, constant(1)}, {}));
    QVERIFY(executor.run(op("aten.split.Tensor"), {{flat}, constant(500'000'000'000)}, {}));
    QVERIFY(!executor.run(op("aten.zeros.default"), {ints({huge, huge})}, {}));
}

void TestInfer::knowsWhatHasAKernel() {
    QVERIFY(MetaExecutor::has_kernel(op("aten.add.Tensor")));
    QVERIFY(MetaExecutor::has_kernel(op("aten.linear.default")));
    QVERIFY(!MetaExecutor::has_kernel(op("aten.nonzero.default")));
    QVERIFY(!MetaExecutor::has_kernel(op("aten.from_file.default")));
    QVERIFY(!MetaExecutor::has_kernel(op("aten.add.str")));
}

QTEST_APPLESS_MAIN(TestInfer)
#include "test_infer.moc"
