#include "ui/main_window/actions.h"

#include <QWidget>

#include "ui/appearance/stroke_icon.h"

namespace inspector {
namespace {

struct Entry {
    const char* id;
    const char* text;      ///< in menus
    const char* shortText; ///< on buttons
    const char* icon;      ///< nullptr: none
    const char* shortcuts; ///< separated by spaces
    const char* words;     ///< tool tip
};

constexpr Entry entries[] = {
    {"file.open", "&Open…", "Open", "open", "Ctrl+O", "Open a graph: .pt2, FX text or a log with graphs"},
    {"file.open-folder", "Open f&older…", "Open folder", nullptr, "Ctrl+Shift+O",
     "Open a folder of compile logs, as TORCH_TRACE and TORCH_COMPILE_DEBUG write them"},
    {"file.save", "&Save", "Save", "save", "Ctrl+S",
     "Save the session as a document: the graph, your choices and where you stand"},
    {"file.save-as", "Save &as…", "Save as", nullptr, "Ctrl+Shift+S", "Save the session as another document"},
    {"file.export", "&Export rewritten graph…", "Export", "export", "Ctrl+E",
     "Write the graph as rewritten so far: .pt2, FX text, Python, JSON, DOT, SVG, PNG, PDF, reports"},
    {"file.quit", "&Quit", "Quit", nullptr, "Ctrl+Q", "Close the window"},
    {"edit.undo", "&Undo", "Undo", "undo", "Ctrl+Z", "Take back the last step or choice"},
    {"edit.redo", "&Redo", "Redo", "redo", "Ctrl+Shift+Z", "Do again what was taken back"},
    {"edit.copy", "&Copy rewritten graph as FX text", "Copy", "copy", "Ctrl+Shift+C",
     "Put the graph as rewritten so far on the clipboard, as str(graph) prints it"},
    {"edit.copy-name", "Copy node's &name", "Copy name", nullptr, "Ctrl+Alt+N", "Put the selected node's name on the clipboard"},
    {"edit.copy-line", "Copy FX &line", "Copy line", nullptr, "Ctrl+Alt+X",
     "Put the selected node's line on the clipboard, as str(graph) prints it"},
    {"edit.copy-minimal", "Copy &minimal graph", "Copy minimal graph", nullptr, "Ctrl+Alt+M",
     "Put a small Python module on the clipboard in which the selected node is decided the same way"},
    {"edit.copy-report", "Copy bug &report", "Copy bug report", nullptr, "Ctrl+Alt+B",
     "Put the decision on the selected node and a minimal graph on the clipboard, as Markdown"},
    {"edit.paste", "&Paste graph", "Paste", nullptr, "Ctrl+V", "Open the FX text or log that is on the clipboard"},
    {"edit.search", "&Find a node…", "Find", "search", "/ Ctrl+F", "Find a node by its name or operation"},
    {"edit.all-actions", "&All actions…", "All actions", "all-actions", "Ctrl+K", "Find any action by its name"},
    {"view.clear-highlight", "Clear &highlights", "Clear", "clear-highlight", "Esc",
     "End the highlights of storages and evidence"},
    {"view.theme-system", "&System", "System", nullptr, "Ctrl+Alt+S", "Light or dark as the desktop is"},
    {"view.theme-light", "&Light", "Light", nullptr, "Ctrl+Alt+L", "Dark text on a light ground"},
    {"view.theme-dark", "&Dark", "Dark", nullptr, "Ctrl+Alt+D", "Light text on a dark ground"},
    {"view.reset-layout", "&Reset layout", "Reset", nullptr, "Ctrl+Alt+R", "Put all panels back where they were at first"},
    {"step.restart", "&Restart", "Restart", "restart", "Home", "Take back all decisions"},
    {"step.back", "Step &back", "Back", "step-back", "B", "Take back the last check or decision"},
    {"step.check", "Step one &check", "Check", "step-check", "C", "Ask the next check of the current node"},
    {"step.node", "Step one &node", "Node", "step-node", "N", "Decide the current node"},
    {"step.rewrite", "Run to next re&write", "Rewrite", "to-rewrite", "R", "Decide up to the next node that is rewritten"},
    {"step.miss", "Run to next &miss", "Miss", "to-miss", "M", "Decide up to the next refusal that costs memory"},
    {"step.here", "Run to &selected node", "Here", "to-here", "H", "Go forward or back until the selected node is current"},
    {"step.end", "Run to &end", "End", "run-to-end", "End", "Make all decisions"},
    {"decide.accept", "&Accept", "Accept", "accept", "A", "Take what the policy decides"},
    {"decide.skip", "S&kip", "Skip", "skip", "S", "Keep the node as it is, whatever the policy says"},
    {"decide.force", "&Force", "Force", "force", "F", "Rewrite the node although a check fails"},
    {"decide.leave", "&Leave to the policy", "Leave", "leave-to-policy", "P", "Forget your choice for this node"},
    {"decide.why", "&Why not?", "Why not?", "why-not", "W",
     "Decide up to this node and show the check that refused it"},
    {"verify.run", "&Verify by running", "Verify", "verify", "V",
     "Run the graph before and after the pass and compare all that a caller can see"},
    {"verify.stop", "S&top verifying", "Stop", "stop", "Shift+V", "End the verification that is running"},
    {"graph.previous", "&Previous node", "Previous", nullptr, "K", "Select the node before, in program order"},
    {"graph.next", "&Next node", "Next", nullptr, "J", "Select the node after, in program order"},
    {"graph.current", "&Current node", "Current", nullptr, "G", "Select the node that is decided next"},
    {"graph.previous-graph", "Previous graph of the file", "Previous graph", nullptr, "Ctrl+PgUp",
     "Show the graph before in this file"},
    {"graph.next-graph", "Next graph of the file", "Next graph", nullptr, "Ctrl+PgDown",
     "Show the graph after in this file"},
    {"graph.compare", "Co&mpare with another graph", "Compare", nullptr, "Ctrl+D",
     "Show two graphs of this file side by side as text"},
    {"level.show", "IR &level", "IR level", nullptr, "Ctrl+L",
     "Show which IR the graph is in, what stands against the higher ones, and what its operators are"},
    {"symbols.show", "&Symbols", "Symbols", nullptr, "Ctrl+M",
     "Show the symbolic sizes: ranges, origins, relations, uses; ask what would be decided with other ranges"},
    {"symbols.reset", "Ranges &as in the file", "All as in the file", "restart", "Ctrl+Shift+M",
     "Take the ranges of the file again for every symbol"},
    {"trip.show", "&Round trip", "Round trip", "round-trip", "Ctrl+R",
     "Show the graph made functional step by step, and which mutations reinplacing brings back"},
    {"trip.restart", "&Restart", "Restart", "restart", "Shift+Home", "Take back all steps of the functionalization"},
    {"trip.back", "One mutation &back", "Back", "step-back", "Shift+B", "Take back the last step of the functionalization"},
    {"trip.step", "One &mutation", "Step", "step-node", "Shift+N", "Make the next mutation out of place"},
    {"trip.end", "All mutations to the &end", "End", "run-to-end", "Shift+End", "Make every mutation out of place"},
    {"trip.verify", "&Verify the round trip", "Verify", "verify", "Ctrl+Shift+V",
     "Run the source, the functionalized and the reinplaced graph and compare all that a caller can see"},
    {"trip.stop", "S&top verifying the round trip", "Stop", "stop", "Ctrl+Alt+V", "End the verification of the round trip"},
    {"trip.export", "&Export functionalized graph…", "Export", "export", "Ctrl+Shift+E",
     "Write the functionalized graph: .pt2, FX text, Python, JSON, DOT, SVG"},
    {"trip.open", "&Open functionalized graph", "Open", "open", "Ctrl+Shift+R",
     "Open the functionalized graph as a document of its own, to reinplace it step by step"},
    {"decompose.show", "&Decompose", "Decompose", nullptr, "Ctrl+T",
     "Show the graph taken apart into Core ATen: each step, the operators to keep, the result as code"},
    {"decompose.verify", "&Verify the decomposition", "Verify", "verify", "Ctrl+Shift+T",
     "Run the source and the decomposed graph and compare all that a caller can see"},
    {"decompose.stop", "S&top verifying the decomposition", "Stop", "stop", "Ctrl+Alt+T", "End the verification of the decomposition"},
    {"decompose.export", "&Export decomposed graph…", "Export", "export", "Ctrl+Alt+E",
     "Write the decomposed graph: .pt2, FX text, Python, JSON, DOT, SVG"},
    {"decompose.open", "&Open decomposed graph", "Open", "open", "Ctrl+Alt+O",
     "Open the decomposed graph as a document of its own"},
    {"help.keys", "&Keyboard shortcuts", "Keys", nullptr, "F1", "All actions with their keys"},
    {"help.about", "&About Reinplace Inspector", "About", "information", "Ctrl+F1", "Version and libraries"},
};

} // namespace

Actions::Actions(QWidget* window) : QObject(window) {
    for (const Entry& entry : entries) {
        auto* action = new QAction(tr(entry.text), this);
        action->setObjectName(QString::fromUtf8(entry.id));
        action->setIconText(tr(entry.shortText));
        if (entry.icon) action->setIcon(strokeIcon(QString::fromUtf8(entry.icon)));
        QList<QKeySequence> keys;
        for (const QString& key : QString::fromUtf8(entry.shortcuts).split(QLatin1Char(' '))) keys << QKeySequence(key);
        action->setShortcuts(keys);
        window->addAction(action);
        actions_[action->objectName()] = action;
        words_[action->objectName()] = tr(entry.words);
        describe(action, tr(entry.words));
    }
}

QAction* Actions::operator[](const QString& id) const { return actions_.at(id); }

void Actions::setUnavailable(const QString& id, const QString& reason) {
    QAction* action = actions_.at(id);
    action->setEnabled(reason.isEmpty());
    describe(action, words_.at(id), reason);
}

void Actions::describe(QAction* action, const QString& words, const QString& reason) {
    QString tip = words;
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    if (!key.isEmpty()) tip += QStringLiteral(" (%1)").arg(key);
    if (!reason.isEmpty()) tip += QStringLiteral("\n") + tr("Not now: %1").arg(reason);
    action->setToolTip(tip);
    action->setStatusTip(reason.isEmpty() ? words : tr("Not now: %1").arg(reason));
}

} // namespace inspector
