#include "ui/decompose/decompose_panel.h"

#include <utility>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/check_delegate.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/item_in_sight.h"
#include "ui/appearance/theme.h"
#include "ui/decompose/made_code.h"
#include "ui/decompose/step_model.h"
#include "ui/document/describe.h"
#include "ui/palette/page_browser.h"

namespace inspector {
namespace {

/// A heading above a view.
QWidget* titled(const QString& title, QWidget* view) {
    auto* whole = new QWidget;
    auto* label = new QLabel(title);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setContentsMargins(8, 2, 8, 2);
    label->setBuddy(view);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(label);
    column->addWidget(view, 1);
    return whole;
}

} // namespace

DecomposePanel::DecomposePanel(Document* document, DecompositionRun* decomposition, EquivalenceRun* verification,
                               const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent), document_(document), decomposition_(decomposition), verification_(verification),
      model_(new DecompositionStepModel(decomposition, this)), pages_(new QStackedWidget(this)),
      empty_(new QLabel(this)), sentence_(new QLabel(this)), found_(new QLabel(this)), steps_(new QTreeView(this)),
      kept_(new QListWidget(this)), code_(new MadeCode(this)) {
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(4);
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        top->addWidget(button);
    }
    sentence_->setObjectName(QStringLiteral("decomposeSentence"));
    sentence_->setAccessibleName(tr("What the graph becomes"));
    sentence_->setTextFormat(Qt::RichText);
    sentence_->setWordWrap(true);
    top->addSpacing(8);
    top->addWidget(sentence_, 1);
    found_->setObjectName(QStringLiteral("decomposeVerification"));
    found_->setAccessibleName(tr("Verification of the decomposition"));
    found_->setTextFormat(Qt::RichText);
    found_->setWordWrap(true);
    found_->setContentsMargins(12, 0, 8, 4);

    empty_->setObjectName(QStringLiteral("decomposeEmpty"));
    empty_->setTextFormat(Qt::PlainText);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(16);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    makeSteps();
    kept_->setObjectName(QStringLiteral("decomposeKept"));
    kept_->setAccessibleName(tr("Operators to keep"));
    kept_->setToolTip(tr("Operators that are checked stay as they are"));
    kept_->setFrameShape(QFrame::NoFrame);
    kept_->setUniformItemSizes(true);
    kept_->setItemDelegate(new CheckDelegate(kept_));
    connect(kept_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        if (!isChoosing_)
            decomposition_->setKept(item->data(Qt::UserRole).toString(), item->checkState() == Qt::Checked);
    });
    code_->setObjectName(QStringLiteral("decomposeCode"));
    code_->setAccessibleName(tr("The decomposed graph as code"));

    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(titled(tr("Steps"), steps_));
    sides->addWidget(titled(tr("Keep"), kept_));
    sides->addWidget(titled(tr("Result"), code_));
    sides->setStretchFactor(0, 4);
    sides->setStretchFactor(1, 2);
    sides->setStretchFactor(2, 4);
    sides->setSizes({440, 190, 370});
    pages_->addWidget(empty_);
    pages_->addWidget(sides);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(found_);
    layout->addWidget(pages_, 1);

    connect(decomposition_, &DecompositionRun::prepared, this, &DecomposePanel::showResult);
    connect(document_, &Document::selectionChanged, this, &DecomposePanel::showSelection);
    connect(verification_, &EquivalenceRun::changed, this, &DecomposePanel::showVerification);
    showResult();
    showVerification();
}

void DecomposePanel::makeSteps() {
    steps_->setObjectName(QStringLiteral("decomposeSteps"));
    steps_->setAccessibleName(tr("Calls that stay, and calls that were taken apart"));
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { isChoosing_ = true; });
    steps_->setModel(model_);
    connect(model_, &QAbstractItemModel::modelReset, this, [this] { isChoosing_ = false; });
    steps_->setFrameShape(QFrame::NoFrame);
    steps_->setUniformRowHeights(true);
    steps_->setAllColumnsShowFocus(true);
    steps_->setAutoScroll(false);
    steps_->setIndentation(14);
    steps_->header()->setStretchLastSection(true);
    const int character = steps_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {{DecompositionStepModel::number_column, 8},
                                          {DecompositionStepModel::operator_column, 29},
                                          {DecompositionStepModel::node_column, 13}};
    for (const auto& [column, characters] : widths) steps_->setColumnWidth(column, character * characters);
    connect(steps_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &DecomposePanel::choose);
}

void DecomposePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    decomposition_->setLookedAt(true);
    showResult();
}

void DecomposePanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    decomposition_->setLookedAt(false);
}

void DecomposePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    showSentence();
    showVerification();
}

void DecomposePanel::showResult() {
    const TakenApart* all = decomposition_->found();
    const bool has_result = all && all->made;
    if (document_->isEmpty())
        empty_->setText(tr("The graph taken apart into Core ATen will stand here: each step, the operators you keep, "
                           "and the result as code.\n"
                           "Open a graph to begin."));
    else if (all && !has_result)
        empty_->setText(tr("This graph writes, and cannot be made functional first: %1.").arg(all->refusal));
    else
        empty_->setText(tr("Taking the graph apart…"));
    pages_->setCurrentIndex(has_result ? 1 : 0);
    showSentence();
    showCandidates();
    const std::shared_ptr<const Program> made = has_result ? all->made : nullptr;
    if (std::exchange(shown_, made) == made) return;
    code_->setLines(has_result ? all->code : std::vector<ReadableLine>());
    showSelection();
}

void DecomposePanel::showSentence() {
    const TakenApart* all = decomposition_->found();
    sentence_->setVisible(all && all->made);
    if (!all || !all->made) return;
    const ThemeColours& colours = themeColours(palette());
    const auto words = [](std::string_view name) {
        return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())).toHtmlEscaped();
    };
    const bool is_core = all->level.level == Level::core_aten;
    QString html = QStringLiteral("<b>%1</b>: %2")
                       .arg(coloured(words(level_name(all->level.level)), is_core ? colours.success : colours.warning),
                            words(why_not_higher(all->level)));
    QStringList rest;
    rest << (all->steps == 0 ? tr("no call had to be taken apart")
                             : counted(all->steps, tr("%1 call taken apart"), tr("%1 calls taken apart")));
    rest << counted(all->source->graphs[all->graph].graph.size(), tr("%1 node becomes %2"), tr("%1 nodes become %2"))
                .arg(all->made->graphs[all->graph].graph.size());
    if (all->wasFunctionalized) rest << tr("made functional first; inputs that are written are returned");
    html += QStringLiteral(" &nbsp; ") + coloured(rest.join(QStringLiteral(", ")), colours.muted);
    if (decomposition_->isPreparing())
        html += QStringLiteral(" &nbsp; ") + coloured(tr("taking it apart again…"), colours.warning);
    sentence_->setText(html);
}

void DecomposePanel::showCandidates() {
    const auto& candidates = decomposition_->candidates();
    isChoosing_ = true;
    if (static_cast<std::size_t>(kept_->count()) != candidates.size() ||
        (!candidates.empty() && kept_->item(0)->data(Qt::UserRole).toString() != candidates.front().name))
        kept_->clear();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto row = static_cast<int>(i);
        if (row >= kept_->count()) {
            auto* item = new QListWidgetItem(kept_);
            item->setFont(codeFont());
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        }
        QListWidgetItem* item = kept_->item(row);
        const auto& [name, calls] = candidates[i];
        item->setData(Qt::UserRole, name);
        item->setText(calls == 1 ? name : tr("%1  ×%2").arg(name).arg(calls));
        item->setToolTip(literalToolTip(tr("Keep %1: %2").arg(name, counted(calls, tr("%1 call"), tr("%1 calls")))));
        item->setCheckState(decomposition_->isKept(name) ? Qt::Checked : Qt::Unchecked);
    }
    isChoosing_ = false;
}

void DecomposePanel::showVerification() {
    const QString html = equivalenceHtml(*verification_, palette());
    found_->setText(html);
    found_->setVisible(!html.isEmpty());
}

void DecomposePanel::choose(const QModelIndex& row) {
    if (isChoosing_ || !row.isValid()) return;
    code_->mark(model_->made(row));
    isChoosing_ = true; // the row stays, though other rows are about the same node
    if (const NodeId node = model_->source(row); node != no_node) document_->select(node);
    isChoosing_ = false;
}

/// The first row about the selected node; its lines stand out in the code.
void DecomposePanel::showSelection() {
    const TakenApart* all = decomposition_->found();
    if (isChoosing_ || !isVisible() || !all || !all->made) return;
    const NodeId selected = document_->selected();
    isChoosing_ = true;
    QModelIndex found;
    if (selected != no_node)
        for (int row = 0; row < model_->rowCount() && !found.isValid(); ++row)
            if (const QModelIndex index = model_->index(row, 0); model_->source(index) == selected) found = index;
    selectRow(steps_, found);
    if (found.isValid()) {
        code_->mark(model_->made(found));
    } else {
        const Node* node = document_->node(selected);
        const NodeId same = node ? all->session->graph().find(node->name) : no_node;
        code_->mark(same == no_node ? std::vector<NodeId>() : std::vector{same});
    }
    isChoosing_ = false;
}

} // namespace inspector
