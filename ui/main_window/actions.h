// Every action of the window by a stable id, with its text, icon, shortcut and tool tip; and why it is off when it is.
#pragma once

#include <map>

#include <QAction>
#include <QObject>

class QWidget;

namespace inspector {

class Actions : public QObject {
    Q_OBJECT
public:
    /// Makes all actions and adds them to `window`, whose shortcuts they are.
    explicit Actions(QWidget* window);

    /// The id must be one of the table in actions.cpp.
    [[nodiscard]] QAction* operator[](const QString& id) const;

    /// `reason` (one clause, no period) is why the action is off; empty: it is on.
    void setUnavailable(const QString& id, const QString& reason);

    /// A tool tip with the action's words and shortcut; for actions made elsewhere too.
    static void describe(QAction* action, const QString& words, const QString& reason = {});

private:
    std::map<QString, QAction*> actions_;
    std::map<QString, QString> words_;
};

} // namespace inspector
