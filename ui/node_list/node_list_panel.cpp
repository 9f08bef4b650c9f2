#include "ui/node_list/node_list_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/counted.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/item_in_sight.h"
#include "ui/appearance/settled_rows.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/copy_as/copy_as.h"
#include "ui/document/describe.h"
#include "ui/document/input_entries.h"
#include "ui/node_list/node_filter.h"
#include "ui/node_list/node_list_model.h"

namespace inspector {

NodeListPanel::NodeListPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new NodeListModel(document, this)), filter_(new NodeFilter(this)),
      text_(new QLineEdit(this)), verdict_(new QComboBox(this)), check_(new QComboBox(this)),
      differing_(new QToolButton(this)), missesFirst_(new QToolButton(this)), view_(new QTreeView(this)), count_(new QLabel(this)) {
    filter_->setSourceModel(model_);

    text_->setObjectName(QStringLiteral("nodeFilter"));
    text_->setPlaceholderText(tr("Filter by name or operation"));
    text_->setToolTip(tr("Words that must all occur in the name or the operation.<br>"
                         "<tt>name:</tt> <tt>op:</tt> <tt>verdict:</tt> <tt>check:</tt> <tt>policy:</tt> before a word look there only."));
    text_->setClearButtonEnabled(true);

    verdict_->setObjectName(QStringLiteral("verdictFilter"));
    verdict_->setAccessibleName(tr("Verdict"));
    verdict_->setToolTip(tr("Show only nodes with this verdict"));
    verdict_->addItem(tr("Any verdict"), -1);
    for (const VerdictMark mark : all_verdict_marks) {
        const QString word = mark == VerdictMark::none ? tr("no decision") : verdictStyle(mark, Scheme::light).word;
        verdict_->addItem(word, static_cast<int>(mark));
    }
    showVerdictIcons();

    check_->setObjectName(QStringLiteral("checkFilter"));
    check_->setAccessibleName(tr("Check"));
    check_->setToolTip(tr("Show only nodes that this check decided"));
    check_->addItem(tr("Any check"), -1);
    for (const CheckId check :
         {CheckId::not_an_operator, CheckId::no_arguments, CheckId::first_argument_not_tensor, CheckId::metadata,
          CheckId::input_alias, CheckId::argument_alias, CheckId::later_use, CheckId::scatter, CheckId::inplace_variant,
          CheckId::redundant_write, CheckId::output_alias, CheckId::result_layout})
        check_->addItem(checkTitle(check), static_cast<int>(check));
    for (QComboBox* box : {verdict_, check_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(4); // the panel does not scroll sideways beside its list
    }

    differing_->setObjectName(QStringLiteral("policiesDiffer"));
    differing_->setCheckable(true);
    differing_->setIcon(strokeIcon(QStringLiteral("policies-differ")));
    differing_->setAutoRaise(true);
    differing_->setAccessibleName(tr("Policies differ"));
    differing_->setToolTip(tr("Only nodes on which another policy decides otherwise than sound"));

    missesFirst_->setObjectName(QStringLiteral("missesFirst"));
    missesFirst_->setCheckable(true);
    missesFirst_->setIcon(strokeIcon(QStringLiteral("misses-first")));
    missesFirst_->setAutoRaise(true);
    missesFirst_->setAccessibleName(tr("Misses first"));
    missesFirst_->setToolTip(tr("Missed nodes first, the most bytes on top"));

    view_->setObjectName(QStringLiteral("nodeList"));
    view_->setAccessibleName(tr("Nodes"));
    // Before the view hears of it: a row that a filter takes away is not a choice of another one.
    connect(filter_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { isChoosing_ = true; });
    view_->setModel(filter_);
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setSortingEnabled(true);
    view_->setAllColumnsShowFocus(true);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_, &QWidget::customContextMenuRequested, this, [this](const QPoint& place) {
        if (!view_->indexAt(place).isValid() || document_->selected() == no_node) return;
        QMenu menu(this);
        addInputEntries(menu, *document_, document_->selected());
        addCopyEntries(menu, *document_, document_->selected());
        menu.exec(view_->viewport()->mapToGlobal(place));
    });
    view_->setAutoScroll(false); // showSelection() scrolls, and not sideways
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->header()->setStretchLastSection(false);
    view_->sortByColumn(NodeListModel::number_column, Qt::AscendingOrder);
    const int character = view_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {{NodeListModel::number_column, 8},  {NodeListModel::node_column, 22},
                                          {NodeListModel::operation_column, 26}, {NodeListModel::verdict_column, 16},
                                          {NodeListModel::check_column, 16}, {NodeListModel::bytes_column, 10},
                                          {NodeListModel::value_column, 24},
                                          {NodeListModel::policies_column, 20}};
    for (const auto& [column, characters] : widths) view_->setColumnWidth(column, character * characters);
    new EmptyState(view_, tr("Every node of the graph will be listed here with its verdict.\nOpen a graph to begin."),
                   tr("No node matches the filter."));

    count_->setForegroundRole(QPalette::PlaceholderText);
    count_->setContentsMargins(8, 2, 8, 2);

    auto* choices = new QHBoxLayout;
    choices->setSpacing(4);
    choices->addWidget(verdict_, 1);
    choices->addWidget(check_, 1);
    choices->addWidget(differing_);
    choices->addWidget(missesFirst_);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(8, 8, 8, 4);
    top->setSpacing(4);
    top->addWidget(text_);
    top->addLayout(choices);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    layout->addWidget(count_);

    connect(text_, &QLineEdit::textChanged, filter_, &NodeFilter::setText);
    connect(verdict_, &QComboBox::currentIndexChanged, this, [this] {
        const int mark = verdict_->currentData().toInt();
        filter_->setVerdict(mark < 0 ? std::nullopt : std::optional(static_cast<VerdictMark>(mark)));
    });
    connect(check_, &QComboBox::currentIndexChanged, this, [this] {
        const int check = check_->currentData().toInt();
        filter_->setCheck(check < 0 ? std::nullopt : std::optional(static_cast<CheckId>(check)));
    });
    connect(differing_, &QToolButton::toggled, filter_, &NodeFilter::setDiffering);
    connect(missesFirst_, &QToolButton::toggled, this, [this](bool on) {
        filter_->setMissesFirst(on);
        if (on) view_->scrollToTop();
        else showSelection();
    });
    // Choosing a column to sort by ends "misses first".
    connect(view_->header(), &QHeaderView::sectionClicked, this, [this](int column) {
        if (!missesFirst_->isChecked()) return;
        missesFirst_->setChecked(false);
        view_->sortByColumn(column, Qt::AscendingOrder);
    });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!isChoosing_ && row.isValid()) document_->select(NodeId(row.data(NodeListModel::node_role).toUInt()));
    });
    connect(document_, &Document::selectionChanged, this, &NodeListPanel::showSelection);
    connect(filter_, &QAbstractItemModel::modelReset, this, &NodeListPanel::showSelection);
    connect(filter_, &QAbstractItemModel::modelReset, this, &NodeListPanel::showCount);
    connect(filter_, &QAbstractItemModel::rowsRemoved, this, [this] { isChoosing_ = false; });
    whenRowsSettle(filter_, this, [this] {
        showSelection();
        showCount();
    });
    showCount();
    showSelection();
}

void NodeListPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) showVerdictIcons();
    QWidget::changeEvent(event);
}

void NodeListPanel::showVerdictIcons() {
    for (int i = 1; i < verdict_->count(); ++i)
        verdict_->setItemIcon(i, verdictIcon(static_cast<VerdictMark>(verdict_->itemData(i).toInt()), schemeOf(palette())));
}

void NodeListPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &NodeListPanel::showSelection); // once the view has its new size
}

void NodeListPanel::showSelection() {
    const int row = model_->rowOf(document_->selected());
    const QModelIndex index = row < 0 ? QModelIndex() : filter_->mapFromSource(model_->index(row, 0));
    const bool was_choosing = std::exchange(isChoosing_, true);
    selectRow(view_, index);
    isChoosing_ = was_choosing;
}

void NodeListPanel::showCount() {
    const int shown = filter_->rowCount();
    const int all = model_->rowCount();
    count_->setVisible(all > 0);
    QString text = shown == all ? counted(static_cast<std::size_t>(all), tr("%1 node"), tr("%1 nodes"))
                                : (all == 1 ? tr("%1 of %2 node") : tr("%1 of %2 nodes")).arg(shown).arg(all);
    const ReinplaceSession* session = document_->session();
    const int read = session ? static_cast<int>(session->original().size()) : all;
    if (read < all) text += tr(" (%1 as read, %2 made by the pass)").arg(read).arg(all - read);
    count_->setText(text);
}

} // namespace inspector
