// FX text form (e): graphs in what TORCH_LOGS writes.
#include <QtTest>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "sample_file.h"

using namespace inspector;

class TestFxTextLogs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void graphsOfALog_data();
    void graphsOfALog();
    void everyGraphIsWellFormed();
    void jointGraphFlattensItsInputs();
    void jointGraphWithOneInputPerLine();
    void interleavedProcesses();
    void prefixesOfOtherReleases_data();
    void prefixesOfOtherReleases();
    void brokenGraphsAreLeftOut();
    void coloursAreDropped();
};

void TestFxTextLogs::graphsOfALog_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("graphs"); // id, kind, compile id, nodes
    QTest::newRow("forward, backward and joint")
        << "torch_logs_joint.txt"
        << QStringList{"joint_graph_0 aot_joint_graph 0/0 13", "forward_graph_0 aot_graphs 0/0 9",
                       "backward_graph_0 aot_graphs 0/0 7"};
    QTest::newRow("three stages") << "torch_logs_inductor_static.txt"
                                  << QStringList{"compiled_fn_1 graph_code 0/0 18", "forward_graph_0 aot_graphs 0/0 21",
                                                 "after_post_grad post_grad_graphs 0/0 21"};
    QTest::newRow("one graph") << "torch_logs_aot_graphs_dynamic.txt" << QStringList{"root aot_graphs 0/0 27"};
    QTest::newRow("logging's short format")
        << "a_mlp_fwd.short_format.log"
        << QStringList{"compiled_fn_1 graph_code  10", "forward_graph_0 aot_graphs  16",
                       "after_post_grad post_grad_graphs  16"};
    QTest::newRow("colours of a terminal")
        << "c1_index_put.colored_tty.log"
        << QStringList{"forward_graph_0 aot_graphs 0/0 8", "after_post_grad post_grad_graphs 0/0 7"};
    QTest::newRow("nested in several") << "i_control_flow.graphs.log"
                                       << QStringList{"compiled_fn_1 graph_code 0/0 9",
                                                      "compiled_fn_1.cond_true_1 subgraph 0/0 8",
                                                      "compiled_fn_1.cond_true_1.cond_true_0 subgraph 0/0 4",
                                                      "compiled_fn_1.cond_true_1.cond_false_0 subgraph 0/0 3",
                                                      "compiled_fn_1.cond_false_1 subgraph 0/0 3",
                                                      "forward_graph_0 aot_graphs 0/0 9",
                                                      "forward_graph_0.true_graph_0 subgraph 0/0 8",
                                                      "forward_graph_0.true_graph_0.true_graph_0 subgraph 0/0 4",
                                                      "forward_graph_0.true_graph_0.false_graph_0 subgraph 0/0 3",
                                                      "forward_graph_0.false_graph_0 subgraph 0/0 3",
                                                      "compiled_fn_3 graph_code 1/0 7",
                                                      "compiled_fn_3.cond_true_1 subgraph 1/0 8",
                                                      "compiled_fn_3.cond_true_1.cond_true_0 subgraph 1/0 4",
                                                      "compiled_fn_3.cond_true_1.cond_false_0 subgraph 1/0 3",
                                                      "compiled_fn_3.cond_false_1 subgraph 1/0 3"};
    QTest::newRow("compiled autograd")
        << "k_compiled_autograd.graphs.log"
        << QStringList{"compiled_fn_2 graph_code 0/0_1 6",    "forward_graph_0 aot_graphs 0/0_1 9",
                       "backward_graph_0 aot_graphs 0/0_1 7", "compiled_autograd_graph compiled_autograd !0 22",
                       "compiled_fn_5 graph_code !0/1/0 17",  "forward_graph_1 aot_graphs !0/1/0 10",
                       "compiled_fn_7 graph_code 2/0 3",      "forward_graph_2 aot_graphs 2/0 3"};
    QTest::newRow("Inductor's loop bodies too")
        << "d5_old_value_needed.plus_inductor.log"
        << QStringList{"before_pre_grad pre_grad_graphs 0/0 6", "after_post_grad post_grad_graphs 0/0 9",
                       "graph fx_graph 0/0 8", "graph_1 fx_graph 0/0 6", "graph_2 fx_graph 0/0 9"};
}

void TestFxTextLogs::graphsOfALog() {
    QFETCH(QString, file);
    QFETCH(QStringList, graphs);
    const auto program = read_fx_text(sample_text("fx_text/" + file));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QStringList found;
    for (const ProgramGraph& graph : program->graphs)
        found << QString::fromStdString(graph.id + " " + graph.kind + " " + graph.compile_id + " " +
                                        std::to_string(graph.graph.size()));
    QCOMPARE(found, graphs);
}

void TestFxTextLogs::everyGraphIsWellFormed() {
    int count = 0;
    for (const char* file :
         {"torch_logs_joint.txt", "torch_logs_inductor_static.txt", "i_control_flow.graphs.log", "e_dynamic.graphs.log",
          "k_compiled_autograd.graphs.log", "b_mlp_train.aot_joint_graph.log", "d_custom_op.post_grad_graphs.log"}) {
        const auto program = read_fx_text(sample_text(QString("fx_text/") + file));
        QVERIFY2(program, file);
        for (const ProgramGraph& graph : program->graphs) {
            const std::vector<Error> problems = verify(graph.graph);
            QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().message().c_str());
            QVERIFY(graph.graph.output() != no_node);
            ++count;
        }
    }
    QVERIFY(count > 30);
}

void TestFxTextLogs::jointGraphWithOneInputPerLine() {
    const auto program = read_fx_text(sample_text("fx_text/joint.expanded.txt"));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    const auto plain = read_fx_text(sample_text("fx_text/b_mlp_train.aot_joint_graph.log"));
    QVERIFY(plain);
    QCOMPARE(print_fx(program->graphs[0].graph), print_fx(plain->graphs[0].graph));
    const Graph& graph = program->graphs[0].graph;
    QCOMPARE(annotation(graph.node(graph.find("primals_6")).meta, {}), "i64[4][1]cpu");
}

void TestFxTextLogs::jointGraphFlattensItsInputs() {
    const auto program = read_fx_text(sample_text("fx_text/torch_logs_joint.txt"));
    QVERIFY(program);
    const Graph& joint = program->graphs.front().graph;
    QCOMPARE(print_fx_node(joint, joint.first()), "%primals_1 : [num_users=2] = placeholder[target=primals_1]");
    QCOMPARE(joint.placeholders().size(), std::size_t{3});
    QCOMPARE(annotation(joint.node(joint.find("tangents_1")).meta, {}), "f32[][]cpu");
    QCOMPARE(print_fx_node(joint, joint.output()), "return [sum_1, None, mm_1]");
}

void TestFxTextLogs::interleavedProcesses() {
    const auto line = [](int process, const std::string& text) {
        return "[rank" + std::to_string(process) + "]:V1129 11:12:00.850000 " + std::to_string(100 + process) +
               " torch/_inductor/compile_fx.py:1382] [0/0] [__post_grad_graphs] " + text + "\n";
    };
    std::string log;
    for (const std::string text :
         {" ===== AFTER POST GRAD =====", " x.py class <lambda>(torch.nn.Module):",
          "    def forward(self, x: \"f32[2]\"):", "        y: \"f32[2]\" = torch.ops.aten.relu.default(x);  x = None",
          "        return (y,)"}) {
        log += line(0, text) + line(1, text) + "something a program prints\n";
    }
    const auto program = read_fx_text(log);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.size(), std::size_t{2});
    QCOMPARE(program->graphs[0].id, "after_post_grad");
    QCOMPARE(program->graphs[1].id, "after_post_grad_1");
    QCOMPARE(print_fx(program->graphs[0].graph), print_fx(program->graphs[1].graph));
}

void TestFxTextLogs::prefixesOfOtherReleases_data() {
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("compileId");
    QTest::addColumn<QString>("kind");
    QTest::newRow("2.1") << "[2023-10-04 15:16:31,115] [0/1] torch._functorch.aot_autograd.__aot_graphs: [INFO] "
                         << "0/1" << "aot_graphs";
    QTest::newRow("2.13") << "V1129 11:11:59.992000 10147 torch/_dynamo/output_graph.py:2835] [3/0_1] [__graph_code] "
                          << "3/0_1" << "graph_code";
    QTest::newRow("no compile id") << "V1129 11:11:59.992000 10147 torch/_dynamo/output_graph.py:2835] [__graph_code] "
                                   << "" << "graph_code";
    QTest::newRow("behind a container's time")
        << "2026-11-29T10:00:00Z V1129 11:11:59.992000 10147 torch/a.py:1] [0/0] " << "0/0" << "code";
}

void TestFxTextLogs::prefixesOfOtherReleases() {
    QFETCH(QString, prefix);
    QFETCH(QString, compileId);
    QFETCH(QString, kind);
    const std::string start = prefix.toStdString();
    const auto program = read_fx_text(start + "class M(torch.nn.Module):\n" + start + "    def forward(self, x):\n" +
                                      start + "        return x\n");
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs.front().compile_id, compileId.toStdString());
    QCOMPARE(program->graphs.front().kind, kind.toStdString());
}

void TestFxTextLogs::brokenGraphsAreLeftOut() {
    std::string log = sample_text("fx_text/torch_logs_inductor_static.txt");
    const std::string whole = "torch.ops.aten.sum.default(arg2_1)";
    log.replace(log.find(whole), whole.size(), "torch.ops.aten.sum.default(missing)");
    const auto program = read_fx_text(log);
    QVERIFY(program);
    QCOMPARE(program->graphs.size(), std::size_t{2});
    QCOMPARE(program->notes.size(), std::size_t{1});
    QVERIFY2(program->notes[0].find("\"missing\" is used, but no node of that name stands before this line") !=
                 std::string::npos,
             program->notes[0].c_str());
    QVERIFY2(program->notes[0].starts_with("line 35, column 160: "), program->notes[0].c_str());
}

void TestFxTextLogs::coloursAreDropped() {
    const auto program = read_fx_text(sample_text("fx_text/c1_index_put.colored_tty.log"));
    QVERIFY(program);
    const Graph& graph = program->graphs.front().graph;
    QCOMPARE(annotation(graph.node(graph.find("view")).meta, {}), "f32[2, 2, 8][16, 8, 1]cpu");
    QCOMPARE(print_fx_node(graph, graph.find("view")),
             "%view : [num_users=1] = call_function[target=torch.ops.aten.view.default](args = (%arg1_1, [2, 2, 8]), "
             "kwargs = {})");
}

QTEST_APPLESS_MAIN(TestFxTextLogs)
#include "test_fx_text_logs.moc"
