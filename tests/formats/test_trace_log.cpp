// TORCH_TRACE logs: records, compile ids, damage, graphs that are read when they are asked for.
#include <QCryptographicHash>
#include <QtTest>

#include "core/formats/reader.h"
#include "core/formats/md5.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "sample_file.h"
#include "tests/golden.h"

using namespace inspector;

class TestTraceLog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sumsAreThoseOfTheStandard();
    void graphsOfALog_data();
    void graphsOfALog();
    void graphsPrintAsTheyWereLogged_data();
    void graphsPrintAsTheyWereLogged();
    void compileIds_data();
    void compileIds();
    void windowsLineEnds();
    void layoutsOfARunnableScript();
    void unreadGraphsAreReadAlone();
    void namesOfGraphs();
    void damage_data();
    void damage();
    void nothingLeft();
    void limits();
    void cutAnywhere();
};

namespace {

const std::string stamp = "V1129 11:50:47.063000 25577 torch/_dynamo/output_graph.py:2841] ";
const std::string relu = "class G(torch.nn.Module):\n    def forward(self, x: \"f32[2][1]cpu\"):\n"
                         "        y: \"f32[2][1]cpu\" = torch.ops.aten.relu.default(x);  x = None\n        return (y,)\n        ";

std::string sum(const std::string& payload) {
    return QCryptographicHash::hash(QByteArray::fromStdString(payload), QCryptographicHash::Md5).toHex().toStdString();
}

/// A record with the payload's sum; `json` are its keys.
std::string record(const std::string& json, const std::string& payload) {
    std::string text = stamp + "{" + json + ", \"has_payload\": \"" + sum(payload) + "\"}\n\t";
    for (const char c : payload) {
        text += c;
        if (c == '\n') text += '\t';
    }
    return text + '\n';
}

std::string graph_record(const std::string& name, const std::string& payload = relu) {
    return record("\"artifact\": {\"name\": \"" + name + "\", \"encoding\": \"string\"}, \"frame_id\": 0, \"frame_compile_id\": 0, "
                  "\"attempt\": 0", payload);
}

QStringList described(const Program& program) {
    QStringList found;
    for (const ProgramGraph& graph : program.graphs)
        found << QString::fromStdString(graph.id + " | " + graph.kind + " | " + graph.compile_id + " | " +
                                        std::to_string(graph.graph.placeholders().size()) + " | " + std::to_string(graph.graph.size()));
    return found;
}

QString notes(const Program& program) {
    QStringList all;
    for (const std::string& note : program.notes) all << QString::fromStdString(note);
    return all.join('\n');
}

} // namespace

void TestTraceLog::sumsAreThoseOfTheStandard() {
    QCOMPARE(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
    QCOMPARE(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
    for (std::size_t length = 0; length < 300; ++length) {
        const std::string text(length, static_cast<char>('a' + length % 26));
        QCOMPARE(md5(text), sum(text));
    }
}

void TestTraceLog::graphsOfALog_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"a_mlp_fwd_cache_hit", "b_mlp_train", "c1_index_put", "e_dynamic", "f_graph_break",
                             "k_compiled_autograd_aot_eager", "n_utf8_aot_eager"})
        QTest::newRow(name) << QString::fromUtf8(name);
}

// The goldens agree with a parse of the same logs by another program.
void TestTraceLog::graphsOfALog() {
    QFETCH(QString, file);
    const auto program = read_program(sample_path("trace_log/" + file + ".log"));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->format, "trace_log");
    QCOMPARE(program->torch_version, "2.13.0+cpu");
    QCOMPARE(notes(*program), QString());
    for (const ProgramGraph& graph : program->graphs) QVERIFY(verify(graph.graph).empty());
    const std::string text = (described(*program).join('\n') + '\n').toStdString();
    const QByteArray difference = golden_difference("trace_log/" + file + ".graphs.txt", text);
    QVERIFY2(difference.isEmpty(), difference.constData());
}

void TestTraceLog::graphsPrintAsTheyWereLogged_data() { graphsOfALog_data(); }

/// Without comments, blank lines and the signature.
QStringList code_lines(const std::string& text) {
    QStringList lines;
    bool in_signature = false;
    for (const QString& line : QString::fromStdString(text).split('\n')) {
        const QString plain = line.trimmed();
        if (plain.startsWith("def forward(")) in_signature = true;
        const bool ends_signature = in_signature && plain.endsWith("):");
        if (!in_signature && !plain.isEmpty() && !plain.startsWith('#')) lines << line;
        if (ends_signature) in_signature = false;
    }
    return lines;
}

void TestTraceLog::graphsPrintAsTheyWereLogged() {
    QFETCH(QString, file);
    const auto program = read_program(sample_path("trace_log/" + file + ".log"));
    QVERIFY(program);
    int compared = 0;
    for (std::size_t i = 0; i < program->graphs.size(); ++i) {
        const ProgramGraph& graph = program->graphs[i];
        // Others write one input or output on each line, or flatten inputs: what they hold is compared by test_corpus.
        if (graph.parent || graph.kind.find("post_grad_graph") == std::string::npos) continue;
        ReadableOptions options;
        options.class_name = graph.title;
        QCOMPARE(code_lines(print_readable(*program, i, options)), code_lines(graph.text->text));
        ++compared;
    }
    QCOMPARE(compared > 0, !file.contains("aot_eager"));
}

void TestTraceLog::compileIds_data() {
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("id");
    QTest::newRow("none") << "" << "";
    QTest::newRow("frame") << ", \"frame_id\": 3, \"frame_compile_id\": 1, \"attempt\": 0" << "3/1";
    QTest::newRow("attempt") << ", \"frame_id\": 3, \"frame_compile_id\": 1, \"attempt\": 2" << "3/1_2";
    QTest::newRow("autograd") << ", \"compiled_autograd_id\": 0" << "!0";
    QTest::newRow("autograd's frame") << ", \"compiled_autograd_id\": 4, \"frame_id\": 1, \"frame_compile_id\": 0" << "!4/1/0";
    QTest::newRow("no number") << ", \"frame_id\": \"../etc\", \"frame_compile_id\": null, \"attempt\": []" << "";
    QTest::newRow("rank before it") << ", \"rank\": 7, \"frame_id\": 0, \"frame_compile_id\": 0" << "0/0";
    QTest::newRow("numbers JSON does not have")
        << ", \"x\": [NaN, -Infinity, Infinity, \"NaN\"], \"frame_id\": 0, \"frame_compile_id\": 2" << "0/2";
}

void TestTraceLog::compileIds() {
    QFETCH(QString, keys);
    QFETCH(QString, id);
    const auto program = read_text(record("\"dynamo_output_graph\": {}" + keys.toStdString(), relu));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(notes(*program), QString());
    QCOMPARE(program->graphs.front().compile_id, id.toStdString());
    QCOMPARE(program->graphs.front().id, (id.isEmpty() ? "" : id + "/").toStdString() + "dynamo_output_graph");
}

void TestTraceLog::windowsLineEnds() {
    std::string log = graph_record("before_post_grad_graph");
    for (std::size_t end = log.find('\n'); end != std::string::npos; end = log.find('\n', end + 2)) log.insert(end, "\r");
    const auto program = read_text(log);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(notes(*program), QString());
    QCOMPARE(program->graphs.front().graph.size(), std::size_t{3});
}

void TestTraceLog::layoutsOfARunnableScript() {
    const auto program = read_program(sample_path("trace_log/c1_index_put.log"));
    QVERIFY(program);
    const auto script = std::ranges::find(program->graphs, "fx_graph_runnable", &ProgramGraph::kind);
    QVERIFY(script != program->graphs.end());
    QCOMPARE(annotation(script->graph.node(script->graph.find("arg0_1")).meta, {}), "f32[1, 2, 16, 8][256, 128, 8, 1]cpu");
}

void TestTraceLog::unreadGraphsAreReadAlone() {
    const std::string path = sample_path("trace_log/f_graph_break.log");
    const auto all = read_program(path);
    ReadOptions options;
    options.read_at_once = 100;
    const auto listed = read_program(path, options);
    QVERIFY(all && listed);
    for (const ProgramGraph& graph : listed->graphs) {
        QVERIFY(!graph.is_read);
        QCOMPARE(graph.graph.size(), std::size_t{0});
    }
    for (std::size_t i = 0; i < listed->graphs.size(); ++i) {
        const auto read = read_graph(*listed, i);
        QVERIFY2(read, read ? "" : read.error().message().c_str());
        const ProgramGraph& graph = read->program.graphs[read->index];
        QVERIFY(graph.is_read);
        QCOMPARE(graph.id, listed->graphs[i].id);
        const auto same = std::ranges::find(all->graphs, graph.id, &ProgramGraph::id);
        QVERIFY(same != all->graphs.end());
        QCOMPARE(print_fx(graph.graph), print_fx(same->graph));
        QCOMPARE(graph.title, same->title);
        // One is held at a time.
        const auto next = read_graph(read->program, read->index == 0 ? 1 : 0);
        QVERIFY(next);
        QCOMPARE(std::ranges::count(next->program.graphs, true, &ProgramGraph::is_read), 1);
        QCOMPARE(next->program.graphs.size(), listed->graphs.size());
    }
}

void TestTraceLog::namesOfGraphs() {
    const std::string nested = "class G(torch.nn.Module):\n    def forward(self, p, x):\n        t = self.t\n"
                               "        y = torch.ops.higher_order.cond(p, t, t, (x,))\n        return (y,)\n\n"
                               "    class t(torch.nn.Module):\n        def forward(self, x):\n            return (x,)\n            ";
    const auto program = read_text(graph_record("before_post_grad_graph", nested) + graph_record("before_post_grad_graph") +
                                   record("\"graph_dump\": {\"name\": \"a b/../c\"}", relu) +
                                   graph_record("custom_graph_stage_3") + graph_record("something", relu) +
                                   graph_record("graph_\\u001b[31m\\n"));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QStringList ids;
    for (const ProgramGraph& graph : program->graphs) ids << QString::fromStdString(graph.id);
    QCOMPARE(ids, (QStringList{"0/0/before_post_grad_graph", "0/0/before_post_grad_graph.t", "0/0/before_post_grad_graph_1",
                               "a_b_.._c", "0/0/custom_graph_stage_3", "0/0/graph___31m_"}));
    QCOMPARE(program->graphs[1].kind, "subgraph");
    QCOMPARE(program->graphs[1].parent, std::optional<std::size_t>(0));
    QCOMPARE(program->graphs[3].kind, "graph_dump");
}

void TestTraceLog::damage_data() {
    QTest::addColumn<QByteArray>("damaged");
    QTest::addColumn<QString>("note");
    QTest::addColumn<int>("graphs"); // of three
    const QByteArray one = QByteArray::fromStdString(graph_record("before_post_grad_graph"));
    const auto changed = [&](const char* from, const QByteArray& to) { return QByteArray(one).replace(from, to); };
    QTest::newRow("JSON cut") << stamp.c_str() + QByteArray("{\"artifact\": {\"name\": \"before_po\n")
                              << "line 7: column 33 of its JSON: the record's JSON is cut short" << 2;
    QTest::newRow("JSON broken") << changed("\"frame_id\": 0", "\"frame_id\": 0x0") << "line 7: column " << 2;
    QTest::newRow("JSON of an event cut") << QByteArray(stamp.c_str()) + "{\"chromium_event\": {\n" << "line 7: the record's JSON is cut" << 2;
    QTest::newRow("no JSON") << QByteArray(stamp.c_str()) + "\n" << "line 7: this record's header is damaged" << 2;
    QTest::newRow("JSON nested deeply")
        << changed("\"attempt\": 0", "\"attempt\": " + QByteArray(100'000, '[')) << "JSON is nested deeper than 200 levels" << 2;
    QTest::newRow("another payload") << changed("aten.relu", "aten.tanh") << "line 7: the payload of before_post_grad_graph is not the one" << 3;
    QTest::newRow("payload cut") << one.left(one.indexOf("torch.ops")) + "\n" << "line 10, column 30: " << 2;
    QTest::newRow("payload gone") << one.left(one.indexOf('\n') + 1) << "line 7: before_post_grad_graph holds no FX graph" << 2;
    QTest::newRow("no TAB") << changed("\t        y", "        y") << "line 10: this is neither a record nor a payload" << 2;
    QTest::newRow("zero byte") << changed("relu", QByteArray("re\0lu", 5)) << "line 10: a zero byte in the payload of before_post_grad_graph" << 3;
    QTest::newRow("not UTF-8") << changed("relu", "re\xC3" "lu") << "line 10: bytes that are not UTF-8 in the payload" << 3;
    QTest::newRow("unknown name") << changed("default(x)", "default(z)") << "line 10, column 58: \"z\" is used" << 2;
    QTest::newRow("foreign words") << QByteArray("Traceback:\n  more of it\n") << "line 7: this is neither a record nor a payload" << 2;
    QTest::newRow("a record between") << one.left(one.indexOf("\t        y")) + QByteArray(stamp.c_str()) + "{\"str\": [\"/etc/passwd\", 1]}\n"
                                      << "line 7: the payload" << 2;
}

void TestTraceLog::damage() {
    QFETCH(QByteArray, damaged);
    QFETCH(QString, note);
    QFETCH(int, graphs);
    const auto program =
        read_text(graph_record("aot_forward_graph") + damaged.toStdString() + graph_record("aot_backward_graph"));
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QVERIFY2(notes(*program).contains(note), qPrintable(notes(*program)));
    QCOMPARE(program->graphs.size(), static_cast<std::size_t>(graphs));
    QCOMPARE(program->graphs.front().id, "0/0/aot_forward_graph");
    QCOMPARE(program->graphs.back().id, "0/0/aot_backward_graph");
}

void TestTraceLog::nothingLeft() {
    const auto failure = [](const std::string& log) {
        const auto program = read_text(log);
        return program ? QString() : QString::fromStdString(program.error().message());
    };
    std::string broken = graph_record("aot_forward_graph");
    broken.replace(broken.find("relu.default(x)"), 15, "relu.default(z)");
    QVERIFY2(failure(broken).startsWith("line 4, column 58: \"z\" is used"), qPrintable(failure(broken)));
    QCOMPARE(failure(stamp + "{\"str\": [\"a.py\", 0]}\n"), "this TORCH_TRACE log holds no FX graph");
    QVERIFY(failure(stamp + "{\"dynamo_output_graph\": \n").contains("; line 1: column "));
}

void TestTraceLog::limits() {
    const std::string log = graph_record("aot_forward_graph") + graph_record("aot_backward_graph");
    ReadOptions options;
    options.limits.text_bytes = log.size() - 1;
    auto program = read_trace_log(log, options);
    QVERIFY(!program);
    QVERIFY2(program.error().reason.starts_with("the text is longer than "), program.error().reason.c_str());
    options = {};
    options.limits.nodes = 2;
    program = read_trace_log(log, options);
    QVERIFY(!program);
    options = {};
    options.limits.graphs = 1;
    program = read_trace_log(log, options);
    QVERIFY(!program);
    QCOMPARE(program.error().reason, "it holds more than 1 graphs");
    const std::atomic<bool> cancelled{true};
    options = {};
    options.cancelled = &cancelled;
    program = read_trace_log(log, options);
    QVERIFY(!program);
    QCOMPARE(program.error().reason, "reading was cancelled");
}

void TestTraceLog::cutAnywhere() {
    const std::string log = sample_text("trace_log/c1_index_put.log");
    QVERIFY(log.size() > 10'000);
    int opened = 0;
    for (std::size_t size = 0; size < log.size(); size += 97) {
        const auto program = read_text(log.substr(0, size));
        if (!program) QVERIFY(!program.error().reason.empty());
        else ++opened;
    }
    QVERIFY(opened > 50);
}

QTEST_APPLESS_MAIN(TestTraceLog)
#include "test_trace_log.moc"
