// verify and compare, as a person calls them.
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/app/command_line.h"

using namespace inspector;

class TestVerify : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void modelsStayEqual();
    void aWrongRewriteIsShownWithItsDecision();
    void aDonatedInputMayBeOverwritten();
    void whatCannotRunIsAnError();
    void whatNoLongerRunsHasNoPeak();
    void madeUpInputsAreNamed();
    void typesThatLackAreAskedFor();
    void operatorsOfPrimsRun();
    void namesOfFilesStayOnTheirLine();
    void policiesAreCompared();
    void policiesOfOtherOrderAreCompared();
    void aVersionThatReinplacesLessIsRefused();
};

void TestVerify::modelsStayEqual() {
    const QStringList files{data("reference/model-mamba-core/before.pt2"), data("reference/model-llama-core/before.pt2"),
                            data("reference/buffer-cache-index/before.pt2"), data("reference/kv-cache-write/before.py.txt")};
    const CommandResult result = reinplace(QStringList{"verify", "--json"} + files);
    QCOMPARE(result.status, 0);
    QCOMPARE(result.objects().size(), files.size());
    for (const QJsonObject& object : result.objects()) {
        QCOMPARE(object["policy"].toString(), QStringLiteral("sound"));
        QVERIFY2(object["result"] == "equal", qPrintable(object["detail"].toString()));
    }
}

void TestVerify::aWrongRewriteIsShownWithItsDecision() {
    const QString file = data("reference/unsound-scatter-smaller-region/before.py.txt");
    const CommandResult result = reinplace({"verify", "--json", "--policy", "torch-fx", file});
    QCOMPARE(result.status, 1);
    const QJsonObject object = result.objects().value(0);
    QCOMPARE(object["result"].toString(), QStringLiteral("different"));
    QCOMPARE(object["difference"].toString(), QStringLiteral("output_value"));
    QCOMPARE(object["node"].toString(), QStringLiteral("add"));
    QVERIFY(object["detail"].toString().contains(QStringLiteral("element [0, 1]")));
    QCOMPARE(reinplace({"verify", file}).status, 0);
}

void TestVerify::aDonatedInputMayBeOverwritten() {
    const QString file = data("reference/input-is-kept/before.py.txt");
    const CommandResult kept = reinplace({"explain", "--json", file});
    const CommandResult donated = reinplace({"explain", "--json", "--donate", "x_1", file});
    const auto reinplaced = [](const CommandResult& result) { return result.objects().value(0)["summary"].toObject()["reinplaced"].toInt(); };
    QVERIFY2(reinplaced(donated) > reinplaced(kept), donated.out.constData());
    QCOMPARE(reinplace({"verify", "--donate", "x_1", file}).status, 0);
}

void TestVerify::whatCannotRunIsAnError() {
    const CommandResult result = reinplace({"verify", "--json", "-"}, "def forward(self, x: \"f32[4][1]cpu\"):\n"
                                                                      "    a = torch.ops.nowhere.nothing.default(x)\n    return (a,)\n");
    QCOMPARE(result.status, 1);
    QCOMPARE(result.objects().value(0)["result"].toString(), QStringLiteral("error"));
    QVERIFY(result.objects().value(0)["detail"].toString().contains(QStringLiteral("%a")));
    const CommandResult text = reinplace({"verify", "-"}, "def forward(self, x: \"f32[4][1]cpu\"):\n"
                                                          "    a = torch.ops.nowhere.nothing.default(x)\n    return (a,)\n");
    QCOMPARE(text.status, 1);
    QVERIFY2(text.out.startsWith("-: root: cannot run: "), text.out.constData());
    QVERIFY(!text.out.contains("different"));
}

/// All inputs without a type at once, and what helps.
void TestVerify::typesThatLackAreAskedFor() {
    QByteArray graph = "graph():\n", sum = "x0";
    for (int i = 0; i < 12; ++i) {
        const QByteArray name = "x" + QByteArray::number(i);
        graph += "    %" + name + " : [num_users=1] = placeholder[target=" + name + "]\n";
    }
    for (int i = 1; i < 12; ++i) {
        const QByteArray name = "a" + QByteArray::number(i);
        graph += "    %" + name + " : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%" + sum + ", %x" +
                 QByteArray::number(i) + "), kwargs = {})\n";
        sum = name;
    }
    graph += "    return (" + sum + ",)\n";
    for (const QStringList& command : {QStringList{"verify", "-"}, {"verify", "--json", "-"}}) {
        const CommandResult result = reinplace(command, graph);
        QCOMPARE(result.status, 1);
        QCOMPARE(result.err, QByteArray("reinplace: -: no shape is known of x0, x1, x2, x3, x4, x5, x6, x7 and 4 more; --input "
                                        "NAME=TYPE gives one, as in --input \"x=f32[2, 16]\"\n"));
    }
    QStringList typed{"verify", "-"};
    for (int i = 0; i < 12; ++i) typed << "--input" << QStringLiteral("x%1=f32[3]").arg(i);
    const CommandResult result = reinplace(typed, graph);
    QVERIFY2(result.status == 0, result.out.constData());
}

void TestVerify::whatNoLongerRunsHasNoPeak() {
    const CommandResult result = reinplace({"verify", "--json", "--force", "0", "-"},
                                           "def forward(self, x: \"f32[4][1]cpu\", y: \"f32[4, 4][4, 1]cpu\"):\n"
                                           "    a: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, y)\n    return (a,)\n");
    QCOMPARE(result.status, 1);
    const QJsonObject object = result.objects().value(0);
    QCOMPARE(object["difference"], QJsonValue("fails_to_run"));
    QCOMPARE(object["measured_peak_before"], QJsonValue(64));
    QVERIFY(object.contains("measured_peak_after") && object["measured_peak_after"].isNull());
}

void TestVerify::madeUpInputsAreNamed() {
    const auto verified = [](const QByteArray& body, const QStringList& options = {}) {
        return reinplace(QStringList{"verify", "-"} + options, "def forward(self, x: \"i64[4][1]cpu\", y: \"i64[4][1]cpu\"):\n" + body);
    };
    const QByteArray divides = "    a = torch.ops.aten.add.Tensor(x, 1)\n"
                               "    d = torch.ops.aten.div.Tensor_mode(a, y, rounding_mode = 'floor')\n    return (d,)\n";
    // Some seeds make up a zero: others are tried.
    for (const char* seed : {"0", "1", "2", "3", "4", "5"}) {
        const CommandResult result = verified(divides, {"--seed", seed});
        QVERIFY2(result.status == 0 && result.out.contains("equal: ") && result.out.contains(", on inputs that are made up"), result.out);
    }
    const CommandResult never = verified("    z = torch.ops.aten.sub.Tensor(y, y)\n"
                                         "    d = torch.ops.aten.div.Tensor_mode(x, z, rounding_mode = 'floor')\n    return (d,)\n");
    QCOMPARE(never.status, 1);
    QVERIFY2(never.out.contains("the graph does not run as it is, on inputs that are made up: "), never.out);
    const CommandResult nan = verified("    f = torch.ops.aten.full.default([4], -1.0)\n    l = torch.ops.aten.log.default(f)\n"
                                       "    a = torch.ops.aten.add.Tensor(l, x)\n    return (a,)\n");
    QVERIFY2(nan.out.contains("; output 0 is nothing but NaN, which proves little"), nan.out);
}

void TestVerify::operatorsOfPrimsRun() {
    const QByteArray text = "def forward(self, x: \"f32[4][1]cpu\"):\n"
                            "    i: \"i64[4][1]cpu\" = torch.ops.prims.iota.default(4, start = 1, step = 2, dtype = torch.int64, "
                            "device = device(type='cpu'), requires_grad = False)\n"
                            "    c: \"f32[4][1]cpu\" = torch.ops.prims.convert_element_type.default(i, torch.float32)\n"
                            "    a: \"f32[4][1]cpu\" = torch.ops.aten.add.Tensor(c, x)\n    return (a,)\n";
    const CommandResult result = reinplace({"verify", "--json", "-"}, text);
    QVERIFY2(result.status == 0, result.out.constData());
    const CommandResult lacking = reinplace({"verify", "-"}, QByteArray(text).replace("cpu\"):", "cpu\"):\n    q: \"f32[4][1]cpu\" = torch.ops.prims.nothing.default(x)"));
    QCOMPARE(lacking.status, 1);
    QVERIFY2(lacking.out.contains("this LibTorch has no operator prims.nothing.default"), lacking.out.constData());
}

void TestVerify::namesOfFilesStayOnTheirLine() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("a\x1b[31m\nb.txt"));
    QVERIFY(QFile::copy(data("reference/basic-chain/before.py.txt"), file));
    for (const QStringList& command : {QStringList{"verify"}, {"compare"}, {"explain"}, {"list"}, {"level"}, {"symbols"}}) {
        const CommandResult result = reinplace(command + QStringList{file});
        QCOMPARE(result.status, 0);
        QVERIFY2(!result.out.contains('\x1b') && !result.out.contains("\nb.txt"), result.out.constData());
    }
}

void TestVerify::policiesAreCompared() {
    const QString file = data("reference/unsound-operand-transposed-self/before.py.txt");
    const CommandResult result = reinplace({"compare", "--json", "--policies", "torch-fx,sound", file});
    QCOMPARE(result.status, 0);
    const QJsonArray differences = result.objects().value(0)["differences"].toArray();
    QVERIFY(!differences.isEmpty());
    const QJsonObject policies = differences.at(0)["policies"].toObject();
    QCOMPARE(policies["torch-fx"].toObject()["verdict"].toString(), QStringLiteral("reinplaced"));
    QCOMPARE(policies["sound"].toObject()["check"].toString(), QStringLiteral("argument_alias"));
    QCOMPARE(policies["torch-fx"].toObject()["judgement"].toString(), QStringLiteral("unsound"));
    QVERIFY(policies["torch-fx"].toObject()["why"].toString().endsWith(QStringLiteral("wrong values")));
    QVERIFY(!policies["sound"].toObject().contains(QStringLiteral("judgement")));
    QVERIFY(reinplace({"compare", file}).out.contains("torch-fx writes into %clone, although it still reads %t"));
    QCOMPARE(reinplace({"compare", "--policies", "torch-fx,hopeful", file}).status, 2);
}

/// inductor decides in an order of its own: decisions are compared by node.
void TestVerify::policiesOfOtherOrderAreCompared() {
    const QString file = data("inductor/logs/c5_read_old_after.py.txt");
    const CommandResult result = reinplace({"compare", "--json", "--policies", "torch-fx,sound,inductor", file});
    QCOMPARE(result.status, 0);
    const QJsonArray differences = result.objects().value(0)["differences"].toArray();
    QStringList nodes;
    for (const QJsonValue& difference : differences) nodes << difference["node"].toString();
    QCOMPARE(nodes.join(' '), QStringLiteral("index_put add copy_"));
    const QJsonObject put = differences.at(0)["policies"].toObject();
    QCOMPARE(put["sound"].toObject()["verdict"].toString(), QStringLiteral("reinplaced"));
    QCOMPARE(put["torch-fx"].toObject()["check"].toString(), QStringLiteral("input_alias"));
    QCOMPARE(put["inductor"].toObject()["sentence"].toString(),
             QStringLiteral("kept: %mean reads %arg0_1 after this node, behind which Inductor moves it (reorder_for_locality)"));
}

void TestVerify::aVersionThatReinplacesLessIsRefused() {
    QTemporaryDir folder;
    const auto write = [&](const char* name, const QByteArray& body) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write a test file");
        file.write("def forward(self, x: \"f32[4][1]cpu\"):\n    c: \"f32[4][1]cpu\" = torch.ops.aten.clone.default(x)\n" + body);
        return file.fileName();
    };
    const QString old_file = write("old.txt", "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(c)\n    return (n,)\n");
    const QString new_file = write("new.txt", "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(c)\n"
                                              "    s: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(c)\n    return (n, s)\n");
    const CommandResult worse = reinplace({"compare", old_file, new_file, "--fail-on-missed", "--json"});
    QCOMPARE(worse.status, 0); // sin takes the place that neg had
    QCOMPARE(worse.objects().value(0)["missed"].toArray().at(0)["node"].toString(), QStringLiteral("n"));
    QCOMPARE(worse.objects().value(0)["missed"].toArray().at(0)["sentence"].toString(), QStringLiteral("kept: %s reads %c after this node"));
    QCOMPARE(worse.objects().value(0)["gained"].toArray().at(0)["node"].toString(), QStringLiteral("s"));

    const QString lost = write("lost.txt", "    n: \"f32[4][1]cpu\" = torch.ops.aten.neg.default(c)\n    return (n, c)\n");
    const CommandResult failed = reinplace({"compare", old_file, lost, "--fail-on-missed"});
    QCOMPARE(failed.status, 1);
    QVERIFY(failed.out.contains("no longer: %n kept: "));
    QVERIFY(failed.out.contains("reinplaced: 1 before, 0 after; saved: 16 B before, 0 B after"));
    QCOMPARE(reinplace({"compare", lost, old_file, "--fail-on-missed"}).status, 0);
    QCOMPARE(reinplace({"compare", old_file, "--fail-on-missed"}).status, 2);
    QCOMPARE(reinplace({"compare", old_file, lost, "--fail-on-missed", "--policies", "sound,torch-fx"}).status, 2);
    QCOMPARE(reinplace({"compare", old_file, folder.filePath("none.txt"), "--fail-on-missed"}).status, 3);
}

QTEST_APPLESS_MAIN(TestVerify)
#include "test_verify.moc"
