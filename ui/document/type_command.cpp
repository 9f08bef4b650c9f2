#include "ui/document/type_command.h"

#include "ui/document/document.h"
#include "ui/document/document_state.h"

namespace inspector {

TypeCommand::TypeCommand(Document& document, const QString& text, TypedProgram before, TypedProgram after)
    : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)) {}

void TypeCommand::undo() { show(after_, before_); }

void TypeCommand::redo() {
    if (std::exchange(isDone_, false)) return;
    show(before_, after_);
}

void TypeCommand::show(TypedProgram& shown, const TypedProgram& next) {
    shown = document_.state_->typed(); // where other graphs were read, looked at and exported since
    document_.showTyped(next);
}

} // namespace inspector
