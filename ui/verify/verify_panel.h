// Proof by running: what to verify, how far it is, what was found.
#pragma once

#include <QWidget>

#include "ui/verify/verification_run.h"

class QAction;
class QComboBox;
class QLabel;
class QProgressBar;
class QSpinBox;
class QTextBrowser;

namespace inspector {

class PageBrowser;

class VerifyPanel : public QWidget {
    Q_OBJECT
public:
    /// `verify` and `stop`: the actions shown as buttons. Both document and run must outlive the panel.
    VerifyPanel(Document* document, VerificationRun* run, QAction* verify, QAction* stop, QWidget* parent = nullptr);
    /// What its fields ask for.
    [[nodiscard]] VerificationRequest request() const;
    [[nodiscard]] QTextBrowser* page() const;

Q_SIGNALS:
    void requestChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void showProgress();
    void follow(const QUrl& link);

    Document* document_;
    VerificationRun* run_;
    QComboBox* scope_;
    QSpinBox* seed_;
    QSpinBox* memoryLimit_;
    QWidget* progress_;
    QLabel* stage_;
    QProgressBar* bar_;
    PageBrowser* page_;
};

} // namespace inspector
