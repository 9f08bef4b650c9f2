#include <QtTest>

#include <limits>

#include "core/formats/python/python_literal.h"
#include "core/formats/python/python_target.h"

using namespace inspector;

class TestPythonLiteral : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void strings_data();
    void strings();
    void numbers_data();
    void numbers();
    void constants_data();
    void constants();
    void names_data();
    void names();
    void functions_data();
    void functions();
    void methods();
};

void TestPythonLiteral::strings_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("literal");
    QTest::newRow("plain") << QByteArray("ij,jk->ik") << R"("ij,jk->ik")";
    QTest::newRow("quotes and backslashes") << QByteArray(R"(a"b\c)") << R"("a\"b\\c")";
    QTest::newRow("line ends") << QByteArray("a\n\"\"\"\r") << R"("a\n\"\"\"\x0d")";
    QTest::newRow("beyond ASCII") << QByteArray("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") << R"("\xe9\u20ac\U0001f600")";
    QTest::newRow("ill-formed") << QByteArray("\xFF") << R"("\ufffd")";
    QTest::newRow("zero byte") << QByteArray("\0", 1) << R"("\x00")";
}

void TestPythonLiteral::strings() {
    QFETCH(QByteArray, text);
    QFETCH(QString, literal);
    QCOMPARE(QString::fromStdString(python_string(text.toStdString())), literal);
    QVERIFY(!QString::fromStdString(python_comment(text.toStdString())).contains('\n'));
}

void TestPythonLiteral::numbers_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("literal");
    QTest::newRow("whole") << 5.0 << "5.0";
    QTest::newRow("negative zero") << -0.0 << "-0.0";
    QTest::newRow("shortest") << 0.1 << "0.1";
    QTest::newRow("small") << 1e-06 << "1e-06";
    QTest::newRow("large") << 1e300 << "1e+300";
    QTest::newRow("smallest") << 5e-324 << "5e-324";
    QTest::newRow("infinite") << -std::numeric_limits<double>::infinity() << R"(float("-inf"))";
    QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN() << R"(float("nan"))";
}

void TestPythonLiteral::numbers() {
    QFETCH(double, value);
    QFETCH(QString, literal);
    QCOMPARE(QString::fromStdString(python_float(value)), literal);
}

void TestPythonLiteral::constants_data() {
    QTest::addColumn<std::shared_ptr<Argument>>("argument");
    QTest::addColumn<QString>("expression"); // empty: an error
    const auto row = [](const char* name, Argument argument, const char* expression) {
        QTest::newRow(name) << std::make_shared<Argument>(std::move(argument)) << QString::fromUtf8(expression);
    };
    row("none", None{}, "None");
    row("bool", true, "True");
    row("int", std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    row("complex", std::complex<double>(1, -2.5), "complex(1.0, -2.5)");
    row("dtype", DType::bf16, "torch.bfloat16");
    row("device", DeviceName{"cuda:0"}, R"(torch.device("cuda:0"))");
    row("layout", Layout::strided, "torch.strided");
    row("memory format", MemoryFormat::channels_last, "torch.channels_last");
    row("size", SymbolicSize(7), "7");
    row("ellipsis", OpaqueText{"Ellipsis"}, "...");
    row("operator as a value", OpaqueText{"torch.ops.aten.add.Tensor"}, "torch.ops.aten.add.Tensor");
    row("operator as str gives it", OpaqueText{"brk.mut.default"}, "torch.ops.brk.mut.default");
    row("operator named by a keyword", OpaqueText{"aten.random_.from"}, R"(getattr(torch.ops.aten.random_, "from"))");
    row("operator of files", OpaqueText{"aten.from_file.default"}, "");
    row("function of a module", OpaqueText{"torch.os.system"}, "");
    row("dunder of an operator", OpaqueText{"brk.mut.__class__"}, "");
    row("code", OpaqueText{"__import__('os').system('true')"}, "");
    row("object", OpaqueText{"<function f at 0x7f>"}, "");
}

void TestPythonLiteral::constants() {
    QFETCH(std::shared_ptr<Argument>, argument);
    QFETCH(QString, expression);
    const auto made = python_constant(*argument);
    QCOMPARE(QString::fromStdString(made.value_or("")), expression);
    if (!made) QVERIFY(!made.error().reason.empty());
}

void TestPythonLiteral::names_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("identifier");
    QTest::newRow("fine") << "add_1" << "add_1";
    QTest::newRow("keyword") << "lambda" << "lambda_";
    QTest::newRow("constant") << "None" << "None_";
    QTest::newRow("digit first") << "1x" << "_1x";
    QTest::newRow("empty") << "" << "_";
    QTest::newRow("code") << "x):\n  import os#" << "x_____import_os_";
    QTest::newRow("beyond ASCII") << "ℌ" << "___";
    QTest::newRow("not assignable") << "__debug__" << "__debug___";
}

void TestPythonLiteral::names() {
    QFETCH(QString, name);
    QFETCH(QString, identifier);
    QCOMPARE(QString::fromStdString(python_identifier(name.toStdString())), identifier);
    QVERIFY(is_python_identifier(identifier.toStdString()));
}

void TestPythonLiteral::functions_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("expression"); // empty: not written
    const auto row = [](const char* target, const char* expression) {
        QTest::newRow(target) << QString::fromUtf8(target) << QString::fromUtf8(expression);
    };
    row("torch.ops.aten.add.Tensor", "torch.ops.aten.add.Tensor");
    row("torch.ops.aten.__and__.Scalar", "torch.ops.aten.__and__.Scalar");
    row("torch.ops.aten.random_.from", R"(getattr(torch.ops.aten.random_, "from"))");
    row("torch.ops.higher_order.cond", "torch.ops.higher_order.cond");
    row("torch.ops.mylib.scale.default", "torch.ops.mylib.scale.default");
    row("_operator.mul", "operator.mul");
    row("operator.floordiv", "operator.floordiv");
    row("math.floor", "math.floor");
    row("torch.sym_max", "torch.sym_max");
    row("torch._sym_sqrt", "torch._sym_sqrt");
    row("torch.relu", "torch.relu");
    row("torch.nn.functional.gelu", "torch.nn.functional.gelu");
    row("builtins.max", "max");
    for (const char* refused : {
             "torch.os.system", "os.system", "eval", "builtins.eval", "builtins.__import__", "torch.load", "torch.hub.load",
             "operator.methodcaller", "operator.__dict__", "torch.ops.load_library", "torch.ops.aten.add.__class__",
             "torch.ops.aten.__init__.__globals__", "torch.ops.__class__.mro", "torch.ops.aten.add.Tensor(x); evil",
             "torch.ops.aten.add.Tensor\nimport os", "torch.ops..add", "torch.ops.aten.from_file.default", "torch.from_file",
             "torch.nn.functional.torch.load", "math.__loader__.load_module", ""})
        row(refused, "");
}

void TestPythonLiteral::functions() {
    QFETCH(QString, target);
    QFETCH(QString, expression);
    QCOMPARE(QString::fromStdString(python_function(target.toStdString()).value_or("")), expression);
}

void TestPythonLiteral::methods() {
    for (const char* method : {"view", "size", "float", "to", "add_"}) QVERIFY2(is_callable_method(method), method);
    for (const char* method : {"numpy", "tofile", "__reduce__", "apply_", "map_", "register_hook", "x()", ""})
        QVERIFY2(!is_callable_method(method), method);
    QVERIFY(is_readable_attribute("shape"));
    QVERIFY(!is_readable_attribute("__class__"));
}

QTEST_APPLESS_MAIN(TestPythonLiteral)
#include "test_python_literal.moc"
