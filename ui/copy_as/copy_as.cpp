#include "ui/copy_as/copy_as.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include "core/formats/reproduction/reproduction.h"
#include "core/graph/print.h"
#include "core/passes/reinplace/explain.h"

namespace inspector {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("CopyAs", text); }

Result<std::string> minimalGraph(const Document& document, NodeId node) {
    return reproduce(*document.program(), document.graphIndex(), *document.session(),
                     static_cast<std::uint32_t>(document.decisionIndex(node)))
        .map([](Reproduction&& made) { return std::move(made.text); });
}

/// Markdown, for an issue tracker.
Result<std::string> bugReport(const Document& document, NodeId node) {
    const ReinplaceSession& session = *document.session();
    const Decision decision = session.complete(static_cast<std::uint32_t>(document.decisionIndex(node)));
    auto graph = minimalGraph(document, node);
    if (!graph) return graph;
    const std::string& version = document.program()->torch_version;
    std::string text = "`%" + session.original().node(node).name + "` (`" + decision.target + "`), policy " +
                       session.options().policy + ": " + plain_text(explain(session, decision)) + "\n\n";
    if (!version.empty()) text += "torch " + version + "\n\n";
    return text + "```python\n" + *graph + "```\n";
}

} // namespace

QString copyTitle(CopyForm form) {
    switch (form) {
    case CopyForm::name: return translated("Copy node's &name");
    case CopyForm::fx_line: return translated("Copy FX &line");
    case CopyForm::minimal_graph: return translated("Copy &minimal graph");
    case CopyForm::bug_report: return translated("Copy bug &report");
    }
    return {};
}

QString whyNotCopy(const Document& document, NodeId node, CopyForm form) {
    if (document.isEmpty()) return translated("no graph is open");
    if (!document.node(node)) return translated("no node is selected");
    if (form == CopyForm::name || form == CopyForm::fx_line) return {};
    return document.decision(node) ? QString() : translated("no decision is made on the selected node yet");
}

Result<QString> copyText(const Document& document, NodeId node, CopyForm form) {
    const ReinplaceSession& session = *document.session();
    const auto text = [&]() -> Result<std::string> {
        switch (form) {
        case CopyForm::name: return document.node(node)->name;
        case CopyForm::fx_line:
            return print_fx_node(session.graph().contains(node) ? session.graph() : session.original(), node);
        case CopyForm::minimal_graph: return minimalGraph(document, node);
        case CopyForm::bug_report: return bugReport(document, node);
        }
        return std::string();
    }();
    return text.map([](const std::string& words) { return QString::fromStdString(words); });
}

void addCopyEntries(QMenu& menu, Document& document, NodeId node) {
    for (const CopyForm form : copy_forms) {
        QAction* entry = menu.addAction(copyTitle(form), &document, [&document, node, form] {
            document.select(node);
            if (form == CopyForm::name || form == CopyForm::fx_line)
                QGuiApplication::clipboard()->setText(*copyText(document, node, form));
            else Q_EMIT document.copyWanted(static_cast<int>(form));
        });
        const QString reason = whyNotCopy(document, node, form);
        entry->setEnabled(reason.isEmpty());
        entry->setToolTip(reason);
    }
    menu.setToolTipsVisible(true);
}

} // namespace inspector
