// A line above the canvas that tells what went wrong, or how far opening has come.
#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace inspector {

class MessageBar : public QFrame {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);

    void showError(const QString& text);
    void endError(); ///< hides the bar if it shows an error
    void showInformation(const QString& text);
    /// Asks whether to do something; either answer hides the bar and is told.
    void showOffer(const QString& text, const QString& accept, const QString& decline);
    /// `percent` 0: not known yet. A cancel button stands beside it.
    void showProgress(const QString& text, int percent);
    void endProgress(); ///< hides the bar if it shows progress
    [[nodiscard]] bool isProgress() const { return kind_ == Kind::progress; }
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void cancelled();
    void accepted();
    void declined();

protected:
    void changeEvent(QEvent* event) override;

private:
    enum class Kind { error, information, progress, offer };
    void showKind(Kind kind, const QString& text);
    void colour();

    Kind kind_ = Kind::information;
    QLabel* icon_;
    QLabel* text_;
    QProgressBar* progress_;
    QPushButton* cancel_;
    QPushButton* accept_;
    QPushButton* decline_;
    QToolButton* close_;
};

} // namespace inspector
