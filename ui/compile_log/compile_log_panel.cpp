#include "ui/compile_log/compile_log_panel.h"

#include <algorithm>
#include <functional>
#include <set>

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/passes/reinplace/explain.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/empty_state.h"
#include "ui/appearance/theme.h"
#include "ui/compile_log/graph_groups.h"
#include "ui/document/describe.h"

namespace inspector {
namespace {

enum Column { name_column, value_column, ours_column, column_count };
constexpr int graph_role = Qt::UserRole;     // index of the graph
constexpr int node_role = Qt::UserRole + 1;  // name of the node Inductor's pass speaks of
constexpr int key_role = Qt::UserRole + 2;   // what a row is, as long as the file is open

QString text(const std::string& words) { return QString::fromStdString(words); }

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) list << text(name);
    return QStringLiteral("[%1]").arg(list.join(QStringLiteral(", ")));
}

void visit(QTreeWidgetItem* item, const std::function<void(QTreeWidgetItem*)>& act) {
    for (int i = 0; i < item->childCount(); ++i) {
        act(item->child(i));
        visit(item->child(i), act);
    }
}

} // namespace

CompileLogPanel::CompileLogPanel(Document* document, QWidget* parent)
    : QWidget(parent), document_(document), tree_(new QTreeWidget(this)), compare_(new QPushButton(tr("Compare the two"), this)) {
    tree_->setObjectName(QStringLiteral("compileLog"));
    tree_->setAccessibleName(tr("Compiles and their graphs"));
    tree_->setColumnCount(column_count);
    tree_->setHeaderLabels({tr("Graph"), tr("Value"), tr("Decided here")});
    tree_->setUniformRowHeights(true);
    tree_->setAllColumnsShowFocus(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setExpandsOnDoubleClick(false);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setColumnWidth(name_column, tree_->fontMetrics().averageCharWidth() * 38);
    new EmptyState(tree_, tr("The compiles of a log and the graphs of each will stand here.\n"
                             "Open a TORCH_TRACE or TORCH_LOGS file, a folder of them, or paste a log."));
    compare_->setObjectName(QStringLiteral("compareSelected"));

    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 4, 8, 4);
    bottom->addStretch(1);
    bottom->addWidget(compare_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(tree_, 1);
    layout->addLayout(bottom);

    connect(tree_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
        if (QApplication::keyboardModifiers() == Qt::NoModifier) open(item); // with keys, rows are gathered to compare
    });
    connect(tree_, &QTreeWidget::itemActivated, this, &CompileLogPanel::open);
    connect(tree_, &QTreeWidget::itemSelectionChanged, this, &CompileLogPanel::showWhatCanBeCompared);
    connect(compare_, &QPushButton::clicked, this, &CompileLogPanel::compareSelected);
    connect(document_, &Document::opened, this, &CompileLogPanel::rebuild);
    connect(document_, &Document::graphShown, this, &CompileLogPanel::rebuild);
    connect(document_, &Document::stepped, this, &CompileLogPanel::showOurs);
    rebuild();
}

bool CompileLogPanel::isWorthShowing(const Program& program) {
    return std::ranges::count_if(program.graphs, [](const ProgramGraph& graph) { return !graph.parent; }) > 1 ||
           !program.inductor.empty();
}

void CompileLogPanel::rebuild() {
    // Rows stay as they were where the same file shows another graph.
    std::set<QString> folded;
    std::set<QString> selected;
    visit(tree_->invisibleRootItem(), [&](const QTreeWidgetItem* item) {
        const QString key = item->data(name_column, key_role).toString();
        if (item->childCount() > 0 && !item->isExpanded()) folded.insert(key);
        if (item->isSelected()) selected.insert(key);
    });
    const QSignalBlocker quiet(tree_);
    inductorRows_.clear();
    tree_->clear();
    if (const Program* program = document_->program(); program && isWorthShowing(*program)) {
        for (const GraphGroup& group : graphGroups(*program)) {
            auto* row = new QTreeWidgetItem(tree_, {group.title, counted(group.graphs.size(), tr("%1 graph"), tr("%1 graphs"))});
            QFont bold = tree_->font();
            bold.setBold(true);
            row->setFont(name_column, bold);
            row->setData(name_column, key_role, group.title);
            for (const std::size_t graph : group.graphs) addGraph(row, graph);
            addInductor(row, group.compileId);
        }
        tree_->expandAll();
        visit(tree_->invisibleRootItem(), [&](QTreeWidgetItem* item) {
            const QString key = item->data(name_column, key_role).toString();
            if (folded.contains(key)) item->setExpanded(false);
            if (selected.contains(key)) item->setSelected(true);
        });
    }
    showOurs();
    showWhatCanBeCompared();
}

void CompileLogPanel::addGraph(QTreeWidgetItem* above, std::size_t graph) {
    const std::vector<ProgramGraph>& graphs = document_->program()->graphs;
    const ProgramGraph& source = graphs[graph];
    const QString name = source.parent ? text(source.attribute) : graphLabel(source);
    const QString nodes = source.is_read ? counted(source.graph.size(), tr("%1 node"), tr("%1 nodes")) : tr("not read yet");
    auto* row = new QTreeWidgetItem(above, {name, nodes});
    row->setData(name_column, graph_role, static_cast<qulonglong>(graph));
    row->setData(name_column, key_role, text(source.id));
    QFont font = codeFont();
    font.setBold(graph == document_->graphIndex());
    row->setFont(name_column, font);
    const QString tip = graph == document_->graphIndex() ? tr("%1 is shown") : tr("Show %1");
    row->setToolTip(name_column, literalToolTip(tip.arg(text(source.id))));
    for (std::size_t i = graph + 1; i < graphs.size() && graphs[i].parent; ++i) // nested ones follow their parent
        if (*graphs[i].parent == graph) addGraph(row, i);
}

void CompileLogPanel::addInductor(QTreeWidgetItem* above, const std::string& compileId) {
    const InductorLog log = document_->program()->inductor.of_compile(compileId);
    if (log.empty()) return;
    auto* section = new QTreeWidgetItem(above, {tr("Inductor's own pass")});
    section->setData(name_column, key_role, above->text(name_column) + section->text(name_column));
    section->setToolTip(name_column, tr("What Inductor's pass says in the log of the operators it looks at"));
    for (const LoggedReinplace& op : log.ops) {
        const QString said = tr("%1: candidates %2, reinplaced %3, missed %4, %5 bytes")
                                 .arg(text(op.op), joined(op.candidates), joined(op.reinplaced), joined(op.missed),
                                      QString::number(op.missed_bytes));
        auto* row = new QTreeWidgetItem(section, {text(op.node), said});
        row->setFont(name_column, codeFont());
        row->setData(name_column, node_role, text(op.node));
        row->setToolTip(value_column, literalToolTip(said));
        inductorRows_ << row;
    }
    for (const LoggedCounters& counted : log.counters)
        for (const auto& [name, number] : counted.counters) new QTreeWidgetItem(section, {text(name), QString::number(number)});
}

/// Beside what Inductor says: our decision on the same node, where the shown graph has it.
void CompileLogPanel::showOurs() {
    const ReinplaceSession* session = document_->session();
    for (QTreeWidgetItem* item : inductorRows_) {
        const QString name = item->data(name_column, node_role).toString();
        const NodeId node = session ? session->original().find(name.toStdString()) : no_node;
        const Decision* decision = document_->decision(node);
        QString ours;
        if (node == no_node) ours = tr("the shown graph has no such node");
        else if (!decision) ours = tr("not decided yet");
        else ours = text(plain_text(explain(*session, session->complete(decision->index))));
        item->setText(ours_column, ours);
        item->setToolTip(ours_column, literalToolTip(ours));
    }
}

void CompileLogPanel::open(const QTreeWidgetItem* item) {
    if (const QVariant graph = item->data(name_column, graph_role); graph.isValid()) document_->showGraph(graph.toULongLong());
    const QString name = item->data(name_column, node_role).toString();
    if (name.isEmpty() || !document_->session()) return;
    if (const NodeId node = document_->session()->original().find(name.toStdString()); node != no_node) document_->select(node);
}

void CompileLogPanel::showWhatCanBeCompared() {
    const auto graphs = std::ranges::count_if(tree_->selectedItems(), [](const QTreeWidgetItem* item) {
        return item->data(name_column, graph_role).isValid();
    });
    compare_->setEnabled(graphs == 2);
    compare_->setToolTip(graphs == 2 ? tr("Show the two selected graphs side by side as text")
                                     : tr("Not now: select two graphs, with Ctrl and a click"));
}

void CompileLogPanel::compareSelected() {
    QList<qulonglong> graphs;
    for (const QTreeWidgetItem* item : tree_->selectedItems())
        if (const QVariant graph = item->data(name_column, graph_role); graph.isValid()) graphs << graph.toULongLong();
    if (graphs.size() != 2) return;
    std::ranges::sort(graphs);
    const std::vector<ProgramGraph>& all = document_->program()->graphs;
    Q_EMIT comparisonWanted(text(all[graphs[0]].id), text(all[graphs[1]].id));
}

} // namespace inspector
