// reinplace rewrite: every format, and files that are whole or untouched.
#include <QFileInfo>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "tests/app/command_line.h"

using namespace inspector;

class TestRewrite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fxIsWhatUpstreamPrints_data();
    void fxIsWhatUpstreamPrints();
    void policyNoneKeepsTheGraph();
    void jsonIsTheExplanation();
    void endingOrOptionChoosesTheFormat_data();
    void endingOrOptionChoosesTheFormat();
    void drawsVerdictsAndViews();
    void archivesComeBack();
    void writesToStandardOutput();
    void choosesTheRootOrAsks();
    void leavesTheOldFileWhenItCannotWrite();

private:
    QString written(const char* name, const QByteArray& bytes) {
        QFile file(folder_.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }
    QTemporaryDir folder_;
};

namespace {

const QString chain = QStringLiteral("reference/basic-chain/before.py.txt");

} // namespace

void TestRewrite::fxIsWhatUpstreamPrints_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"basic-chain", "copy-back-to-input", "export-00003", "kv-cache-write", "nested-cond", "output-list",
                             "random-00078", "scatter-becomes-copy", "scatter-diagonal-read-as-strided", "two-level-slices",
                             "unsound-scatter-foreign-base"}) {
        const QString folder = data("reference/") + QString::fromUtf8(name);
        const bool is_archive = QFile::exists(folder + "/before.pt2");
        QTest::newRow(name) << folder + (is_archive ? "/before.pt2" : "/before.py.txt");
    }
}

void TestRewrite::fxIsWhatUpstreamPrints() {
    QFETCH(QString, file);
    const QString out = folder_.filePath("after.fx.txt");
    const CommandResult result = reinplace({"rewrite", "--policy", "torch-fx", file, "-o", out});
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.out, QByteArray());
    // Upstream ran after the void assertions that torch.export inserts had been erased; they stand in the file.
    QByteArray text;
    for (const QByteArray& line : contents(out).split('\n'))
        if (!line.contains("_assert_tensor_metadata")) text += line + '\n';
    QCOMPARE(text.trimmed(), contents(QFileInfo(file).path() + "/after.fx.txt").trimmed());
}

void TestRewrite::policyNoneKeepsTheGraph() {
    const QString out = folder_.filePath("none.fx");
    QCOMPARE(reinplace({"rewrite", "--policy", "none", data(chain), "-o", out}).status, 0);
    QCOMPARE(contents(out),
             QByteArray("graph():\n"
                        "    %x_1 : [num_users=1] = placeholder[target=x_1]\n"
                        "    %clone : [num_users=1] = call_function[target=torch.ops.aten.clone.default](args = (%x_1,), kwargs = {})\n"
                        "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%clone, 1), kwargs = {})\n"
                        "    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%add,), kwargs = {})\n"
                        "    return relu\n"));
}

void TestRewrite::jsonIsTheExplanation() {
    const QString file = data("reference/input-mutated/before.pt2");
    const QString out = folder_.filePath("decisions.json");
    QCOMPARE(reinplace({"rewrite", file, "-o", out}).status, 0);
    QCOMPARE(contents(out), reinplace({"explain", "--json", file}).out);
}

void TestRewrite::endingOrOptionChoosesTheFormat_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("py") << "a.py" << QStringList{} << QByteArray("# Graph ");
    QTest::newRow("fx") << "a.fx" << QStringList{} << QByteArray("graph():");
    QTest::newRow("txt") << "a.txt" << QStringList{} << QByteArray("graph():");
    QTest::newRow("json") << "a.json" << QStringList{} << QByteArray("{\"schema\":1,");
    QTest::newRow("dot") << "a.dot" << QStringList{} << QByteArray("digraph ");
    QTest::newRow("gv") << "a.gv" << QStringList{} << QByteArray("digraph ");
    QTest::newRow("svg") << "a.svg" << QStringList{} << QByteArray("<?xml ");
    QTest::newRow("option wins") << "b.py" << QStringList{"--format", "dot"} << QByteArray("digraph ");
    QTest::newRow("no ending") << "noending" << QStringList{"--format", "python"} << QByteArray("# Graph ");
}

void TestRewrite::endingOrOptionChoosesTheFormat() {
    QFETCH(QString, name);
    QFETCH(QStringList, options);
    QFETCH(QByteArray, start);
    const CommandResult result = reinplace(QStringList{"rewrite", data(chain), "-o", folder_.filePath(name)} + options);
    QVERIFY2(result.status == 0, result.err);
    const QByteArray text = contents(folder_.filePath(name));
    QVERIFY2(text.startsWith(start), text.left(200));
}

void TestRewrite::drawsVerdictsAndViews() {
    const QString file = data("reference/later-use-through-view/before.py.txt");
    const CommandResult dot = reinplace({"rewrite", "--policy", "torch-fx", file, "-o", "-", "--format", "dot"});
    QCOMPARE(dot.status, 0);
    QVERIFY2(dot.out.contains("style=dashed"), dot.out);
    QVERIFY2(dot.out.contains("label=\"[M] "), dot.out);
    const CommandResult svg = reinplace({"rewrite", "--policy", "torch-fx", file, "-o", "-", "--format", "svg"});
    QCOMPARE(svg.status, 0);
    QXmlStreamReader xml(svg.out);
    while (!xml.atEnd()) xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    const CommandResult unmarked = reinplace({"rewrite", "--policy", "none", file, "-o", "-", "--format", "dot"});
    QVERIFY2(!unmarked.out.contains("label=\"["), unmarked.out);
    QCOMPARE(unmarked.out.count(" -> "), dot.out.count(" -> "));
}

void TestRewrite::archivesComeBack() {
    const QString file = data("reference/input-mutated/before.pt2");
    const QString out = folder_.filePath("after.pt2");
    const CommandResult result = reinplace({"rewrite", "--policy", "torch-fx", file, "-o", out});
    QVERIFY2(result.status == 0, result.err);
    const CommandResult direct = reinplace({"rewrite", "--policy", "torch-fx", file, "-o", "-", "--format", "fx"});
    const CommandResult through = reinplace({"rewrite", "--policy", "none", out, "-o", "-", "--format", "fx"});
    QVERIFY(direct.out.contains("_.Tensor]"));
    QCOMPARE(through.out, direct.out);
    QCOMPARE(reinplace({"list", "--json", out}).objects().value(0).value("level").toString(), QStringLiteral("training"));
}

void TestRewrite::writesToStandardOutput() {
    const CommandResult result = reinplace({"rewrite", "--policy", "torch-fx", data(chain), "-o", "-", "--format", "fx"});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.out.trimmed(), contents(data("reference/basic-chain/after.fx.txt")).trimmed());
}

void TestRewrite::choosesTheRootOrAsks() {
    const QString nested = data("reference/nested-cond/before.pt2");
    QVERIFY(reinplace({"rewrite", nested, "-o", "-", "--format", "fx"}).out.contains("torch.ops.higher_order.cond"));
    const CommandResult inner = reinplace({"rewrite", nested, "-o", "-", "--format", "fx", "--graph", "true_graph_0"});
    QCOMPARE(inner.status, 0);
    QVERIFY(inner.out.startsWith("graph():") && !inner.out.contains("torch.ops.higher_order.cond"));

    const QString two = written("two.txt", contents(data(chain)) + "\n\n" + contents(data(chain)));
    const QList<QJsonObject> graphs = reinplace({"list", "--json", two}).objects();
    QCOMPARE(graphs.size(), 2);
    const QString last = graphs[1].value("graph").toString();
    QVERIFY(graphs[0].value("graph").toString() != last);
    const CommandResult asked = reinplace({"rewrite", two, "-o", "-", "--format", "fx"});
    QCOMPARE(asked.status, 2);
    for (const QJsonObject& graph : graphs)
        QVERIFY2(asked.err.contains(graph.value("graph").toString().toUtf8()), asked.err);
    QCOMPARE(reinplace({"rewrite", two, "-o", "-", "--format", "fx", "--graph", last}).status, 0);
}

void TestRewrite::leavesTheOldFileWhenItCannotWrite() {
    // A call that no written Python may make: nothing is written, and what was there stays.
    const QString source = written("call.txt", "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                                               "    %y : [num_users=1] = call_function[target=torch.os.system](args = (%x,), kwargs = {})\n"
                                               "    return y\n");
    const QString out = written("kept.py", "kept");
    const CommandResult result = reinplace({"rewrite", "--policy", "none", source, "-o", out});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.err.startsWith("reinplace: " + source.toUtf8() + ": %y: the target torch.os.system"), result.err);
    QCOMPARE(contents(out), QByteArray("kept"));

    const CommandResult nowhere = reinplace({"rewrite", data(chain), "-o", folder_.filePath("missing/a.py")});
    QCOMPARE(nowhere.status, 3);
    QVERIFY2(nowhere.err.contains("cannot write: No such file or directory"), nowhere.err);
    const CommandResult full = reinplace({"rewrite", data(chain), "-o", "/dev/full", "--format", "fx"});
    QCOMPARE(full.status, 3);
    QVERIFY2(full.err.contains("cannot write: No space left on device"), full.err);
}

QTEST_APPLESS_MAIN(TestRewrite)
#include "test_rewrite.moc"
