#include <QtTest>

#include "core/operators/parse_schema.h"

using namespace inspector;

namespace {

QString describe(const SchemaArgument& a) {
    QString text = QString::fromStdString(a.type) + "|" + QString::fromStdString(a.name);
    if (a.keyword_only) text += "|kw";
    if (a.default_text) text += "|=" + QString::fromStdString(*a.default_text);
    if (a.alias) {
        text += "|@" + QString::fromStdString(a.alias->set);
        if (a.alias->is_write) text += "!";
        if (a.alias->becomes_wildcard) text += "->*";
    }
    return text;
}

QStringList describe(const std::vector<SchemaArgument>& list) {
    QStringList out;
    for (const SchemaArgument& a : list) out << describe(a);
    return out;
}

} // namespace

class TestParseSchema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsEveryForm_data();
    void readsEveryForm();
    void refusesWhatIsNoSchema_data();
    void refusesWhatIsNoSchema();
    void comparableTypes_data();
    void comparableTypes();
};

void TestParseSchema::readsEveryForm_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("returns");
    QTest::newRow("plain") << "aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor"
                           << "aten.clone.default"
                           << QStringList{"Tensor|self", "MemoryFormat?|memory_format|kw|=None"} << QStringList{"Tensor|"};
    QTest::newRow("in-place") << "aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)"
                              << "aten.add_.Scalar"
                              << QStringList{"Tensor|self|@a!", "Scalar|other", "Scalar|alpha|=1"}
                              << QStringList{"Tensor||@a!"};
    QTest::newRow("multi view") << "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"
                                << "aten.split.Tensor"
                                << QStringList{"Tensor|self|@a->*", "SymInt|split_size", "int|dim|=0"}
                                << QStringList{"Tensor[]||@a"};
    QTest::newRow("written list") << "aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"
                                  << "aten._foreach_add_.Scalar" << QStringList{"Tensor[]|self|@a!", "Scalar|scalar"}
                                  << QStringList{};
    QTest::newRow("list's own set") << "aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)" << "aten.append.t"
                                    << QStringList{"t[]|self|@a!", "t|el|@c->*"} << QStringList{"t[]||@a!"};
    QTest::newRow("named returns") << "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
                                   << "aten.max.dim"
                                   << QStringList{"Tensor|self", "int|dim", "bool|keepdim|=False"}
                                   << QStringList{"Tensor|values", "Tensor|indices"};
    QTest::newRow("defaults") << "ns::f(int[2] a=[0, 1], str b=\"a, \\\")\", float[]? c=None, SymInt[1]? d=-1) -> int[]"
                              << "ns.f.default"
                              << QStringList{"int[2]|a|=[0, 1]", "str|b|=\"a, \\\")\"", "float[]?|c|=None", "SymInt[1]?|d|=-1"}
                              << QStringList{"int[]|"};
    QTest::newRow("containers") << "ns::f.x(Dict(str, Tensor)(a!) d, (int, Tensor)[] t, __torch__.torch.classes.q.P p, ...) -> ..."
                                << "ns.f.x"
                                << QStringList{"Dict(str, Tensor)|d|@a!", "(int, Tensor)[]|t", "__torch__.torch.classes.q.P|p"}
                                << QStringList{};
    QTest::newRow("several sets") << "ns::g(Tensor(a|b) x, Tensor(*) y) -> Tensor(*)" << "ns.g.default"
                                  << QStringList{"Tensor|x|@a|b", "Tensor|y|@"} << QStringList{"Tensor||@"};
}

void TestParseSchema::readsEveryForm() {
    QFETCH(QString, text);
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, returns);
    const auto op = parse_schema(text.toStdString());
    QVERIFY2(op, op ? "" : op.error().message().c_str());
    QTEST(QString::fromStdString(op->short_target()), "target");
    QCOMPARE(describe(op->arguments), arguments);
    QCOMPARE(describe(op->returns), returns);
    QCOMPARE(op->variadic_arguments, text.contains("...)"));
    QCOMPARE(op->variadic_returns, text.endsWith("..."));
    QCOMPARE(op->is_mutable, !arguments.filter("!").isEmpty());
}

void TestParseSchema::refusesWhatIsNoSchema_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << "" << "column 1: expected namespace::name in an operator schema";
    QTest::newRow("no arguments") << "aten::add" << "column 10: expected '(' in an operator schema";
    QTest::newRow("no name") << "aten::f(Tensor) -> Tensor" << "column 15: expected an argument's name in an operator schema";
    QTest::newRow("no return") << "aten::f(Tensor a)" << "column 18: expected '->' in an operator schema";
    QTest::newRow("open list") << "aten::f(int[2 a) -> Tensor" << "column 15: expected ']' in an operator schema";
    QTest::newRow("open string") << "aten::f(str a=\"x) -> Tensor" << "column 28: expected the end of a string in an operator schema";
    QTest::newRow("backslash last") << "aten::f(str a=\"x\\" << "column 18: expected the end of a string in an operator schema";
    QTest::newRow("more after it") << "aten::f() -> Tensor x y" << "column 23: expected the end of the schema in an operator schema";
    QTest::newRow("too deep") << "aten::f(" + QString("(").repeated(100000) << "column 42: expected a type nested less deeply in an operator schema";
}

void TestParseSchema::refusesWhatIsNoSchema() {
    QFETCH(QString, text);
    const auto op = parse_schema(text.toStdString());
    QVERIFY(!op);
    QTEST(QString::fromStdString(op.error().message()), "message");
}

void TestParseSchema::comparableTypes_data() {
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("compared");
    QTest::newRow("SymInt") << "SymInt[2]?" << "int[]?";
    QTest::newRow("dtype") << "ScalarType?" << "int?";
    QTest::newRow("tensor") << "Tensor[]" << "Tensor[]";
    QTest::newRow("dict") << "Dict(str, SymInt)" << "Dict(str, int)";
}

void TestParseSchema::comparableTypes() {
    QFETCH(QString, type);
    QTEST(QString::fromStdString(comparable_type(type.toStdString())), "compared");
}

QTEST_APPLESS_MAIN(TestParseSchema)
#include "test_parse_schema.moc"
