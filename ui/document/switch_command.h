// An entry of the undo history: something else was shown, as a session by another policy, or on a program with other types.
#pragma once

#include <functional>
#include <utility>

#include <QUndoCommand>

namespace inspector {

/// Holds all that is shown before and after, so that undo brings back every decision and choice at once.
template <typename Shown> class SwitchCommand : public QUndoCommand {
public:
    /// `present` gives what is shown, `show` shows another. What is left is asked for anew each time: it was looked at and
    /// exported since.
    SwitchCommand(const QString& text, Shown before, Shown after, std::function<Shown()> present,
                  std::function<void(const Shown&)> show)
        : QUndoCommand(text), before_(std::move(before)), after_(std::move(after)), present_(std::move(present)),
          show_(std::move(show)) {}
    void undo() override { change(after_, before_); }
    void redo() override {
        if (!std::exchange(isDone_, false)) change(before_, after_);
    }

private:
    void change(Shown& left, const Shown& next) {
        left = present_();
        show_(next);
    }

    Shown before_;
    Shown after_;
    std::function<Shown()> present_;
    std::function<void(const Shown&)> show_;
    bool isDone_ = true; ///< pushing an entry calls redo() for what has already happened
};

} // namespace inspector
