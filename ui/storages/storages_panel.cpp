#include "ui/storages/storages_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/counted.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/item_in_sight.h"
#include "ui/appearance/settled_rows.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/storages/storage_model.h"

namespace inspector {

StoragesPanel::StoragesPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new StorageModel(document, this)), filter_(new StorageFilter(this)),
      text_(new QLineEdit(this)), sharedOnly_(new QToolButton(this)), view_(new QTreeView(this)),
      count_(new QLabel(this)) {
    filter_->setSourceModel(model_);

    text_->setObjectName(QStringLiteral("storageFilter"));
    text_->setPlaceholderText(tr("Filter by a value's name"));
    text_->setToolTip(tr("Storages that hold a value with this in its name"));
    text_->setClearButtonEnabled(true);

    sharedOnly_->setObjectName(QStringLiteral("sharedOnly"));
    sharedOnly_->setCheckable(true);
    sharedOnly_->setAutoRaise(true);
    sharedOnly_->setIcon(strokeIcon(QStringLiteral("shared-only")));
    sharedOnly_->setAccessibleName(tr("Shared only"));
    sharedOnly_->setToolTip(tr("Only storages that several values share"));

    view_->setObjectName(QStringLiteral("storageTree"));
    view_->setAccessibleName(tr("Storages"));
    // Before the view hears of it: a row that a filter takes away is not a choice of another one.
    connect(filter_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { isChoosing_ = true; });
    view_->setModel(filter_);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setAutoScroll(false); // showSelection() scrolls, and not sideways
    view_->setSortingEnabled(true);
    view_->sortByColumn(StorageModel::name_column, Qt::AscendingOrder);
    view_->header()->setStretchLastSection(false);
    const int character = view_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {
        {StorageModel::name_column, 28},    {StorageModel::value_column, 20},    {StorageModel::strides_column, 14},
        {StorageModel::offset_column, 8},   {StorageModel::view_of_column, 16},  {StorageModel::first_use_column, 16},
        {StorageModel::last_use_column, 16}, {StorageModel::bytes_column, 10}};
    for (const auto& [column, characters] : widths) view_->setColumnWidth(column, character * characters);
    new EmptyState(view_,
                   tr("Each storage and the values that share it will stand here.\nOpen a graph to begin."),
                   tr("No storage matches the filter."));

    count_->setForegroundRole(QPalette::PlaceholderText);
    count_->setContentsMargins(8, 2, 8, 2);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 8, 8, 4);
    top->setSpacing(4);
    top->addWidget(text_, 1);
    top->addWidget(sharedOnly_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    layout->addWidget(count_);

    connect(text_, &QLineEdit::textChanged, filter_, &StorageFilter::setText);
    connect(sharedOnly_, &QToolButton::toggled, filter_, &StorageFilter::setSharedOnly);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!isChoosing_) choose(row);
    });
    // A second click on the chosen row highlights it again after another panel has highlighted something else.
    connect(view_, &QTreeView::clicked, this, &StoragesPanel::choose);
    connect(document_, &Document::selectionChanged, this, &StoragesPanel::showSelection);
    connect(filter_, &QAbstractItemModel::modelReset, this, &StoragesPanel::showSelection);
    connect(filter_, &QAbstractItemModel::modelReset, this, &StoragesPanel::showCount);
    connect(filter_, &QAbstractItemModel::rowsRemoved, this, [this] { isChoosing_ = false; });
    whenRowsSettle(filter_, this, [this] {
        showSelection();
        showCount();
    });
    showCount();
    showSelection();
}

void StoragesPanel::choose(const QModelIndex& row) {
    if (!row.isValid()) return;
    const QModelIndex source = filter_->mapToSource(row);
    if (source.parent().isValid()) document_->select(model_->node(source));
    document_->highlight(model_->values(source)); // last: a new selection brings highlights of its own
}

void StoragesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &StoragesPanel::showSelection); // once the view has its new size
}

void StoragesPanel::showSelection() {
    if (document_->isEmpty()) return;
    const QModelIndex value = filteredRow(*filter_, model_->indexOf(document_->selected()));
    const bool was_choosing = std::exchange(isChoosing_, true);
    selectRow(view_, value);
    isChoosing_ = was_choosing;
}

void StoragesPanel::showCount() {
    const int shown = filter_->rowCount();
    const int all = model_->rowCount();
    count_->setVisible(all > 0);
    count_->setText(shown == all ? counted(static_cast<std::size_t>(all), tr("%1 storage"), tr("%1 storages"))
                                  : (all == 1 ? tr("%1 of %2 storage") : tr("%1 of %2 storages")).arg(shown).arg(all));
}

} // namespace inspector
