#include "ui/document/document.h"

#include <algorithm>

#include <QFileInfo>
#include <QMetaObject>
#include <QtConcurrent>

#include "core/analysis/symbols.h"
#include "core/formats/input_type.h"
#include "ui/document/document_state.h"
#include "ui/document/program_order.h"
#include "ui/document/session_command.h"
#include "ui/document/switch_command.h"

namespace inspector {
namespace {

QString defaultPolicy() {
    const auto& known = policies();
    const auto sound = std::ranges::find(known, "sound", &PolicyInfo::id);
    return sound != known.end() ? QStringLiteral("sound") : QStringLiteral("torch-fx");
}

QString name(const ReinplaceSession& session, NodeId node) {
    return QString::fromStdString(session.original().node(node).name);
}

QString choiceText(Choice choice) {
    switch (choice) {
    case Choice::accept: return Document::tr("Accept %1");
    case Choice::skip: return Document::tr("Skip %1");
    case Choice::force: return Document::tr("Force %1");
    case Choice::policy: break;
    }
    return Document::tr("Leave %1 to the policy");
}

} // namespace

Document::Document(QObject* parent) : QObject(parent), state_(std::make_unique<State>()) { state_->policy = defaultPolicy(); }

Document::~Document() {
    if (state_->job) state_->job->cancelled = true;
    state_->job.reset();
    if (state_->comparing) state_->comparing->cancelled = true;
    state_->comparing.reset();
    state_->workers.waitForDone();
}

// --- file ------------------------------------------------------------------------------------------------------------

void Document::open(const QString& path) {
    startOpening(path, Source::file, [path](const OpeningContext& context) { return openProgram(path, context); });
}

void Document::openText(const QByteArray& text, const QString& title) {
    startOpening(title, Source::text, [text, title](const OpeningContext& context) { return inspector::openText(text, title, context); });
}

void Document::startOpening(const QString& path, Source source, const Work& opening) {
    prepare(opening, [this, path, source](OpenedProgram opened) { install(path, source, std::move(opened)); });
}

void Document::prepare(const Work& work, const std::function<void(OpenedProgram)>& done) {
    if (state_->job) state_->job->cancelled = true;
    const auto job = std::make_shared<State::Job>();
    state_->job = job;
    Q_EMIT openingChanged(true, 0);

    OpeningContext context{policy(), &job->cancelled, [this, job](int percent) {
        QMetaObject::invokeMethod(this, [this, job, percent] {
            if (state_->job == job) Q_EMIT openingChanged(true, percent);
        });
    }};
    state_->workers.start([this, job, work, done, context = std::move(context)] {
        job->result = work(context);
        QMetaObject::invokeMethod(this, [this, job, done] {
            if (state_->job != job) return;
            state_->job.reset();
            Q_EMIT openingChanged(false, 100);
            if (job->result) done(std::move(*job->result));
            else Q_EMIT openFailed(QString::fromStdString(job->result.error().message()));
        });
    });
}

void Document::install(const QString& path, Source source, OpenedProgram opened) {
    state_->path = path;
    state_->isFile = source == Source::file;
    state_->program = std::move(opened.program);
    state_->given.clear();
    state_->notes = std::move(opened.notes);
    state_->documentPath.clear();
    state_->saved = {};
    state_->undo.clear();
    state_->session.reset();
    state_->others.clear();
    for (GraphSession& each : opened.others) state_->others.emplace(each.graph, std::move(each));
    installSession(std::move(opened.shown));
    const auto& saved = state_->program->saved;
    if (saved && source == Source::file) {
        state_->documentPath = path;
        state_->saved = state_->places();
    } else if (saved && source == Source::abandoned) {
        state_->documentPath = QString::fromStdString(saved->document);
        state_->path = QString::fromStdString(state_->program->path);
        state_->isFile = QFileInfo::exists(state_->path);
    }
    updateModified();
    Q_EMIT this->opened();
    Q_EMIT selectionChanged(state_->selected);
}

void Document::openAbandoned(const QString& path) {
    startOpening(path, Source::abandoned,
                 [path](const OpeningContext& context) { return inspector::openAbandoned(path, context); });
}

void Document::startSession(const QString& text, std::size_t graph, const QString& policy,
                            const std::vector<std::string>& donated) {
    // Another policy is asked with the same ranges.
    const bool is_same_graph = state_->program->graphs[graph].id == state_->graph;
    const auto ranges = is_same_graph ? state_->ranges : std::vector<SymbolRange>();
    const auto start = [program = state_->program, graph, policy, donated, ranges](const OpeningContext&) {
        if (ranges.empty()) return openGraph(program, graph, policy, donated);
        ReinplaceSession::Options options;
        options.policy = policy.toStdString();
        options.donated = donated;
        return openWithRanges(program, graph, std::move(options), ranges, {});
    };
    prepare(start, [this, text](OpenedProgram opened) {
        state_->program = std::move(opened.program); // another where the graph had to be read
        switchTo(text, std::move(opened.shown));
    });
}

void Document::switchTo(const QString& text, GraphSession next) {
    GraphSession before = state_->shown();
    showSession(next);
    state_->undo.push(new SwitchCommand<GraphSession>(text, std::move(before), std::move(next),
                                                      [this] { return state_->shown(); },
                                                      [this](const GraphSession& session) { showSession(session); }));
}

void Document::showSession(const GraphSession& next) {
    installSession(next);
    updateModified();
    Q_EMIT graphShown();
    Q_EMIT selectionChanged(state_->selected);
}

void Document::installSession(GraphSession next) {
    if (state_->session) state_->others.insert_or_assign(state_->graph, state_->shown());
    state_->others.erase(next.graph);
    state_->ranges = std::move(next.ranges);
    state_->shownProgram = next.program ? std::move(next.program) : state_->program;
    const auto& graphs = state_->shownProgram->graphs;
    state_->graph = next.graph;
    state_->graphIndex = static_cast<std::size_t>(std::ranges::find(graphs, next.graph, &ProgramGraph::id) - graphs.begin());
    state_->session = std::move(next.session);
    state_->exported = std::move(next.exported);
    state_->policy = QString::fromStdString(state_->session->options().policy);
    state_->storages.reset();
    state_->nodes.reset();
    state_->autograd.reset();
    state_->selected = state_->focused = next.selected != no_node ? next.selected : state_->session->current();
    state_->highlighted.clear();
    state_->decisionOfNode.assign(state_->session->original().id_limit(), -1);
    int number = 0;
    for (const NodeId node : state_->session->decision_nodes()) state_->decisionOfNode[index_of(node)] = number++;
    comparePolicies();
}

void Document::comparePolicies() {
    if (state_->comparing) state_->comparing->cancelled = true;
    state_->differences.clear();
    state_->effects.reset();
    const auto comparison = std::make_shared<State::Comparison>();
    state_->comparing = comparison;
    const auto compare = [this, comparison, program = state_->shownProgram, graph = state_->graphIndex, as_read = state_->program,
                          place = state_->placeOf(state_->graph), ranges = state_->ranges] {
        if (!ranges.empty() && !comparison->cancelled) comparison->effects = range_effects(as_read->graphs[place], ranges);
        comparison->differences = differences_from_sound(program->graphs[graph], comparison->cancelled);
        QMetaObject::invokeMethod(this, [this, comparison] {
            if (state_->comparing != comparison) return;
            state_->comparing.reset();
            if (!state_->ranges.empty()) state_->effects = std::move(comparison->effects);
            state_->differences = std::move(comparison->differences);
            Q_EMIT policiesCompared();
        });
    };
    state_->workers.start(compare, -1); // opening another file goes first
}

void Document::cancelOpening() {
    if (!state_->job) return;
    state_->job->cancelled = true;
    state_->job.reset();
    Q_EMIT openingChanged(false, 100);
}

bool Document::isOpening() const { return state_->job != nullptr; }
bool Document::isEmpty() const { return !state_->session; }
QString Document::path() const { return state_->path; }
bool Document::isFile() const { return state_->isFile; }
const Program* Document::program() const { return state_->shownProgram.get(); }
std::shared_ptr<const Program> Document::sharedProgram() const { return state_->shownProgram; }
std::size_t Document::graphIndex() const { return state_->graphIndex; }

void Document::showGraph(std::size_t index) {
    if (!state_->shownProgram || index >= state_->shownProgram->graphs.size()) return;
    if (index == state_->graphIndex && !state_->job) return;
    const std::string& id = state_->shownProgram->graphs[index].id;
    const QString text = tr("Show graph %1").arg(QString::fromStdString(id));
    const auto left = state_->others.find(id);
    if (left != state_->others.end() && left->second.hasWork()) {
        // Later, as every other graph is: who asks may not be ready to hear of it at once.
        prepare([kept = left->second, program = state_->program](const OpeningContext&) -> Result<OpenedProgram> {
            return OpenedProgram{program, kept};
        }, [this, text](OpenedProgram opened) { switchTo(text, std::move(opened.shown)); });
    } else {
        startSession(text, state_->placeOf(id), policy(), {});
    }
}

const ProgramGraph* Document::source() const {
    return state_->shownProgram ? &state_->shownProgram->graphs[state_->graphIndex] : nullptr;
}

bool Document::isModified() const { return state_->isModified; }

void Document::markExported() {
    if (!state_->session) return;
    state_->exported = rewritesOf(*state_->session);
    updateModified();
}

QString Document::documentPath() const { return state_->documentPath; }

void Document::markSaved(const QString& path) {
    if (!state_->session) return;
    state_->path = state_->documentPath = path;
    state_->isFile = true;
    state_->saved = state_->places();
    updateModified();
}

const std::vector<std::string>& Document::notes() const { return state_->notes; }

std::vector<GraphSession> Document::sessions() const {
    std::vector<GraphSession> all;
    if (!state_->session) return all;
    all.push_back(state_->shown());
    for (const auto& [id, session] : state_->others)
        if (session.hasWork()) all.push_back(session);
    return all;
}

bool Document::differsFromKept() const {
    if (!state_->documentPath.isEmpty()) return !state_->places().isSameState(state_->saved);
    return std::ranges::any_of(sessions(), &GraphSession::hasUnwrittenWork);
}

void Document::updateModified() {
    const bool modified = state_->session && differsFromKept();
    if (std::exchange(state_->isModified, modified) != modified) Q_EMIT modifiedChanged(modified);
}

// --- session ---------------------------------------------------------------------------------------------------------

const ReinplaceSession* Document::session() const { return state_->session.get(); }

QString Document::policy() const { return state_->policy; }

void Document::setPolicy(const QString& id) {
    if (isEmpty()) state_->policy = id;
    else if (id != policy())
        startSession(tr("Decide by %1").arg(id), state_->placeOf(state_->graph), id, state_->session->options().donated);
}

bool Document::isDonated(NodeId input) const {
    if (!state_->session || !state_->session->original().contains(input)) return false;
    const auto& donated = state_->session->options().donated;
    return std::ranges::find(donated, state_->session->original().node(input).name) != donated.end();
}

void Document::setDonated(NodeId input, bool donated) {
    if (isDonated(input) == donated) return;
    const Node* node = this->node(input);
    if (!node || node->opcode != Opcode::placeholder) return;
    std::vector<std::string> names = state_->session->options().donated;
    if (donated) names.push_back(node->name);
    else std::erase(names, node->name);
    const QString text = (donated ? tr("Donate %1") : tr("Keep %1")).arg(QString::fromStdString(node->name));
    startSession(text, state_->placeOf(state_->graph), policy(), names);
}

const std::vector<SymbolRange>& Document::askedRanges() const { return state_->ranges; }
std::shared_ptr<const Program> Document::programAsRead() const { return state_->program; }

std::shared_ptr<const Program> Document::programToKeep() const {
    const auto all = sessions();
    const bool is_shown_alone = std::ranges::none_of(all, [&](const GraphSession& each) {
        return each.graph != state_->graph && !each.ranges.empty();
    });
    if (is_shown_alone) return state_->shownProgram;
    const auto kept = std::make_shared<Program>(*state_->program);
    for (const GraphSession& each : all) set_ranges(kept->graphs[state_->placeOf(each.graph)], each.ranges);
    return kept;
}

void Document::setRanges(const QString& text, const std::vector<SymbolRange>& ranges) {
    if (isEmpty() || isSame(ranges, state_->ranges)) return;
    ReinplaceSession::Options options = state_->session->options();
    options.choices.clear(); // the place has them
    const auto start = [program = state_->program, graph = state_->placeOf(state_->graph), options, ranges,
                        place = SessionPlace::of(*state_->session, state_->selected)](const OpeningContext&) {
        return openWithRanges(program, graph, options, ranges, place);
    };
    prepare(start, [this, text](OpenedProgram opened) { switchTo(text, std::move(opened.shown)); });
}

void Document::askRange(const SymbolRange& range) {
    std::vector<SymbolRange> ranges = state_->ranges;
    std::erase_if(ranges, [&](const SymbolRange& asked) { return asked.symbol == range.symbol; });
    ranges.insert(std::ranges::upper_bound(ranges, range.symbol, {}, &SymbolRange::symbol), range);
    setRanges(tr("And if %1 is %2").arg(QString::fromStdString(range.symbol), QString::fromStdString(range_words(range.minimum, range.maximum))),
              ranges);
}

void Document::forgetRange(const std::string& symbol) {
    std::vector<SymbolRange> ranges = state_->ranges;
    std::erase_if(ranges, [&](const SymbolRange& asked) { return asked.symbol == symbol; });
    setRanges(tr("Range of %1 as in the file").arg(QString::fromStdString(symbol)), ranges);
}

void Document::forgetRanges() { setRanges(tr("Ranges as in the file"), {}); }

bool Document::canGiveType(NodeId input) const {
    const Node* node = this->node(input);
    if (!node || node->opcode != Opcode::placeholder) return false;
    return std::holds_alternative<UnknownMeta>(node->meta) || state_->given.contains({state_->graph, node->name});
}

Result<void> Document::giveType(NodeId input, const QString& type) {
    const Node* node = this->node(input);
    if (!node || node->opcode != Opcode::placeholder) return fail({}, "only an input can be given a type");
    const std::string name = node->name;
    const auto wanted = parse_input_type(name + "=" + type.toStdString());
    if (!wanted) return tl::unexpected(wanted.error());
    const auto typed = std::make_shared<Program>(*state_->program);
    GivenTypes given = state_->given;
    for (ProgramGraph& graph : typed->graphs) {
        const NodeId same = graph.graph.find(name);
        if (same == no_node || graph.graph.node(same).opcode != Opcode::placeholder) continue;
        if (given.contains({graph.id, name})) graph.graph.set_meta(same, UnknownMeta{});
        if (std::holds_alternative<UnknownMeta>(graph.graph.node(same).meta)) given.emplace(graph.id, name);
    }
    if (auto done = give_input_type(*typed, *wanted); !done) {
        done.error().file.clear();
        return done;
    }
    ReinplaceSession::Options options;
    options.policy = policy().toStdString();
    options.donated = state_->session->options().donated;
    const auto start = [typed, options, graph = state_->placeOf(state_->graph), ranges = state_->ranges](const OpeningContext&) {
        return openWithRanges(typed, graph, options, ranges, {});
    };
    prepare(start, [this, name, given, text = tr("Type of %1: %2").arg(QString::fromStdString(name), type)](OpenedProgram opened) {
        TypedProgram before = state_->typed();
        TypedProgram after{std::move(opened.program), given, std::move(opened.shown), before.others};
        std::erase_if(after.others, [&](const auto& other) { // on graphs that had another type, or none
            return given.contains({other.first, name}) || other.second.program != nullptr;
        });
        showTyped(after);
        state_->undo.push(new SwitchCommand<TypedProgram>(text, std::move(before), std::move(after),
                                                          [this] { return state_->typed(); },
                                                          [this](const TypedProgram& program) { showTyped(program); }));
    });
    return {};
}

void Document::showTyped(const TypedProgram& next) {
    state_->session.reset(); // it is not to be found among the others
    state_->program = next.program;
    state_->given = next.given;
    state_->others = next.others;
    showSession(next.shown);
}

void Document::perform(const QString& text, const std::function<void(ReinplaceSession&)>& action) {
    if (!state_->session) return;
    ReinplaceSession& session = *state_->session;
    const SessionPlace before = SessionPlace::of(session, state_->selected);
    action(session);
    SessionPlace after = SessionPlace::of(session, state_->selected);
    if (before.isSameState(after)) return;

    // What the step was about: the node under check; else, going forward, the node just decided; else the current one.
    if (after.checks == 0 && after.position > before.position)
        after.selected = session.decisions().back().node;
    else if (after.position != before.position || after.checks != before.checks)
        after.selected = session.current();
    state_->undo.push(new SessionCommand(*this, text, before, after));
    afterStep(after.selected);
}

void Document::afterStep(NodeId focus) {
    state_->storages.reset();
    state_->nodes.reset();
    state_->autograd.reset();
    const bool moved = std::exchange(state_->selected, focus) != focus;
    state_->focused = focus;
    const bool had_highlight = !state_->highlighted.empty();
    state_->highlighted.clear();
    Q_EMIT stepped();
    if (had_highlight) Q_EMIT highlightChanged();
    if (moved) Q_EMIT selectionChanged(focus);
    updateModified();
}

void Document::stepCheck() {
    if (!state_->session || state_->session->at_end()) return;
    perform(tr("Check %1").arg(name(*state_->session, state_->session->current())),
            [](ReinplaceSession& session) { session.step_check(); });
}

void Document::stepNode() {
    if (!state_->session || state_->session->at_end()) return;
    perform(tr("Step over %1").arg(name(*state_->session, state_->session->current())),
            [](ReinplaceSession& session) { session.step_node(); });
}

void Document::stepBack() {
    perform(tr("Step back"), [](ReinplaceSession& session) { session.step_back(); });
}

void Document::toNextRewrite() {
    perform(tr("Run to next rewrite"), [](ReinplaceSession& session) { session.to_next_rewrite(); });
}

void Document::toNextMiss() {
    perform(tr("Run to next miss"), [](ReinplaceSession& session) { session.to_next_miss(); });
}

void Document::toNode(NodeId node) {
    const int index = decisionIndex(node);
    if (index < 0) return;
    perform(tr("Run to %1").arg(name(*state_->session, node)),
            [index](ReinplaceSession& session) { session.run_to(static_cast<std::uint32_t>(index)); });
    select(node);
}

void Document::throughNode(NodeId node) {
    const int index = decisionIndex(node);
    if (index < 0) return;
    perform(tr("Run through %1").arg(name(*state_->session, node)),
            [index](ReinplaceSession& session) { session.run_to(static_cast<std::uint32_t>(index) + 1); });
    select(node);
}

void Document::runToEnd() {
    perform(tr("Run to end"), [](ReinplaceSession& session) { session.run_to_end(); });
}

void Document::restart() {
    perform(tr("Restart"), [](ReinplaceSession& session) { session.restart(); });
}

void Document::choose(NodeId node, Choice choice) {
    const int index = decisionIndex(node);
    if (index < 0) return;
    perform(choiceText(choice).arg(name(*state_->session, node)), [index, choice](ReinplaceSession& session) {
        session.choose(static_cast<std::uint32_t>(index), choice);
    });
}

void Document::decide(NodeId node, Choice choice) {
    const int index = decisionIndex(node);
    if (index < 0) return;
    perform(choiceText(choice).arg(name(*state_->session, node)), [index, choice](ReinplaceSession& session) {
        session.choose(static_cast<std::uint32_t>(index), choice);
        if (session.position() == static_cast<std::uint32_t>(index)) session.step_node();
    });
    select(node);
}

QUndoStack* Document::undoStack() { return &state_->undo; }

// --- decisions -------------------------------------------------------------------------------------------------------

const Decision* Document::decision(NodeId node) const {
    const int index = decisionIndex(node);
    if (index < 0 || static_cast<std::uint32_t>(index) >= state_->session->position()) return nullptr;
    return &state_->session->decisions()[static_cast<std::size_t>(index)];
}

int Document::decisionIndex(NodeId node) const {
    return index_of(node) < state_->decisionOfNode.size() ? state_->decisionOfNode[index_of(node)] : -1;
}

std::span<const PolicyDifference> Document::policyDifferences(NodeId node) const {
    const auto found = std::ranges::equal_range(state_->differences, index_of(node), {},
                                                [](const PolicyDifference& each) { return index_of(each.node); });
    return {found.begin(), found.end()};
}

const std::vector<RangeEffect>* Document::rangeEffects() const { return state_->effects ? &*state_->effects : nullptr; }

Judgement Document::judgement(NodeId node) const {
    const auto differences = policyDifferences(node);
    Judgement gravest = Judgement::alike;
    for (const Judgement each : {Judgement::otherwise, Judgement::timid, Judgement::unsound})
        if (std::ranges::find(differences, each, &PolicyDifference::judgement) != differences.end()) gravest = each;
    return gravest;
}

std::optional<AutogradNote> Document::autogradNote(NodeId node) const {
    if (!decision(node)) return std::nullopt;
    if (!state_->autograd) state_->autograd = autograd_notes(*state_->session);
    return (*state_->autograd)[static_cast<std::size_t>(decisionIndex(node))];
}

StorageId Document::storageOf(NodeId node) const {
    if (!state_->session) return 0;
    return state_->merged().of(*state_->session, node);
}

StorageId Document::mergedStorage(StorageId original) const {
    return state_->session ? state_->merged().merged(original) : original;
}

const std::vector<NodeId>& Document::nodes() const {
    if (!state_->nodes)
        state_->nodes = state_->session ? programOrder(state_->session->original(), state_->session->graph())
                                        : std::vector<NodeId>();
    return *state_->nodes;
}

const Graph* Document::graph() const { return state_->session ? &state_->session->graph() : nullptr; }

const Node* Document::node(NodeId id) const {
    if (!state_->session) return nullptr;
    for (const Graph* graph : {&state_->session->graph(), &state_->session->original()})
        if (graph->contains(id)) return &graph->node(id);
    return nullptr;
}

// --- selection -------------------------------------------------------------------------------------------------------

NodeId Document::selected() const { return state_->selected; }

void Document::select(NodeId node) {
    const bool is_new_focus = std::exchange(state_->focused, node) != node;
    if (std::exchange(state_->selected, node) != node || is_new_focus) Q_EMIT selectionChanged(node);
}

NodeId Document::focused() const { return state_->focused; }

void Document::followEvidence(NodeId node) {
    if (std::exchange(state_->selected, node) != node) Q_EMIT selectionChanged(node);
}

const std::vector<NodeId>& Document::highlighted() const { return state_->highlighted; }

void Document::highlight(std::vector<NodeId> nodes) {
    if (state_->highlighted == nodes) return;
    state_->highlighted = std::move(nodes);
    Q_EMIT highlightChanged();
}

} // namespace inspector
