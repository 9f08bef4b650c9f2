// What a graph is, and what its operators are, as a person asks for it.
#include <QJsonArray>
#include <QSet>

#include "tests/app/command_line.h"
#include "tests/golden.h"

using namespace inspector;

class TestLevelCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void text();
    void json();
    void everyModelAsTorchSays();
    void nestedGraphsCount();
    void saysWhatAMissingMetaKernelTakes();
    void formsOfOneFamily();
};

namespace {

QByteArray level(const QString& file, const QStringList& more = {}) {
    const CommandResult result = reinplace(QStringList{"level", "-"} + more, contents(data(file)));
    return result.status == 0 ? result.out : result.err;
}

QList<QJsonObject> objects(const QString& file) { return reinplace({"level", "--json", data(file)}).objects(); }

QJsonObject named(const QJsonArray& list, const QString& target) {
    for (const QJsonValue& item : list)
        if (item["target"].toString() == target) return item.toObject();
    return {};
}

} // namespace

void TestLevelCommand::text() {
    COMPARE_GOLDEN("level/cnn-train.txt", level("pairs/cnn-train/training.pt2").toStdString());
    COMPARE_GOLDEN("level/nested-cond.txt", level("pairs/nested-cond/training.pt2").toStdString());
}

void TestLevelCommand::json() {
    COMPARE_GOLDEN("level/nested-cond.json", level("pairs/nested-cond/training.pt2", {"--json"}).toStdString());
}

/// levels.json is what torch itself says of the operators of every program (make_levels.py).
void TestLevelCommand::everyModelAsTorchSays() {
    const QJsonObject expected = QJsonDocument::fromJson(contents(data("level/levels.json"))).object();
    QVERIFY(expected.size() > 100);
    for (const QString& file : expected.keys()) {
        const QJsonObject operators = expected[file].toObject();
        const QList<QJsonObject> graphs = objects(file);
        QVERIFY2(!graphs.isEmpty(), qPrintable(file));
        QSet<QString> seen;
        for (const QJsonValue& use : graphs.front()["operators"].toArray()) { // the root, with what is nested in it
            const QString target = use["target"].toString();
            if (use["schema"].isNull()) continue;
            seen << target;
            const QJsonArray wanted = operators[target].toArray();
            QVERIFY2(wanted.size() == 2, qPrintable(file + ": " + target + " is not in torch's record"));
            QVERIFY2(use["obstacle"] == wanted[0] && use["core"] == wanted[1], qPrintable(file + ": " + target));
        }
        QCOMPARE(seen.size(), operators.size());
    }
}

void TestLevelCommand::nestedGraphsCount() {
    const QByteArray source = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, p: \"b8[]\", x: \"f32[4]\"):\n"
                              "        true_graph_0 = self.true_graph_0\n"
                              "        false_graph_0 = self.false_graph_0\n"
                              "        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,))\n"
                              "        getitem: \"f32[4]\" = cond[0]\n"
                              "        return (getitem,)\n"
                              "    class true_graph_0(torch.nn.Module):\n"
                              "        def forward(self, x: \"f32[4]\"):\n"
                              "            clone: \"f32[4]\" = torch.ops.aten.clone.default(x)\n"
                              "            relu_: \"f32[4]\" = torch.ops.aten.relu_.default(clone)\n"
                              "            return (relu_,)\n"
                              "    class false_graph_0(torch.nn.Module):\n"
                              "        def forward(self, x: \"f32[4]\"):\n"
                              "            silu: \"f32[4]\" = torch.ops.aten.silu.default(x)\n"
                              "            return (silu,)\n";
    const auto graphs = reinplace({"level", "-", "--json"}, source).objects();
    QCOMPARE(graphs.size(), 3);
    QCOMPARE(graphs[0]["level"].toString(), QString("training"));
    QCOMPARE(graphs[0]["own_level"].toString(), QString("Core ATen"));
    QCOMPARE(graphs[1]["level"].toString(), QString("training"));
    QCOMPARE(graphs[2]["level"].toString(), QString("functional ATen"));
    const QJsonObject node = graphs[0]["against"][0]["operators"][0]["nodes"][0].toObject();
    QCOMPARE(node["graph"].toString(), QString("true_graph_0"));
    QCOMPARE(node["node"].toString(), QString("relu_"));
    // list says the same of the root.
    QCOMPARE(reinplace({"list", "-", "--json"}, source).objects()[0]["level"].toString(), QString("training"));
}

void TestLevelCommand::saysWhatAMissingMetaKernelTakes() {
    const QByteArray source = "class GraphModule(torch.nn.Module):\n"
                              "    def forward(self, x: \"f32[4]\"):\n"
                              "        a = torch.ops.mylib.scale.default(x)\n"
                              "        b = torch.ops.aten.fake_quantize_per_tensor_affine.default(x, 1.0, 0, 0, 255)\n"
                              "        c: \"f32[4]\" = torch.ops.aten.relu.default(x)\n"
                              "        return (a, b, c)\n";
    const QJsonArray missing = reinplace({"level", "-", "--json"}, source).objects().value(0)["missing_meta"].toArray();
    const QJsonObject unknown = named(missing, "mylib.scale.default");
    QCOMPARE(unknown["needed"].toString(),
             QString("the schema of mylib::scale is not known; load the library that defines it"));
    QCOMPARE(unknown["unknown"][0]["node"].toString(), QString("a"));
    QVERIFY(named(missing, "aten.relu.default").isEmpty()); // computed here
}

void TestLevelCommand::formsOfOneFamily() {
    const QByteArray source = "def forward(self, x, y):\n"
                              "    add_ = torch.ops.aten.add_.Tensor(x, y)\n"
                              "    linear = torch.ops.aten.linear.default(x, y)\n"
                              "    unsqueeze = torch.ops.aten.unsqueeze.default(linear, 0)\n"
                              "    squeeze_ = torch.ops.aten.squeeze_.dim(unsqueeze, 0)\n"
                              "    transpose = torch.ops.aten.transpose.int(squeeze_, 0, 1)\n"
                              "    slice_1 = torch.ops.aten.slice.Tensor(transpose, 0, 0, 1)\n"
                              "    return (add_, slice_1)\n";
    const QJsonArray operators = reinplace({"level", "-", "--json"}, source).objects().value(0)["operators"].toArray();
    const QJsonObject add = named(operators, "aten.add_.Tensor"), linear = named(operators, "aten.linear.default");
    QCOMPARE(add["functional"].toString(), QString("aten.add.Tensor"));
    QCOMPARE(add["in_place"].toString(), QString("aten.add_.Tensor"));
    QCOMPARE(add["out"].toString(), QString("aten.add.out"));
    QCOMPARE(add["obstacle"].toString(), QString("mutating"));
    QCOMPARE(linear["obstacle"].toString(), QString("composite"));
    QCOMPARE(linear["decomposable"].toBool(), true);
    QVERIFY(linear["in_place"].isNull());
    // In-place views have no variant that the pass looks for, but they are there.
    QCOMPARE(named(operators, "aten.unsqueeze.default")["in_place"].toString(), QString("aten.unsqueeze_.default"));
    QCOMPARE(named(operators, "aten.squeeze_.dim")["in_place"].toString(), QString("aten.squeeze_.dim"));
    QCOMPARE(named(operators, "aten.transpose.int")["in_place"].toString(), QString("aten.transpose_.default"));
    QVERIFY(named(operators, "aten.slice.Tensor")["in_place"].isNull());
}

QTEST_GUILESS_MAIN(TestLevelCommand)
#include "test_level_command.moc"
