// Every graph of every file under tests/data survives being printed and read again, from either text form: what the
// readers and the printers think of FX text is the same.
#include <QDirIterator>
#include <QtTest>

#include <set>

#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "sample_file.h"

using namespace inspector;

namespace {

/// Kinds of the values in an argument tree, one letter each: "[rr]i" is a list of two nodes and a number.
void append_kinds(std::string& kinds, const Argument& argument) {
    if (const auto* list = argument.as<ArgumentList>()) {
        kinds += list->kind == ArgumentList::Kind::list ? '[' : list->kind == ArgumentList::Kind::tuple ? '(' : '<';
        for (const Argument& item : list->items) append_kinds(kinds, item);
        kinds += ']';
    } else if (const auto* dict = argument.as<ArgumentDict>()) {
        kinds += '{';
        for (const auto& [key, item] : dict->items) append_kinds(kinds, item);
        kinds += '}';
    } else {
        kinds += static_cast<char>('a' + argument.value.index());
    }
}

std::string argument_kinds(const Node& node) {
    std::string kinds;
    for (const Argument& argument : node.args) append_kinds(kinds, argument);
    for (const auto& [name, argument] : node.kwargs) append_kinds(kinds, argument);
    return kinds;
}

bool hasAttributeBeforePlaceholder(const Graph& graph) {
    bool attribute = false;
    for (const NodeId id : graph) {
        if (attribute && graph.node(id).opcode == Opcode::placeholder) return true;
        attribute |= graph.node(id).opcode == Opcode::get_attr;
    }
    return false;
}

} // namespace

class TestCorpus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opensAndPrintsBack_data();
    void opensAndPrintsBack();

private:
    static void compareWith(const Graph& graph, const Graph& again, bool metadata);
};

void TestCorpus::opensAndPrintsBack_data() {
    QTest::addColumn<QString>("file");
    const QStringList graphs{"*.pt2",           "*.fx.txt", "*.py.txt", "*.code.txt",
                             "*.readable.txt",  "*.ep.txt", "*.log",    "decoder_layer_*.txt",
                             "torch_logs_*.txt"};
    std::set<QString> files; // in the same order everywhere
    for (QDirIterator it(QStringLiteral(TEST_DATA), graphs, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
        files.insert(it.next());
    QVERIFY(files.size() > 400);
    // Damaged on purpose; the fuzz targets replay them.
    std::erase_if(files, [](const QString& file) { return file.startsWith(QStringLiteral(TEST_DATA "/fuzz/")); });
    for (const QString& file : files)
        QTest::newRow(qPrintable(file.mid(static_cast<int>(qstrlen(TEST_DATA)) + 1))) << file;
}

void TestCorpus::compareWith(const Graph& graph, const Graph& again, bool metadata) {
    for (const NodeId id : graph) {
        const Node& node = graph.node(id);
        const NodeId other = again.find(node.name);
        QVERIFY2(other != no_node, node.name.c_str());
        const auto described = [metadata](const Node& value) {
            return QString::fromStdString(value.name + " " + argument_kinds(value) + " " +
                                          (metadata ? annotation(value.meta, {}) : ""));
        };
        QCOMPARE(described(again.node(other)), described(node));
    }
}

void TestCorpus::opensAndPrintsBack() {
    QFETCH(QString, file);
    const auto program = read_program(file.toStdString());
    if (file.endsWith("reinplace_counters.log")) {
        QVERIFY(program);
        QVERIFY(program->graphs.empty());
        QCOMPARE(program->inductor.counters.size(), std::size_t{1});
        return;
    }
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    for (std::size_t i = 0; i < program->graphs.size(); ++i) {
        const Graph& graph = program->graphs[i].graph;
        const std::string listing = print_fx(graph);
        const auto listed = read_fx_text(listing);
        QVERIFY2(listed, listed ? "" : listed.error().message().c_str());
        QVERIFY(listed->notes.empty());
        QCOMPARE(print_fx(listed->graphs.front().graph), listing);
        compareWith(graph, listed->graphs.front().graph, false);
        // Where attributes stand before placeholders, as in an unflattened module, code cannot tell.
        QVERIFY(verify(graph).empty());
        if (hasAttributeBeforePlaceholder(graph)) {
            QVERIFY(file.endsWith("unflattened.fx.txt"));
            continue;
        }
        const std::string readable = print_readable(*program, i, {});
        const auto read = read_fx_text(readable);
        QVERIFY2(read, read ? "" : read.error().message().c_str());
        QCOMPARE(print_readable(*read, 0, {}), readable);
        QCOMPARE(print_fx(read->graphs.front().graph), listing);
        compareWith(graph, read->graphs.front().graph, true);
    }
}

QTEST_APPLESS_MAIN(TestCorpus)
#include "test_corpus.moc"
