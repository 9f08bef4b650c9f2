#include "ui/symbols/symbol_survey.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/passes/reinplace/range_effect.h"

namespace inspector {
namespace {

const SymbolFacts* named(const std::vector<SymbolFacts>& symbols, const std::string& name) {
    const auto found = std::ranges::find(symbols, name, &SymbolFacts::name);
    return found == symbols.end() ? nullptr : &*found;
}

} // namespace

const SymbolFacts* SurveyedSymbols::find(const std::string& name) const { return named(symbols, name); }
const SymbolFacts* SurveyedSymbols::findAsRead(const std::string& name) const { return named(asRead, name); }

/// Shared with the worker, which may outlive the wish to have its result.
struct SymbolSurvey::Job {
    std::shared_ptr<const Program> program, asRead;
    std::size_t graph = 0;
    std::unique_ptr<SurveyedSymbols> result;

    void run() {
        result = std::make_unique<SurveyedSymbols>();
        result->symbols = symbol_table(program->graphs[graph]);
        if (result->symbols.empty()) return;
        result->asRead = program == asRead ? result->symbols : symbol_table(asRead->graphs[graph]);
        result->conditions = conditional_refusals(program->graphs[graph]);
    }
};

SymbolSurvey::SymbolSurvey(Document* document, QObject* parent) : QObject(parent), document_(document) {
    connect(document, &Document::opened, this, &SymbolSurvey::refresh);
    connect(document, &Document::graphShown, this, &SymbolSurvey::refresh);
}

SymbolSurvey::~SymbolSurvey() = default;

void SymbolSurvey::setLookedAt(bool on) {
    isLookedAt_ = on;
    prepare();
}

void SymbolSurvey::refresh() {
    job_.forget();
    isStale_ = true;
    if (program_ != document_->programAsRead() || graph_ != document_->graphIndex()) {
        found_.reset();
        Q_EMIT changed();
    }
    prepare();
}

void SymbolSurvey::prepare() {
    if (!isLookedAt_ || !isStale_ || job_ || document_->isEmpty()) return;
    const auto job = std::make_shared<Job>();
    job->program = document_->sharedProgram();
    job->asRead = document_->programAsRead();
    job->graph = document_->graphIndex();
    job_.start(job, std::mem_fn(&Job::run), [this](Job& each) {
        isStale_ = false;
        program_ = each.asRead;
        graph_ = each.graph;
        found_ = std::move(each.result);
        Q_EMIT changed();
    });
}

} // namespace inspector
