// reinplace functionalize: formats, epilogues, and refusals by name.
#include <QJsonArray>
#include <QTemporaryDir>

#include "core/formats/reader.h"
#include "tests/app/command_line.h"

using namespace inspector;

class TestFunctionalizeCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textEndsInCopies();
    void archivesGetSpecifications();
    void archivesWithCopiesKeepTheirs();
    void jsonHasTheSteps();
    void everyFormatIsWritten_data();
    void everyFormatIsWritten();
    void refusesByName();
    void tellsOfUnknownOperators();
    void badUsage();

private:
    QTemporaryDir folder_;
};

namespace {

const QByteArray text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                        "    s: \"f32[4][1]cpu\" = torch.ops.aten.select.int(x, 0, 1)\n"
                        "    a: \"f32[4][1]cpu\" = torch.ops.aten.add_.Tensor(s, 1)\n"
                        "    return (a,)\n";

QString training(const char* name) { return data("pairs/") + QString::fromUtf8(name) + "/training.pt2"; }

} // namespace

void TestFunctionalizeCommand::textEndsInCopies() {
    const CommandResult result = reinplace({"functionalize", "-", "-o", "-", "--format", "fx"}, text);
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.out,
             QByteArray("graph():\n"
                        "    %x : [num_users=4] = placeholder[target=x]\n"
                        "    %s : [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%x, 0, 1), kwargs = {})\n"
                        "    %a : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%s, 1), kwargs = {})\n"
                        "    %select_scatter : [num_users=1] = call_function[target=torch.ops.aten.select_scatter.default](args = (%x, %a, 0, 1), kwargs = {})\n"
                        "    %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %select_scatter), kwargs = {})\n"
                        "    %select : [num_users=1] = call_function[target=torch.ops.aten.select.int](args = (%x, 0, 1), kwargs = {})\n"
                        "    return (select,)\n"));
    const CommandResult outputs = reinplace({"functionalize", "-", "-o", "-", "--format", "fx", "--epilogue", "outputs"}, text);
    QVERIFY(outputs.out.endsWith("    return (select_scatter, a)\n"));
}

void TestFunctionalizeCommand::archivesGetSpecifications() {
    const QString out = folder_.filePath("functional.pt2");
    QVERIFY2(reinplace({"functionalize", training("cnn-train"), "-o", out}).status == 0, "cnn-train");
    const auto program = read_program(out.toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->verifiers, std::vector<std::string>{"ATEN"});
    const auto& outputs = program->graphs[0].signature->outputs;
    QCOMPARE(outputs.size(), std::size_t(13));
    QVERIFY(outputs[0].kind == OutputSpec::Kind::buffer_mutation);
    QCOMPARE(outputs[0].target, std::string("c.0.1.running_mean"));
    QVERIFY(outputs[12].kind == OutputSpec::Kind::user_output);

    QVERIFY(reinplace({"functionalize", training("input-mutated"), "-o", out}).status == 0);
    const auto other = read_program(out.toStdString());
    QVERIFY(other && other->graphs[0].signature->outputs[0].kind == OutputSpec::Kind::user_input_mutation);
    QCOMPARE(other->graphs[0].signature->outputs[0].target, std::string("x"));
}

void TestFunctionalizeCommand::archivesWithCopiesKeepTheirs() {
    const QString out = folder_.filePath("copies.pt2");
    QVERIFY(reinplace({"functionalize", training("buffer-counter"), "-o", out, "--epilogue", "copies"}).status == 0);
    const auto program = read_program(out.toStdString());
    QVERIFY(program);
    QCOMPARE(program->verifiers, std::vector<std::string>{"TRAINING"});
    QCOMPARE(program->graphs[0].signature->outputs.size(), std::size_t(1));
}

void TestFunctionalizeCommand::jsonHasTheSteps() {
    const CommandResult result = reinplace({"functionalize", "-", "-o", "-", "--format", "json"}, text);
    QVERIFY2(result.status == 0, result.err);
    const QJsonObject object = result.objects().first();
    QCOMPARE(object["ok"].toBool(), true);
    const QJsonObject step = object["steps"].toArray()[0].toObject();
    QCOMPARE(step["node"].toString(), QString("a"));
    QCOMPARE(step["functional_target"].toString(), QString("aten.add.Tensor"));
    QCOMPARE(step["added"].toArray()[0].toObject()["role"].toString(), QString("scatter"));
    QCOMPARE(object["inputs"].toArray()[0].toObject()["copy"].toString(), QString("copy_"));
}

void TestFunctionalizeCommand::everyFormatIsWritten_data() {
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("out.fx") << QByteArray("graph():");
    QTest::newRow("out.py") << QByteArray("");
    QTest::newRow("out.json") << QByteArray("{\"schema\":1");
    QTest::newRow("out.dot") << QByteArray("digraph");
    QTest::newRow("out.svg") << QByteArray("<?xml");
}

void TestFunctionalizeCommand::everyFormatIsWritten() {
    QFETCH(QByteArray, start);
    const QString out = folder_.filePath(QTest::currentDataTag());
    const CommandResult result = reinplace({"functionalize", training("nested-cond"), "-o", out});
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(contents(out).startsWith(start));
}

void TestFunctionalizeCommand::refusesByName() {
    const QString out = folder_.filePath("refused.fx");
    const CommandResult result = reinplace({"functionalize", "-", "-o", out}, "def forward(self, x):\n    c = torch.ops.aten.clone.default(x)\n"
                                                                             "    r = torch.ops.aten.resize_.default(c, [2])\n    return (r,)\n");
    QCOMPARE(result.status, 1);
    QCOMPARE(result.err, QByteArray("reinplace: -: graph root, %r: aten.resize_.default changes the tensor's storage itself\n"));
    QVERIFY(!QFile::exists(out));
}

void TestFunctionalizeCommand::tellsOfUnknownOperators() {
    const QByteArray used = "def forward(self, x: \"f32[4]\"):\n    r: \"f32[4]\" = torch.ops.my.rotate.default(x)\n"
                            "    s: \"f32[4]\" = torch.ops.my.rotate.default(r)\n    return (s,)\n";
    const QByteArray unused = "def forward(self, x: \"f32[4]\", y: \"f32[4]\"):\n    c: \"f32[4]\" = torch.ops.aten.clone.default(x)\n"
                              "    upd = torch.ops.my.upd.default(c, y)\n    return (c,)\n";
    for (const char* command : {"functionalize", "decompose"}) {
        const CommandResult goes_on = reinplace({command, "-", "-o", "-", "--format", "fx"}, used);
        QCOMPARE(goes_on.status, 0);
        QCOMPARE(goes_on.err.count("my.rotate.default is taken to write nothing: nothing is known of it\n"), 1);
        const CommandResult refused = reinplace({command, "-", "-o", "-", "--format", "fx"}, unused);
        QCOMPARE(refused.status, 1);
        QCOMPARE(refused.out, QByteArray());
        QCOMPARE(refused.err, QByteArray("reinplace: -: graph root, %upd: nothing is known of my.upd.default, and nothing uses its "
                                         "result: it may write %c or %y\n"));
    }
}

void TestFunctionalizeCommand::badUsage() {
    QCOMPARE(reinplace({"functionalize", "-", "-o", "out.unknown"}, text).status, 2);
    QCOMPARE(reinplace({"functionalize", "-", "-o", folder_.filePath("a.pt2")}, text).status, 2);
    QCOMPARE(reinplace({"functionalize", "-", "-o", "-", "--format", "fx", "--graph", "none"}, text).status, 2);
    QCOMPARE(reinplace({"functionalize", "-", "-o", "-", "--format", "fx", "--epilogue", "both"}, text).status, 2);
}

QTEST_APPLESS_MAIN(TestFunctionalizeCommand)
#include "test_functionalize_command.moc"
