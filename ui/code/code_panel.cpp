#include "ui/code/code_panel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/appearance/counted.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/code/code_view.h"

namespace inspector {

CodePanel::CodePanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), view_(new CodeView(document, this)), changes_(new QLabel(this)),
      previous_(new QToolButton(this)), next_(new QToolButton(this)) {
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(4);

    auto* sides = new QButtonGroup(this);
    const std::tuple<CodeView::Sides, QString, QString> choices[] = {
        {CodeView::Sides::before, tr("Before"), tr("The graph as it was read")},
        {CodeView::Sides::both, tr("Side by side"), tr("Before and after, each node in one row")},
        {CodeView::Sides::after, tr("After"), tr("The graph as rewritten so far")}};
    for (const auto& [side, text, tip] : choices) {
        auto* button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setChecked(side == view_->sides());
        sides->addButton(button, static_cast<int>(side));
        top->addWidget(button);
    }
    connect(sides, &QButtonGroup::idClicked, this, [this](int side) { view_->setSides(static_cast<CodeView::Sides>(side)); });

    auto* strides = new QToolButton(this);
    strides->setObjectName(QStringLiteral("showStrides"));
    strides->setText(tr("Strides"));
    strides->setToolTip(tr("Show strides beside the sizes"));
    strides->setCheckable(true);
    strides->setAutoRaise(true);
    top->addSpacing(8);
    top->addWidget(strides);
    connect(strides, &QToolButton::toggled, view_, &CodeView::setStrides);

    top->addStretch(1);
    changes_->setForegroundRole(QPalette::PlaceholderText);
    top->addWidget(changes_);
    const std::tuple<QToolButton*, Qt::ArrowType, QString> arrows[] = {
        {previous_, Qt::UpArrow, tr("Previous changed line")}, {next_, Qt::DownArrow, tr("Next changed line")}};
    for (const auto& [button, arrow, tip] : arrows) {
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        top->addWidget(button);
    }
    connect(previous_, &QToolButton::clicked, view_, &CodeView::goToPreviousChange);
    connect(next_, &QToolButton::clicked, view_, &CodeView::goToNextChange);
    connect(view_, &CodeView::rowsChanged, this, &CodePanel::showChanges);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    showChanges();
}

void CodePanel::showChanges() {
    const std::size_t changes = view_->rows().changes();
    if (document_->isEmpty()) changes_->clear();
    else if (changes == 0) changes_->setText(tr("No line changed yet"));
    else changes_->setText(counted(changes, tr("%1 line changed"), tr("%1 lines changed")));
    previous_->setEnabled(changes > 0);
    next_->setEnabled(changes > 0);
}

} // namespace inspector
