// Symbolic sizes as a person asks for them, and decisions that depend on them.
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/golden.h"
#include "tests/app/command_line.h"

using namespace inspector;

class TestSymbolsCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void goldens();
    void relationsAndDivisors();
    void rangesAskAndIf();
    void badRangesAreUsage();
    void sizesThatVary();
    void refusalsSayTheirCondition();
    void sentencesSayExpressions();
    void verifyRunsBothSides();
    void madeUpSizesFit_data();
    void madeUpSizesFit();
    void saysWhySizesDoNotFit();
};

namespace {

QJsonObject named(const QJsonArray& list, const QString& key, const QString& name) {
    for (const QJsonValue& item : list)
        if (item[key].toString() == name) return item.toObject();
    return {};
}

/// The row disappears in the matrix where that has one row too.
const QByteArray broadcast = "def forward(self, x: \"f32[s0, 4][4, 1]cpu\", r: \"f32[1, 4][4, 1]cpu\"):\n"
                             "    c: \"f32[1, 4][4, 1]cpu\" = torch.ops.aten.clone.default(r)\n"
                             "    add: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(c, x)\n"
                             "    return (add,)\n";

} // namespace

void TestSymbolsCommand::goldens() {
    const QByteArray file = contents(data("pt2/dynamic.pt2"));
    COMPARE_GOLDEN("symbols/dynamic.txt", reinplace({"symbols", "-"}, file).out.toStdString());
    COMPARE_GOLDEN("symbols/dynamic.json", reinplace({"symbols", "--json", "-"}, file).out.toStdString());
}

void TestSymbolsCommand::relationsAndDivisors() {
    const QByteArray text = "def forward(self, x: \"f32[s0, 3]\", y: \"f32[s1, 3]\", z: \"f32[2*s0]\"):\n"
                            "    add: \"f32[s0, 3]\" = torch.ops.aten.add.Tensor(x, y)\n"
                            "    view: \"f32[(s0//8), 8, 3]\" = torch.ops.aten.view.default(add, [-1, 8, 3])\n"
                            "    nonzero: \"i64[u0, 1]\" = torch.ops.aten.nonzero.default(z)\n"
                            "    return (view, nonzero)\n";
    const QJsonArray symbols = reinplace({"symbols", "--json", "-"}, text).objects().value(0)["symbols"].toArray();
    const QJsonObject s0 = named(symbols, "name", "s0"), s1 = named(symbols, "name", "s1"),
                      u0 = named(symbols, "name", "u0");
    QCOMPARE(s0["divisible_by"].toInt(), 8);
    QCOMPARE(s0["origin"]["kind"].toString(), QString("input_dimension"));
    QCOMPARE(s0["relations"][0]["text"].toString(), QString("%z.size(0) = 2*s0"));
    QCOMPARE(s1["relations"][0]["text"].toString(), QString("s1 = s0"));
    QCOMPARE(s1["relations"][0]["node"].toString(), QString("add"));
    QCOMPARE(u0["origin"]["kind"].toString(), QString("data_dependent"));
    QCOMPARE(u0["origin"]["node"].toString(), QString("nonzero"));
    QCOMPARE(u0["minimum"].toInt(-1), 0);
    QVERIFY(u0["maximum"].isNull());
}

void TestSymbolsCommand::rangesAskAndIf() {
    const QJsonObject asked = reinplace({"symbols", "--json", "-", "--range", "s0=1"}, broadcast).objects().value(0);
    QCOMPARE(asked["changes"].toArray().size(), 1);
    QCOMPARE(asked["changes"][0]["node"].toString(), QString("add"));
    QCOMPARE(asked["changes"][0]["after"].toString(), QString("in place"));
    QVERIFY(asked["conditions"].toArray().isEmpty());
    const QJsonObject more = reinplace({"symbols", "--json", "-", "--range", "s0=2..64"}, broadcast).objects().value(0);
    QVERIFY(more["changes"].toArray().isEmpty());
    QVERIFY(more["conditions"].toArray().isEmpty()); // it never fits
    QCOMPARE(more["symbols"][0]["maximum"].toInt(), 64);
    QVERIFY(reinplace({"symbols", "-", "--range", "s0=1"}, broadcast).out.contains("%add  kept → in place  (s0 = 1)"));
}

void TestSymbolsCommand::badRangesAreUsage() {
    for (const char* range : {"s0", "s0=", "=1..2", "s0=a..2", "s0=4..2", "s0=1..2..3", "s7=2..4"}) {
        const CommandResult result = reinplace({"symbols", "-", "--range", range}, broadcast);
        QCOMPARE(result.status, 2);
        QVERIFY(!result.err.isEmpty());
    }
    for (const char* range : {"s0=-4..-1", "s0=-3", "s0=-2..8", "s0=..-1"}) {
        const CommandResult result = reinplace({"symbols", "-", "--range", range}, broadcast);
        QCOMPARE(result.status, 2);
        QCOMPARE(result.out, QByteArray());
        QVERIFY2(result.err.contains("a size is not negative"), result.err);
    }
    const CommandResult twice = reinplace({"symbols", "-", "--range", "s0=2..4", "--range", "s0=8"}, broadcast);
    QCOMPARE(twice.status, 2);
    QCOMPARE(twice.out, QByteArray());
    QVERIFY2(twice.err.contains("--range gives s0 twice"), twice.err);
}

void TestSymbolsCommand::sizesThatVary() {
    QTemporaryDir folder;
    QStringList files;
    for (const auto& [rows, columns] : {std::pair(2, 8), {3, 8}, {7, 20}}) {
        QFile file(folder.filePath(QString::number(rows) + ".txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString twice = QString::number(2 * rows), all = QString::number(rows * columns),
                      r = QString::number(rows), c = QString::number(columns);
        file.write(("def forward(self, x: \"f32[" + r + ", " + c + "]\", y: \"f32[" + twice +
                    "]\"):\n"
                    "    view: \"f32[" +
                    all + "]\" = torch.ops.aten.view.default(x, [" + all +
                    "])\n"
                    "    half: \"f32[" +
                    r + ", " + QString::number(columns / 4) +
                    "]\" = torch.ops.aten.slice.Tensor(x, 1, 0, 2)\n"
                    "    return (view, half, y)\n")
                       .toUtf8());
        files << file.fileName();
    }
    const QJsonObject found = reinplace(QStringList{"symbols", "--json"} + files).objects().value(0);
    const QJsonArray inputs = found["inputs"].toArray(), values = found["values"].toArray();
    QCOMPARE(inputs.size(), 3);
    QCOMPARE(inputs[0]["expression"].toString(), QString("d0"));
    QCOMPARE(inputs[0]["free"].toBool(), true);
    QCOMPARE(inputs[1]["expression"].toString(), QString("d1"));
    QCOMPARE(inputs[2]["expression"].toString(), QString("2*d0"));
    QCOMPARE(values[0]["expression"].toString(), QString("d0*d1"));
    QCOMPARE(values[2]["expression"].toString(), QString("d1//4"));
}

void TestSymbolsCommand::refusalsSayTheirCondition() {
    const QJsonObject add = named(
        reinplace({"explain", "--json", "-"}, broadcast).objects().value(0)["decisions"].toArray(), "node", "add");
    QCOMPARE(add["verdict"].toString(), QString("kept"));
    QCOMPARE(add["condition"]["in_place_if"].toString(), QString("s0 = 1"));
    QCOMPARE(add["condition"]["only_if"].toBool(), true);
    QVERIFY(reinplace({"explain", "-"}, broadcast)
                .out.contains("in place only if s0 = 1, elsewhere the sizes of the result and of self differ"));
}

/// What holds for all sizes is not said of a sample; torch-fx does decide on the sample.
void TestSymbolsCommand::sentencesSayExpressions() {
    const QByteArray text = "def forward(self, x: \"f32[s0, 4][4, 1]cpu\", w: \"f32[4][1]cpu\"):\n"
                            "    c: \"f32[4][1]cpu\" = torch.ops.aten.clone.default(w)\n"
                            "    mul: \"f32[s0, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(c, x)\n"
                            "    sum_1: \"f32[1][1]cpu\" = torch.ops.aten.sum.dim_IntList(mul, [0, 1], True)\n"
                            "    return (sum_1,)\n";
    const QByteArray all = reinplace({"explain", "-"}, text).out;
    QVERIFY2(all.contains("the result has 4*s0 elements, but %c has 4"), all);
    QVERIFY2(all.contains("the result has 1 element, but %mul has 4*s0"), all);
    const QByteArray node = reinplace({"explain", "-", "--node", "mul"}, text).out;
    QVERIFY2(node.contains("result %mul: f32[s0, 4], strides [4, 1], offset 0"), node);
    QVERIFY2(node.contains("elements: 4 and 4*s0"), node);
    const QByteArray sampled = reinplace({"explain", "-", "--policy", "torch-fx"}, text).out;
    QVERIFY2(!sampled.contains("4*s0") && sampled.contains(" elements, but %c has 4"), sampled);
}

void TestSymbolsCommand::verifyRunsBothSides() {
    const CommandResult policy = reinplace({"verify", "--json", "-"}, broadcast);
    QCOMPARE(policy.status, 0);
    const QByteArray notes = policy.out;
    QVERIFY2(notes.contains("tried with s0=1") && notes.contains("tried with s0=0"), notes.constData());
    // Forced, it is right at 1 alone.
    QCOMPARE(reinplace({"verify", "-", "--force", "1"}, broadcast).status, 1);
}

void TestSymbolsCommand::madeUpSizesFit_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
    row("twice", "def forward(self, x: \"f32[s0]\", y: \"f32[s1]\"):\n"
                 "    cat: \"f32[2*s0]\" = torch.ops.aten.cat.default([x, x])\n"
                 "    add: \"f32[2*s0]\" = torch.ops.aten.add.Tensor(cat, y)\n"
                 "    return (add,)\n");
    row("sum", "def forward(self, x: \"f32[s0]\", y: \"f32[s1]\", z: \"f32[s2]\"):\n"
               "    cat: \"f32[s0 + s1]\" = torch.ops.aten.cat.default([x, y])\n"
               "    add: \"f32[s0 + s1]\" = torch.ops.aten.add.Tensor(cat, z)\n"
               "    return (add,)\n");
    row("matrix product", "def forward(self, a: \"f32[s0, s1]\", b: \"f32[s2, s3]\", c: \"f32[s4, s5]\"):\n"
                          "    mm: \"f32[s0, s3]\" = torch.ops.aten.mm.default(a, b)\n"
                          "    mm_1: \"f32[s0, s5]\" = torch.ops.aten.mm.default(mm, c)\n"
                          "    return (mm_1,)\n");
    row("broadcast", "def forward(self, x: \"f32[s0, 1]\", y: \"f32[s1]\", z: \"f32[s2, s3]\"):\n"
                     "    add: \"f32[s0, s1]\" = torch.ops.aten.add.Tensor(x, y)\n"
                     "    mul: \"f32[s0, s1]\" = torch.ops.aten.mul.Tensor(add, z)\n"
                     "    return (mul,)\n");
    row("divisible", "def forward(self, x: \"f32[s0, 3]\"):\n"
                     "    view: \"f32[(s0//8), 8, 3]\" = torch.ops.aten.view.default(x, [-1, 8, 3])\n"
                     "    return (view,)\n");
    row("view of a product", "def forward(self, x: \"f32[s0]\", y: \"f32[s1, s2]\"):\n"
                             "    view: \"f32[s1*s2]\" = torch.ops.aten.view.default(y, [-1])\n"
                             "    add: \"f32[s0]\" = torch.ops.aten.add.Tensor(x, view)\n"
                             "    return (add,)\n");
}

void TestSymbolsCommand::madeUpSizesFit() {
    QFETCH(QByteArray, text);
    const CommandResult result = reinplace({"verify", "--json", "-"}, text);
    QVERIFY2(result.objects().value(0)["result"].toString() == "equal", result.out.constData());
    QCOMPARE(result.status, 0);
}

void TestSymbolsCommand::saysWhySizesDoNotFit() {
    const QByteArray text = "def forward(self, x: \"f32[2*s0]\", y: \"f32[2*s1 + 1]\"):\n"
                            "    add: \"f32[2*s0]\" = torch.ops.aten.add.Tensor(x, y)\n"
                            "    return (add,)\n";
    const CommandResult result = reinplace({"verify", "--json", "-"}, text);
    QCOMPARE(result.objects().value(0)["result"].toString(), QString("error"));
    const QString detail = result.objects().value(0)["detail"].toString();
    QVERIFY2(detail.contains("no sizes were found that fit 2*s1 + 1 = 2*s0 (%add)"), qPrintable(detail));
}

QTEST_GUILESS_MAIN(TestSymbolsCommand)
#include "test_symbols_command.moc"
