#include "ui/symbols/symbols_panel.h"

#include <algorithm>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"
#include "ui/symbols/range_editor.h"
#include "ui/symbols/symbol_model.h"
#include "ui/symbols/symbol_page.h"
#include "ui/symbols/symbol_survey.h"

namespace inspector {

SymbolsPanel::SymbolsPanel(Document* document, QAction* reset, QWidget* parent)
    : QWidget(parent), document_(document), survey_(new SymbolSurvey(document, this)),
      model_(new SymbolModel(document, survey_, this)), pages_(new QStackedWidget(this)), empty_(new QLabel(this)),
      sentence_(new QLabel(this)), view_(new QTreeView(this)), editor_(new RangeEditor(this)),
      page_(new PageBrowser(this)) {
    empty_->setObjectName(QStringLiteral("symbolsEmpty"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(16);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    sentence_->setObjectName(QStringLiteral("symbolsSentence"));
    sentence_->setAccessibleName(tr("Symbols, and what the ranges asked for change"));
    sentence_->setTextFormat(Qt::RichText);
    sentence_->setWordWrap(true);
    auto* button = new QToolButton(this);
    button->setDefaultAction(reset);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    makeTable();

    page_->setObjectName(QStringLiteral("symbolPage"));
    page_->setAccessibleName(tr("The symbol"));
    connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const auto node = nodeOfLink(link)) document_->select(*node);
    });
    connect(editor_, &RangeEditor::asked, this, [this](const SymbolRange& range) {
        const SymbolFacts* before = survey_->found() ? survey_->found()->findAsRead(range.symbol) : nullptr;
        if (before && before->minimum == range.minimum && before->maximum == range.maximum)
            document_->forgetRange(range.symbol);
        else document_->askRange(range);
    });
    connect(editor_, &RangeEditor::forgotten, document_, &Document::forgetRange);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 4, 8, 4);
    top->setSpacing(8);
    top->addWidget(sentence_, 1);
    top->addWidget(button);
    auto* right = new QWidget(this);
    auto* right_column = new QVBoxLayout(right);
    right_column->setContentsMargins(0, 0, 0, 0);
    right_column->setSpacing(0);
    right_column->addWidget(editor_);
    right_column->addWidget(page_, 1);
    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(view_);
    sides->addWidget(right);
    sides->setStretchFactor(0, 1);
    sides->setStretchFactor(1, 1);
    sides->setSizes({500, 500});
    auto* some = new QWidget(this);
    auto* column = new QVBoxLayout(some);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(sides, 1);
    pages_->addWidget(empty_);
    pages_->addWidget(some);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);

    connect(survey_, &SymbolSurvey::changed, this, &SymbolsPanel::showSurvey);
    connect(document_, &Document::opened, this, [this] {
        chosen_.clear();
        showSurvey();
    });
    // Which ranges are asked for, and what they change, is known at another time than the table.
    connect(document_, &Document::graphShown, this, &SymbolsPanel::showSurvey);
    connect(document_, &Document::policiesCompared, this, [this] {
        showSentence();
        showSymbol();
    });
    showSurvey();
}

void SymbolsPanel::makeTable() {
    view_->setObjectName(QStringLiteral("symbolTable"));
    view_->setAccessibleName(tr("Symbols"));
    view_->setModel(model_);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setAlternatingRowColors(true);
    view_->header()->setStretchLastSection(true);
    view_->header()->moveSection(SymbolModel::uses_column, SymbolModel::origin_column);
    const int character = view_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {{SymbolModel::name_column, 10},     {SymbolModel::range_column, 12},
                                          {SymbolModel::sample_column, 10},   {SymbolModel::divisor_column, 14},
                                          {SymbolModel::uses_column, 8},      {SymbolModel::origin_column, 26},
                                          {SymbolModel::relations_column, 30}};
    for (const auto& [column, characters] : widths) view_->setColumnWidth(column, character * characters);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        const SymbolFacts* symbol = model_->symbol(row.row());
        if (isChoosing_ || !symbol) return;
        chosen_ = symbol->name;
        showSymbol();
        highlightUses();
    });
    // A second click on the chosen row highlights it again after another panel has highlighted something else.
    connect(view_, &QTreeView::clicked, this, &SymbolsPanel::highlightUses);
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& row) {
        const SymbolFacts* symbol = model_->symbol(row.row());
        if (symbol && symbol->origin.node != no_node) document_->select(symbol->origin.node);
    });
}

void SymbolsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    survey_->setLookedAt(true);
}

void SymbolsPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    survey_->setLookedAt(false);
}

void SymbolsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    showSentence();
    showSymbol();
}

void SymbolsPanel::showSurvey() {
    const SurveyedSymbols* found = survey_->found();
    if (document_->isEmpty())
        empty_->setText(
            tr("Symbolic sizes will stand here: their ranges, where they come from, what relates them, who uses them.\n"
               "Open a graph that was exported with dynamic dimensions to begin."));
    else if (found)
        empty_->setText(tr("This graph has no symbols: every size is a number."));
    else
        empty_->setText(tr("Looking for symbols…"));
    pages_->setCurrentIndex(found && !found->symbols.empty() ? 1 : 0);

    isChoosing_ = true;
    model_->refresh();
    if (found && !found->symbols.empty()) {
        const int row = std::max(0, model_->rowOf(chosen_));
        chosen_ = model_->symbol(row)->name;
        view_->setCurrentIndex(model_->index(row, 0));
    }
    isChoosing_ = false;
    showSentence();
    showSymbol();
}

void SymbolsPanel::showSentence() {
    if (survey_->found()) sentence_->setText(symbolsSentence(*document_, *survey_->found(), palette()));
}

void SymbolsPanel::showSymbol() {
    const SurveyedSymbols* found = survey_->found();
    const SymbolFacts* symbol = found ? found->find(chosen_) : nullptr;
    if (!symbol) return page_->clear();
    editor_->setSymbol(*symbol, model_->isAsked(*symbol));
    page_->setHtml(symbolPage(*document_, *found, *symbol, palette()));
}

void SymbolsPanel::highlightUses() {
    const SurveyedSymbols* found = survey_->found();
    if (const SymbolFacts* symbol = found ? found->find(chosen_) : nullptr) document_->highlight(symbol->uses);
}

} // namespace inspector
