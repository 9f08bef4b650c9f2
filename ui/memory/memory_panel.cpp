#include "ui/memory/memory_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/counted.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/memory/memory_chart.h"
#include "ui/memory/memory_list_model.h"

namespace inspector {

MemoryPanel::MemoryPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), chart_(new MemoryChart(document, this)), summary_(new QLabel(this)),
      inputs_(new QToolButton(this)), kind_(new QComboBox(this)), model_(new MemoryListModel(document, this)), view_(new QTreeView(this)), sum_(new QLabel(this)) {
    summary_->setObjectName(QStringLiteral("memorySummary"));
    summary_->setTextFormat(Qt::RichText);
    summary_->setWordWrap(true);
    summary_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(summary_, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const auto node = nodeOfLink(QUrl(link))) document_->select(*node);
    });
    summary_->setToolTip(tr("Simulated: each storage lives from its definition to its last use, inputs all the time."));

    inputs_->setObjectName(QStringLiteral("memoryInputs"));
    inputs_->setText(tr("Inputs"));
    inputs_->setToolTip(tr("Count what inputs, parameters and constants hold all the time"));
    inputs_->setCheckable(true);
    inputs_->setAutoRaise(true);

    kind_->setObjectName(QStringLiteral("memoryKind"));
    kind_->setAccessibleName(tr("What is listed"));
    kind_->setToolTip(tr("What the list below shows"));
    kind_->addItem(tr("Live at the peak before"), static_cast<int>(MemoryListModel::Kind::peak_before));
    kind_->addItem(tr("Live at the peak after"), static_cast<int>(MemoryListModel::Kind::peak_after));
    kind_->addItem(tr("Live at the selected node"), static_cast<int>(MemoryListModel::Kind::selected));
    kind_->addItem(tr("Saved by decisions"), static_cast<int>(MemoryListModel::Kind::saved));

    view_->setObjectName(QStringLiteral("memoryList"));
    view_->setAccessibleName(tr("Storages and decisions by bytes"));
    view_->setModel(model_);
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAlternatingRowColors(true);
    view_->setAllColumnsShowFocus(true);
    view_->header()->setSectionResizeMode(MemoryListModel::node_column, QHeaderView::Stretch);
    view_->header()->setSectionResizeMode(MemoryListModel::bytes_column, QHeaderView::ResizeToContents);
    view_->header()->setSectionResizeMode(MemoryListModel::detail_column, QHeaderView::ResizeToContents);
    new EmptyState(view_, tr("Storages and decisions will be listed here, the most bytes first."));

    sum_->setForegroundRole(QPalette::PlaceholderText);
    sum_->setContentsMargins(8, 2, 8, 2);

    auto* left = new QWidget(this);
    auto* left_column = new QVBoxLayout(left);
    left_column->setContentsMargins(0, 0, 0, 0);
    left_column->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 4, 8, 4);
    top->setSpacing(8);
    top->addWidget(summary_, 1);
    top->addWidget(inputs_);
    left_column->addLayout(top);
    left_column->addWidget(chart_, 1);
    auto* right = new QWidget(this);
    auto* right_column = new QVBoxLayout(right);
    right_column->setContentsMargins(4, 4, 4, 0);
    right_column->setSpacing(4);
    right_column->addWidget(kind_);
    right_column->addWidget(view_, 1);
    right_column->addWidget(sum_);
    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(left);
    sides->addWidget(right);
    sides->setStretchFactor(0, 3);
    sides->setStretchFactor(1, 2);
    sides->setSizes({600, 400});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(sides);

    connect(inputs_, &QToolButton::toggled, this, &MemoryPanel::refresh);
    connect(kind_, &QComboBox::currentIndexChanged, this, &MemoryPanel::showList);
    const auto choose = [this](const QModelIndex& row) {
        if (row.isValid()) document_->select(NodeId(row.data(MemoryListModel::node_role).toUInt()));
    };
    connect(view_, &QTreeView::clicked, this, choose);
    connect(view_, &QTreeView::activated, this, choose);
    for (const auto signal : {&Document::opened, &Document::graphShown, &Document::stepped})
        connect(document_, signal, this, &MemoryPanel::refresh);
    connect(document_, &Document::selectionChanged, this, [this] {
        if (isVisible() && model_->kind() == MemoryListModel::Kind::selected) showList();
    });
    refresh();
}

void MemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (isStale_) refresh();
    else if (model_->kind() == MemoryListModel::Kind::selected) showList();
}

void MemoryPanel::refresh() {
    isStale_ = !isVisible();
    if (isStale_) {
        // Nodes of another graph are none of this one's.
        curves_ = {};
        chart_->setCurves(&curves_);
        model_->show(curves_, model_->kind(), false);
        return;
    }
    curves_ = MemoryCurves::of(*document_, inputs_->isChecked());
    chart_->setCurves(&curves_);
    showSummary();
    showList();
}

/// What the lines are, where they peak, and what that comes to.
void MemoryPanel::showSummary() {
    summary_->setVisible(!document_->isEmpty());
    inputs_->setVisible(!document_->isEmpty());
    if (document_->isEmpty()) return;
    const ThemeColours& colours = themeColours(palette());
    const QColor after = verdictStyle(VerdictMark::reinplaced, schemeOf(palette())).text;
    const auto peak = [&](const QColor& colour, const QString& sign, const QString& name, const MemoryCurve& curve) {
        return QStringLiteral("<span style=\"color:%1\"><b>%2 %3</b></span> ").arg(colour.name(), sign, name) +
               tr("peaks with %1 at %2").arg(bytesText(curve.peak), nodeLink(*document_, curves_.nodes[curve.peakPlace]));
    };
    const QString gap = QStringLiteral(" &nbsp; ");
    QString html = peak(colours.muted, QStringLiteral("┅"), tr("Before"), curves_.before) + gap +
                   peak(after, QStringLiteral("━"), document_->session()->at_end() ? tr("After") : tr("As rewritten so far"), curves_.after);
    const std::int64_t saved = curves_.before.peak - curves_.after.peak;
    if (saved > 0)
        html += gap + tr("%1 less (%2 %)").arg(bytesText(saved)).arg(100 * static_cast<double>(saved) / static_cast<double>(curves_.before.peak), 0, 'f', 0);
    QString rest = inputs_->isChecked() ? tr("inputs hold %1 of it").arg(bytesText(curves_.use.held))
                                        : tr("besides %1 of inputs").arg(bytesText(curves_.use.held));
    if (curves_.unknown > 0) rest += counted(curves_.unknown, tr(", and %1 value of unknown size"), tr(", and %1 values of unknown size"));
    html += gap + QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colours.muted.name(), rest);
    summary_->setText(html);
}

void MemoryPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !isStale_) showSummary();
}

void MemoryPanel::showList() {
    model_->show(curves_, static_cast<MemoryListModel::Kind>(kind_->currentData().toInt()), inputs_->isChecked());
    sum_->setVisible(model_->rowCount() > 0);
    sum_->setText(tr("%1 in all, %2").arg(model_->rowCount()).arg(bytesText(model_->sum())));
}

} // namespace inspector
