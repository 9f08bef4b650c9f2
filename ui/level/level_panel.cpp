#include "ui/level/level_panel.h"

#include <utility>

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/empty_state.h"
#include "ui/appearance/item_in_sight.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/document/node_links.h"
#include "ui/level/level_filter.h"
#include "ui/level/level_model.h"
#include "ui/level/level_page.h"
#include "ui/palette/page_browser.h"

namespace inspector {

LevelPanel::LevelPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new LevelModel(document, this)), filter_(new LevelFilter(this)),
      sentence_(new QLabel(this)), text_(new QLineEdit(this)), obstaclesOnly_(new QToolButton(this)),
      view_(new QTreeView(this)), page_(new PageBrowser(this)) {
    sentence_->setObjectName(QStringLiteral("levelSentence"));
    sentence_->setAccessibleName(tr("Level of the graph, and why"));
    sentence_->setTextFormat(Qt::RichText);
    sentence_->setWordWrap(true);
    sentence_->setContentsMargins(12, 6, 12, 2);

    text_->setObjectName(QStringLiteral("levelFilter"));
    text_->setAccessibleName(tr("Filter operators and nodes"));
    text_->setPlaceholderText(tr("Filter by operator, tag or node"));
    text_->setToolTip(tr("Operators and nodes with all these words in name, schema or tags"));
    text_->setClearButtonEnabled(true);
    obstaclesOnly_->setObjectName(QStringLiteral("levelObstaclesOnly"));
    obstaclesOnly_->setText(tr("Obstacles only"));
    obstaclesOnly_->setToolTip(tr("Only what stands against a level"));
    obstaclesOnly_->setCheckable(true);

    makeTree();
    page_->setObjectName(QStringLiteral("levelPage"));
    page_->setAccessibleName(tr("The operator, or what the levels are"));
    connect(page_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (const auto node = nodeOfLink(link)) document_->select(*node);
    });

    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(8);
    top->addWidget(text_, 1);
    top->addWidget(obstaclesOnly_);
    auto* left = new QWidget(this);
    auto* left_column = new QVBoxLayout(left);
    left_column->setContentsMargins(0, 0, 0, 0);
    left_column->setSpacing(0);
    left_column->addLayout(top);
    left_column->addWidget(view_, 1);
    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(left);
    sides->addWidget(page_);
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setSizes({620, 380});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sentence_);
    layout->addWidget(sides, 1);

    connect(text_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setText(text);
        showEmptyReason();
        restoreExpanded({});
        showSelection();
    });
    connect(obstaclesOnly_, &QToolButton::toggled, this, [this](bool on) {
        filter_->setObstaclesOnly(on);
        showEmptyReason();
        restoreExpanded({});
        showSelection();
    });
    for (const auto signal : {&Document::opened, &Document::graphShown})
        connect(document_, signal, this, [this] {
            isOtherGraph_ = true;
            refresh();
            const auto wanted = std::exchange(wanted_, std::nullopt);
            if (wanted && wanted->graph == document_->graphIndex()) document_->select(wanted->node);
        });
    connect(document_, &Document::stepped, this, &LevelPanel::refresh);
    connect(document_, &Document::selectionChanged, this, &LevelPanel::showSelection);
    refresh();
}

void LevelPanel::makeTree() {
    filter_->setSourceModel(model_);
    // Before the view hears of it: a row that a filter or a step takes away is not a choice of another one.
    connect(filter_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { isChoosing_ = true; });
    connect(filter_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { isChoosing_ = true; });
    view_->setObjectName(QStringLiteral("levelTree"));
    view_->setAccessibleName(tr("Levels, operators and nodes"));
    view_->setModel(filter_);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setUniformRowHeights(true);
    view_->setIndentation(14);
    view_->setAllColumnsShowFocus(true);
    view_->setAutoScroll(false); // showSelection() scrolls, and not sideways
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(LevelModel::name_column, QHeaderView::Stretch);
    const int character = view_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {{LevelModel::nodes_column, 8},
                                          {LevelModel::decomposes_column, 14},
                                          {LevelModel::in_place_column, 10},
                                          {LevelModel::out_column, 7},
                                          {LevelModel::meta_column, 10}};
    for (const auto& [column, characters] : widths) view_->setColumnWidth(column, character * characters);
    empty_ = new EmptyState(view_, tr("What stands against each level – training, functional ATen, Core ATen – will stand "
                                      "here, and what every operator is.\n"
                                      "Open a graph that calls operators to begin."));
    showEmptyReason();

    connect(filter_, &QAbstractItemModel::rowsRemoved, this, [this] { isChoosing_ = false; });
    connect(filter_, &QAbstractItemModel::modelReset, this, [this] {
        restoreExpanded({});
        isChoosing_ = false;
    });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!isChoosing_) choose(row);
        showPage();
    });
    // A second click on the chosen row highlights it again after another panel has highlighted something else.
    connect(view_, &QTreeView::clicked, this, &LevelPanel::choose);
    connect(view_, &QTreeView::activated, this, &LevelPanel::openNested);
    connect(view_, &QTreeView::expanded, this, [this](const QModelIndex& row) {
        const QString key = model_->key(filter_->mapToSource(row));
        collapsed_.remove(key);
        expanded_.insert(key);
    });
    connect(view_, &QTreeView::collapsed, this, [this](const QModelIndex& row) {
        const QString key = model_->key(filter_->mapToSource(row));
        expanded_.remove(key);
        collapsed_.insert(key);
    });
}

/// What a tree that the filters have emptied says.
void LevelPanel::showEmptyReason() {
    const bool is_obstacles_only = obstaclesOnly_->isChecked();
    if (!text_->text().trimmed().isEmpty())
        empty_->setFiltered(is_obstacles_only ? tr("No obstacle matches the filter.")
                                              : tr("No operator or node matches the filter."));
    else if (is_obstacles_only) empty_->setFiltered(tr("Nothing stands against a level: every operator is Core ATen's."));
}

void LevelPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isStale_) refresh();
}

void LevelPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange) return;
    showSentence();
    showPage();
}

void LevelPanel::refresh() {
    isStale_ = !isVisible();
    if (isStale_) return model_->clear();
    if (std::exchange(isOtherGraph_, false)) {
        collapsed_.clear();
        expanded_.clear();
        if (!document_->isEmpty()) asRead_ = find_level(*document_->program(), document_->graphIndex()).level;
    }
    model_->refresh();
    showSentence();
    showSelection();
    showPage();
}

void LevelPanel::showSentence() {
    sentence_->setVisible(!document_->isEmpty());
    if (!document_->isEmpty() && !isStale_) sentence_->setText(levelSentence(model_->level(), asRead_, palette()));
}

void LevelPanel::showPage() {
    if (isStale_) return;
    page_->document()->clear();
    page_->setHtml(levelPage(*document_, *model_, sourceRow(), palette()));
}

QModelIndex LevelPanel::sourceRow() const { return filter_->mapToSource(view_->currentIndex()); }

/// Levels and reasons are open at first, operators are not.
void LevelPanel::restoreExpanded(const QModelIndex& parent) {
    for (int row = 0; row < filter_->rowCount(parent); ++row) {
        const QModelIndex index = filter_->index(row, 0, parent);
        const QModelIndex source = filter_->mapToSource(index);
        if (model_->kind(source) == LevelModel::Kind::node) return;
        const QString key = model_->key(source);
        const bool is_open_at_first = model_->kind(source) != LevelModel::Kind::op;
        view_->setExpanded(index, is_open_at_first ? !collapsed_.contains(key) : expanded_.contains(key));
        restoreExpanded(index);
    }
}

void LevelPanel::choose(const QModelIndex& row) {
    const QModelIndex source = filter_->mapToSource(row);
    if (!source.isValid()) return;
    const std::vector<NodeId> nodes = model_->nodes(source);
    if (model_->kind(source) == LevelModel::Kind::node) {
        if (!nodes.empty()) document_->select(nodes.front());
        return;
    }
    document_->highlight(nodes);
}

void LevelPanel::openNested(const QModelIndex& row) {
    const auto place = model_->place(filter_->mapToSource(row));
    if (!place || place->graph == document_->graphIndex()) return;
    wanted_ = place;
    document_->showGraph(place->graph);
}

void LevelPanel::showSelection() {
    if (document_->isEmpty() || isStale_) return;
    const NodeId selected = document_->selected();
    // A row that already stands for the node, or for nothing a node could stand for, stays.
    const QModelIndex current = sourceRow();
    const auto place = model_->place(current);
    if (place && place->graph == document_->graphIndex() && place->node == selected) return;
    const QModelIndex row = filteredRow(*filter_, model_->indexOf(selected));
    const bool was_choosing = std::exchange(isChoosing_, true);
    selectRow(view_, row);
    isChoosing_ = was_choosing;
}

} // namespace inspector
