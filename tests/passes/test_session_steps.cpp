// However a session is moved — by check, by node, back and forth, with choices made on the way — it ends where running
// at once ends.
#include <random>

#include <QtTest>

#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "core/passes/reinplace/session.h"
#include "reference_cases.h"

using namespace inspector;

namespace {

/// Everything that can be seen of a session, as text.
QString picture(const ReinplaceSession& session) {
    std::string text = print_fx(session.graph()) + "\nposition " + std::to_string(session.position()) + "\n";
    for (std::uint32_t i = 0; i < session.decisions().size(); ++i) {
        const Decision decision = session.complete(i);
        text += session.original().node(decision.node).name + " " + decision.target + " " +
                std::string(text_id(decision.verdict)) + " " + std::string(text_id(decision.check)) + " " +
                std::string(text_id(decision.reason)) + " " + std::string(text_id(decision.choice)) + " " +
                decision.new_target + " " + std::to_string(decision.bytes);
        for (const std::string& item : decision.detail) text += " " + item;
        for (const Witness& witness : decision.witnesses)
            text += " " + std::string(text_id(witness.role)) + ":" + std::to_string(index_of(witness.node));
        text += "\n";
    }
    return QString::fromStdString(text);
}

std::unique_ptr<ReinplaceSession> start(const ProgramGraph& graph,
                                        ReinplaceSession::Options options = {"torch-fx", {}, {}, {}}) {
    auto session = ReinplaceSession::start(graph, std::move(options));
    return session ? std::move(*session) : nullptr;
}

/// Pictures of a fresh session at every position.
std::vector<QString> pictures(const ProgramGraph& graph, const ReinplaceSession::Options& options) {
    std::vector<QString> all;
    const auto session = start(graph, options);
    all.push_back(picture(*session));
    while (session->step_node()) all.push_back(picture(*session));
    return all;
}

} // namespace

class TestSessionSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomWalks_data() { cases(); }
    void randomWalks();
    void choicesOnTheWay_data() { cases(); }
    void choicesOnTheWay();
    void stopsAtRewritesAndMisses();
    void checksAreStepped();

private:
    /// Every fifth recorded case, and those with scatters by name.
    static void cases() {
        QTest::addColumn<QString>("name");
        const auto names = reference::names();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (i % 5 == 0 || names[i].starts_with("scatter") || names[i].starts_with("nested") ||
                names[i].starts_with("two"))
                QTest::newRow(names[i].c_str()) << QString::fromStdString(names[i]);
    }
};

void TestSessionSteps::randomWalks() {
    QFETCH(QString, name);
    const auto loaded = reference::load(name.toStdString());
    QVERIFY(loaded);
    const auto expected = pictures(loaded->graph, {"torch-fx", {}, {}, {}});
    const auto session = start(loaded->graph);
    std::mt19937 random(static_cast<unsigned>(qHash(name)));
    for (int move = 0; move < 60; ++move) {
        switch (random() % 8) {
        case 0: session->step_node(); break;
        case 1: session->step_check(); break;
        case 2: session->step_back(); break;
        case 3: session->to_next_rewrite(); break;
        case 4: session->to_next_miss(); break;
        case 5: session->run_to(static_cast<std::uint32_t>(random() % (expected.size() + 2))); break;
        case 6: random() % 4 == 0 ? session->run_to_end() : session->restart(); break;
        case 7: {
            // Looking at another moment leaves no trace.
            const auto position = static_cast<std::uint32_t>(random() % expected.size());
            session->look_at(position, [&] { QCOMPARE(picture(*session), expected[position]); });
            break;
        }
        }
        QCOMPARE(picture(*session), expected[session->position()]);
    }
    session->run_to_end();
    QCOMPARE(picture(*session), expected.back());
    session->restart();
    QCOMPARE(print_fx(session->graph()), print_fx(loaded->graph.graph));
}

void TestSessionSteps::choicesOnTheWay() {
    QFETCH(QString, name);
    const auto loaded = reference::load(name.toStdString());
    QVERIFY(loaded);
    const auto session = start(loaded->graph);
    const auto count = session->decision_nodes().size();
    std::mt19937 random(static_cast<unsigned>(qHash(name)) + 1);
    session->run_to(static_cast<std::uint32_t>(random() % (count + 1)));
    for (int turn = 0; turn < 8 && count > 0; ++turn) {
        const auto index = static_cast<std::uint32_t>(random() % count);
        const auto place = session->position();
        session->choose(index, static_cast<Choice>(random() % 4));
        QCOMPARE(session->position(), place);
        if (random() % 3 == 0) session->step_back();
        if (random() % 3 == 0) session->step_node();
    }
    session->run_to_end();
    const auto fresh = start(loaded->graph, session->options());
    fresh->run_to_end();
    QCOMPARE(picture(*session), picture(*fresh));
    QVERIFY(verify(session->graph()).empty());
    for (const Decision& decision : session->decisions()) {
        if (decision.choice == Choice::skip)
            QVERIFY(decision.verdict != Verdict::reinplaced && decision.verdict != Verdict::scatter_to_copy);
        if (decision.reason == Reason::forced) QCOMPARE(decision.choice, Choice::force);
    }
    session->restart();
    QCOMPARE(print_fx(session->graph()), print_fx(loaded->graph.graph));
}

void TestSessionSteps::stopsAtRewritesAndMisses() {
    const auto loaded = reference::load("model-llama-core");
    QVERIFY(loaded);
    const auto at_once = start(loaded->graph);
    at_once->run_to_end();
    std::vector<std::uint32_t> rewrites, misses;
    for (const Decision& decision : at_once->decisions()) {
        if (decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy)
            rewrites.push_back(decision.index);
        if (at_once->is_miss(decision)) misses.push_back(decision.index);
    }
    QVERIFY(rewrites.size() > 10);
    QVERIFY(misses.size() > 3);

    std::vector<std::uint32_t> stops;
    const auto stepped = start(loaded->graph);
    while (stepped->to_next_rewrite()) stops.push_back(stepped->position() - 1);
    QCOMPARE(stops, rewrites);
    QVERIFY(stepped->at_end());
    QVERIFY(!stepped->step_node());

    stops.clear();
    stepped->restart();
    while (stepped->to_next_miss()) stops.push_back(stepped->position() - 1);
    QCOMPARE(stops, misses);
}

void TestSessionSteps::checksAreStepped() {
    using State = CheckStep::State;
    const auto loaded = reference::load("basic-chain");
    QVERIFY(loaded);
    const auto session = start(loaded->graph);
    const auto states = [&](std::uint32_t index) {
        std::vector<State> out;
        for (const CheckStep& step : session->checks(index)) out.push_back(step.state);
        return out;
    };
    QCOMPARE(states(0), std::vector<State>(7, State::pending));
    // %clone is kept since its operand is an input: the third check.
    session->step_check();
    session->step_check();
    QCOMPARE(session->position(), 0U);
    QCOMPARE(states(0), (std::vector{State::passed, State::passed, State::pending, State::pending, State::pending,
                                     State::pending, State::pending}));
    session->step_check();
    QCOMPARE(session->position(), 1U);
    QCOMPARE(states(0), (std::vector{State::passed, State::passed, State::failed, State::skipped, State::skipped,
                                     State::skipped, State::skipped}));
    // %add is reinplaced: all seven.
    for (int i = 0; i < 6; ++i) session->step_check();
    QCOMPARE(session->position(), 1U);
    session->step_back();
    QCOMPARE(states(1), std::vector<State>(7, State::pending));
    for (int i = 0; i < 7; ++i) session->step_check();
    QCOMPARE(session->position(), 2U);
    QCOMPARE(states(1), std::vector<State>(7, State::passed));
    QCOMPARE(session->checks(1).back().check, CheckId::inplace_variant);
}

QTEST_APPLESS_MAIN(TestSessionSteps)
#include "test_session_steps.moc"
