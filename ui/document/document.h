// The open program, its reinplace session, and the one selection all panels share. Every panel takes a Document and
// listens to its signals; none talks to another panel.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/formats/reader.h"
#include "core/passes/reinplace/autograd_note.h"
#include "core/passes/reinplace/comparison.h"
#include "core/passes/reinplace/session.h"

namespace inspector {

struct GraphSession;
struct OpenedProgram;
struct OpeningContext;
struct RangeEffect;
struct TypedProgram;

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    // --- file --------------------------------------------------------------------------------------------------------
    /// Reads, propagates metadata and starts the session off the UI thread; ends in opened() or openFailed().
    /// The document stays as it was until opened(). Opening another file cancels the one being opened.
    void open(const QString& path);
    /// The same for a text that is in no file (pasted): FX text or a log. `title` stands for its path.
    void openText(const QByteArray& text, const QString& title);
    /// A session document that a window which is gone has kept (ui/session_files/): it is opened as what was open there,
    /// and is not saved.
    void openAbandoned(const QString& path);
    void cancelOpening();
    [[nodiscard]] bool isOpening() const;
    [[nodiscard]] bool isEmpty() const;               ///< nothing is open
    [[nodiscard]] QString path() const;
    [[nodiscard]] bool isFile() const;                ///< what is open came from a file, not from openText()
    [[nodiscard]] const Program* program() const;     ///< nullptr when empty
    /// The same, for work that may outlive the document's interest in it.
    [[nodiscard]] std::shared_ptr<const Program> sharedProgram() const;
    [[nodiscard]] std::size_t graphIndex() const;     ///< which of program()->graphs is shown
    /// Off the UI thread like open(); ends in graphShown(). A graph on which something was done is shown as it was left.
    void showGraph(std::size_t index);
    [[nodiscard]] const ProgramGraph* source() const; ///< the shown graph as read; nullptr when empty
    /// The session document that is open, or was saved last; empty where there is none.
    [[nodiscard]] QString documentPath() const;
    /// With a document: a session stands otherwise than it was saved. Else choices have been made, on whichever graph, or
    /// rewrites that no export has written.
    [[nodiscard]] bool isModified() const;
    void markExported();
    /// The sessions as they stand are in the document at `path`, which is what is open from now on.
    void markSaved(const QString& path);
    /// What was to be told of a session that was restored, one sentence each.
    [[nodiscard]] const std::vector<std::string>& notes() const;

    // --- session -----------------------------------------------------------------------------------------------------
    /// nullptr when empty. Change it only through the functions below: they make undo entries and emit signals.
    [[nodiscard]] const ReinplaceSession* session() const;
    /// The shown session, then those of other graphs on which something was done, ordered by the graph's id.
    [[nodiscard]] std::vector<GraphSession> sessions() const;
    [[nodiscard]] QString policy() const;             ///< of the session; of the next one when empty
    /// A new session from the first decision; off the UI thread, ends in graphShown(). Undo brings the one before back.
    /// When empty: for what is opened next.
    void setPolicy(const QString& id);
    /// Whether the caller gives the memory of an input up, which sound may then write (ReinplaceSession::Options::donated).
    [[nodiscard]] bool isDonated(NodeId input) const;
    /// The same as setPolicy(): a new session from the first decision.
    void setDonated(NodeId input, bool donated);
    /// "And if": ranges of symbols of the shown graph that are taken instead of the file's, in order of their names. program()
    /// has them too.
    [[nodiscard]] const std::vector<SymbolRange>& askedRanges() const;
    /// The program without askedRanges(): the same where none are asked for.
    [[nodiscard]] std::shared_ptr<const Program> programAsRead() const;
    /// As read, but with the ranges asked for of each of sessions(): what a document keeps.
    [[nodiscard]] std::shared_ptr<const Program> programToKeep() const;
    /// Takes this range instead of the file's, or of one asked for before. A new session like setPolicy(), but with the choices
    /// made so far, and as far as this one is.
    void askRange(const SymbolRange& range);
    /// The file's range again, of one symbol or of all.
    void forgetRange(const std::string& symbol);
    void forgetRanges();
    /// Gives an input the type that the file does not say, "f32[2, 16]", as core/formats/input_type.h does, or another one than
    /// before, and starts the sessions of graphs with such an input anew: off the UI thread, ends in graphShown(). Undo brings
    /// back the sessions before. Error: `input` takes no such type; nothing happens.
    [[nodiscard]] Result<void> giveType(NodeId input, const QString& type);
    /// The file does not say the input's type: one can be given.
    [[nodiscard]] bool canGiveType(NodeId input) const;
    // Each step selects what it is about: the node under check, the node just decided, after going back the node that
    // is now current.
    void stepCheck();
    void stepNode();
    void stepBack();
    void toNextRewrite();
    void toNextMiss();
    void toNode(NodeId node);    ///< forward or back until `node` is current
    void throughNode(NodeId node); ///< forward or back until `node` is the last one decided
    void runToEnd();
    void restart();
    /// Sets what happens at the decision on `node`; where it is made already, it and those after it are made again.
    void choose(NodeId node, Choice choice);
    /// choose(), and where `node` is current, decides it: one undo entry.
    void decide(NodeId node, Choice choice);
    /// Steps, choices, and changes of graph, policy, donated inputs, ranges and types, named ("Step to add", "Force mul"); undo restores
    /// exactly.
    [[nodiscard]] QUndoStack* undoStack();

    // --- decisions ---------------------------------------------------------------------------------------------------
    /// Decision on `node`, or nullptr while pending or where it is no call_function.
    [[nodiscard]] const Decision* decision(NodeId node) const;
    /// Number of the decision on `node`; -1 where it is no call_function.
    [[nodiscard]] int decisionIndex(NodeId node) const;
    /// Storage of a node's value as rewritten so far, by which its colour is chosen: a reinplaced node is on its
    /// operand's. 0 where there is none.
    [[nodiscard]] StorageId storageOf(NodeId node) const;
    /// Where the values of a storage of session()->storages() live now.
    [[nodiscard]] StorageId mergedStorage(StorageId original) const;
    /// The graph as rewritten so far; the one as read when nothing was decided. nullptr when empty.
    [[nodiscard]] const Graph* graph() const;
    /// Nodes of the graph as read and as rewritten so far, erased and created ones included, in one order.
    [[nodiscard]] const std::vector<NodeId>& nodes() const;
    /// The node in graph(), or as it was read where the pass has erased it. nullptr for no_node and foreign ids.
    [[nodiscard]] const Node* node(NodeId id) const;

    /// What other policies decide otherwise than sound at `node`, whatever the session's policy and choices: known some time
    /// after a graph is shown, see policiesCompared().
    [[nodiscard]] std::span<const PolicyDifference> policyDifferences(NodeId node) const;
    /// What sound decides otherwise with askedRanges() than with the file's. Known with policiesCompared(); nullptr before, and
    /// where no ranges are asked for.
    [[nodiscard]] const std::vector<RangeEffect>* rangeEffects() const;
    /// The gravest of policyDifferences().
    [[nodiscard]] Judgement judgement(NodeId node) const;
    /// Whether autograd would refuse the rewrite made of `node`.
    [[nodiscard]] std::optional<AutogradNote> autogradNote(NodeId node) const;

    // --- selection ---------------------------------------------------------------------------------------------------
    [[nodiscard]] NodeId selected() const;            ///< no_node for none
    void select(NodeId node);
    /// The node whose decision is under discussion: the selected one, except while its evidence is looked at.
    [[nodiscard]] NodeId focused() const;
    /// Selects `node` and leaves the decision under discussion as it is.
    void followEvidence(NodeId node);
    /// Nodes a panel wants to stand out besides the selection (a storage's values, a decision's witnesses), in order.
    [[nodiscard]] const std::vector<NodeId>& highlighted() const;
    void highlight(std::vector<NodeId> nodes);

Q_SIGNALS:
    void openingChanged(bool opening, int percent);   ///< also while a graph or policy is prepared
    void opened();                                    ///< another program: everything is new
    void openFailed(const QString& message);
    void graphShown();                                ///< another graph of the program, or another policy: session is new
    void policiesCompared();                          ///< policyDifferences() and rangeEffects() of the shown graph are known
    void stepped();                                   ///< decisions, current node or rewritten graph changed
    void selectionChanged(inspector::NodeId node);
    void highlightChanged();
    void copyWanted(int form);                        ///< somebody asked to copy the selected node (ui/copy_as/)
    void modifiedChanged(bool modified);

private:
    friend class SessionCommand;
    struct State;
    std::unique_ptr<State> state_;

    using Work = std::function<Result<OpenedProgram>(const OpeningContext&)>;
    enum class Source { file, text, abandoned };
    void startOpening(const QString& path, Source source, const Work& opening);
    /// Does `work` off the UI thread, then `done` on it; or ends in openFailed(). One at a time: the next cancels it.
    void prepare(const Work& work, const std::function<void(OpenedProgram)>& done);
    void install(const QString& path, Source source, OpenedProgram opened);
    void startSession(const QString& text, std::size_t graph, const QString& policy, const std::vector<std::string>& donated);
    void setRanges(const QString& text, const std::vector<SymbolRange>& ranges);
    void switchTo(const QString& text, GraphSession next);
    void showSession(const GraphSession& next);
    void showTyped(const TypedProgram& next);
    void installSession(GraphSession next);
    void comparePolicies();
    void perform(const QString& text, const std::function<void(ReinplaceSession&)>& action);
    void afterStep(NodeId focus);
    void updateModified();
    [[nodiscard]] bool differsFromKept() const;
};

} // namespace inspector
