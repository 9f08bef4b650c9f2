#include "ui/decompose/decomposition_run.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/formats/decomposition/decomposition_json.h"
#include "core/passes/functionalize/functionalize.h"

namespace inspector {
namespace {

// Decompositions compute in another order (docs/decompositions.md).
constexpr double tolerance = 1e-5;

std::vector<DecompositionRun::Candidate> candidatesOf(const DecomposeSession& session) {
    std::vector<DecompositionRun::Candidate> found;
    for (const DecomposeStep& step : session.steps()) {
        const QString name = QString::fromStdString(step.target);
        const auto known = std::ranges::find(found, name, &DecompositionRun::Candidate::name);
        if (known == found.end()) found.push_back({name, 1});
        else ++known->calls;
    }
    return found;
}

} // namespace

/// Shared with the worker, which may outlive the wish to have its result.
struct DecompositionRun::Job {
    std::vector<std::string> kept;
    std::vector<Candidate> candidates;     ///< where nothing is kept: then every one is taken apart
    std::shared_ptr<TakenApart> result = std::make_shared<TakenApart>();

    void run() {
        TakenApart& all = *result;
        const auto functional = functional_form(*all.source, all.graph, {Epilogue::outputs});
        if (!functional) return refuse(functional.error());
        all.wasFunctionalized = find_level(*all.source, all.graph).level < Level::functional_aten &&
                                find_level(*functional, all.graph).level >= Level::functional_aten;
        const DecomposeSession::Options options{kept};
        auto made = decompose(*functional, all.graph, options);
        if (!made) return refuse(made.error());
        all.session = std::move(made->session);
        if (kept.empty()) candidates = candidatesOf(*all.session);
        all.left = std::move(made->left);
        all.steps = made->steps;
        all.made = std::make_shared<const Program>(std::move(made->program));
        all.level = find_level(*all.made, all.graph);
        ReadableOptions brief;
        brief.strides = brief.device = false;
        all.code = print_readable_lines(all.made->graphs[all.graph].graph, brief);
    }

private:
    void refuse(const Error& error) { result->refusal = QString::fromStdString(error.message()); }
};

DecompositionRun::DecompositionRun(Document* document, QObject* parent) : QObject(parent), document_(document) {
    const auto begin_anew = [this] {
        kept_.clear();
        candidates_.clear();
        found_.reset();
        refresh();
        Q_EMIT prepared();
    };
    connect(document, &Document::opened, this, begin_anew);
    connect(document, &Document::graphShown, this, begin_anew);
}

DecompositionRun::~DecompositionRun() = default;

void DecompositionRun::setLookedAt(bool on) {
    isLookedAt_ = on;
    prepare();
}

void DecompositionRun::setKept(const QString& name, bool kept) {
    if (isKept(name) == kept) return;
    if (kept) kept_.insert(name.toStdString());
    else kept_.erase(name.toStdString());
    refresh();
    Q_EMIT prepared();
}

void DecompositionRun::refresh() {
    job_.forget();
    isStale_ = true;
    prepare();
}

void DecompositionRun::prepare() {
    if (!isLookedAt_ || !isStale_ || job_ || document_->isEmpty()) return;
    const auto job = std::make_shared<Job>();
    job->result->source = document_->sharedProgram();
    job->result->graph = document_->graphIndex();
    job->kept.assign(kept_.begin(), kept_.end());
    job_.start(job, std::mem_fn(&Job::run), [this](Job& each) {
        isStale_ = false;
        if (each.kept.empty()) candidates_ = std::move(each.candidates);
        found_ = std::move(each.result);
        Q_EMIT prepared();
    });
}

NodeId DecompositionRun::sourceOf(const DecomposeStep& step) const {
    if (!found_ || !found_->session || step.source == no_node) return no_node;
    const Graph& functional = found_->session->original();
    if (!functional.contains(step.source)) return no_node;
    return document_->session()->original().find(functional.node(step.source).name);
}

QString DecompositionRun::whyNotResult() const {
    if (document_->isEmpty()) return tr("no graph is open");
    if (isPreparing()) return tr("the graph is being taken apart");
    if (!found_) return tr("the decomposition is not shown");
    return found_->made ? QString() : tr("the graph cannot be made functional");
}

EquivalenceQuestion DecompositionRun::question() const {
    EquivalenceQuestion question;
    question.source = found_->source;
    question.graph = found_->graph;
    question.forms = {tr("Decomposed")};
    question.make = [made = found_->made](std::size_t) -> Result<Program> { return *made; };
    question.tolerance = tolerance;
    return question;
}

MadeProgram DecompositionRun::made() const {
    const TakenApart& all = *found_;
    const bool is_core = all.level.level == Level::core_aten; // not where operators were kept, or have no rule
    return {*all.source, *all.made, all.graph, is_core ? QStringLiteral("core") : QStringLiteral("decomposed"),
            [&all] { return decomposition_json(all.source->path, all.source->graphs[all.graph].id, *all.session); }};
}

} // namespace inspector
