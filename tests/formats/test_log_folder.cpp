// Folders of logs: which files are logs, what their graphs are called, and that nothing outside is read.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include "core/formats/reader.h"
#include "sample_file.h"

using namespace inspector;

class TestLogFolder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void debugFolder();
    void oneTrace();
    void severalTraces();
    void otherFilesArePassedOver();
    void linksAreNotFollowed();
    void aBrokenLogIsNoted();
    void unreadGraphsNameTheirFile();
    void nothingThere();

private:
    void write(const QString& name, const std::string& text) {
        const QString path = folder_->filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
    }
    [[nodiscard]] std::string path() const { return folder_->path().toStdString(); }
    std::unique_ptr<QTemporaryDir> folder_;
};

namespace {

const std::string relu = "class G(torch.nn.Module):\n    def forward(self, x):\n        y = torch.ops.aten.relu.default(x)\n"
                         "        return (y,)\n";

QStringList ids(const Result<Program>& program) {
    if (!program) return {QString::fromStdString(program.error().message())};
    QStringList found;
    for (const ProgramGraph& graph : program->graphs) found << QString::fromStdString(graph.id);
    return found;
}

QString notes(const Program& program) {
    QStringList all;
    for (const std::string& note : program.notes) all << QString::fromStdString(note);
    return all.join('\n');
}

} // namespace

void TestLogFolder::debugFolder() {
    const auto program = read_program(sample_path("compile_debug"));
    QCOMPARE(ids(program), (QStringList{"model__0_backward_3.1/fx_graph_readable", "model__0_backward_3.1/fx_graph_runnable",
                                        "model__0_backward_3.1/fx_graph_transformed", "model__0_forward_1.0/fx_graph_readable",
                                        "model__0_forward_1.0/fx_graph_runnable", "model__0_forward_1.0/fx_graph_transformed"}));
    QCOMPARE(program->format, "log_folder");
    QCOMPARE(notes(*program), QString());
    QCOMPARE(program->graphs[0].kind, "fx_graph_readable");
    QCOMPARE(program->graphs[2].kind, "fx_graph_transformed");
}

void TestLogFolder::oneTrace() {
    write("dedicated_log_torch_trace_a_bc12xy.log", sample_text("trace_log/n_utf8_aot_eager.log"));
    const auto program = read_program(path());
    QCOMPARE(ids(program), (QStringList{"0/0/dynamo_output_graph", "0/0/aot_inference_graph"}));
    QCOMPARE(program->torch_version, "2.13.0+cpu");
}

void TestLogFolder::severalTraces() {
    for (const char* rank : {"0", "1"})
        write(QStringLiteral("job/traces/dedicated_log_torch_trace_rank_%1_ab.log").arg(rank), sample_text("trace_log/n_utf8_aot_eager.log"));
    write("job/notes.txt", relu);
    QCOMPARE(ids(read_program(path())), (QStringList{"notes", "traces/rank_0_ab/0/0/dynamo_output_graph",
                                                     "traces/rank_0_ab/0/0/aot_inference_graph",
                                                     "traces/rank_1_ab/0/0/dynamo_output_graph",
                                                     "traces/rank_1_ab/0/0/aot_inference_graph"}));
}

void TestLogFolder::otherFilesArePassedOver() {
    write("a.txt", relu);
    write("empty.log", "");
    write("readme.md", "Nothing of interest.\n");
    write("data.bin", std::string(5000, '\0') + relu);
    write("model.pt2", "PK\x03\x04 and more");
    QVERIFY(::mkfifo(folder_->filePath("pipe.log").toUtf8().constData(), 0600) == 0);
    const auto program = read_program(path());
    QCOMPARE(ids(program), QStringList{"root"});
    QCOMPARE(notes(*program), "archives are opened one by one, not with their folder: model.pt2");
}

void TestLogFolder::linksAreNotFollowed() {
    QTemporaryDir elsewhere;
    QFile secret(elsewhere.filePath("secret.txt"));
    QVERIFY(secret.open(QIODevice::WriteOnly));
    secret.write(QByteArray::fromStdString(relu));
    secret.close();
    write("a.txt", relu);
    QVERIFY(QFile::link(secret.fileName(), folder_->filePath("b.txt")));
    QVERIFY(QFile::link(elsewhere.path(), folder_->filePath("c")));
    QVERIFY(QFile::link(folder_->path(), folder_->filePath("loop")));
    QCOMPARE(ids(read_program(path())), QStringList{"root"});
}

void TestLogFolder::aBrokenLogIsNoted() {
    write("good.txt", relu);
    std::string broken = relu;
    broken.replace(broken.find("(x)\n"), 3, "(z)");
    write("sub/bad.txt", broken);
    const auto program = read_program(path());
    QCOMPARE(ids(program), QStringList{"root"});
    QVERIFY2(notes(*program).startsWith("sub/bad.txt: line 3, column 41: \"z\" is used"), qPrintable(notes(*program)));

    QVERIFY(QFile::remove(folder_->filePath("good.txt")));
    const auto none = read_program(path());
    QVERIFY(!none);
    QVERIFY2(none.error().reason.starts_with("the folder holds no log with a graph; sub/bad.txt: line 3"), none.error().reason.c_str());
}

void TestLogFolder::unreadGraphsNameTheirFile() {
    std::string broken = sample_text("trace_log/n_utf8_aot_eager.log");
    const std::size_t call = broken.rfind("torch.ops.aten.");
    broken.replace(call, 15, "torch ops aten.");
    write("a/one.log", broken);
    write("b/two.log", sample_text("trace_log/n_utf8_aot_eager.log"));
    ReadOptions options;
    options.read_at_once = 0;
    const auto program = read_program(path(), options);
    QVERIFY2(program, program ? "" : program.error().message().c_str());
    QCOMPARE(program->graphs[1].id, "a/one/0/0/aot_inference_graph");
    const auto refused = read_graph(*program, 1);
    QVERIFY(!refused);
    QCOMPARE(refused.error().file, path());
    QVERIFY2(refused.error().place.starts_with("a/one.log: line "), refused.error().place.c_str());
    QVERIFY(read_graph(*program, 3));
}

void TestLogFolder::nothingThere() {
    const auto program = read_program(path());
    QVERIFY(!program);
    QCOMPARE(program.error().message(), path() + ": the folder holds no log with a graph");
}

QTEST_APPLESS_MAIN(TestLogFolder)
#include "test_log_folder.moc"
