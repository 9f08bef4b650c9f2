// A minimal graph is decided as the whole one: for decisions of every graph torch's pass was recorded on, of Inductor's
// cases and of exported programs.
#include <QDirIterator>
#include <QtTest>

#include <algorithm>
#include <set>

#include "core/formats/reader.h"
#include "core/formats/reproduction/reproduction.h"

using namespace inspector;

namespace {

std::string ids(const Decision& decision) {
    return std::string(text_id(decision.verdict)) + ' ' + std::string(text_id(decision.check)) + ' ' + std::string(text_id(decision.reason));
}

/// What `made` is decided like when it is read again; empty where it cannot be.
std::string decided(const Reproduction& made) {
    const auto read = read_text(made.text);
    if (!read) return read.error().message();
    for (const ProgramGraph& graph : read->graphs) {
        const NodeId node = graph.graph.find(made.node);
        if (node == no_node || graph.graph.size() != made.nodes) continue;
        const auto session = ReinplaceSession::start(graph, made.options);
        if (!session) return session.error().message();
        (*session)->run_to_end();
        for (const Decision& decision : (*session)->decisions())
            if (decision.node == node) return ids(decision);
    }
    return "";
}

} // namespace

class TestReproduction : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decidesAlike_data();
    void decidesAlike();
    void keepsWhatItRestsOn();
    void choicesGoWithIt();
    void whatTextCannotSayIsRefused();
};

void TestReproduction::decidesAlike_data() {
    QTest::addColumn<QString>("file");
    std::set<QString> files;
    for (const char* folder : {"/reference", "/inductor/faults", "/pt2"})
        for (QDirIterator it(QStringLiteral(TEST_DATA) + QString::fromUtf8(folder), {"before.py.txt", "before.pt2", "*.py.txt", "dynamic.pt2", "inputs-*.pt2", "control-flow.pt2"},
                             QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();)
            files.insert(it.next());
    QVERIFY(files.size() > 200);
    for (const QString& file : files)
        QTest::newRow(qPrintable(file.mid(static_cast<int>(qstrlen(TEST_DATA)) + 1))) << file;
}

void TestReproduction::decidesAlike() {
    QFETCH(QString, file);
    const auto program = read_program(file.toStdString());
    QVERIFY(program);
    for (const char* policy : {"sound", "torch-fx", "inductor"}) {
        const auto session = ReinplaceSession::start(program->graphs.front(), {.policy = policy, .first = {}, .choices = {}, .donated = {}});
        QVERIFY(session);
        (*session)->run_to_end();
        // Of large graphs some, and of every kind of answer the first.
        std::set<std::string> seen;
        const std::size_t stride = std::max<std::size_t>(1, (*session)->decisions().size() / 2);
        for (const Decision& decision : (*session)->decisions()) {
            if (!seen.insert(ids(decision)).second && decision.index % stride != 0) continue;
            const auto made = reproduce(*program, 0, **session, decision.index);
            const std::string about = std::string(policy) + " %" + (*session)->original().node(decision.node).name + ": " + ids(decision);
            if (!made) {
                // Nested graphs, and which inputs the signature lets a graph write, are not in the text.
                const auto& signature = program->graphs.front().signature;
                const bool has_mutations = signature && std::ranges::any_of(signature->outputs, [](const OutputSpec& output) {
                    return output.kind != OutputSpec::Kind::user_output;
                });
                QVERIFY2(program->graphs.size() > 1 || has_mutations, (about + ": " + made.error().message()).c_str());
                QVERIFY(made.error().message().find("rests on what Python text does not say") != std::string::npos);
                continue;
            }
            QVERIFY2(decided(*made) == ids(decision), (about + "\n" + decided(*made) + "\n" + made->text).c_str());
            QVERIFY(made->nodes <= program->graphs.front().graph.size() + 1);
        }
    }
}

void TestReproduction::keepsWhatItRestsOn() {
    // Thirty ops around the three that matter.
    std::string text = "def forward(self, x: \"f32[4][1]cpu\", y: \"f32[4][1]cpu\"):\n    c0 = torch.ops.aten.clone.default(x)\n";
    for (int i = 1; i < 15; ++i)
        text += "    c" + std::to_string(i) + " = torch.ops.aten.sin.default(c" + std::to_string(i - 1) + ")\n";
    text += "    add = torch.ops.aten.add.Tensor(c14, 1)\n    mul = torch.ops.aten.mul.Tensor(c14, y)\n    d0 = torch.ops.aten.cos.default(mul)\n";
    for (int i = 1; i < 15; ++i)
        text += "    d" + std::to_string(i) + " = torch.ops.aten.cos.default(d" + std::to_string(i - 1) + ")\n";
    const auto program = read_text(text + "    return (add, d14)\n");
    QVERIFY(program);
    const auto session = ReinplaceSession::start(program->graphs.front(), {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    (*session)->run_to_end();
    const auto& decisions = (*session)->decisions();
    const auto add = std::ranges::find(decisions, program->graphs.front().graph.find("add"), &Decision::node);
    QCOMPARE(ids(*add), std::string("kept later_use used_later"));
    const auto made = reproduce(*program, 0, **session, add->index);
    QVERIFY2(made, made ? "" : made.error().message().c_str());
    QCOMPARE(decided(*made), ids(*add));
    QVERIFY2(made->nodes <= 7, made->text.c_str()); // inputs, c14, add, mul, output
    QVERIFY2(made->text.find("mul") != std::string::npos, made->text.c_str());
    QVERIFY(made->text.starts_with("# %add, aten.add.Tensor, under policy sound: kept: %mul reads"));
    QVERIFY(made->text.find("if __name__ == \"__main__\":") != std::string::npos);
}

void TestReproduction::choicesGoWithIt() {
    const auto program = read_text("def forward(self, x: \"f32[4][1]cpu\"):\n    c = torch.ops.aten.clone.default(x)\n"
                                   "    add = torch.ops.aten.add.Tensor(c, 1)\n    mul = torch.ops.aten.mul.Tensor(c, 2)\n    return (add, mul)\n");
    const auto session = ReinplaceSession::start(program->graphs.front(), {.policy = "sound", .first = {}, .choices = {{1, Choice::force}}, .donated = {}});
    (*session)->run_to_end();
    const auto made = reproduce(*program, 0, **session, 1);
    QVERIFY(made);
    QCOMPARE(ids((*session)->decisions()[1]), std::string("reinplaced later_use forced"));
    QCOMPARE(decided(*made), std::string("reinplaced later_use forced"));
    QCOMPARE(made->options.choices.size(), std::size_t{1});
}

void TestReproduction::whatTextCannotSayIsRefused() {
    Program program = *read_text("def forward(self, x: \"f32[4][1]cpu\"):\n    add = torch.ops.aten.add.Tensor(x, 1)\n    return (add,)\n");
    Graph& graph = program.graphs.front().graph;
    graph.set_target(graph.find("add"), "torch.os.system");
    const auto session = ReinplaceSession::start(program.graphs.front(), {.policy = "sound", .first = {}, .choices = {}, .donated = {}});
    (*session)->run_to_end();
    const auto made = reproduce(program, 0, **session, 0);
    QVERIFY(!made);
    QVERIFY2(made.error().message().find("%add: the target torch.os.system") != std::string::npos, made.error().message().c_str());
}

QTEST_APPLESS_MAIN(TestReproduction)
#include "test_reproduction.moc"
