#include "ui/compile_log/comparison_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/counted.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/theme.h"
#include "ui/compile_log/comparison_model.h"
#include "ui/compile_log/graph_groups.h"

namespace inspector {

ComparisonPanel::ComparisonPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new ComparisonModel(this)), before_(new QComboBox(this)),
      after_(new QComboBox(this)), differences_(new QLabel(this)), previous_(new QToolButton(this)),
      next_(new QToolButton(this)) {
    before_->setObjectName(QStringLiteral("comparedBefore"));
    before_->setAccessibleName(tr("Graph on the left"));
    before_->setToolTip(tr("Graph on the left"));
    after_->setObjectName(QStringLiteral("comparedAfter"));
    after_->setAccessibleName(tr("Graph on the right"));
    after_->setToolTip(tr("Graph on the right"));
    for (QComboBox* choice : {before_, after_}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setMinimumContentsLength(16);
        connect(choice, &QComboBox::currentIndexChanged, this, &ComparisonPanel::showTexts);
    }
    differences_->setObjectName(QStringLiteral("comparedDifferences"));
    differences_->setForegroundRole(QPalette::PlaceholderText);
    const std::tuple<QToolButton*, Qt::ArrowType, QString, int> arrows[] = {
        {previous_, Qt::UpArrow, tr("Previous difference"), -1}, {next_, Qt::DownArrow, tr("Next difference"), 1}};
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(8);
    top->addWidget(before_, 1);
    top->addWidget(after_, 1);
    top->addWidget(differences_);
    for (const auto& [button, arrow, tip, step] : arrows) {
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QToolButton::clicked, this, [this, step = step] { goToChange(step); });
        top->addWidget(button);
    }

    left_ = addView(tr("Text on the left"), false);
    right_ = addView(tr("Text on the right"), true);
    right_->setSelectionModel(left_->selectionModel());
    const auto scroll_together = [](QScrollBar* a, QScrollBar* b) {
        connect(a, &QScrollBar::valueChanged, b, &QScrollBar::setValue);
        connect(b, &QScrollBar::valueChanged, a, &QScrollBar::setValue);
    };
    scroll_together(left_->verticalScrollBar(), right_->verticalScrollBar());
    scroll_together(left_->horizontalScrollBar(), right_->horizontalScrollBar());
    new EmptyState(left_, tr("Two graphs of a file will stand here side by side, as text.\n"
                             "Open a log or another file with several graphs to begin."));
    auto* sides = new QSplitter(this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(left_);
    sides->addWidget(right_);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(sides, 1);

    connect(document_, &Document::opened, this, &ComparisonPanel::listGraphs);
    connect(document_, &Document::graphShown, this, &ComparisonPanel::listGraphs);
    listGraphs();
}

QTreeView* ComparisonPanel::addView(const QString& name, bool isAfter) {
    auto* view = new QTreeView(this);
    view->setObjectName(isAfter ? QStringLiteral("comparedRight") : QStringLiteral("comparedLeft"));
    view->setAccessibleName(name);
    view->setModel(model_);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setFrameShape(QFrame::NoFrame);
    view->setHeaderHidden(true);
    view->header()->setStretchLastSection(false);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // on both or none: rows stay level
    const auto number = isAfter ? ComparisonModel::after_number : ComparisonModel::before_number;
    for (int column = 0; column < ComparisonModel::column_count; ++column)
        view->setColumnHidden(column, (column >= ComparisonModel::after_number) != isAfter);
    view->setColumnWidth(number, QFontMetrics(codeFont()).averageCharWidth() * 8);
    return view;
}

void ComparisonPanel::listGraphs() {
    const QString chosen_before = before_->currentText();
    const QString chosen_after = after_->currentText();
    {
        const QSignalBlocker quiet_before(before_);
        const QSignalBlocker quiet_after(after_);
        before_->clear();
        after_->clear();
        if (const Program* program = document_->program(); program && program->graphs.size() > 1) {
            const auto shown = static_cast<int>(document_->graphIndex());
            for (const ProgramGraph& graph : program->graphs) {
                before_->addItem(QString::fromStdString(graph.id));
                after_->addItem(QString::fromStdString(graph.id));
            }
            before_->setCurrentIndex(shown);
            after_->setCurrentIndex(shown + 1 < after_->count() ? shown + 1 : shown);
            compare(chosen_before, chosen_after);
        }
    }
    for (QComboBox* choice : {before_, after_}) choice->setEnabled(choice->count() > 0);
    showTexts();
}

void ComparisonPanel::compare(const QString& before, const QString& after) {
    if (const int index = before_->findText(before); index >= 0) before_->setCurrentIndex(index);
    if (const int index = after_->findText(after); index >= 0) after_->setCurrentIndex(index);
}

void ComparisonPanel::showTexts() {
    const bool has_texts = before_->currentIndex() >= 0 && after_->currentIndex() >= 0;
    const auto text = [this](const QComboBox* choice) {
        return graphText(*document_->program(), static_cast<std::size_t>(choice->currentIndex()));
    };
    model_->setTexts(has_texts ? text(before_) : QString(), has_texts ? text(after_) : QString());
    const int count = model_->differences();
    if (!has_texts) differences_->clear();
    else if (count == 0) differences_->setText(tr("The texts are equal"));
    else differences_->setText(counted(static_cast<std::size_t>(count), tr("%1 line differs"), tr("%1 lines differ")));
    previous_->setEnabled(count > 0);
    next_->setEnabled(count > 0);
    const int character = QFontMetrics(codeFont()).averageCharWidth();
    constexpr qsizetype widest = 4000; // characters; a longer line ends in "…", its tool tip has it whole
    for (const auto& [view, column] : {std::pair(left_, ComparisonModel::before_text), std::pair(right_, ComparisonModel::after_text)})
        view->setColumnWidth(column, character * static_cast<int>(std::min(model_->longestLine(column) + 4, widest)));
    if (count > 0) goToChange(1);
}

void ComparisonPanel::goToChange(int step) {
    const QModelIndex here = left_->currentIndex();
    const int row = model_->changeBeside(here.isValid() ? here.row() : -1, step);
    if (row < 0) return;
    left_->setCurrentIndex(model_->index(row, ComparisonModel::before_text));
    left_->scrollTo(model_->index(row, ComparisonModel::before_number), QAbstractItemView::PositionAtCenter);
}

} // namespace inspector
