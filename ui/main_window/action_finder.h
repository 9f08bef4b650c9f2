// All actions of the menus in one list that narrows while typing (Ctrl+K).
#pragma once

#include <QDialog>

class QAction;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace inspector {

class ActionFinder : public QDialog {
    Q_OBJECT
public:
    explicit ActionFinder(QMenuBar* menus, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void collect(const QList<QAction*>& actions, const QString& path);
    void narrow(const QString& text);
    void run();

    QLineEdit* text_;
    QListWidget* list_;
    QList<QAction*> actions_; ///< by row of the list
};

} // namespace inspector
