#include "ui/symbols/range_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/passes/reinplace/range_effect.h"
#include "ui/appearance/theme.h"

namespace inspector {

RangeEditor::RangeEditor(QWidget* parent)
    : QWidget(parent), name_(new QLabel(this)), text_(new QLineEdit(this)), ask_(new QToolButton(this)),
      forget_(new QToolButton(this)), refusal_(new QLabel(this)) {
    text_->setObjectName(QStringLiteral("symbolRange"));
    text_->setAccessibleName(tr("Range to ask for"));
    text_->setPlaceholderText(tr("2..64, 2.., ..64 or 8"));
    text_->setToolTip(tr("A range for the symbol instead of the file's: 2..64, 2.., ..64 or one number. Enter decides "
                         "the graph anew with it."));
    name_->setTextFormat(Qt::PlainText);
    name_->setBuddy(text_);
    ask_->setObjectName(QStringLiteral("symbolAsk"));
    ask_->setText(tr("Decide"));
    ask_->setToolTip(tr("Decide the graph anew with this range"));
    forget_->setObjectName(QStringLiteral("symbolForget"));
    forget_->setText(tr("As in the file"));
    forget_->setToolTip(tr("Take the file's range of this symbol again"));
    refusal_->setObjectName(QStringLiteral("symbolRefusal"));
    refusal_->setAccessibleName(tr("Why the range is refused"));
    refusal_->setTextFormat(Qt::PlainText);
    refusal_->setWordWrap(true);
    refusal_->hide();

    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(name_);
    line->addWidget(text_, 1);
    line->addWidget(ask_);
    line->addWidget(forget_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 0);
    layout->setSpacing(4);
    layout->addLayout(line);
    layout->addWidget(refusal_);

    connect(text_, &QLineEdit::returnPressed, this, &RangeEditor::ask);
    connect(text_, &QLineEdit::textEdited, this, [this] { refuse({}); });
    connect(ask_, &QToolButton::clicked, this, &RangeEditor::ask);
    connect(forget_, &QToolButton::clicked, this, [this] {
        refuse({});
        if (symbol_) Q_EMIT forgotten(symbol_->name);
    });
}

void RangeEditor::setSymbol(const SymbolFacts& symbol, bool isAsked) {
    const bool is_same = symbol_ && symbol_->name == symbol.name && symbol_->minimum == symbol.minimum &&
                         symbol_->maximum == symbol.maximum;
    symbol_ = symbol;
    name_->setText(tr("And if %1 &is").arg(QString::fromStdString(symbol.name)));
    forget_->setEnabled(isAsked);
    forget_->setToolTip(isAsked ? tr("Take the file's range of this symbol again")
                                : tr("Not now: the range is the file's"));
    if (is_same) return;
    refuse({});
    QString limits;
    if (symbol.minimum || symbol.maximum)
        limits = (symbol.minimum ? QString::number(*symbol.minimum) : QString()) + QStringLiteral("..") +
                 (symbol.maximum ? QString::number(*symbol.maximum) : QString());
    text_->setText(limits);
}

void RangeEditor::ask() {
    if (!symbol_) return;
    const auto range = parse_limits(symbol_->name, text_->text().toStdString());
    const QString reason = QString::fromStdString(range ? why_not_range(*symbol_, *range) : range.error().reason);
    if (!reason.isEmpty()) {
        const QString given = text_->text().trimmed();
        return refuse(given.isEmpty() ? tr("Nothing is written: %1.").arg(reason) : tr("“%1”: %2.").arg(given, reason));
    }
    refuse({});
    Q_EMIT asked(*range);
}

void RangeEditor::refuse(const QString& sentence) {
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColours(palette()).failure);
    refusal_->setPalette(red);
    refusal_->setText(sentence);
    refusal_->setVisible(!sentence.isEmpty());
}

} // namespace inspector
