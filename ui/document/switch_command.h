// An entry of the undo history: another session was shown, of another graph, by another policy, with other inputs donated.
#pragma once

#include <QUndoCommand>

#include "ui/document/graph_session.h"

namespace inspector {

class Document;

/// Holds both sessions, so that undo brings back every decision and choice at once.
class SwitchCommand : public QUndoCommand {
public:
    SwitchCommand(Document& document, const QString& text, GraphSession before, GraphSession after);
    void undo() override;
    void redo() override;

private:
    void show(GraphSession& shown, const GraphSession& next);
    Document& document_;
    GraphSession before_;
    GraphSession after_;
    bool isDone_ = true; ///< pushing an entry calls redo() for what has already happened
};

} // namespace inspector
