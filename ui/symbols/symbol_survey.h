// What is known of the symbols of the shown graph, found out off the UI thread.
#pragma once

#include <memory>
#include <vector>

#include <QObject>

#include "core/analysis/symbols.h"
#include "core/passes/reinplace/decision.h"
#include "ui/document/document.h"
#include "ui/document/latest_job.h"

namespace inspector {

struct SurveyedSymbols {
    std::vector<SymbolFacts> symbols;   ///< with the ranges asked for
    std::vector<SymbolFacts> asRead;    ///< the same with the file's
    std::vector<Decision> conditions;   ///< refusals of sound that depend on sizes, with the ranges asked for

    /// nullptr where there is no such symbol.
    [[nodiscard]] const SymbolFacts* find(const std::string& name) const;
    [[nodiscard]] const SymbolFacts* findAsRead(const std::string& name) const;
};

class SymbolSurvey : public QObject {
    Q_OBJECT
public:
    explicit SymbolSurvey(Document* document, QObject* parent = nullptr);
    /// Waits for what is being found out.
    ~SymbolSurvey() override;

    /// Nothing is computed until somebody looks; from then on every graph that is shown is.
    void setLookedAt(bool on);
    /// nullptr until it is known. Of other ranges on the same graph, the former stays until the new is there.
    [[nodiscard]] const SurveyedSymbols* found() const { return found_.get(); }

Q_SIGNALS:
    void changed();

private:
    struct Job;
    void refresh();
    void prepare();

    Document* document_;
    bool isLookedAt_ = false;
    bool isStale_ = true;
    std::shared_ptr<const Program> program_;  ///< that found_ is of, as read
    std::size_t graph_ = 0;
    std::unique_ptr<SurveyedSymbols> found_;
    LatestJob<Job> job_{this};
};

} // namespace inspector
