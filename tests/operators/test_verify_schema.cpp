#include <QtTest>

#include "core/operators/operator_table.h"
#include "core/operators/verify_schema.h"

using namespace inspector;

namespace {

Node call(const char* name, const char* target, std::vector<Argument> args, std::vector<NamedArgument> kwargs = {}) {
    Node node;
    node.name = name;
    node.target = target;
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    return node;
}

QStringList messages(const std::vector<Error>& errors) {
    QStringList out;
    for (const Error& error : errors) out << QString::fromStdString(error.message());
    return out;
}

} // namespace

class TestVerifySchema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void comparesCallsWithSchemas_data();
    void comparesCallsWithSchemas();
    void goesThroughGraphs();
};

void TestVerifySchema::comparesCallsWithSchemas_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("positional");
    QTest::addColumn<QStringList>("keywords");
    QTest::addColumn<QStringList>("errors");
    const QStringList fine;
    QTest::newRow("by position") << "aten.add.Tensor" << 2 << QStringList() << fine;
    QTest::newRow("keyword-only") << "aten.add.Tensor" << 2 << QStringList{"alpha"} << fine;
    QTest::newRow("all by keyword") << "aten.add.Tensor" << 0 << QStringList{"other", "self"} << fine;
    QTest::newRow("default left out") << "aten.cumsum.default" << 2 << QStringList() << fine;
    QTest::newRow("keyword-only by position") << "aten.add.Tensor" << 3 << QStringList()
        << QStringList{"%n: aten.add.Tensor takes 2 positional arguments, but 3 are given"};
    QTest::newRow("missing") << "aten.add.Tensor" << 1 << QStringList()
        << QStringList{"%n: the argument other of aten.add.Tensor is missing"};
    QTest::newRow("unknown keyword") << "aten.add.Tensor" << 2 << QStringList{"beta"}
        << QStringList{"%n: aten.add.Tensor has no argument beta"};
    QTest::newRow("twice") << "aten.add.Tensor" << 2 << QStringList{"self"}
        << QStringList{"%n: the argument self of aten.add.Tensor is given twice"};
    QTest::newRow("out missing") << "aten.add.out" << 2 << QStringList()
        << QStringList{"%n: the argument out of aten.add.out is missing"};
}

void TestVerifySchema::comparesCallsWithSchemas() {
    QFETCH(QString, target);
    QFETCH(int, positional);
    QFETCH(QStringList, keywords);
    const Operator* op = OperatorTable::instance().find(target.toStdString());
    QVERIFY(op);
    std::vector<NamedArgument> kwargs;
    for (const QString& keyword : keywords) kwargs.emplace_back(keyword.toStdString(), std::int64_t{1});
    const std::vector<Argument> args(static_cast<std::size_t>(positional), std::int64_t{1});
    QTEST(messages(verify_call(call("n", target.toUtf8(), args, kwargs), *op)), "errors");
}

void TestVerifySchema::goesThroughGraphs() {
    Graph graph;
    Node x;
    x.opcode = Opcode::placeholder;
    x.name = x.target = "x";
    const NodeReference reference{graph.append(x)};
    graph.append(call("sin", "torch.ops.aten.sin.default", {reference, reference}));
    graph.append(call("item", "operator.getitem", {}));
    graph.append(call("custom", "torch.ops.mylib.thing.default", {}));
    graph.append(call("cos", "torch.ops.aten.cos.default", {}));
    QCOMPARE(messages(verify_schemas(graph)),
             (QStringList{"%sin: aten.sin.default takes 1 positional arguments, but 2 are given",
                          "%cos: the argument self of aten.cos.default is missing"}));
}

QTEST_APPLESS_MAIN(TestVerifySchema)
#include "test_verify_schema.moc"
