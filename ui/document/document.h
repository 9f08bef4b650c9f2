// The open program, its reinplace session, and the one selection all panels share. Every panel takes a Document and
// listens to its signals; none talks to another panel.
#pragma once

#include <memory>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include "core/formats/reader.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // --- file --------------------------------------------------------------------------------------------------------
    /// Reads off the UI thread; ends in opened() or openFailed(). The document stays as it was until opened().
    void open(const QString& path);
    void cancelOpening();
    [[nodiscard]] bool isOpening() const;
    [[nodiscard]] bool isEmpty() const;               ///< nothing is open
    [[nodiscard]] QString path() const;
    [[nodiscard]] const Program* program() const;     ///< nullptr when empty
    [[nodiscard]] std::size_t graphIndex() const;     ///< which of program()->graphs is shown
    void showGraph(std::size_t index);
    [[nodiscard]] const ProgramGraph* source() const; ///< the shown graph as read; nullptr when empty
    /// Rewrites have been applied that no export has written.
    [[nodiscard]] bool isModified() const;
    void markExported();

    // --- session -----------------------------------------------------------------------------------------------------
    /// nullptr when empty. Change it only through the functions below: they make undo entries and emit signals.
    [[nodiscard]] const ReinplaceSession* session() const;
    [[nodiscard]] QString policy() const;
    void setPolicy(const QString& id);
    void stepCheck();
    void stepNode();
    void stepBack();
    void toNextRewrite();
    void toNextMiss();
    void toNode(NodeId node);    ///< forward or back until `node` is current
    void runToEnd();
    void restart();
    void choose(NodeId node, Choice choice);
    /// Steps and choices, named ("Step to %add", "Force %mul"); undo restores exactly.
    [[nodiscard]] QUndoStack* undoStack();

    // --- decisions ---------------------------------------------------------------------------------------------------
    /// Decision on `node`, or nullptr while pending or where it is no call_function.
    [[nodiscard]] const Decision* decision(NodeId node) const;
    /// Number of the decision on `node`; -1 where it is no call_function.
    [[nodiscard]] int decisionIndex(NodeId node) const;
    /// Storage of a node's value, by which its colour is chosen; 0 where there is none.
    [[nodiscard]] StorageId storageOf(NodeId node) const;
    /// The graph as rewritten so far; the one as read when nothing was decided. nullptr when empty.
    [[nodiscard]] const Graph* graph() const;

    // --- selection ---------------------------------------------------------------------------------------------------
    [[nodiscard]] NodeId selected() const;            ///< no_node for none
    void select(NodeId node);
    /// Nodes a panel wants to stand out besides the selection (a storage's values, a decision's witnesses), in order.
    [[nodiscard]] const std::vector<NodeId>& highlighted() const;
    void highlight(std::vector<NodeId> nodes);

Q_SIGNALS:
    void openingChanged(bool opening, int percent);
    void opened();                                    ///< another program: everything is new
    void openFailed(const QString& message);
    void graphShown();                                ///< another graph of the program, or another policy: session is new
    void stepped();                                   ///< decisions, current node or rewritten graph changed
    void selectionChanged(inspector::NodeId node);
    void highlightChanged();
    void modifiedChanged(bool modified);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace inspector
