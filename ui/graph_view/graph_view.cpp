#include "ui/graph_view/graph_view.h"

#include <algorithm>
#include <cmath>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "core/graph/print.h"
#include "core/operators/operator_table.h"
#include "ui/appearance/stroke_icon.h"
#include "ui/appearance/theme.h"
#include "ui/copy_as/copy_as.h"
#include "ui/document/describe.h"
#include "ui/document/input_entries.h"
#include "ui/graph_view/graph_export.h"
#include "ui/graph_view/layout_progress.h"
#include "ui/graph_view/minimap.h"

namespace inspector {

namespace {

constexpr double closestZoom = 4;
constexpr double zoomStep = 1.25;
constexpr double readableZoom = 0.6;  ///< a graph that fits at this zoom is shown whole when it is opened
constexpr double firstZoom = 0.8;     ///< of a larger one
constexpr int overlayMargin = 12;

} // namespace

GraphView::GraphView(Document* document, QWidget* parent)
    : QGraphicsView(parent), document_(document), picture_(codeFont()), item_(new GraphItem(picture_)) {
    setAccessibleName(tr("Graph"));
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(240, 160);
    setScene(&scene_);
    scene_.setItemIndexMethod(QGraphicsScene::NoIndex);
    scene_.addItem(item_);
    item_->setPalette(palette());
    setBackgroundBrush(palette().color(QPalette::Base));
    // The scroll bars hold the place in the scene; the minimap shows it.
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::AnchorViewCenter);
    viewport()->setMouseTracking(true);

    minimap_ = new Minimap(picture_, this);
    minimap_->hide();
    connect(minimap_, &Minimap::moved, this, [this](QPointF centre) {
        isFitted_ = false;
        centerOn(centre);
    });

    empty_ = new QLabel(tr("The graph is drawn here, in program order.\n\n"
                           "Open a .pt2 file or FX graph text: File → Open, or drop a file on this window."),
                        this);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);

    progress_ = new LayoutProgress(&layoutRequest_, this);
    connect(progress_, &LayoutProgress::aboutToShow, this, &GraphView::updateOverlays);

    connect(&layoutRequest_, &LayoutRequest::layoutReady, this, &GraphView::takeLayout);
    connect(&layoutRequest_, &LayoutRequest::finished, this, &GraphView::layoutFinished);
    connect(document_, &Document::opened, this, &GraphView::showDocument);
    connect(document_, &Document::graphShown, this, [this] {
        // Under another policy it is the same graph: everything stays where it is.
        if (document_->graphIndex() == shownGraph_) showStep();
        else showDocument();
    });
    connect(document_, &Document::stepped, this, &GraphView::showStep);
    connect(document_, &Document::policiesCompared, this, &GraphView::showStep);
    connect(document_, &Document::selectionChanged, this, &GraphView::showSelection);
    connect(document_, &Document::highlightChanged, this, &GraphView::showHighlight);

    makeActions();
    showDocument();
}

// The scene goes before the view: no more calls into either.
GraphView::~GraphView() { setScene(nullptr); }

void GraphView::makeActions() {
    const auto add = [this](const char* icon, const QString& text, const QString& about, const QKeySequence& key,
                            void (GraphView::*slot)()) {
        auto* action = new QAction(strokeIcon(QString::fromLatin1(icon)), text, this);
        action->setShortcut(key);
        action->setData(about);
        connect(action, &QAction::triggered, this, slot);
        viewActions_ << action;
    };
    add("fit", tr("Fit"), tr("Show the whole graph"), Qt::Key_0, &GraphView::fit);
    add("zoom-in", tr("Zoom in"), tr("Zoom in"), Qt::Key_Plus, &GraphView::zoomIn);
    add("zoom-out", tr("Zoom out"), tr("Zoom out"), Qt::Key_Minus, &GraphView::zoomOut);
    add("centre", tr("Centre on selection"), tr("Move the selected node to the middle"), Qt::Key_Period,
        &GraphView::centreOnSelection);
    add("reveal-inputs", tr("Reveal inputs"), tr("Show where the selected node's operands come from"), Qt::Key_I,
        &GraphView::revealInputs);
    add("reveal-outputs", tr("Reveal outputs"), tr("Show what reads the selected node"), Qt::Key_O,
        &GraphView::revealOutputs);
    add("columns", tr("Columns"), tr("Fold a high graph into columns, read like those of a newspaper"), Qt::Key_L,
        &GraphView::toggleColumns);
    viewActions_.last()->setCheckable(true);
    viewActions_.last()->setChecked(picture_.folds());
}

void GraphView::updateActions() {
    const bool hasGraph = picture_.hasLayout();
    const bool hasSelection = selectedIndex() != GraphPicture::none;
    for (qsizetype i = 0; i < viewActions_.size(); ++i) {
        QAction* action = viewActions_[i];
        const bool needsSelection = i >= 3 && i < 6;
        action->setEnabled(hasGraph && (hasSelection || !needsSelection));
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        QString tip = tr("%1 (%2)").arg(action->data().toString(), key);
        if (!hasGraph) tip += QLatin1Char('\n') + tr("Open a graph first.");
        else if (!action->isEnabled()) tip += QLatin1Char('\n') + tr("Select a node first.");
        action->setToolTip(tip);
    }
}

// --- following the document ------------------------------------------------------------------------------------------

void GraphView::showDocument() {
    revealsInputs_ = revealsOutputs_ = false;
    isFirstLayout_ = true;
    isFitted_ = true;
    shownGraph_ = document_->graphIndex();
    picture_.setContent(contentOf(*document_));
    item_->setEmphasis({});
    item_->updatePicture();
    empty_->setVisible(picture_.content().nodes.empty());
    updateOverlays();
    updateActions();
    startLayout();
}

void GraphView::startLayout() {
    if (!picture_.content().nodes.empty()) layoutRequest_.start(picture_.layoutInput(), picture_.layoutOptions());
}

void GraphView::takeLayout(const GraphLayout& layout) {
    // What is looked at stays where it is on screen: the selection, else what is in the middle.
    const QPointF middle = viewedArea().center();
    std::uint32_t anchor = GraphPicture::none;
    if (!isFirstLayout_) {
        anchor = selectedIndex();
        if (anchor == GraphPicture::none || !viewedArea().intersects(picture_.rect(anchor)))
            anchor = picture_.nearest(middle);
    }
    const QPointF before = anchor == GraphPicture::none ? QPointF() : picture_.rect(anchor).center();

    picture_.setLayout(layout);
    item_->updatePicture();
    minimap_->updatePicture();
    updateEmphasis();
    updateSceneRect();
    if (std::exchange(isFirstLayout_, false)) showFirst();
    else if (isFitted_) fit();
    else if (anchor != GraphPicture::none) centerOn(middle + picture_.rect(anchor).center() - before);
    updateOverlays();
    updateActions();
}

void GraphView::showStep() {
    if (picture_.content().nodes.empty()) return;
    GraphContent content = picture_.content();
    refreshContent(content, *document_);
    picture_.updateContent(std::move(content));
    item_->updatePicture();
    minimap_->updatePicture();
    updateEmphasis();
    updateSceneRect();
    updateOverlays();
    tellSelection();
}

void GraphView::showSelection() {
    revealsInputs_ = revealsOutputs_ = false;
    updateEmphasis();
    updateActions();
    if (selectedIndex() != GraphPicture::none && picture_.hasLayout()) bringIntoSight(selectedIndex());
    if (minimap_->isVisible()) placeMinimap();
    tellSelection();
}

// For screen readers: the canvas is one widget to them, its description says what is selected.
void GraphView::tellSelection() {
    const std::uint32_t selected = selectedIndex();
    QStringList words;
    if (selected != GraphPicture::none) {
        const NodeContent& node = picture_.content().nodes[selected];
        words << node.name << node.target << node.type << verdictStyle(node.mark, Scheme::light).word;
        words.removeAll(QString());
    }
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void GraphView::showHighlight() {
    updateEmphasis();
}

void GraphView::updateEmphasis() {
    GraphEmphasis emphasis;
    if (!document_->isEmpty() && picture_.hasLayout()) {
        const GraphContent& content = picture_.content();
        emphasis.selected = selectedIndex();
        emphasis.current = content.indexOf(document_->session()->current());
        for (const NodeId node : document_->highlighted())
            if (const std::uint32_t index = content.indexOf(node); index != GraphPicture::none)
                emphasis.numbered.push_back(index);
        emphasis.revealsInputs = revealsInputs_;
        emphasis.revealsOutputs = revealsOutputs_;
    }
    minimap_->setEmphasis(emphasis.selected, emphasis.current);
    item_->setEmphasis(std::move(emphasis));
}

std::uint32_t GraphView::selectedIndex() const { return picture_.content().indexOf(document_->selected()); }

void GraphView::selectIndex(std::uint32_t node) {
    document_->select(node == GraphPicture::none ? no_node : picture_.content().nodes[node].id);
}

// --- zoom and place --------------------------------------------------------------------------------------------------

QRectF GraphView::viewedArea() const { return viewportTransform().inverted().mapRect(QRectF(viewport()->rect())); }

// Whatever the zoom, every point of the graph can be moved to the middle of the view.
void GraphView::updateSceneRect() {
    const QRectF graph = item_->boundingRect();
    const double width = viewport()->width() / zoom();
    const double height = viewport()->height() / zoom();
    setSceneRect(graph.adjusted(-width, -height, width, height));
}

void GraphView::zoomAround(QPointF viewPosition, double factor) {
    if (!picture_.hasLayout()) return;
    const QRectF graph = item_->boundingRect();
    const double whole = std::min(viewport()->width() / graph.width(), viewport()->height() / graph.height());
    const double wanted = std::clamp(zoom() * factor, std::min(whole * 0.8, 1.0), closestZoom);
    const QPointF point = viewportTransform().inverted().map(viewPosition);
    isFitted_ = false;
    setTransform(QTransform::fromScale(wanted, wanted));
    updateSceneRect();
    const QPointF moved = viewportTransform().map(point) - viewPosition;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + qRound(moved.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(moved.y()));
    updateOverlays();
}

void GraphView::zoomIn() { zoomAround(QRectF(viewport()->rect()).center(), zoomStep); }
void GraphView::zoomOut() { zoomAround(QRectF(viewport()->rect()).center(), 1 / zoomStep); }

void GraphView::fit() {
    if (!picture_.hasLayout()) return;
    const QRectF graph = item_->boundingRect();
    const double whole = std::min(viewport()->width() / graph.width(), viewport()->height() / graph.height());
    const double wanted = std::min(whole, 1.0);
    setTransform(QTransform::fromScale(wanted, wanted));
    updateSceneRect();
    centerOn(graph.center());
    isFitted_ = true;
    updateOverlays();
}

void GraphView::showFirst() {
    fit();
    if (zoom() >= readableZoom) return;
    isFitted_ = false;
    setTransform(QTransform::fromScale(firstZoom, firstZoom));
    updateSceneRect();
    const std::uint32_t selected = selectedIndex();
    const QRectF graph = item_->boundingRect();
    lookAt(selected == GraphPicture::none ? graph.topLeft() : picture_.rect(selected).center());
}

// Centres on `point`, but shows no more of what is beside the graph than there must be.
void GraphView::lookAt(QPointF point) {
    const QRectF graph = item_->boundingRect();
    const auto inside = [](double wanted, double first, double last, double seen) {
        return last - first <= seen ? (first + last) / 2 : std::clamp(wanted, first + seen / 2, last - seen / 2);
    };
    centerOn(inside(point.x(), graph.left(), graph.right(), viewport()->width() / zoom()),
             inside(point.y(), graph.top(), graph.bottom(), viewport()->height() / zoom()));
}

void GraphView::centreOnSelection() {
    const std::uint32_t selected = selectedIndex();
    if (selected == GraphPicture::none || !picture_.hasLayout()) return;
    isFitted_ = false;
    centerOn(picture_.rect(selected).center());
}

void GraphView::bringIntoSight(std::uint32_t node) {
    QRectF wanted = picture_.rect(node);
    const QRectF seen = viewedArea();
    if (seen.contains(wanted)) return;
    isFitted_ = false;
    // The node that comes next is worth seeing too.
    if (const std::uint32_t current = item_->emphasis().current; current != GraphPicture::none) {
        const QRectF both = wanted | picture_.rect(current);
        if (both.width() < seen.width() * 0.9 && both.height() < seen.height() * 0.5) wanted = both;
    }
    lookAt(wanted.center());
}

void GraphView::toggleColumns() {
    picture_.setFolds(!picture_.folds());
    viewActions_.last()->setChecked(picture_.folds());
    startLayout();
}

void GraphView::revealInputs() { reveal(true); }
void GraphView::revealOutputs() { reveal(false); }

void GraphView::reveal(bool inputs) {
    const std::uint32_t selected = selectedIndex();
    if (selected == GraphPicture::none || !picture_.hasLayout()) return;
    bool& isRevealed = inputs ? revealsInputs_ : revealsOutputs_;
    isRevealed = !isRevealed;
    updateEmphasis();
    if (!isRevealed) return;
    QRectF all = picture_.rect(selected);
    for (const std::uint32_t index : picture_.edgesAt(selected)) {
        const GraphPicture::Edge& edge = picture_.edges()[index];
        if ((edge.to == selected) == inputs) all |= picture_.rect(inputs ? edge.from : edge.to);
    }
    all.adjust(-16, -16, 16, 16);
    if (viewedArea().contains(all)) return;
    isFitted_ = false;
    const double whole = std::min(viewport()->width() / all.width(), viewport()->height() / all.height());
    const double wanted = std::min(zoom(), whole);
    setTransform(QTransform::fromScale(wanted, wanted));
    updateSceneRect();
    centerOn(all.center());
    updateOverlays();
}

QPoint GraphView::viewPositionOf(NodeId node) const {
    const std::uint32_t index = picture_.content().indexOf(node);
    return index == GraphPicture::none || !picture_.hasLayout() ? QPoint(-1, -1)
                                                                : mapFromScene(picture_.rect(index).center());
}

void GraphView::updateOverlays() {
    const QRect inside = rect().adjusted(overlayMargin, overlayMargin, -overlayMargin, -overlayMargin);
    empty_->setGeometry(inside);
    progress_->move(inside.left(), inside.bottom() - progress_->height());
    // The map is of use only where something is out of sight.
    const double slack = 2 / zoom(); // what centring on whole pixels leaves out
    const bool isWhole = !picture_.hasLayout() ||
                         viewedArea().adjusted(-slack, -slack, slack, slack).contains(picture_.bounds());
    minimap_->setVisible(!isWhole);
    if (isWhole) return;
    minimap_->fitInto(QSize(inside.width() / 4, inside.height()));
    placeMinimap();
    minimap_->setView(viewedArea());
}

// In the corner where it covers the least; it stays where it is unless another one is better.
void GraphView::placeMinimap() {
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return; // it may be what is dragged
    const QRect inside = rect().adjusted(overlayMargin, overlayMargin, -overlayMargin, -overlayMargin);
    const int right = inside.right() - minimap_->width(), bottom = inside.bottom() - minimap_->height();
    const QPoint corners[] = {{right, inside.top()}, {right, bottom}, inside.topLeft(), {inside.left(), bottom}};
    const auto covered = [this](QPoint corner) {
        // Bands and rings stick out of cards.
        const QRectF area = mapToScene(QRect(corner, minimap_->size())).boundingRect().adjusted(-8, -8, 8, 8);
        int count = 0;
        for (const GraphPicture::RowRange rows : picture_.rowsIn(area)) {
            for (const GraphPicture::Reference& reference : picture_.referencesIn(rows)) count += area.intersects(reference.rect) ? 1 : 0;
            for (std::uint32_t row = rows.first; row < rows.last; ++row)
                for (const std::uint32_t node : picture_.nodesIn(row)) {
                    if (!area.intersects(picture_.rect(node))) continue;
                    const bool isLookedAt = node == item_->emphasis().selected || node == item_->emphasis().current;
                    count += isLookedAt ? 100 : 1;
                }
        }
        return count;
    };
    const QPoint* best = &corners[0];
    int least = covered(*best);
    for (const QPoint& corner : corners) {
        const int count = covered(corner);
        if (count < least || (count == least && corner == minimap_->pos())) {
            best = &corner;
            least = count;
        }
    }
    minimap_->move(*best);
}

// --- keys ------------------------------------------------------------------------------------------------------------

void GraphView::keyPressEvent(QKeyEvent* event) {
    const int page = viewport()->height() * 4 / 5;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: moveAlong(event->key()); return;
    case Qt::Key_PageUp: verticalScrollBar()->setValue(verticalScrollBar()->value() - page); return;
    case Qt::Key_PageDown: verticalScrollBar()->setValue(verticalScrollBar()->value() + page); return;
    case Qt::Key_Equal:
    case Qt::Key_Plus: zoomIn(); return;
    case Qt::Key_Minus: zoomOut(); return;
    case Qt::Key_0: fit(); return;
    case Qt::Key_Period: centreOnSelection(); return;
    case Qt::Key_I: revealInputs(); return;
    case Qt::Key_O: revealOutputs(); return;
    case Qt::Key_L: toggleColumns(); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: document_->toNode(document_->selected()); return;
    default: QGraphicsView::keyPressEvent(event);
    }
}

// Up to the first operand, down to the first reader, left and right in the row.
void GraphView::moveAlong(int key) {
    if (!picture_.hasLayout() || picture_.content().nodes.empty()) return;
    const std::uint32_t selected = selectedIndex();
    if (selected == GraphPicture::none) {
        selectIndex(picture_.nearest(viewedArea().center()));
        return;
    }
    std::uint32_t next = GraphPicture::none;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        next = besideInRow(selected, key == Qt::Key_Right);
    } else {
        for (const std::uint32_t index : picture_.edgesAt(selected)) {
            const GraphPicture::Edge& edge = picture_.edges()[index];
            const std::uint32_t other = key == Qt::Key_Up ? edge.from : edge.to;
            if (other == selected) continue;
            next = other;
            break;
        }
    }
    if (next != GraphPicture::none) selectIndex(next);
}

std::uint32_t GraphView::besideInRow(std::uint32_t node, bool right) const {
    const std::span<const std::uint32_t> row = picture_.nodesIn(picture_.rowOf(node));
    const auto here = std::find(row.begin(), row.end(), node);
    if (right) return here + 1 == row.end() ? GraphPicture::none : *(here + 1);
    return here == row.begin() ? GraphPicture::none : *(here - 1);
}

// --- mouse -----------------------------------------------------------------------------------------------------------

void GraphView::mousePressEvent(QMouseEvent* event) {
    isPressed_ = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
    pressedAt_ = event->position().toPoint();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (isPressed_ && !isPanning_ && (position - pressedAt_).manhattanLength() >= QApplication::startDragDistance()) {
        isPanning_ = true;
        isFitted_ = false;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
    if (isPanning_) {
        const QPoint moved = position - std::exchange(pressedAt_, position);
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
        return;
    }
    const QPointF scenePosition = mapToScene(position);
    const bool isOnSomething = picture_.hasLayout() && (picture_.nodeAt(scenePosition) != GraphPicture::none ||
                                                        picture_.referenceAt(scenePosition));
    viewport()->setCursor(isOnSomething ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    const bool isClick = std::exchange(isPressed_, false) && !std::exchange(isPanning_, false);
    viewport()->setCursor(Qt::ArrowCursor);
    if (!isClick || event->button() != Qt::LeftButton || !picture_.hasLayout()) return;
    const QPointF scenePosition = mapToScene(event->position().toPoint());
    const std::uint32_t node = picture_.nodeAt(scenePosition);
    const GraphPicture::Reference* reference = picture_.referenceAt(scenePosition);
    if (node == GraphPicture::none && reference) follow(*reference, event->globalPosition().toPoint());
    else selectIndex(node);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !picture_.hasLayout()) return;
    const std::uint32_t node = picture_.nodeAt(mapToScene(event->position().toPoint()));
    if (node != GraphPicture::none) document_->toNode(picture_.content().nodes[node].id);
}

void GraphView::follow(const GraphPicture::Reference& reference, QPoint globalPosition) {
    if (reference.others.size() == 1) {
        selectIndex(reference.others.front());
        return;
    }
    QMenu menu(this);
    for (const std::uint32_t other : reference.others) {
        const NodeContent& node = picture_.content().nodes[other];
        QAction* action = menu.addAction(node.name + QStringLiteral("   ") + node.target);
        connect(action, &QAction::triggered, this, [this, id = node.id] { document_->select(id); });
    }
    menu.exec(globalPosition);
}

void GraphView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier) { // some systems turn the wheel's axis with Shift
        const int moved = turned.y() != 0 ? turned.y() : turned.x();
        isFitted_ = false;
        verticalScrollBar()->setValue(verticalScrollBar()->value() - moved);
    } else if (turned.y() != 0) {
        zoomAround(event->position(), std::pow(zoomStep, turned.y() / 120.0));
    }
    event->accept();
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (!picture_.hasLayout()) return;
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const std::uint32_t index = isKey ? selectedIndex() : picture_.nodeAt(mapToScene(event->pos()));
    QMenu menu(this);
    if (index != GraphPicture::none) {
        const NodeContent& node = picture_.content().nodes[index];
        const NodeId id = node.id;
        document_->select(id);
        QAction* aliases = menu.addAction(tr("Select Alias Set"), this, [this, storage = node.storage] {
            std::vector<NodeId> values;
            for (const NodeContent& other : picture_.content().nodes)
                if (other.storage == storage && !other.isErased) values.push_back(other.id);
            document_->highlight(std::move(values));
        });
        aliases->setEnabled(picture_.isShared(node.storage));
        QAction* run = menu.addAction(tr("Run to Here"), this, [this, id] { document_->toNode(id); });
        run->setEnabled(document_->decisionIndex(id) >= 0);
        addInputEntries(menu, *document_, id);
        menu.addSeparator();
        addCopyEntries(menu, *document_, id);
        menu.addSeparator();
        menu.addActions(viewActions_.mid(3, 3));
    } else {
        menu.addActions(viewActions_.mid(0, 3));
        menu.addAction(viewActions_.last());
    }
    const QPoint position = isKey && index != GraphPicture::none
                                ? viewport()->mapToGlobal(mapFromScene(picture_.rect(index).center()))
                                : event->globalPos();
    menu.exec(position);
}

QString GraphView::toolTipAt(QPointF scenePosition) const {
    if (!picture_.hasLayout()) return {};
    const GraphContent& content = picture_.content();
    if (const std::uint32_t index = picture_.nodeAt(scenePosition); index != GraphPicture::none) {
        const NodeId id = content.nodes[index].id;
        QString tip = nodeToolTip(*document_, id);
        const Node* node = document_->node(id);
        if (const Operator* op = node ? OperatorTable::instance().find(node->target) : nullptr)
            tip += QStringLiteral("<br><code>%1</code>").arg(QString::fromStdString(op->schema_text).toHtmlEscaped());
        return tip;
    }
    const GraphPicture::Reference* reference = picture_.referenceAt(scenePosition);
    if (!reference) return {};
    QStringList names;
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < std::min(reference->others.size(), most); ++i)
        names << content.nodes[reference->others[i]].name;
    if (reference->others.size() > most) names << tr("%1 more").arg(reference->others.size() - most);
    const QString text = reference->isAboveReader ? tr("%1 reads, from further up: %2. Click to go there.")
                                                  : tr("%1 is read further down by: %2. Click to go there.");
    return text.arg(content.nodes[reference->node].name, names.join(QStringLiteral(", "))).toHtmlEscaped();
}

// --- events ----------------------------------------------------------------------------------------------------------

bool GraphView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = toolTipAt(mapToScene(help->pos()));
        if (tip.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), tip, viewport());
        return true;
    }
    return QGraphicsView::viewportEvent(event);
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    if (!picture_.hasLayout()) {
        updateOverlays();
        return;
    }
    updateSceneRect();
    if (isFitted_) fit();
    updateOverlays();
}

void GraphView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (!minimap_) return;
    if (minimap_->isVisible()) placeMinimap();
    minimap_->setView(viewedArea());
}

void GraphView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && item_) {
        item_->setPalette(palette());
        setBackgroundBrush(palette().color(QPalette::Base));
    }
    QGraphicsView::changeEvent(event);
}

// --- pictures --------------------------------------------------------------------------------------------------------

Result<void> GraphView::exportSvg(const QString& path, ExportArea area) const {
    return inspector::exportSvg(picture_, path, area == ExportArea::view ? viewedArea() : QRectF(), palette());
}

Result<void> GraphView::exportPdf(const QString& path, ExportArea area) const {
    return inspector::exportPdf(picture_, path, area == ExportArea::view ? viewedArea() : QRectF(), palette());
}

Result<double> GraphView::exportPng(const QString& path, double scale, ExportArea area) const {
    return inspector::exportPng(picture_, path, area == ExportArea::view ? viewedArea() : QRectF(), scale, palette());
}

} // namespace inspector
