// What is said to give the same bits however its operands lie in memory is run on contiguous and on strided operands, which
// hold zeros of both signs, infinities and numbers that are none.
#include <QtTest>

#include "core/execution/equivalence.h"
#include "core/formats/reader.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/layout_sensitivity.h"

using namespace inspector;

namespace {

struct Type {
    DType dtype;
    const char* name;  ///< in annotations
    const char* torch; ///< "torch.float32"
    bool is_complex = false;
};
constexpr Type types[] = {{DType::f32, "f32", "torch.float32"},   {DType::f64, "f64", "torch.float64"},
                          {DType::f16, "f16", "torch.float16"},   {DType::bf16, "bf16", "torch.bfloat16"},
                          {DType::i64, "i64", "torch.int64"},     {DType::b8, "b8", "torch.bool"},
                          {DType::c64, "c64", "torch.float32", true}, {DType::c128, "c128", "torch.float64", true}};

/// Numbers are `number` unless the schema has a default for something else. Empty: an argument needs something else.
std::string call_of(const Operator& op, const char* number) {
    std::string arguments;
    int tensors = 0;
    for (const SchemaArgument& argument : op.arguments) {
        const bool is_tensor = argument.type == "Tensor" || argument.type == "Tensor?";
        const bool is_number = argument.type == "Scalar" || argument.type == "float" || argument.type == "Scalar?";
        if (!is_tensor && !is_number && argument.default_text) continue;
        if (!is_tensor && !is_number && argument.type != "int") return {};
        const std::string value = is_tensor ? "v" + std::to_string(++tensors) : argument.type == "int" ? "1" : number;
        arguments += (arguments.empty() ? "" : ", ") + (argument.keyword_only ? argument.name + " = " : "") + value;
    }
    return tensors > 0 && tensors <= 3 ? "torch.ops." + op.short_target() + "(" + arguments + ")" : std::string();
}

/// Quotients of whole numbers: every second one of a larger tensor, or a contiguous copy of these. No whole number of vectors.
std::string program_text(const Type& type, const std::string& call, bool strided) {
    const std::string made = type.is_complex ? "f32[33, 33, 2, 2]" : "f32[33, 33, 2]";
    std::string header = "def forward(self", body;
    for (const std::string i : {"1", "2", "3"}) {
        header += ", x" + i + ": \"" + made + "\", y" + i + ": \"" + made + "\"";
        body += "    p" + i + " = torch.ops.aten.round.default(x" + i + ")\n    q" + i + " = torch.ops.aten.round.default(y" + i +
                ")\n    d" + i + " = torch.ops.aten.div.Tensor(p" + i + ", q" + i + ")\n    t" + i +
                " = torch.ops.aten._to_copy.default(d" + i + ", dtype = " + type.torch + ")\n";
        const std::string whole = type.is_complex ? "w" + i : "t" + i;
        if (type.is_complex) body += "    w" + i + " = torch.ops.aten.view_as_complex.default(t" + i + ")\n";
        const std::string taken = strided ? "v" : "e";
        body += "    " + taken + i + " = torch.ops.aten.select.int(" + whole + ", 2, 0)\n";
        if (!strided)
            body += "    v" + i + " = torch.ops.aten.clone.default(e" + i + ", memory_format = torch.contiguous_format)\n";
    }
    return header + "):\n" + body + "    z = " + call +
           "\n    r = torch.ops.aten.clone.default(z, memory_format = torch.contiguous_format)\n    return (r,)\n";
}

} // namespace

class TestLayoutSensitivity : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameBits_data();
    void sameBits();
};

void TestLayoutSensitivity::sameBits_data() {
    QTest::addColumn<QString>("number");
    for (const char* number : {"1.7", "3", "0.0", "-0.0"}) QTest::newRow(number) << number;
}

void TestLayoutSensitivity::sameBits() {
    QFETCH(QString, number);
    int calls = 0;
    QStringList differ;
    for (const Operator* op : OperatorTable::instance().all()) {
        if (!op->name.starts_with("aten::") || op->is_mutable || op->view != ViewKind::none) continue;
        const std::string call = call_of(*op, number.toLatin1().constData());
        if (call.empty()) continue;
        for (const Type& type : types) {
            const auto contiguous = read_fx_text(program_text(type, call, false)), strided = read_fx_text(program_text(type, call, true));
            QVERIFY2(contiguous && strided, call.c_str());
            const Graph& graph = strided->graphs[0].graph;
            if (!gives_same_bits(*op, graph.node(graph.find("z")), type.dtype, false, 0)) continue;
            const auto inputs = RunInputs::make(*contiguous, 0, {});
            QVERIFY(inputs);
            const auto comparison = compare_programs(*contiguous, *strided, 0, *inputs, {});
            QVERIFY(comparison);
            if (comparison->cannot_run) continue; // the operator does not take this type
            ++calls;
            if (comparison->difference)
                differ << QString::fromStdString(call + " of " + type.name + ": " + comparison->difference->sentence);
        }
    }
    qInfo("%d calls", calls);
    QVERIFY2(differ.isEmpty(), qPrintable(differ.join(u'\n')));
    QVERIFY(calls >= 100);
}

QTEST_GUILESS_MAIN(TestLayoutSensitivity)
#include "test_layout_sensitivity.moc"
