// Archives on the command line: standard input, several models, TorchScript.
#include <QtTest>

#include "command_line.h"

using namespace inspector;

class TestArchives : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void standardInput_data();
    void standardInput();
    void rewritesStandardInput();
    void severalModels();
    void torchScript();
    void torchScriptIsNotWrittenAsPt2();

private:
    QTemporaryDir folder_;
};

void TestArchives::standardInput_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow(".pt2") << "pt2/control-flow.pt2";
    QTest::newRow("several models") << "pt2/several-models.pt2";
    QTest::newRow("TorchScript") << "torchscript/ts_trace.pt";
}

void TestArchives::standardInput() {
    QFETCH(QString, file);
    for (const char* command : {"list", "explain", "verify"}) {
        const CommandResult of_path = reinplace({command, data(file)});
        const CommandResult of_input = reinplace({command, "-"}, contents(data(file)));
        QCOMPARE(of_input.status, of_path.status);
        QCOMPARE(of_input.out, QByteArray(of_path.out).replace(data(file).toUtf8(), "-"));
    }
    const CommandResult cut = reinplace({"list", "-"}, contents(data(file)).left(1000));
    QCOMPARE(cut.status, 3);
    QVERIFY2(cut.err.startsWith("reinplace: -: the ZIP archive is cut off or damaged"), cut.err);
}

void TestArchives::rewritesStandardInput() {
    const QString path = folder_.filePath("by-path.pt2"), input = folder_.filePath("by-input.pt2");
    const QString file = data("reference/buffer-counter/before.pt2");
    QCOMPARE(reinplace({"rewrite", file, "-o", path}).status, 0);
    QCOMPARE(reinplace({"rewrite", "-", "-o", input}, contents(file)).status, 0);
    QCOMPARE(contents(input), contents(path));
    QVERIFY(!contents(input).isEmpty());
}

void TestArchives::severalModels() {
    const QString file = data("pt2/several-models.pt2"), out = folder_.filePath("several.fx");
    const CommandResult unclear = reinplace({"rewrite", file, "-o", out});
    QCOMPARE(unclear.status, 2);
    QVERIFY2(unclear.err.contains("the file holds several graphs; choose one with --graph: encoder, decoder"), unclear.err);
    QCOMPARE(reinplace({"rewrite", file, "--graph", "encoder", "-o", out}).status, 0);
    QVERIFY(contents(out).contains("torch.ops.aten.relu_.default"));
    const CommandResult verified = reinplace({"verify", file, "--graph", "decoder"});
    QCOMPARE(verified.status, 0);
}

void TestArchives::torchScript() {
    const QString file = data("torchscript/ts_trace.pt");
    const CommandResult verified = reinplace({"verify", file, "--json"});
    QCOMPARE(verified.status, 0);
    QCOMPARE(verified.objects().first()["result"].toString(), QStringLiteral("equal"));
    const CommandResult listed = reinplace({"list", data("torchscript/ts_script.pt"), "--json"});
    QStringList kinds, ids;
    for (const QJsonObject& graph : listed.objects()) {
        ids << graph["graph"].toString();
        kinds << graph["kind"].toString();
    }
    QCOMPARE(ids, (QStringList{"root", "body_graph_0", "true_graph_0", "false_graph_0"}));
    QCOMPARE(kinds, (QStringList{"torchscript", "subgraph", "subgraph", "subgraph"}));
    // No shape is in the file: said, and no value is made up.
    const CommandResult unknown = reinplace({"verify", data("torchscript/ts_script.pt"), "--graph", "root"});
    QCOMPARE(unknown.status, 1);
    QVERIFY2(unknown.out.contains("%x: its shape is not known"), unknown.out);
}

void TestArchives::torchScriptIsNotWrittenAsPt2() {
    const CommandResult refused = reinplace({"rewrite", data("torchscript/ts_trace.pt"), "-o", folder_.filePath("a.pt2")});
    QVERIFY(refused.status == 2 || refused.status == 3);
    QVERIFY2(refused.err.contains("only what was read from a .pt2 can be written as one"), refused.err);
}

QTEST_GUILESS_MAIN(TestArchives)
#include "test_archives.moc"
