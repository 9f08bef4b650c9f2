#include <QtTest>

#include <thread>

#include "core/operators/operator_table.h"

using namespace inspector;

namespace {

const OperatorTable& table() { return OperatorTable::instance(); }

QString view_name(ViewKind kind) {
    switch (kind) {
        case ViewKind::single: return "single";
        case ViewKind::multi: return "multi";
        case ViewKind::none: break;
    }
    return "none";
}

QString inplace_name(const InplaceSearch& search) {
    if (search.upstream_raises) return "raises";
    return search.variant ? QString::fromStdString(search.variant->qualified_name()) : "-";
}

QString target_of(const Operator* op) { return op ? QString::fromStdString(op->short_target()) : QString(); }

} // namespace

class TestOperatorTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyOverloadDecidesAsTorchFx();
    void findsTargets_data();
    void findsTargets();
    void keepsTheOrderOfOverloads();
    void readsTags();
    void outVariants_data();
    void outVariants();
    void viewsOfScatters_data();
    void viewsOfScatters();
    void asksTheDispatcherForOtherNames();
    void threadsShareOneOperator();
};

/// view_and_inplace.txt has a line for every overload that is a view or has an in-place form; it was written by torch's
/// own functions (make_view_and_inplace.py).
void TestOperatorTable::everyOverloadDecidesAsTorchFx() {
    QFile file(TEST_DATA "/operators/view_and_inplace.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QHash<QString, QStringList> expected;
    while (!file.atEnd()) {
        const QStringList row = QString::fromUtf8(file.readLine()).trimmed().split('\t');
        expected.insert(row.at(0), row.mid(1));
    }
    QVERIFY(expected.size() > 400);

    const auto operators = table().all();
    QCOMPARE(operators.size(), 4373U);
    for (const Operator* op : operators) {
        const QString name = QString::fromStdString(op->qualified_name());
        const QStringList found{view_name(op->view), inplace_name(table().find_inplace(*op))};
        const QStringList wanted = expected.contains(name) ? expected.take(name) : QStringList{"none", "-"};
        QVERIFY2(found == wanted, qPrintable(name + ": " + found.join(' ') + ", torch says " + wanted.join(' ')));
    }
    QCOMPARE(expected.keys(), QStringList());
}

void TestOperatorTable::findsTargets_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("found");
    QTest::newRow("printed form") << "torch.ops.aten.add.Tensor" << "aten.add.Tensor";
    QTest::newRow("short form") << "aten.clone.default" << "aten.clone.default";
    QTest::newRow("prims") << "torch.ops.prims.convert_element_type.default" << "prims.convert_element_type.default";
    QTest::newRow("getitem") << "operator.getitem" << "";
    QTest::newRow("higher order") << "torch.ops.higher_order.cond" << "";
    QTest::newRow("no such overload") << "aten.add.Nothing" << "";
    QTest::newRow("no such operator") << "aten.no_such_operator.default" << "";
    QTest::newRow("packet alone") << "torch.ops.aten.add" << "";
    QTest::newRow("empty") << "" << "";
    QTest::newRow("dots") << "..." << "";
}

void TestOperatorTable::findsTargets() {
    QFETCH(QString, target);
    QTEST(target_of(table().find(target.toStdString())), "found");
}

void TestOperatorTable::keepsTheOrderOfOverloads() {
    QStringList names;
    for (const Operator* op : table().overloads("aten::add_")) names << QString::fromStdString(op->overload);
    QCOMPARE(names, (QStringList{"Tensor", "Scalar", "t"}));
    QVERIFY(table().overloads("aten::no_such_operator").empty());
}

void TestOperatorTable::readsTags() {
    const Operator* add = table().find("aten.add.Tensor");
    QVERIFY(add && add->has_tag("core") && add->has_tag("pointwise") && !add->has_tag("inplace_view"));
    const Operator* squeeze = table().find("aten.squeeze_.default");
    QVERIFY(squeeze && squeeze->has_tag("inplace_view"));
    QCOMPARE(add->schema_text, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
}

void TestOperatorTable::outVariants_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("variant");
    QTest::newRow("add") << "aten.add.Tensor" << "aten.add.out";
    QTest::newRow("max") << "aten.max.dim" << "aten.max.dim_max";
    QTest::newRow("view") << "aten.view.default" << "";
}

void TestOperatorTable::outVariants() {
    QFETCH(QString, target);
    const Operator* op = table().find(target.toStdString());
    QVERIFY(op);
    QTEST(target_of(table().out_variant(*op)), "variant");
}

void TestOperatorTable::viewsOfScatters_data() {
    QTest::addColumn<QString>("scatter");
    QTest::addColumn<QString>("view");
    QTest::newRow("diagonal") << "aten.diagonal_scatter.default" << "aten.diagonal.default";
    QTest::newRow("select") << "aten.select_scatter.default" << "aten.select.int";
    QTest::newRow("slice") << "aten.slice_scatter.default" << "aten.slice.Tensor";
    QTest::newRow("as_strided") << "aten.as_strided_scatter.default" << "aten.as_strided.default";
    QTest::newRow("out form") << "aten.slice_scatter.out" << "";
    QTest::newRow("no scatter of a view") << "aten.scatter.src" << "";
}

void TestOperatorTable::viewsOfScatters() {
    QFETCH(QString, scatter);
    const Operator* op = table().find(scatter.toStdString());
    QVERIFY(op);
    QTEST(target_of(table().view_of_scatter(*op)), "view");
}

void TestOperatorTable::asksTheDispatcherForOtherNames() {
    const Operator* scale = table().find("torch.ops.inspector_test.scale.default");
    QVERIFY(scale && scale->registered_here && !scale->is_mutable);
    QVERIFY(scale->has_tag("pointwise"));
    QCOMPARE(target_of(table().inplace_variant(*scale)), "inspector_test.scale_.default");
    QVERIFY(!table().find("aten.relu.default")->registered_here);
    QVERIFY(table().overloads("no_such_library::operator").empty());
}

void TestOperatorTable::threadsShareOneOperator() {
    std::vector<const Operator*> found(8);
    std::vector<std::thread> threads;
    for (auto& slot : found) threads.emplace_back([&slot] { slot = table().find("aten.baddbmm.default"); });
    for (std::thread& thread : threads) thread.join();
    QVERIFY(found[0]);
    for (const Operator* op : found) QCOMPARE(op, found[0]);
}

QTEST_APPLESS_MAIN(TestOperatorTable)
#include "test_operator_table.moc"
