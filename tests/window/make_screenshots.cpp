// Writes pictures of the window: make_screenshots FOLDER [FILE]. Without FILE, of the bundled transformer layer.
// Fails where a picture cannot be written or shows next to nothing.
#include <set>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>

#include "ui/appearance/theme.h"
#include "ui/graph_view/graph_view.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/panel_dock.h"

using namespace inspector;

namespace {

template <typename Condition> bool waitFor(Condition condition) {
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 60'000) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return condition();
}

/// Colours in a picture, sampled.
std::size_t coloursIn(const QImage& image) {
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3)
        for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    return colours.size();
}

/// Writes through views, into an input, a value that is returned before, and one that nobody reads.
const QByteArray training_text = R"(def forward(self, x: "f32[4, 8][8, 1]cpu", state: "f32[8][1]cpu"):
    board: "f32[4, 8][8, 1]cpu" = torch.ops.aten.clone.default(x)
    row: "f32[8][1]cpu" = torch.ops.aten.select.int(board, 0, 1)
    left: "f32[4][1]cpu" = torch.ops.aten.slice.Tensor(row, 0, 0, 4)
    add_: "f32[4][1]cpu" = torch.ops.aten.add_.Tensor(left, 1)
    columns: "f32[8, 4][1, 8]cpu" = torch.ops.aten.t.default(board)
    mul_: "f32[8, 4][1, 8]cpu" = torch.ops.aten.mul_.Tensor(columns, 0.5)
    total: "f32[8][1]cpu" = torch.ops.aten.sum.dim_IntList(board, [0])
    copy_: "f32[8][1]cpu" = torch.ops.aten.copy_.default(state, total)
    flat: "f32[32][1]cpu" = torch.ops.aten.view.default(board, [32])
    relu_: "f32[32][1]cpu" = torch.ops.aten.relu_.default(flat)
    scratch: "f32[4, 8][8, 1]cpu" = torch.ops.aten.empty_like.default(x)
    zero_: "f32[4, 8][8, 1]cpu" = torch.ops.aten.zero_.default(scratch)
    exp: "f32[4, 8][8, 1]cpu" = torch.ops.aten.exp.default(board)
    sub_: "f32[4, 8][8, 1]cpu" = torch.ops.aten.sub_.Tensor(board, exp)
    return (row, exp, total)
)";

/// Symbolic sizes; an operator against each level, one of them of nobody's schema.
const QByteArray block_text = R"TEXT(def forward(self, s0: "Sym(s0)", x: "f32[s0, 64][64, 1]cpu", cache: "f32[s0, 64][64, 1]cpu", weight: "f32[64, 64][64, 1]cpu", scale: "f32[64][1]cpu"):
    norm: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.layer_norm.default(x, [64], scale)
    linear: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.linear.default(norm, weight)
    silu: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.silu.default(linear)
    heads: "f32[s0, 4, 16][64, 16, 1]cpu" = torch.ops.aten.view.default(silu, [s0, 4, 16])
    half: "Sym((s0//2))" = operator.floordiv(s0, 2)
    pairs: "f32[(s0//2), 2, 4, 16][128, 64, 16, 1]cpu" = torch.ops.aten.view.default(heads, [half, 2, 4, 16])
    mean: "f32[(s0//2), 4, 16][64, 16, 1]cpu" = torch.ops.aten.mean.dim(pairs, [1])
    rotated = torch.ops.mylib.rotate.default(mean, 0.5)
    softmax: "f32[s0, 4, 16][64, 16, 1]cpu" = torch.ops.aten.softmax.int(heads, 2)
    flat: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.reshape.default(softmax, [s0, 64])
    add_: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.add_.Tensor(cache, flat)
    out: "f32[s0, 64][64, 1]cpu" = torch.ops.aten.hardswish.default(add_)
    return (out, rotated)
)TEXT";

class Photographer {
public:
    Photographer(MainWindow& window, QDir folder) : window_(window), folder_(std::move(folder)) {}

    void take(const QString& name) {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 300) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        const QImage image = window_.grab().toImage();
        const bool is_written = image.save(folder_.filePath(name + QStringLiteral(".png")));
        if (!is_written || coloursIn(image) < 16) {
            QTextStream(stderr) << name << ": no picture\n";
            failed_ = true;
        }
    }
    [[nodiscard]] bool hasFailed() const { return failed_; }

private:
    MainWindow& window_;
    QDir folder_;
    bool failed_ = false;
};

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() < 2 || !QDir().mkpath(arguments[1])) {
        QTextStream(stderr) << "usage: make_screenshots FOLDER [FILE]\n";
        return 2;
    }
    const QString file = arguments.size() > 2 ? arguments[2] : exampleFile(examples().back());

    const QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    MainWindow window(&settings);
    Photographer photographer(window, QDir(arguments[1]));
    const auto trigger = [&window](const char* id) { window.actions()[QString::fromUtf8(id)]->trigger(); };
    const auto show = [&window](const char* id) { window.dock(QString::fromUtf8(id))->reveal(); };
    window.resize(1280, 800);
    window.show();
    trigger("view.theme-light");
    photographer.take(QStringLiteral("start"));

    window.openFile(file);
    if (!waitFor([&window] { return !window.document().isEmpty() && !window.document().isOpening(); })) return 1;
    waitFor([&window] { return window.canvas()->picture().hasLayout(); });
    // Some way into the graph, at a refusal with evidence.
    const auto nodes = window.document().session()->decision_nodes();
    window.document().toNode(nodes[nodes.size() / 3]);
    trigger("step.miss");
    photographer.take(QStringLiteral("window-light"));
    show("inspector");
    photographer.take(QStringLiteral("inspector-light"));
    show("code");
    window.resize(2560, 1440);
    photographer.take(QStringLiteral("window-large-light"));
    window.resize(1280, 800);
    trigger("view.theme-dark");
    photographer.take(QStringLiteral("window-dark"));
    show("program");
    photographer.take(QStringLiteral("program-dark"));
    show("memory");
    photographer.take(QStringLiteral("memory-dark"));
    trigger("view.theme-light");
    trigger("step.end");
    photographer.take(QStringLiteral("memory-light"));
    trigger("verify.run");
    if (!waitFor([&window] { return window.verification().report() != nullptr; })) return 1;
    photographer.take(QStringLiteral("verify-light"));
    show("code");
    window.canvas()->fit();
    photographer.take(QStringLiteral("end"));
    window.document().markExported(); // nothing to ask

    // A forced decision that is wrong, and where policies differ.
    trigger("view.theme-dark");
    Document& document = window.document();
    window.openFile(exampleFile(examples().front()));
    if (!waitFor([&] { return !document.isOpening() && document.session()->original().find("grown") != no_node; })) return 1;
    waitFor([&window] { return window.canvas()->picture().hasLayout(); });
    const NodeId squared = document.session()->original().find("squared");
    waitFor([&] { return document.judgement(squared) != Judgement::alike; });
    document.throughNode(squared);
    photographer.take(QStringLiteral("policies-dark"));
    document.decide(document.session()->original().find("grown"), Choice::force);
    document.throughNode(document.session()->original().find("grown"));
    trigger("verify.run");
    if (!waitFor([&window] { return window.verification().report() != nullptr; })) return 1;
    photographer.take(QStringLiteral("verify-different-dark"));
    document.choose(document.session()->original().find("grown"), Choice::policy);
    document.markExported(); // nothing to ask on closing

    // There and back: a graph that writes through views, some steps into its functionalization.
    const QString training = folder.filePath(QStringLiteral("update.py"));
    QFile text(training);
    if (!text.open(QIODevice::WriteOnly) || text.write(training_text) < 0) return 1;
    text.close();
    window.openFile(training);
    if (!waitFor([&] { return !document.isOpening() && document.session()->original().find("board") != no_node; })) return 1;
    waitFor([&window] { return window.canvas()->picture().hasLayout(); });
    trigger("trip.show");
    if (!waitFor([&window] { return window.roundTrip().trip() != nullptr; })) return 1;
    trigger("trip.step");
    trigger("trip.step");
    photographer.take(QStringLiteral("round-trip-dark"));
    trigger("view.theme-light");
    trigger("trip.end");
    trigger("trip.verify");
    if (!waitFor([&window] { return window.roundTripVerification().report() != nullptr; })) return 1;
    photographer.take(QStringLiteral("round-trip-light"));
    document.markExported();

    // What stands against the levels.
    const QString block = folder.filePath(QStringLiteral("block.py"));
    QFile block_file(block);
    if (!block_file.open(QIODevice::WriteOnly) || block_file.write(block_text) < 0) return 1;
    block_file.close();
    window.openFile(block);
    if (!waitFor([&] { return !document.isOpening() && document.session()->original().find("rotated") != no_node; })) return 1;
    waitFor([&window] { return window.canvas()->picture().hasLayout(); });
    trigger("view.reset-layout");
    trigger("level.show");
    document.select(document.session()->original().find("softmax"));
    photographer.take(QStringLiteral("level-light"));
    trigger("view.theme-dark");
    document.select(document.session()->original().find("rotated"));
    photographer.take(QStringLiteral("level-dark"));

    // And if the sizes had another range.
    const NodeId silu = document.session()->original().find("silu");
    document.throughNode(silu);
    trigger("symbols.show");
    document.askRange({"s0", 2, 64});
    if (!waitFor([&] { return !document.isOpening() && document.rangeEffects() != nullptr; })) return 1;
    photographer.take(QStringLiteral("symbols-dark"));
    trigger("view.theme-light");
    photographer.take(QStringLiteral("symbols-light"));

    // Without the operator that nobody has, it can be run.
    const QString known = folder.filePath(QStringLiteral("known.py"));
    QFile known_file(known);
    const QByteArray known_text = QByteArray(block_text).replace("mylib.rotate.default(mean, 0.5)", "aten.gelu.default(mean)");
    if (!known_file.open(QIODevice::WriteOnly) || known_file.write(known_text) < 0) return 1;
    known_file.close();
    document.markExported();
    window.openFile(known);
    if (!waitFor([&] { return !document.isOpening() && document.askedRanges().empty(); })) return 1;
    waitFor([&window] { return window.canvas()->picture().hasLayout(); });
    trigger("decompose.show");
    if (!waitFor([&window] { return window.decomposition().found() && window.decomposition().found()->made; })) return 1;
    document.select(silu);
    trigger("decompose.verify");
    if (!waitFor([&window] { return window.decompositionVerification().report() != nullptr; })) return 1;
    photographer.take(QStringLiteral("decompose-light"));
    trigger("view.theme-dark");
    photographer.take(QStringLiteral("decompose-dark"));
    document.markExported();
    return photographer.hasFailed() ? 1 : 0;
}
