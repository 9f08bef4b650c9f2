// Every operator that has an in-place form is run both ways, as `sound` rewrites it: with other operands, and given one
// tensor for all of them, which the operand rule allows where reading and writing go element by element.
#include <QtTest>

#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/operators/operator_table.h"
#include "core/passes/reinplace/session.h"

using namespace inspector;

namespace {

/// Every second element of a larger tensor.
enum class Strided { nothing, operands, self };

/// A graph that calls `op` on a clone of %x; other tensors are inputs, or the clone again. Numbers are `number` unless the
/// schema has a default for something else. Empty: an argument needs something else.
std::string called(const Operator& op, const std::string& dtype, const std::string& number, bool one_tensor_for_all,
                   Strided strided) {
    // No whole number of vectors; matrices that fit each other.
    const std::string dense = "[33, 33][33, 1]cpu", every_second = "[33, 33][66, 2]cpu", both = "[33, 33, 2][66, 2, 1]cpu";
    const auto type_of = [&](const std::string& layout) { return ": \"" + dtype + layout + "\""; };
    std::string arguments, inputs;
    int tensors = 0;
    for (const SchemaArgument& argument : op.arguments) {
        const bool is_tensor = argument.type == "Tensor";
        const bool is_number = argument.type == "Scalar" || argument.type == "float";
        if (!is_tensor && !is_number && argument.default_text) continue;
        if (!is_tensor && !is_number && argument.type != "int") return {};
        std::string value = argument.type == "int" ? "1" : number;
        if (is_tensor) {
            value = tensors == 0 || one_tensor_for_all ? "c" : "y" + std::to_string(tensors);
            if (value != "c") inputs += ", " + value + type_of(strided == Strided::operands ? every_second : dense);
            ++tensors;
        }
        arguments += (arguments.empty() ? "" : ", ") + (argument.keyword_only ? argument.name + " = " : "") + value;
    }
    const std::string call = "    z = torch.ops." + op.short_target() + "(" + arguments + ")\n";
    if (strided != Strided::self)
        return "def forward(self, x" + type_of(dense) + inputs + "):\n    c" + type_of(dense) +
               " = torch.ops.aten.clone.default(x)\n" + call + "    return (z,)\n";
    return "def forward(self, x" + type_of(both) + inputs + "):\n    b" + type_of(both) +
           " = torch.ops.aten.clone.default(x)\n    c" + type_of(every_second) +
           " = torch.ops.aten.select.int(b, 2, 0)\n" + call +
           "    r = torch.ops.aten.clone.default(z, memory_format = torch.contiguous_format)\n    return (r,)\n";
}

bool is_called(const Operator& op) {
    return op.name.starts_with("aten::") && !op.is_mutable && !op.arguments.empty() && op.arguments[0].type == "Tensor" &&
           !op.has_tag("nondeterministic_seeded") && OperatorTable::instance().inplace_variant(op);
}

} // namespace

class TestInPlaceOperators : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void giveTheSameBits_data();
    void giveTheSameBits();
    void ofOtherShapes_data();
    void ofOtherShapes();
};

void TestInPlaceOperators::giveTheSameBits_data() {
    QTest::addColumn<QString>("number");
    QTest::addColumn<bool>("one_tensor_for_all");
    QTest::addColumn<int>("least");
    QTest::addColumn<Strided>("strided");
    QTest::newRow("other operands") << "1.7" << false << 150 << Strided::nothing;
    QTest::newRow("integers") << "3" << false << 150 << Strided::nothing;
    QTest::newRow("one tensor for all") << "3" << true << 40 << Strided::nothing;
    QTest::newRow("strided operands") << "1.7" << false << 150 << Strided::operands;
    QTest::newRow("strided self") << "1.7" << false << 100 << Strided::self;
}

void TestInPlaceOperators::giveTheSameBits() {
    QFETCH(QString, number);
    QFETCH(bool, one_tensor_for_all);
    QFETCH(int, least);
    QFETCH(Strided, strided);
    int tried = 0;
    for (const Operator* op : OperatorTable::instance().all()) {
        if (!is_called(*op)) continue;
        const auto tensors = std::ranges::count(op->arguments, std::string("Tensor"), &SchemaArgument::type);
        if (one_tensor_for_all && tensors < 2) continue;
        bool is_reinplaced = false;
        for (const char* dtype : {"f32", "f64", "bf16", "f16", "i64", "b8", "c64", "c128"}) {
            const std::string text = called(*op, dtype, number.toStdString(), one_tensor_for_all, strided);
            if (text.empty()) break;
            const auto program = read_fx_text(text);
            QVERIFY2(program, program ? "" : program.error().message().c_str());
            const ReinplaceSession::Options sound{.policy = "sound", .first = {}, .choices = {}, .donated = {}};
            auto session = ReinplaceSession::start(program->graphs[0], sound);
            (*session)->run_to_end();
            if (std::ranges::none_of((*session)->decisions(), is_rewritten)) continue;
            const Verification made = verify_rewrite(*program, 0, sound, {});
            if (made.answer == Verification::Answer::error) continue; // no program: the operator does not take this type
            is_reinplaced = true;
            const std::string context = op->short_target() + " of " + dtype + ": " + made.detail;
            QVERIFY2(made.answer == Verification::Answer::equal, context.c_str());
        }
        tried += is_reinplaced ? 1 : 0;
    }
    qInfo("%d operators", tried);
    QVERIFY(tried >= least);
}

void TestInPlaceOperators::ofOtherShapes_data() {
    QTest::addColumn<QString>("call");
    QTest::addColumn<QStringList>("shapes");
    QTest::newRow("addr") << "addr.default(c, y1, y2)" << QStringList{"[33, 17][17, 1]", "[33][1]", "[17][1]"};
    QTest::newRow("addmv") << "addmv.default(c, y1, y2)" << QStringList{"[33][1]", "[33, 17][17, 1]", "[17][1]"};
    QTest::newRow("addmm") << "addmm.default(c, y1, y2)" << QStringList{"[33, 9][9, 1]", "[33, 17][17, 1]", "[17, 9][9, 1]"};
    QTest::newRow("baddbmm") << "baddbmm.default(c, y1, y2)"
                             << QStringList{"[3, 33, 9][297, 9, 1]", "[3, 33, 17][561, 17, 1]", "[3, 17, 9][153, 9, 1]"};
    QTest::newRow("addbmm") << "addbmm.default(c, y1, y2)"
                            << QStringList{"[33, 9][9, 1]", "[3, 33, 17][561, 17, 1]", "[3, 17, 9][153, 9, 1]"};
}

void TestInPlaceOperators::ofOtherShapes() {
    QFETCH(QString, call);
    QFETCH(QStringList, shapes);
    for (const char* dtype : {"f32", "f64", "bf16", "f16", "i64", "c64", "c128"}) {
        const auto type = [&](const QString& shape) { return QStringLiteral(": \"%1%2cpu\"").arg(QLatin1String(dtype), shape); };
        const QString text = QStringLiteral("def forward(self, x%1, y1%2, y2%3):\n    c%1 = torch.ops.aten.clone.default(x)\n"
                                            "    z%1 = torch.ops.aten.%4\n    return (z,)\n")
                                 .arg(type(shapes[0]), type(shapes[1]), type(shapes[2]), call);
        const auto program = read_fx_text(text.toStdString());
        QVERIFY(program);
        const Verification made = verify_rewrite(*program, 0, {.policy = "sound", .first = {}, .choices = {}, .donated = {}}, {});
        if (made.answer == Verification::Answer::error) continue; // the operator does not take this type
        QVERIFY2(made.answer == Verification::Answer::equal, (call.toStdString() + " of " + dtype + ": " + made.detail).c_str());
    }
}

QTEST_GUILESS_MAIN(TestInPlaceOperators)
#include "test_in_place_operators.moc"
