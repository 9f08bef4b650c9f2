// Compile logs on the command line: what list says of them, one graph of many, standard input, damage.
#include <QTemporaryDir>

#include "tests/app/command_line.h"

using namespace inspector;

class TestLogs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void listNamesRecordsAndCompileIds();
    void foldersAreListed();
    void everyCommandTakesAGraphOfALog_data();
    void everyCommandTakesAGraphOfALog();
    void standardInput_data();
    void standardInput();
    void severalGraphsNeedAChoice();
    void aDamagedRecordIsSaid();
    void whatInductorSaidIsShown();
    void whatInductorSaidAlone();
};

namespace {

const QString training = QStringLiteral("trace_log/b_mlp_train.log");
const QString cache_write = QStringLiteral("trace_log/c1_index_put.log");
const QString custom_ops = QStringLiteral("fx_text/d_custom_op.post_grad_graphs.log");

QStringList kinds(const QList<QJsonObject>& objects) {
    QStringList found;
    for (const QJsonObject& object : objects)
        found << object.value("graph").toString() + ' ' + object.value("kind").toString() + ' ' + object.value("compile_id").toString();
    return found;
}

} // namespace

void TestLogs::listNamesRecordsAndCompileIds() {
    const CommandResult result = reinplace({"list", "--json", data(training)});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.err, QByteArray());
    QCOMPARE(kinds(result.objects()),
             (QStringList{"0/0/dynamo_output_graph dynamo_output_graph 0/0", "0/0/before_pre_grad_graph before_pre_grad_graph 0/0",
                          "0/0/after_pre_grad_graph after_pre_grad_graph 0/0", "0/0/aot_joint_graph aot_joint_graph 0/0",
                          "0/0/aot_forward_graph aot_forward_graph 0/0", "0/0/aot_backward_graph aot_backward_graph 0/0",
                          "0/0/fx_graph_runnable fx_graph_runnable 0/0", "0/0/before_post_grad_graph before_post_grad_graph 0/0",
                          "0/0/inductor_post_grad_graph inductor_post_grad_graph 0/0", "0/0/fx_graph_runnable_1 fx_graph_runnable 0/0",
                          "0/0/before_post_grad_graph_1 before_post_grad_graph 0/0",
                          "0/0/inductor_post_grad_graph_1 inductor_post_grad_graph 0/0"}));
    const QJsonObject backward = result.objects().at(10);
    QCOMPARE(backward.value("nodes").toInt(), 58);
    QCOMPARE(backward.value("placeholders").toInt(), 11);
    QVERIFY(reinplace({"list", data(training)}).out.contains("(trace_log, torch 2.13.0+cpu)"));
}

void TestLogs::foldersAreListed() {
    const CommandResult result = reinplace({"list", "--json", data("compile_debug")});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.objects().size(), 6);
    QCOMPARE(result.objects().first().value("file").toString(), data("compile_debug"));
    QCOMPARE(kinds(result.objects()).first(), "model__0_backward_3.1/fx_graph_readable fx_graph_readable ");
    QVERIFY(result.objects().first().value("compile_id").isNull());
}

void TestLogs::everyCommandTakesAGraphOfALog_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("graph");
    QTest::newRow("trace") << cache_write << "0/0/before_post_grad_graph";
    QTest::newRow("text log") << custom_ops << "after_post_grad_4";
    QTest::newRow("debug folder") << "compile_debug" << "model__0_forward_1.0/fx_graph_readable";
    QTest::newRow("nested") << "fx_text/i_control_flow.graphs.log" << "forward_graph_0.true_graph_0.false_graph_0";
}

void TestLogs::everyCommandTakesAGraphOfALog() {
    QFETCH(QString, file);
    QFETCH(QString, graph);
    const CommandResult explained = reinplace({"explain", "--json", "--graph", graph, data(file)});
    QCOMPARE(explained.status, 0);
    QCOMPARE(explained.objects().size(), 1);
    QCOMPARE(explained.objects().first().value("graph").toString(), graph);
    // The same as among all graphs.
    bool found = false;
    for (const QByteArray& line : reinplace({"explain", "--json", data(file)}).out.split('\n')) found |= line + '\n' == explained.out;
    QVERIFY(found);
    QCOMPARE(reinplace({"compare", "--json", "--graph", graph, data(file)}).status, 0);
    const CommandResult rewritten = reinplace({"rewrite", "--graph", graph, "--format", "fx", "-o", "-", data(file)});
    QCOMPARE(rewritten.status, 0);
    QVERIFY(rewritten.out.startsWith("graph():\n"));
    if (file == custom_ops || file == "compile_debug") return; // operators that no kernel runs here
    const CommandResult verified = reinplace({"verify", "--json", "--graph", graph, data(file)});
    QVERIFY2(verified.status == 0, verified.out);
    QCOMPARE(verified.objects().size(), 1);
    QCOMPARE(verified.objects().first().value("result").toString(), "equal");
}

void TestLogs::standardInput_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("graph");
    QTest::newRow("trace") << cache_write << "0/0/aot_inference_graph";
    QTest::newRow("text log") << "fx_text/torch_logs_joint.txt" << "forward_graph_0";
}

void TestLogs::standardInput() {
    QFETCH(QString, file);
    QFETCH(QString, graph);
    const QByteArray bytes = contents(data(file));
    const auto compare = [&](const QStringList& command) {
        const CommandResult from_file = reinplace(command + QStringList{data(file)});
        const CommandResult from_input = reinplace(command + QStringList{"-"}, bytes);
        QCOMPARE(from_input.status, 0);
        QCOMPARE(from_file.status, 0);
        QCOMPARE(QByteArray(from_input.out), QByteArray(from_file.out).replace(data(file).toUtf8(), "-"));
    };
    compare({"list", "--json"});
    compare({"explain", "--json", "--graph", graph});
    compare({"compare", "--json", "--graph", graph});
    compare({"verify", "--json", "--graph", graph});
    compare({"rewrite", "--graph", graph, "--format", "fx", "-o", "-"});
}

void TestLogs::severalGraphsNeedAChoice() {
    const CommandResult result = reinplace({"rewrite", data(training), "-o", "-", "--format", "fx"});
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains("choose one with --graph: 0/0/dynamo_output_graph, 0/0/before_pre_grad_graph, "), result.err);
    const CommandResult unknown = reinplace({"explain", "--graph", "0/0/aot_forward", data(training)});
    QCOMPARE(unknown.status, 2);
    QVERIFY2(unknown.err.contains("there is no graph 0/0/aot_forward; the file holds 0/0/dynamo_output_graph, "), unknown.err);
}

void TestLogs::aDamagedRecordIsSaid() {
    QTemporaryDir folder;
    const QString path = folder.filePath("damaged.log");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QByteArray log = contents(data(training));
    const qsizetype graph = log.indexOf("\"aot_forward_graph\": {}");
    const qsizetype call = log.indexOf("torch.ops.aten.addmm", graph);
    file.write(log.replace(call, 20, "torch.ops.aten,addmm"));
    file.close();

    const CommandResult all = reinplace({"list", "--json", path});
    QCOMPARE(all.status, 0);
    QCOMPARE(all.objects().size(), 11);
    const QByteArray start = "reinplace: " + path.toUtf8() + ": line ";
    QVERIFY2(all.err.startsWith(start), all.err);
    QVERIFY2(all.err.contains(": the payload of aot_forward_graph is not the one that was logged"), all.err);
    QVERIFY2(all.err.contains("(0/0/aot_forward_graph is left out)"), all.err);

    const CommandResult one = reinplace({"explain", "--json", "--graph", "0/0/aot_forward_graph", path});
    QCOMPARE(one.status, 3);
    QVERIFY2(one.objects().first().value("error").toString().startsWith(path + ": line "), one.out);
    QCOMPARE(reinplace({"explain", "--json", "--graph", "0/0/aot_backward_graph", path}).status, 0);
}

void TestLogs::whatInductorSaidIsShown() {
    const QString file = data(custom_ops);
    const QList<QJsonObject> listed = reinplace({"list", "--json", file}).objects();
    const QJsonObject ops = listed.at(4).value("inductor").toObject();
    QCOMPARE(QJsonDocument(ops).toJson(QJsonDocument::Compact),
             QByteArray(R"({"counters":{},"ops":[{"candidates":["0"],"cloned":["0"],"missed":["0"],"missed_bytes":128,)"
                        R"("node":"auto_functionalized_v2","op":"mylib::scale_","reinplaced":[]}]})"));
    const QJsonObject explained = reinplace({"explain", "--json", "--graph", "after_post_grad_4", file}).objects().first();
    QCOMPARE(explained.value("inductor").toObject(), ops);
    const CommandResult text = reinplace({"explain", "--graph", "after_post_grad_4", file});
    QVERIFY2(text.out.endsWith("Inductor's own pass, as the log says\n  [4/0] auto_functionalized_v2 (mylib::scale_): candidates [0], "
                               "reinplaced [], cloned [0], missed [0], 128 bytes\n"), text.out);
    QVERIFY(!reinplace({"explain", "--json", data(training)}).out.contains("\"inductor\""));
}

void TestLogs::whatInductorSaidAlone() {
    const QString file = data("fx_text/d5_old_value_needed.reinplace_counters.log");
    const CommandResult listed = reinplace({"list", file});
    QCOMPARE(listed.status, 0);
    QVERIFY2(listed.out.contains("  [0/0] counters: missed_tensors_AUTO_FUNC_V2 1 missed_bytes_AUTO_FUNC_V2 128\n"), listed.out);
    QCOMPARE(reinplace({"list", "--json", file}).out, QByteArray());
    const CommandResult explained = reinplace({"explain", "--json", file});
    QCOMPARE(explained.status, 3);
    QVERIFY2(explained.err.contains("the file holds no graph, only what Inductor's pass says of itself"), explained.err);
}

QTEST_APPLESS_MAIN(TestLogs)
#include "test_logs.moc"
