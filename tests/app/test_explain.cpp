// reinplace explain and list: JSON for scripts, text for people.
#include <QJsonArray>

#include "tests/app/command_line.h"
#include "tests/golden.h"

using namespace inspector;

class TestExplain : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void jsonHasTheWholeSchema();
    void jsonSaysWhatUpstreamDecides_data();
    void jsonSaysWhatUpstreamDecides();
    void textHasOneLinePerOp();
    void aNodeGetsAParagraphWithEvidence();
    void oneNodeAsJson();
    void aRefusalComesWithWhatWouldLiftIt();
    void nestedGraphsFollowTheRoot();
    void timingIsTheOnlyThingThatChanges();
    void choicesByNumber();
    void saysWhatForceCannotDo();
    void decisionsStandInGraphOrder();
    void operandsAreSaidOneByOne();
    void typesOfInputsAreGiven();
    void readsStandardInput();
    void listSaysWhatAFileHolds();
    void listAsText();
};

namespace {

const QString chain = QStringLiteral("reference/basic-chain/before.py.txt");

QJsonObject decision_of(const QJsonObject& explained, const QString& node) {
    const QJsonArray decisions = explained.value("decisions").toArray();
    for (const QJsonValue& decision : decisions)
        if (decision.toObject().value("node") == node) return decision.toObject();
    return {};
}

} // namespace

void TestExplain::jsonHasTheWholeSchema() {
    const CommandResult result = reinplace({"explain", "--json", "--policy", "torch-fx", data(chain)});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(result.out.count('\n'), 1);
    // x_1 is an input of 64 bytes; clone makes a new tensor, whose place add and relu take.
    const QByteArray text = QByteArray(result.out).replace(data(chain).toUtf8(), "before.py.txt");
    COMPARE_GOLDEN("app/basic-chain.json", text.toStdString());
}

void TestExplain::jsonSaysWhatUpstreamDecides_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"input-mutated", "later-use-through-view", "split-then-update-one", "nested-cond", "buffer-counter",
                             "scatter-becomes-copy", "multi-output-op", "same-argument-twice"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

void TestExplain::jsonSaysWhatUpstreamDecides() {
    QFETCH(QString, name);
    const QString folder = data("reference/" + name);
    const QString file = folder + (QFile::exists(folder + "/before.pt2") ? "/before.pt2" : "/before.py.txt");
    const CommandResult result = reinplace({"explain", "--json", "--policy", "torch-fx", file});
    QCOMPARE(result.status, 0);
    const QJsonObject explained = result.objects().first();
    QCOMPARE(explained.value("file").toString(), file);

    const QJsonObject record = QJsonDocument::fromJson(contents(folder + "/decisions.json")).object();
    const QJsonObject expected = record.value("decisions").toObject();
    QVERIFY(!expected.isEmpty());
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        const QJsonObject ours = decision_of(explained, it.key());
        const QJsonObject theirs = it.value().toObject();
        QCOMPARE(ours.value("verdict"), theirs.value("verdict"));
        QCOMPARE(ours.value("check"), theirs.value("check"));
        // The record keeps a new target among the details.
        const QString verdict = theirs.value("verdict").toString();
        const bool is_reinplaced = verdict == "reinplaced";
        const QJsonArray detail = theirs.value("detail").toArray();
        if (is_reinplaced) QCOMPARE(ours.value("new_target"), detail.first());
        if (verdict == "kept") QCOMPARE(ours.value("new_target"), QJsonValue(QJsonValue::Null));
        QCOMPARE(ours.value("detail").toArray(), is_reinplaced ? QJsonArray() : detail);
    }
}

void TestExplain::textHasOneLinePerOp() {
    const CommandResult result = reinplace({"explain", "--policy", "torch-fx", data(chain)});
    QCOMPARE(result.status, 0);
    const QList<QByteArray> lines = result.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[0].startsWith(data(chain).toUtf8() + ", graph root, policy torch-fx"), lines[0]);
    QVERIFY2(lines[1].startsWith("2 of 3 candidates reinplaced, 128 B saved; peak 192 B before, 128 B after"), lines[1]);
    QVERIFY2(lines[2].startsWith("     0  clone  aten.clone.default  "), lines[2]);
    QVERIFY2(lines[3].startsWith("     1  add    aten.add.Tensor     "), lines[3]);
    QVERIFY2(lines[4].startsWith("     2  relu   aten.relu.default   "), lines[4]);
}

void TestExplain::aNodeGetsAParagraphWithEvidence() {
    const CommandResult result = reinplace({"explain", "--policy", "torch-fx", "--node", "relu", data(chain)});
    QCOMPARE(result.status, 0);
    const QString text = QString::fromUtf8(result.out);
    for (const char* part : {"%relu", "Decision 2: ", "passed     metadata", "passed     later_use", "inplace_variant",
                             "torch.ops.aten.relu_.default"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), result.out);
    QCOMPARE(reinplace({"explain", "--policy", "torch-fx", "--node", "%relu", data(chain)}).out, result.out);
    const CommandResult refused = reinplace({"explain", "--policy", "torch-fx", "--node", "clone", data(chain)});
    QVERIFY2(refused.out.contains("failed     input_alias"), refused.out);
    QVERIFY2(refused.out.contains("not asked  later_use"), refused.out);
    const CommandResult input = reinplace({"explain", "--node", "x_1", data(chain)});
    QCOMPARE(input.status, 0);
    QVERIFY2(input.out.contains("No decision: the pass decides on call_function nodes."), input.out);
}

void TestExplain::oneNodeAsJson() {
    const QJsonObject one = reinplace({"explain", "--json", "--node", "relu", data(chain)}).objects().value(0);
    const QJsonObject all = reinplace({"explain", "--json", data(chain)}).objects().value(0);
    QCOMPARE(one.value("decisions").toArray().size(), 1);
    // What costs runs of the pass is there for one node only.
    QJsonObject decision = decision_of(one, "relu");
    QCOMPARE(decision.take("conflict"), QJsonValue(QJsonValue::Null));
    QCOMPARE(decision.take("proposals"), QJsonValue(QJsonArray()));
    QCOMPARE(decision.take("no_proposal"), QJsonValue("nothing was refused"));
    QCOMPARE(decision, decision_of(all, "relu"));
    QCOMPARE(one.value("summary"), all.value("summary"));
}

void TestExplain::aRefusalComesWithWhatWouldLiftIt() {
    const QByteArray text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                            "    add: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.add.Tensor(x, 1)\n"
                            "    view: \"f32[16][1]cpu\" = torch.ops.aten.view.default(x, [16])\n"
                            "    neg: \"f32[16][1]cpu\" = torch.ops.aten.neg.default(view)\n"
                            "    return (add, neg)\n";
    const QJsonObject explained = reinplace({"explain", "--json", "--node", "add", "-"}, text).objects().value(0);
    const QJsonObject decision = decision_of(explained, "add");
    QCOMPARE(decision.value("conflict").toObject(),
             QJsonObject({{"reader", QJsonValue::Null}, {"write", "add"}, {"definition", "x"}}));
    QCOMPARE(decision.value("no_proposal"), QJsonValue(QJsonValue::Null));
    const QJsonArray proposals = decision.value("proposals").toArray();
    QCOMPARE(proposals.at(0).toObject(),
             QJsonObject({{"kind", "donate_input"},
                          {"nodes", QJsonArray{"x", "view", "neg", "add"}},
                          {"sentence", "mark %x as donated, and move %view and %neg before %add"},
                          {"bytes", 64}}));
    QCOMPARE(proposals.last().toObject().value("sentence"), QJsonValue("clone %x before %add (%add writes into the copy)"));
    QCOMPARE(proposals.last().toObject().value("bytes"), QJsonValue(0));

    const QByteArray words = reinplace({"explain", "--node", "add", "-"}, text).out;
    for (const char* part : {"Conflict: the caller may still read %x, but %add would have written there.\n",
                             "  saves 64 B        mark %x as donated, and move %view and %neg before %add (--donate x, and",
                             "  saves nothing     clone %x before %add (%add writes into the copy)\n"})
        QVERIFY2(words.contains(part), words);
    const QByteArray view = reinplace({"explain", "--node", "view", "-"}, text).out;
    QVERIFY2(view.contains("No change would let it be reinplaced: "), view);
}

void TestExplain::nestedGraphsFollowTheRoot() {
    const QString file = data("reference/nested-cond/before.pt2");
    const QList<QJsonObject> objects = reinplace({"explain", "--json", file}).objects();
    QCOMPARE(objects.size(), 3);
    QCOMPARE(objects[0].value("graph").toString(), QStringLiteral("root"));
    QCOMPARE(objects[1].value("graph").toString(), QStringLiteral("true_graph_0"));
    QCOMPARE(objects[2].value("graph").toString(), QStringLiteral("false_graph_0"));
    const QList<QJsonObject> one = reinplace({"explain", "--json", "--graph", "false_graph_0", file}).objects();
    QCOMPARE(one.size(), 1);
    QCOMPARE(one[0], objects[2]);
}

void TestExplain::timingIsTheOnlyThingThatChanges() {
    const QStringList arguments{"explain", "--json", data("reference/input-mutated/before.pt2")};
    const CommandResult first = reinplace(arguments);
    QCOMPARE(first.status, 0);
    QCOMPARE(reinplace(arguments).out, first.out);
    QJsonObject timed = reinplace(arguments + QStringList{"--timing"}).objects().value(0);
    QJsonObject summary = timed.value("summary").toObject();
    const double pass_ms = summary.take("pass_ms").toDouble(-1);
    QVERIFY2(pass_ms >= 0 && pass_ms < 1000, qPrintable(QString::number(pass_ms)));
    timed["summary"] = summary;
    QCOMPARE(timed, first.objects().first());
}

void TestExplain::choicesByNumber() {
    const auto verdicts = [](const QStringList& options) {
        // add(x) of an input, then mul(add).
        const QString file = data("reference/input-is-kept/before.py.txt");
        const QStringList command{"explain", "--json", "--policy", "torch-fx", file};
        const QJsonObject explained = reinplace(command + options).objects().value(0);
        return QStringList{decision_of(explained, "add").value("verdict").toString(),
                           decision_of(explained, "mul").value("verdict").toString()};
    };
    QCOMPARE(verdicts({}), (QStringList{"kept", "reinplaced"}));
    QCOMPARE(verdicts({"--skip", "1"}), (QStringList{"kept", "kept"}));
    QCOMPARE(verdicts({"--first", "1"}), (QStringList{"kept", "kept"}));
    QCOMPARE(verdicts({"--first", "2"}), (QStringList{"kept", "reinplaced"}));
    // Forced, add writes into the input; then mul's operand is the input.
    QCOMPARE(verdicts({"--force", "0"}), (QStringList{"reinplaced", "kept"}));
    QCOMPARE(verdicts({"--force", "0,1"}), (QStringList{"reinplaced", "reinplaced"}));
    QCOMPARE(verdicts({"--force", "0", "--force", "1"}), (QStringList{"reinplaced", "reinplaced"}));
    QCOMPARE(verdicts({"--force", "0", "--skip", "1"}), (QStringList{"reinplaced", "kept"}));
}

void TestExplain::saysWhatForceCannotDo() {
    const QByteArray text = "graph():\n"
                            "    %x : [num_users=1] = placeholder[target=x]\n"
                            "    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %x), kwargs = {})\n"
                            "    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%mm,), kwargs = {})\n"
                            "    return (relu,)\n";
    const QByteArray note = "reinplace: --force 0 does nothing to %mm; kept: there is no operator aten.mm_\n";
    for (const QStringList& command : {QStringList{"explain", "-"}, QStringList{"verify", "-"},
                                       QStringList{"rewrite", "-", "-o", "-", "--format", "fx"}})
        for (const char* forced : {"0", "0,1"}) {
            const CommandResult result = reinplace(command + QStringList{"--input", "x=f32[2, 2]", "--force", forced}, text);
            QCOMPARE(result.status, 0);
            QCOMPARE(result.err, note);
        }
}

/// inductor decides on %index_put before %mean, which it moves; the numbers tell.
void TestExplain::decisionsStandInGraphOrder() {
    const CommandResult result = reinplace({"explain", "--json", "--policy", "inductor", data("inductor/logs/c5_read_old_after.py.txt")});
    QCOMPARE(result.status, 0);
    const QJsonArray decisions = result.objects().value(0)["decisions"].toArray();
    QCOMPARE(decisions.at(0)["node"].toString(), QStringLiteral("mean"));
    QVERIFY(decisions.at(0)["index"].toInt() > decision_of(result.objects().value(0), "index_put")["index"].toInt());
}

void TestExplain::operandsAreSaidOneByOne() {
    const CommandResult result =
        reinplace({"explain", "--json", "--policy", "inductor", data("inductor/logs/d1_view_of_input_v1.py.txt")});
    QCOMPARE(result.status, 0);
    const QJsonObject decision = decision_of(result.objects().value(0), "auto_functionalized");
    QCOMPARE(decision["bytes"].toInt(), 32);
    const QJsonObject operand = decision["operands"].toArray().at(0).toObject();
    QCOMPARE(operand["name"].toString(), QStringLiteral("x"));
    QCOMPARE(operand["nodes"].toArray(), QJsonArray{"select"});
    QCOMPARE(operand["in_place"].toBool(true), false);
    QCOMPARE(operand["reason"].toString(), QStringLiteral("view_not_copied_back"));
}

void TestExplain::typesOfInputsAreGiven() {
    const QByteArray text = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                            "    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n"
                            "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%relu, 1), kwargs = {})\n"
                            "    return (add,)";
    const auto verdict = [](const CommandResult& result) { return decision_of(result.objects().value(0), "add")["verdict"].toString(); };
    QCOMPARE(verdict(reinplace({"explain", "--json", "-"}, text)), QStringLiteral("kept"));
    const CommandResult lacking = reinplace({"explain", "-"}, text);
    QVERIFY2(lacking.err.contains("no shape is known of x; --input NAME=TYPE gives one"), lacking.err.constData());
    const QStringList typed{"--input", "x=f32[2, 16]", "-"};
    const CommandResult given = reinplace(QStringList{"explain", "--json"} + typed, text);
    QCOMPARE(verdict(given), QStringLiteral("reinplaced"));
    QCOMPARE(given.err, QByteArray());
    QCOMPARE(given.objects().value(0)["summary"].toObject()["bytes_saved"].toInt(), 128);
    QCOMPARE(reinplace(QStringList{"verify"} + typed, text).status, 0);
    QVERIFY(reinplace(QStringList{"rewrite", "-o", "-", "--format", "fx"} + typed, text).out.contains("aten.add_.Tensor"));

    const std::pair<const char*, const char*> refused[] = {
        {"x", "\"x\" is not NAME=TYPE, as in x=f32[2, 16]"},
        {"y=f32[2]", "there is no input y"},
        {"relu=f32[2]", "there is no input relu"},
        {"x=f33[2]", "the type of x: "},
        {"x=f32[-2]", "the type of x: "},
    };
    for (const auto& [type, reason] : refused) {
        const CommandResult result = reinplace({"explain", "--input", QString::fromUtf8(type), "-"}, text);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(reason), result.err.constData());
    }
    const CommandResult said = reinplace({"explain", "--input", "x_1=f32[2]", data(chain)});
    QCOMPARE(said.status, 2);
    QVERIFY2(said.err.contains("the file says the type of x_1 itself: f32["), said.err.constData());
}

void TestExplain::readsStandardInput() {
    const CommandResult piped = reinplace({"explain", "--json", "-"}, contents(data(chain)));
    QCOMPARE(piped.status, 0);
    QJsonObject object = piped.objects().first();
    QCOMPARE(object.take("file").toString(), QStringLiteral("-"));
    QJsonObject named = reinplace({"explain", "--json", data(chain)}).objects().first();
    named.remove("file");
    QCOMPARE(object, named);
}

void TestExplain::listSaysWhatAFileHolds() {
    const QString file = data("reference/nested-cond/before.pt2");
    const CommandResult result = reinplace({"list", "--json", file, data(chain)});
    QCOMPARE(result.status, 0);
    const QList<QJsonObject> objects = result.objects();
    QCOMPARE(objects.size(), 4);
    const QJsonObject root{{"schema", 1}, {"file", file}, {"graph", "root"}, {"kind", "pt2"}, {"compile_id", QJsonValue()},
                           {"level", "functional ATen"}, {"placeholders", 1}, {"nodes", 11}, {"ok", true}};
    QCOMPARE(objects[0], root);
    QCOMPARE(objects[1].value("graph").toString(), QStringLiteral("true_graph_0"));
    QCOMPARE(objects[1].value("kind").toString(), QStringLiteral("subgraph"));
    QCOMPARE(objects[3].value("kind").toString(), QStringLiteral("print_readable"));
    QCOMPARE(objects[3].value("nodes").toInt(), 5);
}

void TestExplain::listAsText() {
    const CommandResult result = reinplace({"list", data("reference/nested-cond/before.pt2")});
    QCOMPARE(result.status, 0);
    const QList<QByteArray> lines = result.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].endsWith("before.pt2  (pt2, torch 2.13.0+cpu)"), lines[0]);
    QCOMPARE(lines[1], QByteArray("  root           functional ATen  1 input, 7 ops, 11 nodes  (pt2)"));
}

QTEST_APPLESS_MAIN(TestExplain)
#include "test_explain.moc"
