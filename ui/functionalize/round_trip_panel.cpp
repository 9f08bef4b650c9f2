#include "ui/functionalize/round_trip_panel.h"

#include <utility>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/appearance/item_in_sight.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/node_links.h"
#include "ui/functionalize/mutation_model.h"
#include "ui/functionalize/round_trip_model.h"
#include "ui/functionalize/step_page.h"
#include "ui/palette/page_browser.h"

namespace inspector {

RoundTripPanel::RoundTripPanel(Document* document, RoundTripSession* session, EquivalenceRun* run, const QList<QAction*>& actions,
                               QWidget* parent)
    : QWidget(parent), document_(document), session_(session), run_(run), model_(new RoundTripModel(session, this)),
      mutations_(new MutationModel(session, this)), pages_(new QStackedWidget(this)), empty_(new QLabel(this)),
      columns_(new QTableView(this)), list_(new QTreeView(this)), page_(new PageBrowser(this)), summary_(new QLabel(this)),
      verification_(new QLabel(this)), epilogue_(new QComboBox(this)) {
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    top->setSpacing(4);
    for (QAction* action : actions) {
        if (!action) {
            top->addSpacing(8);
            continue;
        }
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        top->addWidget(button);
    }
    epilogue_->setObjectName(QStringLiteral("roundTripEpilogue"));
    epilogue_->setAccessibleName(tr("What becomes of inputs that are written"));
    epilogue_->setToolTip(tr("What becomes of inputs, buffers and parameters that the graph writes:\n"
                             "copied into them at the end, or returned before what the graph returns"));
    epilogue_->addItem(tr("inputs: copied back"), static_cast<int>(Epilogue::copies));
    epilogue_->addItem(tr("inputs: returned"), static_cast<int>(Epilogue::outputs));
    connect(epilogue_, &QComboBox::currentIndexChanged, this,
            [this] { session_->setEpilogue(static_cast<Epilogue>(epilogue_->currentData().toInt())); });
    top->addSpacing(8);
    top->addWidget(epilogue_);
    summary_->setObjectName(QStringLiteral("roundTripSummary"));
    summary_->setTextFormat(Qt::PlainText);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    top->addStretch(1);

    empty_->setObjectName(QStringLiteral("roundTripEmpty"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(16);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    verification_->setObjectName(QStringLiteral("roundTripVerification"));
    verification_->setAccessibleName(tr("Verification of the round trip"));
    verification_->setTextFormat(Qt::RichText);
    verification_->setWordWrap(true);
    auto* found = new QHBoxLayout;
    found->setContentsMargins(12, 0, 8, 4);
    found->setSpacing(16);
    found->addWidget(summary_);
    found->addWidget(verification_, 1);
    makeColumns();
    makeMutations();

    page_->setObjectName(QStringLiteral("roundTripPage"));
    page_->setAccessibleName(tr("The mutation under discussion"));
    connect(page_, &QTextBrowser::anchorClicked, this, &RoundTripPanel::follow);
    auto* below = new QSplitter(Qt::Horizontal, this);
    below->setChildrenCollapsible(false);
    below->addWidget(page_);
    below->addWidget(list_);
    below->setStretchFactor(0, 1);
    below->setStretchFactor(1, 1);
    auto* halves = new QSplitter(Qt::Vertical, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(columns_);
    halves->addWidget(below);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    pages_->addWidget(empty_);
    pages_->addWidget(halves);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addLayout(found);
    layout->addWidget(pages_, 1);

    connect(session_, &RoundTripSession::prepared, this, [this] {
        discussed_ = no_node;
        showState();
        showSelection();
        showPage();
    });
    connect(session_, &RoundTripSession::stepped, this, [this] {
        showSelection();
        showPage();
    });
    connect(document_, &Document::opened, this, &RoundTripPanel::showState);
    connect(document_, &Document::selectionChanged, this, &RoundTripPanel::showSelection);
    connect(run_, &EquivalenceRun::changed, this, &RoundTripPanel::showVerification);
    showState();
    showSelection();
    showPage();
    showVerification();
}

void RoundTripPanel::makeColumns() {
    columns_->setObjectName(QStringLiteral("roundTripColumns"));
    columns_->setAccessibleName(tr("Source, functionalized and reinplaced graph"));
    columns_->setModel(model_);
    columns_->setFrameShape(QFrame::NoFrame);
    columns_->setShowGrid(false);
    columns_->setWordWrap(false);
    columns_->setSelectionMode(QAbstractItemView::SingleSelection);
    columns_->setTabKeyNavigation(false); // Tab leaves the table
    columns_->verticalHeader()->hide();
    columns_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    columns_->verticalHeader()->setDefaultSectionSize(QFontMetrics(codeFont()).height() + 6);
    columns_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    columns_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    columns_->horizontalHeader()->setHighlightSections(false);
    connect(columns_->selectionModel(), &QItemSelectionModel::currentChanged, this, &RoundTripPanel::chooseCell);
}

void RoundTripPanel::makeMutations() {
    list_->setObjectName(QStringLiteral("roundTripMutations"));
    list_->setAccessibleName(tr("Mutations and what became of them"));
    list_->setModel(mutations_);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAllColumnsShowFocus(true);
    list_->setAlternatingRowColors(true);
    list_->header()->setStretchLastSection(true);
    const int character = list_->fontMetrics().averageCharWidth();
    list_->setColumnWidth(MutationModel::number_column, character * 6);
    list_->setColumnWidth(MutationModel::mutation_column, character * 26);
    list_->setColumnWidth(MutationModel::outcome_column, character * 22);
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RoundTripPanel::chooseMutation);
}

void RoundTripPanel::showState() {
    const bool has_something = session_->hasMutations();
    if (document_->isEmpty())
        empty_->setText(tr("Source, functionalized and reinplaced graph will stand here side by side.\nOpen a graph that writes in place to begin."));
    else if (session_->functional() && !has_something)
        empty_->setText(tr("This graph has no mutations: it is functional as it is, and there is no way back to show.\n"
                           "Open a training graph (torch.export's program before run_decompositions), in which operators write in place."));
    else
        empty_->setText(tr("Making the graph functional…"));
    pages_->setCurrentIndex(has_something ? 1 : 0);
    const QString summary = roundTripSummary(*session_);
    summary_->setText(summary);
    summary_->setToolTip(literalToolTip(summary));
}

void RoundTripPanel::showPage() {
    page_->document()->clear(); // images of a former palette
    page_->setHtml(stepPage(*session_, discussed_, palette()));
}

void RoundTripPanel::showVerification() {
    const QString html = equivalenceHtml(*run_, palette());
    verification_->setText(html);
    verification_->setVisible(!html.isEmpty());
}

void RoundTripPanel::showSelection() {
    if (!session_->functional()) return;
    const NodeId selected = document_->selected();
    const NodeId source = selected != no_node && session_->functional()->original().contains(selected) ? selected : no_node;
    model_->setChosen(source);
    isChoosing_ = true;
    // The cell that was chosen stays where it stands for the selected node, whichever column it is in.
    const QModelIndex here = columns_->currentIndex();
    if (!here.isValid() || here.data(RoundTripModel::source_role) != QVariant(static_cast<uint>(index_of(source)))) {
        const QModelIndex cell = model_->cellOf(source, RoundTripModel::source_column);
        if (cell.isValid()) columns_->setCurrentIndex(cell);
        else columns_->selectionModel()->clear();
    }
    if (columns_->currentIndex().isValid()) columns_->scrollTo(columns_->currentIndex());
    const auto step = session_->stepOn(source);
    selectRow(list_, step ? mutations_->index(static_cast<int>(*step), 0) : QModelIndex());
    isChoosing_ = false;
    if (step && std::exchange(discussed_, source) != source) showPage();
}

void RoundTripPanel::chooseCell(const QModelIndex& cell) {
    const QVariant source = cell.data(RoundTripModel::source_role);
    if (!isChoosing_ && source.isValid()) document_->select(NodeId(source.toUInt()));
}

void RoundTripPanel::chooseMutation(const QModelIndex& row) {
    if (!isChoosing_ && row.isValid()) document_->select(mutations_->node(row.row()));
}

void RoundTripPanel::follow(const QUrl& link) {
    if (const auto node = nodeOfLink(link)) {
        // A node that functionalization added has its cell there; others are chosen in the source.
        const bool is_source = session_->functional()->original().contains(*node);
        const QModelIndex cell = model_->cellOf(*node, is_source ? RoundTripModel::source_column : RoundTripModel::functional_column);
        if (cell.isValid()) columns_->setCurrentIndex(cell);
    } else if (link.scheme() == QLatin1String("step")) {
        session_->runTo(link.path().toUInt());
    }
}

void RoundTripPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    session_->setLookedAt(true);
    showState();
}

void RoundTripPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    session_->setLookedAt(false);
}

void RoundTripPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        showPage();
        showVerification();
    }
}

} // namespace inspector
