// Our own document: what is saved of every graph under tests/data opens as the same graph with the same decisions, and
// a document that is damaged is refused with its place.
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <set>

#include "core/execution/verification.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/reader.h"
#include "core/formats/session_document/session_document.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/saved_session.h"

using namespace inspector;

namespace {

std::string document_of(const Program& program, const ReinplaceSession& session, std::size_t graph = 0) {
    SavedSession saved = save_session(session, graph, session.current());
    saved.origin = program.path;
    saved.origin_format = program.format;
    const auto part = print_program_part(program);
    return part ? print_session_document(program, *part, {saved}) : part.error().message();
}

void write(const QString& path, const std::string& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
}

std::unique_ptr<ReinplaceSession> session_on(const ProgramGraph& graph, const std::string& policy = "sound") {
    ReinplaceSession::Options options;
    options.policy = policy;
    return std::move(*ReinplaceSession::start(graph, std::move(options)));
}

QString data(const char* name) { return QStringLiteral(TEST_DATA "/") + QString::fromUtf8(name); }

Program read(const QString& path) {
    auto program = read_program(path.toStdString());
    return program ? std::move(*program) : Program{};
}

const char* chain = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                    "    %relu : [num_users=2] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})\n"
                    "    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%relu, 1), kwargs = {})\n"
                    "    return (relu, add)";

/// A small document.
std::string chain_document() {
    const auto program = read_fx_text(chain);
    return document_of(*program, *session_on(program->graphs.front()));
}

} // namespace

class TestSessionDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opensAsItWasSaved_data();
    void opensAsItWasSaved();
    void sessionStandsWhereItStood();
    void changedDecisionsAreTold();
    void weightsAreFoundAgain();
    void missingWeightsAreTold();
    void givesAnArchiveBack();
    void unreadGraphsAreLeftOut();
    void sessionsOnOtherGraphs();
    void membersInAnyOrder();
    void refuses_data();
    void refuses();
    void refusesWhatIsNoJson_data();
    void refusesWhatIsNoJson();
    void refusesChoicesThatDoNotFit();
};

void TestSessionDocument::opensAsItWasSaved_data() {
    QTest::addColumn<QString>("file");
    const QStringList graphs{"*.pt2",          "*.fx.txt", "*.py.txt", "*.code.txt", "*.readable.txt",
                             "*.ep.txt",       "*.log",    "torch_logs_*.txt"};
    std::set<QString> files;
    for (QDirIterator it(QStringLiteral(TEST_DATA), graphs, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        files.insert(it.next());
    // Damaged on purpose; the fuzz targets replay them.
    std::erase_if(files, [](const QString& file) { return file.startsWith(QStringLiteral(TEST_DATA "/fuzz/")); });
    for (const QString& file : files)
        if (!file.endsWith(QStringLiteral("reinplace_counters.log"))) // holds no graph
            QTest::newRow(qPrintable(file.mid(static_cast<int>(qstrlen(TEST_DATA)) + 1))) << file;
}

void TestSessionDocument::opensAsItWasSaved() {
    QFETCH(QString, file);
    const Program program = read(file);
    QVERIFY(!program.graphs.empty());
    const auto session = session_on(program.graphs.front());
    session->run_to_end();
    const std::string document = document_of(program, *session);
    QVERIFY(is_session_document(document));
    const auto again = read_session_document(document);
    QVERIFY2(again, again ? "" : again.error().message().c_str());

    QCOMPARE(again->graphs.size(), program.graphs.size());
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        QCOMPARE(again->graphs[i].id, program.graphs[i].id);
        QCOMPARE(print_fx(again->graphs[i].graph), print_fx(program.graphs[i].graph));
        QCOMPARE(print_readable(*again, i, {}), print_readable(program, i, {}));
    }
    const auto restored = restore_session(again->graphs.front(), *again->saved);
    QVERIFY2(restored, restored ? "" : restored.error().message().c_str());
    QCOMPARE(restored->notes, std::vector<std::string>{});
    QVERIFY(restored->session->at_end());
    QCOMPARE(print_fx(restored->session->graph()), print_fx(session->graph()));
    QVERIFY(save_session(*restored->session, 0, no_node).decisions == save_session(*session, 0, no_node).decisions);

    // What is written of what was read is the same text.
    SavedSession saved = *again->saved;
    const auto part = print_program_part(*again);
    QVERIFY2(part, part ? "" : part.error().message().c_str());
    QVERIFY(print_session_document(*again, *part, {saved}) == document);
}

void TestSessionDocument::sessionStandsWhereItStood() {
    const Program program = read(data("reference/attention-mask-update/before.py.txt"));
    const ProgramGraph& graph = program.graphs.front();
    ReinplaceSession::Options options;
    options.policy = "sound";
    options.donated = {graph.graph.node(graph.graph.placeholders().front()).name};
    options.first = 40;
    const auto session = std::move(*ReinplaceSession::start(graph, options));
    QVERIFY(session->decision_nodes().size() > 4);
    session->choose(0, Choice::skip);
    session->choose(2, Choice::force);
    session->choose(4, Choice::accept);
    session->run_to(3);
    session->step_check();
    const auto again = read_session_document(document_of(program, *session));
    QVERIFY(again);
    QCOMPARE(again->saved->origin, program.path);
    const auto restored = restore_session(again->graphs.front(), *again->saved);
    QVERIFY(restored);
    QCOMPARE(restored->session->position(), 3U);
    QCOMPARE(restored->session->checks_asked(), session->checks_asked());
    QCOMPARE(restored->selected, session->current());
    QCOMPARE(restored->session->options().policy, std::string("sound"));
    QCOMPARE(restored->session->options().donated, options.donated);
    QVERIFY(restored->session->options().first == 40U);
    QVERIFY(restored->session->options().choices == session->options().choices);
    QCOMPARE(print_fx(restored->session->graph()), print_fx(session->graph()));
    restored->session->run_to_end();
    session->run_to_end();
    QCOMPARE(print_fx(restored->session->graph()), print_fx(session->graph()));
}

void TestSessionDocument::changedDecisionsAreTold() {
    const auto program = read_fx_text(chain);
    const auto session = session_on(program->graphs.front());
    session->run_to_end();
    auto again = read_session_document(document_of(*program, *session));
    QVERIFY(again);
    QVERIFY(changed_decisions(*session, *again->saved).empty());
    QCOMPARE(again->saved->decisions[1].verdict, std::string("kept"));
    again->saved->decisions[1].verdict = "reinplaced";
    QCOMPARE(restore_session(again->graphs.front(), *again->saved)->notes,
             std::vector<std::string>{"1 decision is made otherwise than when the document was saved: %add (reinplaced then, kept now)"});
}

void TestSessionDocument::weightsAreFoundAgain() {
    const QTemporaryDir folder;
    const QString model = folder.filePath(QStringLiteral("model.pt2"));
    QVERIFY(QFile::copy(data("pt2/inputs-training.pt2"), model));
    const Program program = read(model);
    const std::string document = document_of(program, *session_on(program.graphs.front()));
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("mailed")));
    write(folder.filePath(QStringLiteral("mailed/a.session.json")), document);
    const auto opened = [&] { return read(folder.filePath(QStringLiteral("mailed/a.session.json"))); };

    // At its place.
    QVERIFY(opened().notes.empty());
    QVERIFY(opened().archive->is_at_hand);
    QCOMPARE(opened().archive->path, model.toStdString());
    const ReinplaceSession::Options sound{.policy = "sound", .first = {}, .choices = {}, .donated = {}};
    const Verification verification = verify_rewrite(opened(), 0, sound, {});
    const Verification direct = verify_rewrite(program, 0, sound, {});
    QCOMPARE(verification.answer, Verification::Answer::equal);
    QCOMPARE(verification.compared, direct.compared);
    QCOMPARE(verification.notes, direct.notes);

    // Beside the document.
    const QString beside = folder.filePath(QStringLiteral("mailed/model.pt2"));
    QVERIFY(QFile::rename(model, beside));
    QVERIFY(opened().notes.empty());
    QCOMPARE(opened().archive->path, beside.toStdString());
}

void TestSessionDocument::missingWeightsAreTold() {
    const QTemporaryDir folder;
    const QString model = folder.filePath(QStringLiteral("model.pt2"));
    QVERIFY(QFile::copy(data("pt2/arguments.pt2"), model));
    const Program program = read(model);
    const std::string document = document_of(program, *session_on(program.graphs.front()));
    write(folder.filePath(QStringLiteral("a.session.json")), document);
    const auto opened = [&] { return read(folder.filePath(QStringLiteral("a.session.json"))); };
    const auto told = [&](const std::string& reason) {
        const Program found = opened();
        QVERIFY(!found.archive->is_at_hand);
        QCOMPARE(found.notes, std::vector<std::string>{"the weights are lacking: " + model.toStdString() + ": " + reason +
                                                       "; put the file the session was made from there, or beside this document"});
        QCOMPARE(print_fx(found.graphs.front().graph), print_fx(program.graphs.front().graph));
        QVERIFY(why_not_pt2(found).find("not at hand") != std::string::npos);
        // A document that is saved again still knows what is missing.
        QCOMPARE(print_program_part(found).value(), print_program_part(program).value());
    };

    // Another file of the same size, and the weights alone are changed.
    QFile file(model);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray bytes = file.readAll();
    const qint64 size = bytes.size();
    file.close();
    QVERIFY(QFile::remove(model));
    QVERIFY(QFile::copy(data("pt2/results.pt2"), model));
    told("has " + std::to_string(QFileInfo(model).size()) + " bytes, not " + std::to_string(size));
    QVERIFY(QFile::remove(model));
    told("there is no such file");
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("model.pt2")));
    told("is not a file");
    QVERIFY(QDir(folder.path()).rmdir(QStringLiteral("model.pt2")));
    // The CRC of the last record, in the directory at the end.
    const qsizetype directory = bytes.lastIndexOf("PK\x01\x02");
    QVERIFY(directory > 0);
    bytes[directory + 16] = static_cast<char>(bytes[directory + 16] ^ 1);
    write(model, bytes.toStdString());
    told("has another content: its checksum differs");
}

void TestSessionDocument::givesAnArchiveBack() {
    const QTemporaryDir folder;
    const Program program = read(data("pt2/dynamic.pt2"));
    const auto session = session_on(program.graphs.front());
    session->run_to_end();
    write(folder.filePath(QStringLiteral("a.session.json")), document_of(program, *session));
    const Program again = read(folder.filePath(QStringLiteral("a.session.json")));
    QCOMPARE(why_not_pt2(again), std::string());
    const std::string out = folder.filePath(QStringLiteral("out.pt2")).toStdString();
    const std::string direct = folder.filePath(QStringLiteral("direct.pt2")).toStdString();
    QVERIFY(write_pt2(again.archive->path, again.graphs.front(), session->graph(), out));
    QVERIFY(write_pt2(program.path, program.graphs.front(), session->graph(), direct));
    QFile first(QString::fromStdString(out));
    QFile second(QString::fromStdString(direct));
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    QVERIFY(first.readAll() == second.readAll());
}

void TestSessionDocument::unreadGraphsAreLeftOut() {
    ReadOptions options;
    options.read_at_once = 0;
    const std::string log = data("fx_text/i_control_flow.graphs.log").toStdString();
    auto listed = read_program(log, options);
    QVERIFY(listed);
    if (listed->graphs.front().is_read) { // a text log is read at once
        listed->graphs.front().is_read = false;
        listed->graphs.front().graph = Graph();
    }
    const std::size_t last = listed->graphs.size() - 1;
    auto all = read_program(log);
    QVERIFY(all && last > 0);
    std::size_t graph = last;
    while (graph > 0 && all->graphs[graph].parent) --graph;
    QVERIFY(graph > 0);
    for (std::size_t i = 0; i < graph; ++i) all->graphs[i].is_read = false;
    const auto session = session_on(all->graphs[graph]);
    const auto again = read_session_document(document_of(*all, *session, graph));
    QVERIFY2(again, again ? "" : again.error().message().c_str());
    QCOMPARE(again->graphs.size(), all->graphs.size() - graph);
    QCOMPARE(again->saved->graph, std::size_t{0});
    QCOMPARE(again->graphs.front().id, all->graphs[graph].id);
    QCOMPARE(print_readable(*again, 0, {}), print_readable(*all, graph, {}));
}

void TestSessionDocument::sessionsOnOtherGraphs() {
    const auto program = read_program(data("reference/nested-cond/before.pt2").toStdString());
    QVERIFY(program && program->graphs.size() > 1);
    auto shown = session_on(program->graphs[1]);
    auto other = session_on(program->graphs[0], "torch-fx");
    other->choose(0, Choice::skip);
    for (const auto& session : {shown.get(), other.get()}) session->run_to_end();
    const auto part = print_program_part(*program);
    QVERIFY(part);
    const std::string text = print_session_document(
        *program, *part, {save_session(*shown, 1, no_node), save_session(*other, 0, no_node)});
    const auto again = read_text(text);
    QVERIFY2(again, again ? "" : again.error().message().c_str());
    QVERIFY(saved_on(*again, 1) == &*again->saved);
    QVERIFY(saved_on(*again, 0) == &again->other_sessions.front());
    QCOMPARE(saved_on(*again, 0)->policy, std::string("torch-fx"));
    const auto restored = restore_session(again->graphs[0], *saved_on(*again, 0));
    QVERIFY(restored);
    QCOMPARE(print_fx(restored->session->graph()), print_fx(other->graph()));

    std::string twice = text;
    const std::string first = "\"other_sessions\":[\n {\"graph\":0";
    twice.replace(twice.find(first), first.size(), "\"other_sessions\":[\n {\"graph\":1");
    const auto refused = read_text(twice);
    QVERIFY(!refused);
    QCOMPARE(refused.error().message(), std::string("/other_sessions/0/graph: another session is on this graph"));
}

void TestSessionDocument::membersInAnyOrder() {
    // As `jq -S` would leave it: sorted, on many lines.
    const QJsonDocument sorted = QJsonDocument::fromJson(QByteArray::fromStdString(chain_document()));
    const std::string text = "\n" + sorted.toJson(QJsonDocument::Indented).toStdString();
    QVERIFY(text.find("\"graphs\"") < text.find("\"reinplace_session\""));
    const auto again = read_text(text);
    QVERIFY2(again, again ? "" : again.error().message().c_str());
    QCOMPARE(again->format, std::string("session_document"));
    QCOMPARE(print_fx(again->graphs.front().graph), std::string(chain));
}

void TestSessionDocument::refuses_data() {
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("replacement");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* old, const char* replacement, const char* message) {
        QTest::newRow(name) << QByteArray(old) << QByteArray(replacement) << QString::fromUtf8(message);
    };
    row("newer version", "\"reinplace_session\":1,\n \"written_by\":\"Reinplace Inspector " INSPECTOR_VERSION "\"",
        "\"reinplace_session\":2,\"written_by\":\"Reinplace Inspector 9.1\"",
        "/reinplace_session: the document has version 2, written by Reinplace Inspector 9.1; this program reads up to version 1");
    row("version beyond 64 bits", "\"reinplace_session\":1", "\"reinplace_session\":100000000000000000000",
        "/reinplace_session: the document has version 1e+20, written by Reinplace Inspector " INSPECTOR_VERSION
        "; this program reads up to version 1");
    row("no version", "\"reinplace_session\":1", "\"reinplace_session\":0", "/reinplace_session: 0 is no version");
    row("version is a text", "\"reinplace_session\":1", "\"reinplace_session\":\"1\"",
        "/reinplace_session: string stands where an integer belongs");
    row("no graphs", "\"graphs\":[", "\"graphs\":[],\"others\":[", "/graphs: the document holds no graph");
    row("graphs missing", "\"graphs\"", "\"graph/s\"", "/: the member \"graphs\" is missing");
    row("session missing", "\"session\"", "\"sessions\"", "/: the member \"session\" is missing");
    row("graph that is not there", "\"graph\":0", "\"graph\":7", "/session/graph: the document has no graph of this number");
    row("negative position", "\"position\":0", "\"position\":-1", "/session/position: -1 is no count");
    row("huge position", "\"position\":0", "\"position\":18446744073709551615", "/session/position: the number is too large");
    row("node without a name", "{\"op\":\"placeholder\",\"name\":\"x\",", "{\"op\":\"placeholder\",",
        "/graphs/0/nodes/0: the member \"name\" is missing");
    row("unknown kind of node", "\"op\":\"placeholder\"", "\"op\":\"place\"", "/graphs/0/nodes/0/op: no kind of node is named \"place\"");
    row("same name twice", "\"name\":\"relu\"", "\"name\":\"x\"", "/graphs/0/nodes/1/name: another node is named \"x\"");
    row("reference ahead", "[{\"node\":\"relu\"},1]", "[{\"node\":\"add\"},1]",
        "/graphs/0/nodes/2/args/0/node: no node named \"add\" stands before");
    row("unknown argument", "{\"node\":\"relu\"},1", "{\"nodes/~\":\"relu\"},1",
        "/graphs/0/nodes/2/args/0: no kind of argument is named \"nodes/~\"");
    row("no dtype", "{\"node\":\"relu\"},1", "{\"node\":\"relu\"},{\"dtype\":\"f99\"}",
        "/graphs/0/nodes/2/args/1/dtype: no type of elements is named \"f99\"");
    row("no size", "{\"node\":\"relu\"},1", "{\"node\":\"relu\"},{\"size\":{\"symbolic\":\"s0 +\"}}",
        "/graphs/0/nodes/2/args/1/size/symbolic: no expression over sizes");
    row("no graph", "\"op\":\"placeholder\"", "\"op\":\"output\"", "/graphs/0/nodes: the graph is not well-formed");
    row("escaped pointer", "\"program\":{}", "\"program\":{\"inductor\":{\"ops\":3,\"a/b\":1}}",
        "/program/inductor/ops: number stands where a list belongs");
    row("strides", "\"name\":\"x\",", "\"name\":\"x\",\"meta\":{\"tensor\":{\"dtype\":\"f32\",\"sizes\":[2],\"strides\":[]}},",
        "/graphs/0/nodes/0/meta/tensor/strides: 0 strides do not fit 1 sizes");
}

void TestSessionDocument::refuses() {
    QFETCH(QByteArray, old);
    QFETCH(QByteArray, replacement);
    QFETCH(QString, message);
    QByteArray document = QByteArray::fromStdString(chain_document());
    QVERIFY2(document.contains(old), document.constData());
    document.replace(old, replacement);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.session.json"));
    write(path, document.toStdString());
    const auto program = read_program(path.toStdString());
    QVERIFY(!program);
    const QString got = QString::fromStdString(program.error().message());
    QVERIFY2(got.startsWith(path + QStringLiteral(": ") + message), qPrintable(got));
}

void TestSessionDocument::refusesWhatIsNoJson_data() {
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("message");
    QTest::newRow("cut") << QByteArray("{\"reinplace_session\":1,\n \"graphs\":[") << "line 2, column 12: the document is cut short";
    QTest::newRow("no JSON") << QByteArray("{\"reinplace_session\":1,\n \"graphs\" 3}") << "line 2, column 11: this is no JSON";
    QTest::newRow("deep") << "{\"reinplace_session\":1,\"a\":" + QByteArray(10'000, '[') << "line 1, column 243: JSON is nested deeper than 216 levels";
    QTest::newRow("deep objects") << "{\"reinplace_session\":" + QByteArray("{\"a\":").repeated(10'000) << "line 1, column 1097: JSON is nested deeper than 216 levels";
    QTest::newRow("number") << QByteArray("{\"reinplace_session\":1e999}") << "this is no JSON: [json.exception.out_of_range.406]";
}

void TestSessionDocument::refusesWhatIsNoJson() {
    QFETCH(QByteArray, document);
    QFETCH(QString, message);
    const auto program = read_text(document.toStdString());
    QVERIFY(!program);
    const QString got = QString::fromStdString(program.error().message());
    QVERIFY2(got.startsWith(message), qPrintable(got));
}

void TestSessionDocument::refusesChoicesThatDoNotFit() {
    auto again = read_session_document(chain_document());
    QVERIFY(again);
    const auto refused = [&] {
        const auto restored = restore_session(again->graphs.front(), *again->saved);
        return restored ? std::string() : restored.error().message();
    };
    QCOMPARE(refused(), std::string());
    again->saved->choices = {{"x", "force"}};
    QCOMPARE(refused(), std::string("session, choices: no decision is made on a node \"x\""));
    again->saved->choices = {{"add", "destroy"}};
    QCOMPARE(refused(), std::string("session, choices: no choice is named \"destroy\""));
    again->saved->choices.clear();
    again->saved->donated = {"y"};
    QCOMPARE(refused(), std::string("session: no input is named \"y\""));
    again->saved->donated.clear();
    again->saved->policy = "best";
    QVERIFY(QString::fromStdString(refused()).startsWith(QStringLiteral("session: there is no policy \"best\"")));
    // A place beyond the end is the end.
    again->saved->policy = "sound";
    again->saved->position = 4'000'000'000;
    QVERIFY(restore_session(again->graphs.front(), *again->saved)->session->at_end());
}

QTEST_APPLESS_MAIN(TestSessionDocument)
#include "test_session_document.moc"
