// Text that is no FX, or broken: an error with place and reason, and never more than that.
#include <QDir>
#include <QtTest>

#include <random>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "sample_file.h"

using namespace inspector;

namespace {

/// Reads and, where that works, prints; what is read must be well-formed.
bool survives(const std::string& text) {
    const auto program = read_fx_text(text);
    if (!program) return !program.error().reason.empty();
    for (const ProgramGraph& graph : program->graphs)
        if (print_fx(graph.graph).empty() || graph.graph.output() == no_node) return false;
    return true;
}

} // namespace

class TestFxTextErrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void messages_data();
    void messages();
    void limits();
    void cutAnywhere_data();
    void cutAnywhere();
    void flippedBytes_data();
    void flippedBytes();
    void deepNesting_data();
    void deepNesting();
    void cancelled();
};

void TestFxTextErrors::messages_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("reason");
    const auto function = [](const char* name, const char* body, const char* place, const char* reason) {
        QTest::newRow(name) << QString("def forward(self, x):\n    %1\n    return x\n").arg(body) << place << reason;
    };
    const auto listing = [](const char* name, const char* line, const char* place, const char* reason) {
        QTest::newRow(name)
            << QString("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %1\n    return x").arg(line)
            << place << reason;
    };
    QTest::newRow("no graph") << "Dear reader,\nthere is no graph here.\n" << "" << "no FX graph found";
    QTest::newRow("empty") << "" << "" << "no FX graph found";
    function("undefined name", "y = torch.relu(z)", "line 2, column 20",
             "\"z\" is used, but no node of that name stands before");
    function("method of a later name", "y = z.relu();  z = torch.relu(x)", "line 2, column 9",
             "\"z\" is used before it is defined");
    function("itself", "y = torch.add(y, x)", "line 2, column 19", "\"y\" is used, but no node");
    function("defined twice", "x = torch.relu(x)", "line 2, column 5", "\"x\" is defined twice");
    function("unclosed bracket", "y = torch.relu(x", "line 3, column 5",
             "\"return\" stands here, where \")\" is expected");
    function("unclosed string", "y = torch.relu(x, 'abc)", "line 2, column 23", "a string is not closed");
    function("a loop", "for i in x: pass", "line 2, column 5", "\"for\" is no statement of a graph's code");
    function("nothing assigned", "torch.relu(x)", "line 2, column 5", "nothing is assigned");
    function("two operations", "y = torch.add(x + 1, x)", "line 2, column 19", "an operation inside an argument");
    function("a constant", "y = 3", "line 2, column 9", "\"3\" is no operation of a graph");
    function("unknown dtype", "y: \"f31[2]\" = torch.relu(x)", "line 2, column 8",
             "\"f31\" is no dtype this program knows");
    function("negative size", "y: \"f32[-2]\" = torch.relu(x)", "line 2, column 8", "a size is negative");
    function("absurd size", "y: \"f32[4294967296, 4294967296]\" = torch.relu(x)", "line 2, column 8",
             "more elements than 64 bits count");
    function("a size beyond 64 bits", "y: \"f32[99999999999999999999]\" = torch.relu(x)", "line 2, column 8",
             "the integer has more than 64 bits");
    function("strides and sizes differ", "y: \"f32[2][1, 1]cpu\" = torch.relu(x)", "line 2, column 8",
             "not as many strides as sizes");
    function("in-place result without a name", "x += 1", "line 3, column 5", "is given no name");
    QTest::newRow("no return") << "def forward(self, x):\n    y = torch.relu(x)\n"
                               << "line 2, column 23" << "before its return";
    QTest::newRow("no return, more text") << "def forward(self, x):\n    y = torch.relu(x)\nprint(1)\n"
                                          << "line 3, column 1" << "without a return";
    QTest::newRow("bad parameter") << "def forward(self, 3):\n    return x\n"
                                   << "line 1, column 19" << "a parameter's name is expected";
    listing("undefined node", "%y : [num_users=0] = call_function[target=torch.relu](args = (%z,), kwargs = {})",
            "line 3, column 67", "\"%z\" is used, but no node of that name stands before this line");
    listing("listed twice", "%x : [num_users=1] = placeholder[target=x]", "line 3, column 5", "\"x\" is defined twice");
    listing("unknown opcode", "%y : [num_users=0] = call_thing[target=x](args = (), kwargs = {})", "line 3, column 26",
            "an operation of FX is expected");
    listing("no arguments", "%y : [num_users=0] = call_function[target=x]", "line 3, column 47",
            "\"args = (…), kwargs = {…})\" is expected");
    listing("no user count", "%y : = call_function[target=x](args = (), kwargs = {})", "line 3, column 10",
            "\"[num_users=N] = \" is expected");
    listing("foreign line", "something else", "line 3, column 5", "a node (\"%name : …\") or \"return\" is expected");
    listing("a word for a number",
            "%y : [num_users=0] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, ((((), kwargs = {})",
            "line 3, column 86", "\"((((\" is no value of type Tensor, which the operator takes here");
    listing("a word for a list",
            "%y : [num_users=0] = call_function[target=torch.ops.aten.view.default](args = (%x, four), kwargs = {})",
            "line 3, column 88", "\"four\" is no value of type SymInt[]");
    listing("a word in a list",
            "%y : [num_users=0] = call_function[target=torch.ops.aten.view.default](args = (%x, [4, four]), kwargs = {})",
            "line 3, column 92", "\"four\" is no value of type SymInt");
    listing("a word for a keyword",
            "%y : [num_users=0] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %x), kwargs = {alpha: two})",
            "line 3, column 108", "\"two\" is no value of type Scalar");
    QTest::newRow("listing without return") << "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
                                            << "line 2, column 47" << "before its return";
    QTest::newRow("listing cut in a line") << "graph():\n    %x : [num_users=1] = placeholder[tar"
                                           << "line 2, column 41" << "the text ends inside this node";
    QTest::newRow("code cut in a line") << "def forward(self, x):\n    y = torch.relu(x" << "line 2, column 22"
                                        << "the text ends here, where \")\" is expected";
    QTest::newRow("returned name") << "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (y,)"
                                   << "line 3, column 13" << "\"y\" is used";
}

void TestFxTextErrors::messages() {
    QFETCH(QString, text);
    QFETCH(QString, place);
    QFETCH(QString, reason);
    const auto program = read_fx_text(text.toStdString());
    QVERIFY(!program);
    QCOMPARE(QString::fromStdString(program.error().place), place);
    QVERIFY2(QString::fromStdString(program.error().reason).contains(reason), program.error().reason.c_str());
}

void TestFxTextErrors::limits() {
    const std::string text = sample_text("fx_text/decoder_layer_graph.txt");
    ReadOptions options;
    options.limits.nodes = 20;
    auto program = read_fx_text(text, options);
    QVERIFY(!program);
    QCOMPARE(program.error().message(), "line 22, column 5: the graph has more than 20 nodes");
    options.limits = {};
    options.limits.text_bytes = 100;
    program = read_fx_text(text, options);
    QVERIFY(!program);
    QCOMPARE(program.error().message(), "the text is longer than 100 bytes");
}

void TestFxTextErrors::cutAnywhere_data() {
    QTest::addColumn<QString>("file");
    for (const QString& file :
         QDir(QStringLiteral(TEST_DATA "/fx_text")).entryList({"*.txt", "*.log", "*runnable.py"}, QDir::Files))
        QTest::newRow(qPrintable(file)) << file;
}

void TestFxTextErrors::cutAnywhere() {
    QFETCH(QString, file);
    const std::string text = sample_text("fx_text/" + file);
    QVERIFY(!text.empty());
    const std::size_t step = text.size() > 20'000 ? 1000 : 97;
    for (std::size_t length = 0; length < text.size(); length += step) {
        QVERIFY2(survives(text.substr(0, length)), std::to_string(length).c_str());
        QVERIFY2(survives(text.substr(length)), std::to_string(length).c_str());
    }
}

void TestFxTextErrors::flippedBytes_data() { cutAnywhere_data(); }

void TestFxTextErrors::flippedBytes() {
    QFETCH(QString, file);
    const std::string text = sample_text("fx_text/" + file);
    std::mt19937 random(42); // the same bytes in every run
    for (int round = 0; round < 200; ++round) {
        std::string changed = text;
        for (int i = 0; i < 1 + round % 3; ++i)
            changed[random() % changed.size()] ^= static_cast<char>(1U << (random() % 7));
        QVERIFY2(survives(changed), std::to_string(round).c_str());
    }
}

void TestFxTextErrors::deepNesting_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("repeated");
    const QString function = "def forward(self, x):\n    y = torch.relu(";
    const QString listing = "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %y : [num_users=1] = "
                            "call_function[target=f](args = (";
    QTest::newRow("lists") << function << "[";
    QTest::newRow("tuples") << function << "(";
    QTest::newRow("dicts") << function << "{1:";
    QTest::newRow("signs") << function << "-";
    QTest::newRow("powers") << function << "2**";
    QTest::newRow("sums") << function << "1+";
    QTest::newRow("attributes") << function << "x.";
    QTest::newRow("calls") << function << "f(";
    QTest::newRow("subscripts") << function << "x[";
    QTest::newRow("negations") << function << "not ";
    QTest::newRow("objects") << function << "<";
    QTest::newRow("listed lists") << listing << "[";
    QTest::newRow("listed dicts") << listing << "{a: ";
    QTest::newRow("listed slices") << listing << "slice(";
    QTest::newRow("annotations") << "def forward(self, x: \"f32[" << "(";
}

void TestFxTextErrors::deepNesting() {
    QFETCH(QString, before);
    QFETCH(QString, repeated);
    const QString closing =
        QString(repeated).replace('[', ']').replace('(', ')').replace(QRegularExpression("\\{.*"), "}");
    for (const bool closed : {false, true}) {
        std::string text = before.toStdString();
        for (int i = 0; i < 100'000; ++i) text += repeated.toStdString();
        text += "1";
        for (int i = 0; closed && i < 100'000; ++i) text += closing.right(1).toStdString();
        text += "), kwargs = {})\n    return x\n";
        const auto program = read_fx_text(text);
        // A listing's words may hold lone brackets; all other text is refused.
        if (!program) QVERIFY(!program.error().reason.empty());
        else QVERIFY(!closed && before.startsWith("graph"));
    }
}

void TestFxTextErrors::cancelled() {
    const std::atomic<bool> flag = true;
    ReadOptions options;
    options.cancelled = &flag;
    const auto program = read_fx_text(sample_text("fx_text/decoder_layer_graph.txt"), options);
    QVERIFY(!program);
    QVERIFY(program.error().reason.find("cancelled") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestFxTextErrors)
#include "test_fx_text_errors.moc"
