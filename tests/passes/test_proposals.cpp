#include <QtTest>

#include <map>

#include "core/execution/verification.h"
#include "core/formats/reader.h"
#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/proposals/proposals.h"
#include "tests/passes/reference_cases.h"
#include "tests/random_programs/random_program.h"

using namespace inspector;

namespace {

/// How many programs a run tries; a long run sets INSPECTOR_RANDOM_PROGRAMS.
std::uint64_t program_count(int usual) {
    bool given = false;
    const int count = qEnvironmentVariableIntValue("INSPECTOR_RANDOM_PROGRAMS", &given);
    return std::uint64_t(given ? count : usual);
}

ReinplaceSession::Options sound(std::vector<std::string> donated = {}) {
    return {.policy = "sound", .first = {}, .choices = {}, .donated = std::move(donated)};
}

std::unique_ptr<ReinplaceSession> decided(const ProgramGraph& graph, std::vector<std::string> donated = {}) {
    auto session = ReinplaceSession::start(graph, sound(std::move(donated)));
    if (!session) qFatal("%s", session.error().message().c_str());
    (*session)->run_to_end();
    return std::move(*session);
}

const Decision* decision_on(const ReinplaceSession& session, NodeId node) {
    for (const Decision& decision : session.decisions())
        if (decision.node == node) return &decision;
    return nullptr;
}

/// What applying proposals to many refusals gave.
struct Tally {
    int refusals = 0, helped = 0, proposals = 0, compared = 0;
    std::map<std::string, int> kinds, reasons_without;

    void report(const char* what) const {
        qInfo("%s: %d refusals, %d with a proposal (%.1f of 100), %d proposals, %d compared by running", what, refusals,
              helped, refusals ? 100.0 * helped / refusals : 100.0, proposals, compared);
        for (const auto& [kind, count] : kinds) qInfo("    %-20s %d", kind.c_str(), count);
        for (const auto& [reason, count] : reasons_without) qInfo("    none: %-14s %d", reason.c_str(), count);
    }
};

/// Applies every proposal for every refusal of the graph. An empty string, or what is wrong.
std::string check_proposals(const Program& program, std::size_t index, Tally& tally) {
    const ProgramGraph& source = program.graphs[index];
    const auto session = decided(source);
    for (const Decision& decision : session->decisions()) {
        if (!is_refusal(*session, decision.index)) continue;
        const std::string name = source.graph.node(decision.node).name;
        const Proposals proposals = propose(source, *session, decision.index);
        ++tally.refusals;
        if (proposals.offers.empty()) {
            if (proposals.none.empty()) return name + ": neither a proposal nor why there is none";
            ++tally.reasons_without[std::string(text_id(decision.check)) + "/" + std::string(text_id(decision.reason)) +
                                    " " + decision.target];
            continue;
        }
        ++tally.helped;
        std::int64_t bytes = INT64_MAX;
        for (const Proposal& proposal : proposals.offers) {
            ++tally.proposals;
            std::string kinds;
            for (const Change& change : proposal.changes)
                kinds += (kinds.empty() ? "" : "+") + std::string(text_id(change.kind));
            ++tally.kinds[kinds];
            const std::string what = name + ": " + plain_text(proposal.sentence());
            if (proposal.bytes > bytes) return what + ": not in order of bytes saved";
            bytes = proposal.bytes;
            for (const NodeId node : proposal.nodes())
                if (!source.graph.contains(node)) return what + ": names a node that is not in the graph";

            const ChangedProgram changed = proposal.apply(source, {});
            if (const auto problems = verify(changed.program.graph); !problems.empty())
                return what + ": " + problems.front().message();
            const auto after = decided(changed.program, changed.donated);
            const Decision* reached = decision_on(*after, decision.node);
            if (!reached || !is_own_rewrite(*reached))
                return what + ": the node is not reinplaced";

            RunOptions options;
            options.donated = changed.donated;
            const auto inputs = RunInputs::make(program, index, options);
            if (!inputs) return inputs.error().message();
            const auto comparison = compare_by_running(program, index, after->graph(), *inputs, options);
            if (!comparison) return what + ": " + comparison.error().message();
            if (comparison->cannot_run) continue;
            if (!source.ranges.empty()) { // other sizes than the sample too
                Program whole = program;
                whole.graphs[index] = changed.program;
                const Verification verified = verify_rewrite(whole, index, sound(changed.donated), options);
                if (verified.answer != Verification::Answer::equal) return what + ": " + verified.detail;
            }
            ++tally.compared;
            if (comparison->difference)
                return what + ": " + comparison->difference->sentence + "\n" + print_fx(source.graph) + "\nbecame\n" +
                       print_fx(after->graph());
        }
    }
    return {};
}

/// Statements on x, k and y, separated by "; ". `F`, `R`, `H`, `D` stand for a square, a row, half a square, and
/// doubles.
Program read(const QByteArray& statements) {
    QByteArray text = "def forward(self, x: F, k: \"f32[4, 1][1, 1]cpu\", y: D):\n";
    for (const QByteArray& statement : statements.split(';')) text += "    " + statement.trimmed() + "\n";
    text.replace(" = ", " = torch.ops.aten.")
        .replace(": F", ": \"f32[4, 4][4, 1]cpu\"")
        .replace(": R", ": \"f32[4][1]cpu\"");
    text.replace(": H", ": \"f32[4, 2][2, 1]cpu\"").replace(": D", ": \"f64[4, 4][4, 1]cpu\"");
    auto program = read_fx_text(text.toStdString());
    if (!program) qFatal("%s", program.error().message().c_str());
    return std::move(*program);
}

} // namespace

class TestProposals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cases_data();
    void cases();
    void refusalsOfRandomProgramsAreLifted_data();
    void refusalsOfRandomProgramsAreLifted();
    void refusalsOfModelsAreLifted();
};

void TestProposals::cases_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("conflict");
    QTest::addColumn<QStringList>("proposals"); // "bytes sentence"
    const auto row = [](const char* name, const char* body, const char* node, const char* conflict,
                        const QStringList& proposals) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(node) << QString::fromUtf8(conflict) << proposals;
    };
    row("a later reader",
        "c: F = clone.default(x); m: F = mul.Tensor(c, 2); s: R = sum.dim_IntList(c, [1]); return (m, s)", "m",
        "%s reads what was written by %c, but %m would have written there before",
        {"64 move %s before %m", "64 move %m after %s", "0 clone %c before %m (only %s reads the copy)",
         "0 clone %c before %m (%m writes into the copy)"});
    row("a later reader of a row",
        "c: F = clone.default(x); r: R = select.int(c, 0, 1); m: F = mul.Tensor(c, 2); "
        "a: R = sum.dim_IntList(m, [1]); b: R = add.Tensor(r, a); return (m, b)",
        "m", "%b reads what was written by %c, but %m would have written there before",
        {"48 clone %r before %m (only %b reads the copy)", "0 clone %c before %m (%m writes into the copy)"});
    row("an input", "m: F = mul.Tensor(x, 2); return (m,)", "m",
        "the caller may still read %x, but %m would have written there",
        {"64 mark %x as donated", "0 clone %x before %m (%m writes into the copy)"});
    row("an input that is read later", "m: F = mul.Tensor(x, 2); s: R = sum.dim_IntList(x, [1]); return (m, s)", "m",
        "the caller may still read %x, but %m would have written there",
        {"64 mark %x as donated, and move %s before %m", "64 mark %x as donated, and move %m after %s",
         "0 clone %x before %m (%m writes into the copy)"});
    row("a row is returned",
        "c: F = clone.default(x); n: F = neg.default(c); r: R = select.int(c, 0, 0); return (n, r)", "n",
        "the output gives the caller what was written by %c, but %n would have written into the same memory",
        {"48 return a clone of %r, taken before %n", "0 clone %c before %n (%n writes into the copy)"});
    row("two rows are returned",
        "c: F = clone.default(x); a: R = select.int(c, 0, 0); b: R = select.int(c, 0, 1); n: R = neg.default(a); "
        "return (n, b)",
        "n", "the output gives the caller what was written by %c, but %n would have written into the same memory",
        {"0 return a clone of %b", "0 return a clone of %n", "0 clone %a before %n (%n writes into the copy)"});
    row("operand overlaps",
        "c: F = clone.default(x); t: \"f32[4, 4][1, 4]cpu\" = t.default(c); a: F = sub.Tensor(c, t); return (a,)", "a",
        "%a reads what was written by %c while it would already be writing there",
        {"0 let %a read a clone of %t", "0 clone %c before %a (%a writes into the copy)"});
    row("broadcast self", "c: F = clone.default(x); m: F = mul.Tensor(k, c); return (m,)", "m", "",
        {"64 swap the operands of %m, so that it can write into %c", "0 expand and clone %k before %m"});
    row("promoted self", "c: F = clone.default(x); d: D = tanh.default(y); a: D = add.Tensor(c, d); return (a,)", "a",
        "", {"128 swap the operands of %a, so that it can write into %d", "0 cast %c to f64 before %a"});
    row("strides of a result",
        "c: F = clone.default(x); a: \"f32[4, 2][4, 1]cpu\" = slice.Tensor(c, 1, 0, 2); n: H = neg.default(a); "
        "return (n,)",
        "n", "the output reads %n, but would find it laid out otherwise",
        {"0 clone %a before %n (%n writes into the copy)"});
    row("strides that change bits",
        "c: F = clone.default(x); a: \"f32[4, 2][4, 1]cpu\" = slice.Tensor(c, 1, 0, 2); n: H = exp.default(a); "
        "return (n,)",
        "n", "the output reads %n, but would find it laid out otherwise",
        {"a copy of %a would lie otherwise than it does, which may change bits or strides"});
    row("an input overwritten too early",
        "m: F = mul.Tensor(x, 2); n: F = neg.default(m); w: F = copy_.default(x, n); return (m,)", "m",
        "the output gives the caller what was written by %m, but %w would have written into the same memory",
        {"0 clone %x before %m (%m writes into the copy)"});
    row("a comparison", "c: F = clone.default(x); e: \"b8[4, 4][4, 1]cpu\" = eq.Tensor(c, k); return (e,)", "e", "",
        {"no form of aten.eq.Tensor writes b8 into memory that holds f32"});
    row("no in-place form", "c: F = clone.default(x); s: F = mm.default(c, c); return (s,)", "s", "",
        {"no change of the program gives aten.mm.default a form that writes into its first argument"});
}

void TestProposals::cases() {
    QFETCH(QByteArray, body);
    QFETCH(QString, node);
    QFETCH(QString, conflict);
    QFETCH(QStringList, proposals);
    const Program program = read(body);
    const auto session = decided(program.graphs[0]);
    const Decision* decision = decision_on(*session, program.graphs[0].graph.find(node.toStdString()));
    QVERIFY(decision);
    const auto found = find_conflict(*session, decision->index);
    QCOMPARE(found ? QString::fromStdString(plain_text(explain_conflict(*session, *found))) : QString(), conflict);
    QStringList offers;
    const Proposals proposed = propose(program.graphs[0], *session, decision->index);
    for (const Proposal& proposal : proposed.offers)
        offers << QString::number(proposal.bytes) + ' ' + QString::fromStdString(plain_text(proposal.sentence()));
    if (offers.isEmpty()) offers << QString::fromStdString(plain_text(proposed.none));
    QCOMPARE(offers, proposals);
}

void TestProposals::refusalsOfRandomProgramsAreLifted_data() {
    QTest::addColumn<bool>("mutating");
    QTest::newRow("functional") << false;
    QTest::newRow("mutating") << true;
}

void TestProposals::refusalsOfRandomProgramsAreLifted() {
    QFETCH(bool, mutating);
    Tally tally;
    for (std::uint64_t seed = 1; seed <= program_count(160); ++seed) {
        const Program program = random_program(seed, {.operations = int(4 + seed % 40), .mutating = mutating});
        const std::string wrong = check_proposals(program, 0, tally);
        QVERIFY2(wrong.empty(), ("seed " + std::to_string(seed) + ": " + wrong).c_str());
    }
    tally.report(QTest::currentDataTag());
    QVERIFY(tally.helped * 100 >= tally.refusals * 95);
}

void TestProposals::refusalsOfModelsAreLifted() {
    std::vector<std::string> files;
    for (const std::string& name : reference::names())
        if (name.starts_with("model-")) files.push_back(TEST_DATA "/reference/" + name + "/before.pt2");
    for (const char* name : {"dynamic", "inputs-functional", "inputs-training", "results"})
        files.push_back(std::string(TEST_DATA "/pt2/") + name + ".pt2");
    Tally tally;
    for (const std::string& file : files) {
        const auto program = read_program(file);
        QVERIFY2(program.has_value(), file.c_str());
        const std::string wrong = check_proposals(*program, 0, tally);
        QVERIFY2(wrong.empty(), (file + ": " + wrong).c_str());
    }
    tally.report("models");
    QVERIFY(tally.helped * 100 >= tally.refusals * 95);
}

QTEST_APPLESS_MAIN(TestProposals)
#include "test_proposals.moc"
