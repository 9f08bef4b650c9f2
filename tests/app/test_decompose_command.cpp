// reinplace decompose: formats, operators to keep, and what is left by name.
#include <QJsonArray>
#include <QTemporaryDir>

#include "core/formats/reader.h"
#include "tests/app/command_line.h"

using namespace inspector;

class TestDecomposeCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsTakenApart();
    void operatorsAreKept();
    void unknownOperatorsAreHinted();
    void archivesAreWritten();
    void trainingGraphsAreFunctionalizedFirst();
    void jsonHasTheSteps();
    void whatIsLeftIsNamed();
    void refusesWhatCannotBeMadeFunctional();
    void badUsage();

private:
    QTemporaryDir folder_;
};

namespace {

const QByteArray text = "def forward(self, x: \"f32[4, 4][4, 1]cpu\", w: \"f32[3, 4][4, 1]cpu\"):\n"
                        "    linear: \"f32[4, 3][3, 1]cpu\" = torch.ops.aten.linear.default(x, w)\n"
                        "    return (linear,)\n";
const QByteArray root = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                        "    made: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.erfinv.default(x)\n"
                        "    return (made,)\n";

QString pair(const char* name) { return data("pairs/") + QString::fromUtf8(name); }

} // namespace

void TestDecomposeCommand::textIsTakenApart() {
    const CommandResult result = reinplace({"decompose", "-", "-o", "-", "--format", "fx"}, text);
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.out, QByteArray("graph():\n"
                                    "    %x : [num_users=1] = placeholder[target=x]\n"
                                    "    %w : [num_users=1] = placeholder[target=w]\n"
                                    "    %permute : [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%w, [1, 0]), kwargs = {})\n"
                                    "    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%x, %permute), kwargs = {})\n"
                                    "    return (mm,)\n"));
    QCOMPARE(result.err, QByteArray());
}

void TestDecomposeCommand::operatorsAreKept() {
    const CommandResult result = reinplace({"decompose", "-", "--keep", "aten.silu", "--keep", "aten.linear", "--keep", "aten.silu", "-o", "-", "--format", "fx"}, text);
    QVERIFY2(result.status == 0, result.err);
    QVERIFY(result.out.contains("torch.ops.aten.linear.default"));
    QCOMPARE(result.err, QByteArray("reinplace: --keep aten.silu keeps nothing: no aten.silu is called\n"));
}

void TestDecomposeCommand::unknownOperatorsAreHinted() {
    const auto kept = [](const char* name) {
        return reinplace({"decompose", "-", "-o", "-", "--format", "fx", "--keep", name}, text);
    };
    for (const char* name : {"linear", "linear.default", "aten.liner", "aten.linear."}) {
        const CommandResult result = kept(name);
        QCOMPARE(result.status, 2);
        QCOMPARE(result.out, QByteArray());
        QCOMPARE(result.err, QByteArray("reinplace: --keep: no operator ") + name +
                                 " is known; is aten.linear.default meant?\n");
    }
    QVERIFY(kept("layer_norm").err.contains("no operator layer_norm is known; is aten.layer_norm meant?"));
    QVERIFY(kept("aten.frobnicate").err.endsWith("no operator aten.frobnicate is known\n"));
}

void TestDecomposeCommand::archivesAreWritten() {
    const QString out = folder_.filePath("core.pt2");
    const CommandResult result = reinplace({"decompose", pair("cnn-eval") + "/functional.pt2", "-o", out});
    QVERIFY2(result.status == 0, result.err);
    const auto program = read_program(out.toStdString());
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->verifiers, std::vector<std::string>{"ATEN"});
    const ProgramGraph& graph = program->graphs[0];
    for (const OutputSpec& output : graph.signature->outputs) QVERIFY(graph.graph.find(output.value) != no_node);
}

void TestDecomposeCommand::trainingGraphsAreFunctionalizedFirst() {
    const QString out = folder_.filePath("training.pt2");
    const CommandResult result = reinplace({"decompose", pair("cnn-train") + "/training.pt2", "-o", out});
    QVERIFY2(result.status == 0, result.err);
    QCOMPARE(result.err, QByteArray());
    const auto program = read_program(out.toStdString());
    QVERIFY(program);
    QCOMPARE(program->verifiers, std::vector<std::string>{"ATEN"});
    QVERIFY(program->graphs[0].signature->outputs[0].kind == OutputSpec::Kind::buffer_mutation);
}

void TestDecomposeCommand::jsonHasTheSteps() {
    const CommandResult result = reinplace({"decompose", "-", "-o", "-", "--format", "json"}, text);
    QCOMPARE(result.objects().size(), 1);
    const QJsonObject object = result.objects().front();
    QCOMPARE(object["ok"].toBool(), true);
    const QJsonObject step = object["steps"].toArray().at(0).toObject();
    QCOMPARE(step["node"].toString(), QString("linear"));
    QCOMPARE(step["target"].toString(), QString("aten.linear.default"));
    QCOMPARE(step["added"].toArray().size(), 2);
    QCOMPARE(step["replaced"].toArray().at(0).toObject()["to"].toString(), QString("mm"));
    QCOMPARE(object["summary"].toObject()["steps"].toInt(), 1);
}

void TestDecomposeCommand::whatIsLeftIsNamed() {
    const CommandResult result = reinplace({"decompose", "-", "-o", "-", "--format", "json"}, root);
    QCOMPARE(result.status, 0);
    QCOMPARE(result.err, QByteArray("reinplace: left as it is: aten.erfinv.default (%made): nothing here tells what it is made of\n"));
    const QJsonObject object = result.objects().front();
    QCOMPARE(object["ok"].toBool(), false);
    QCOMPARE(object["left"].toArray().at(0).toObject()["reason"].toString(), QString("no_rule"));
}

/// The file is fine: it is what was asked of it that cannot be done.
void TestDecomposeCommand::refusesWhatCannotBeMadeFunctional() {
    const QByteArray resized = "def forward(self, x: \"f32[4, 4][4, 1]cpu\"):\n"
                               "    c: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.clone.default(x)\n"
                               "    r: \"f32[2][1]cpu\" = torch.ops.aten.resize_.default(c, [2])\n    return (r,)\n";
    const QString out = folder_.filePath("refused.fx");
    for (const char* command : {"decompose", "functionalize"}) {
        const CommandResult result = reinplace({command, "-", "-o", out}, resized);
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.startsWith("reinplace: -: graph root, %r: aten.resize_.default"), result.err);
        QVERIFY(!QFile::exists(out));
    }
}

void TestDecomposeCommand::badUsage() {
    QCOMPARE(reinplace({"decompose", "-", "-o", "-", "--format", "fx", "--keep", "aten.no_such"}, text).status, 2);
    QCOMPARE(reinplace({"decompose", "-", "-o", folder_.filePath("x.pt2")}, text).status, 2);
    QCOMPARE(reinplace({"decompose", "-", "-o", folder_.filePath("x.unknown")}, text).status, 2);
    QCOMPARE(reinplace({"decompose", folder_.filePath("none.pt2"), "-o", "-", "--format", "fx"}).status, 3);
}

QTEST_GUILESS_MAIN(TestDecomposeCommand)
#include "test_decompose_command.moc"
