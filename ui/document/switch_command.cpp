#include "ui/document/switch_command.h"

#include <utility>

#include "ui/document/document.h"
#include "ui/document/document_state.h"

namespace inspector {

SwitchCommand::SwitchCommand(Document& document, const QString& text, GraphSession before, GraphSession after)
    : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)) {}

void SwitchCommand::undo() { show(after_, before_); }

void SwitchCommand::redo() {
    if (std::exchange(isDone_, false)) return;
    show(before_, after_);
}

void SwitchCommand::show(GraphSession& shown, const GraphSession& next) {
    shown = document_.state_->shown(); // where it was looked at and exported since
    document_.showSession(next);
}

} // namespace inspector
