#include "ui/main_window/message_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "ui/appearance/stroke_icon.h"
#include "ui/appearance/theme.h"

namespace inspector {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), icon_(new QLabel(this)), text_(new QLabel(this)), progress_(new QProgressBar(this)),
      cancel_(new QPushButton(tr("Cancel"), this)), accept_(new QPushButton(this)), decline_(new QPushButton(this)), close_(new QToolButton(this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAutoFillBackground(true);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setTextFormat(Qt::PlainText);
    progress_->setFixedWidth(160);
    progress_->setTextVisible(false);
    cancel_->setObjectName(QStringLiteral("cancelOpening"));
    cancel_->setToolTip(tr("Stop opening; what is open stays"));
    accept_->setObjectName(QStringLiteral("acceptOffer"));
    decline_->setObjectName(QStringLiteral("declineOffer"));
    close_->setAutoRaise(true);
    close_->setIcon(strokeIcon(QStringLiteral("close")));
    close_->setToolTip(tr("Hide this message"));
    close_->setAccessibleName(close_->toolTip());
    close_->setObjectName(QStringLiteral("closeMessage"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(icon_);
    layout->addWidget(text_, 1);
    layout->addWidget(progress_);
    layout->addWidget(cancel_);
    layout->addWidget(accept_);
    layout->addWidget(decline_);
    layout->addWidget(close_);
    connect(close_, &QToolButton::clicked, this, &QWidget::hide);
    connect(cancel_, &QPushButton::clicked, this, &MessageBar::cancelled);
    for (auto [button, answer] : {std::pair{accept_, &MessageBar::accepted}, {decline_, &MessageBar::declined}})
        connect(button, &QPushButton::clicked, this, [this, answer = answer] {
            hide();
            Q_EMIT (this->*answer)();
        });
    hide();
}

QString MessageBar::text() const { return text_->text(); }

void MessageBar::showKind(Kind kind, const QString& text) {
    kind_ = kind;
    text_->setText(text);
    progress_->setVisible(kind == Kind::progress);
    cancel_->setVisible(kind == Kind::progress);
    accept_->setVisible(kind == Kind::offer);
    decline_->setVisible(kind == Kind::offer);
    close_->setVisible(kind == Kind::error || kind == Kind::information);
    colour();
    show();
}

void MessageBar::showError(const QString& text) { showKind(Kind::error, text); }
void MessageBar::showInformation(const QString& text) { showKind(Kind::information, text); }

void MessageBar::showOffer(const QString& text, const QString& accept, const QString& decline) {
    accept_->setText(accept);
    decline_->setText(decline);
    showKind(Kind::offer, text);
}

void MessageBar::showProgress(const QString& text, int percent) {
    progress_->setRange(0, percent > 0 ? 100 : 0);
    progress_->setValue(percent);
    showKind(Kind::progress, text);
}

void MessageBar::endError() {
    if (kind_ == Kind::error) hide();
}

void MessageBar::endProgress() {
    if (kind_ == Kind::progress) hide();
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    // Not ours: setting the bar's own palette sends this event as well.
    if (event->type() == QEvent::ApplicationPaletteChange) colour();
}

void MessageBar::colour() {
    setPalette({});
    const ThemeColours& colours = themeColours(palette());
    QPalette own = palette();
    own.setColor(QPalette::Window, kind_ == Kind::error ? colours.removed : colours.added);
    setPalette(own);
    const bool is_error = kind_ == Kind::error;
    icon_->setPixmap(strokePixmap(is_error ? QStringLiteral("warning") : QStringLiteral("information"),
                                  is_error ? colours.failure : colours.current, 20, devicePixelRatioF()));
}

} // namespace inspector
