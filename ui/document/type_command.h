// An entry of the undo history: an input got a type that the file does not say.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <QUndoCommand>

#include "ui/document/graph_session.h"

namespace inspector {

class Document;

/// Inputs that somebody gave a type: the graph's id, the input's name.
using GivenTypes = std::set<std::pair<std::string, std::string>>;

/// The open program, as read but for the types given, and the sessions on it.
struct TypedProgram {
    std::shared_ptr<const Program> program;
    GivenTypes given;
    GraphSession shown;
    std::map<std::string, GraphSession> others; ///< by graph
};

class TypeCommand : public QUndoCommand {
public:
    TypeCommand(Document& document, const QString& text, TypedProgram before, TypedProgram after);
    void undo() override;
    void redo() override;

private:
    void show(TypedProgram& shown, const TypedProgram& next);
    Document& document_;
    TypedProgram before_;
    TypedProgram after_;
    bool isDone_ = true; ///< pushing an entry calls redo() for what has already happened
};

} // namespace inspector
