#include "ui/program/program_panel.h"

#include <QHeaderView>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/empty_state.h"
#include "ui/program/program_model.h"

namespace inspector {

ProgramPanel::ProgramPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new ProgramModel(document, this)), view_(new QTreeView(this)) {
    view_->setObjectName(QStringLiteral("programTree"));
    view_->setAccessibleName(tr("Program"));
    view_->setModel(model_);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setExpandsOnDoubleClick(false);
    const int character = view_->fontMetrics().averageCharWidth();
    const std::pair<int, int> widths[] = {{ProgramModel::name_column, 40}, {ProgramModel::kind_column, 24},
                                          {ProgramModel::target_column, 40}};
    for (const auto& [column, characters] : widths) view_->setColumnWidth(column, character * characters);
    new EmptyState(view_, tr("The program's graphs, inputs, outputs, constants and ranges will stand here.\n"
                             "Open a graph to begin."));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(view_);

    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!row.isValid()) return;
        const NodeId node = model_->node(row);
        if (node != no_node) document_->select(node);
    });
    connect(view_, &QTreeView::activated, this, [this](const QModelIndex& row) {
        if (const auto graph = model_->graph(row)) document_->showGraph(*graph);
    });
    connect(model_, &QAbstractItemModel::modelReset, this, &ProgramPanel::expand);
    expand();
}

void ProgramPanel::expand() {
    // Sections open, but not thousands of weights at once.
    constexpr int most = 50;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex section = model_->index(row, 0);
        view_->setExpanded(section, model_->rowCount(section) <= most);
    }
    if (model_->rowCount() > 0) view_->expandRecursively(model_->index(0, 0));
}

} // namespace inspector
