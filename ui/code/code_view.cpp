#include "ui/code/code_view.h"

#include <algorithm>
#include <cmath>

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "ui/appearance/theme.h"
#include "ui/code/python_tokens.h"
#include "ui/copy_as/copy_as.h"
#include "ui/document/describe.h"
#include "ui/palette/storage_style.h"
#include "ui/palette/verdict_style.h"

namespace inspector {

CodeView::CodeView(Document* document, QWidget* parent) : QAbstractScrollArea(parent), document_(document) {
    setObjectName(QStringLiteral("codeView"));
    setAccessibleName(tr("Code before and after"));
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    connect(document, &Document::opened, this, &CodeView::invalidate);
    connect(document, &Document::graphShown, this, &CodeView::invalidate);
    connect(document, &Document::stepped, this, &CodeView::invalidate);
    connect(document, &Document::selectionChanged, this, &CodeView::revealSelection);
    connect(document, &Document::highlightChanged, viewport(), qOverload<>(&QWidget::update));
}

void CodeView::setSides(Sides sides) {
    sides_ = sides;
    layOut();
}

void CodeView::setStrides(bool on) {
    hasStrides_ = on;
    invalidate();
}

void CodeView::invalidate() {
    isStale_ = true;
    if (!isVisible()) return; // printing thousands of lines can wait until somebody looks
    rows_ = CodeRows::run(*document_, hasStrides_);
    isStale_ = false;
    layOut();
    revealSelection();
    Q_EMIT rowsChanged();
}

void CodeView::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    if (isStale_) invalidate();
}

void CodeView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) layOut();
}

void CodeView::resizeEvent(QResizeEvent*) { layOut(); }

int CodeView::marginWidth() const {
    const auto digits = QString::number(rows_.rows().size()).size();
    return static_cast<int>(static_cast<double>(digits + 5) * character_);
}

std::vector<CodeView::Column> CodeView::columns() const {
    const QRect all = viewport()->rect();
    const int margin = marginWidth();
    if (sides_ == Sides::before) return {{all, margin, false}};
    if (sides_ == Sides::after) return {{all, margin, true}};
    const int half = all.width() / 2;
    return {{{0, 0, half, all.height()}, margin, false}, {{half + 1, 0, all.width() - half - 1, all.height()}, margin, true}};
}

void CodeView::layOut() {
    const QFontMetricsF metrics(codeFont());
    rowHeight_ = static_cast<int>(std::ceil(metrics.height())) + 2;
    character_ = metrics.horizontalAdvance(QLatin1Char('0'));
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(rows_.rows().size()) - visibleRows()));
    const int text_width = columns().front().area.width() - marginWidth();
    const int needed = static_cast<int>(static_cast<double>(std::min<std::size_t>(rows_.width() + 2, 100'000)) * character_);
    horizontalScrollBar()->setSingleStep(static_cast<int>(character_ * 4));
    horizontalScrollBar()->setPageStep(std::max(1, text_width));
    horizontalScrollBar()->setRange(0, std::max(0, needed - text_width));
    viewport()->update();
}

int CodeView::firstVisibleRow() const { return verticalScrollBar()->value(); }
int CodeView::visibleRows() const { return std::max(1, viewport()->height() / rowHeight_); }

QRect CodeView::rowRect(int row) const {
    return {0, (row - firstVisibleRow()) * rowHeight_, viewport()->width(), rowHeight_};
}

int CodeView::textPosition(qsizetype character) const {
    return marginWidth() - horizontalScrollBar()->value() + static_cast<int>((static_cast<double>(character) + 0.5) * character_);
}

int CodeView::rowAt(int y) const {
    const int row = firstVisibleRow() + y / rowHeight_;
    return y >= 0 && row < static_cast<int>(rows_.rows().size()) ? row : -1;
}

NodeId CodeView::nodeAt(QPoint position) const {
    const int index = rowAt(position.y());
    if (index < 0) return no_node;
    const CodeRow& row = rows_.rows()[static_cast<std::size_t>(index)];
    for (const Column& column : columns()) {
        if (!column.area.contains(position)) continue;
        const int x = position.x() - column.area.left() - column.margin + horizontalScrollBar()->value();
        const QString text = column.isAfter ? rows_.textAfter(row) : rows_.textBefore(row);
        const QStringView name = x < 0 ? QStringView() : identifierAt(text, static_cast<qsizetype>(x / character_));
        if (name.isEmpty()) break;
        const ReinplaceSession& session = *document_->session();
        const NodeId node = (column.isAfter ? session.graph() : session.original()).find(name.toString().toStdString());
        if (node != no_node) return node;
    }
    return row.node;
}

void CodeView::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setFont(codeFont());
    const ThemeColours& colours = themeColours(palette());
    painter.fillRect(viewport()->rect(), palette().color(QPalette::Base));
    if (rows_.rows().empty()) {
        painter.setFont(font());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The graph's code before and after the pass will stand here, side by side.\n"
                            "Open a graph to begin."));
        return;
    }
    const int last = std::min(firstVisibleRow() + visibleRows() + 1, static_cast<int>(rows_.rows().size()) - 1);
    for (const Column& column : columns()) {
        for (int i = firstVisibleRow(); i <= last; ++i) {
            const QRect across = rowRect(i);
            const QRect rect(column.area.left(), across.top(), column.area.width(), across.height());
            paintRow(painter, i, column, rect);
        }
        painter.setPen(colours.separator);
        if (column.isAfter && sides_ == Sides::both)
            painter.drawLine(column.area.left() - 1, 0, column.area.left() - 1, viewport()->height());
    }
}

void CodeView::paintRow(QPainter& painter, int index, const Column& column, const QRect& rect) const {
    const CodeRow& row = rows_.rows()[static_cast<std::size_t>(index)];
    const ThemeColours& colours = themeColours(palette());
    const Scheme scheme = schemeOf(palette());
    const int line = column.isAfter ? row.after : row.before;
    const bool is_node = row.node != no_node;
    const bool is_current = is_node && document_->session()->current() == row.node;
    const bool is_selected = document_->selected() != no_node && rows_.rowOf(document_->selected()) == index;
    const auto& highlighted = document_->highlighted();

    if (line < 0) {
        painter.fillRect(rect, QBrush(colours.separator, Qt::BDiagPattern));
    } else if (is_node && row.change != CodeRow::Change::same) {
        painter.fillRect(rect, row.change == CodeRow::Change::added     ? colours.added
                               : row.change == CodeRow::Change::removed ? colours.removed
                                                                        : colours.changed);
    }
    if (line >= 0 && is_node && std::ranges::find(highlighted, row.node) != highlighted.end())
        painter.fillRect(rect, colours.evidence);
    if (is_selected) {
        QColor tint = palette().color(QPalette::Highlight);
        tint.setAlphaF(0.16F);
        painter.fillRect(rect, tint);
        painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), palette().color(QPalette::Highlight));
    }
    if (line < 0) return;

    // Margin: current node, line number, verdict, storage.
    const int baseline = rect.top() + 1 + QFontMetrics(painter.font()).ascent();
    painter.setPen(is_current ? colours.current : colours.comment);
    if (is_current)
        painter.drawText(rect.left() + 4, baseline, QStringLiteral("▸"));
    const int character = static_cast<int>(character_);
    const QRect number(rect.left(), rect.top(), column.margin - 4 * character, rect.height());
    painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(line + 1));
    if (is_node) {
        const int side = std::min(rect.height() - 2, 2 * character);
        const QRect mark(number.right() + character / 2 + 1, rect.center().y() - side / 2, side, side);
        if (column.isAfter || sides_ == Sides::before)
            paintVerdict(painter, mark, verdictMark(*document_, row.node), scheme);
        const StorageId storage = document_->storageOf(row.node);
        const QRect strip(rect.left() + column.margin - character, rect.top(), 4, rect.height());
        if (storage != 0) painter.fillRect(strip, storageStyle(storage, scheme).line);
    }

    const QRect clip = rect.adjusted(column.margin, 0, 0, 0);
    const QString text = column.isAfter ? rows_.textAfter(row) : rows_.textBefore(row);
    paintText(painter, text, QPointF(clip.left() - horizontalScrollBar()->value(), baseline), clip);
}

void CodeView::paintText(QPainter& painter, const QString& text, QPointF baseline, const QRect& clip) const {
    const ThemeColours& colours = themeColours(palette());
    painter.save();
    painter.setClipRect(clip);
    for (const PythonToken& token : pythonTokens(text)) {
        const double x = baseline.x() + static_cast<double>(token.start) * character_;
        if (x > clip.right()) break;
        switch (token.kind) {
        case PythonToken::Kind::plain: painter.setPen(palette().color(QPalette::Text)); break;
        case PythonToken::Kind::name:
        case PythonToken::Kind::keyword: painter.setPen(colours.keyword); break;
        case PythonToken::Kind::literal: painter.setPen(colours.literal); break;
        case PythonToken::Kind::annotation: painter.setPen(colours.annotation); break;
        case PythonToken::Kind::comment: painter.setPen(colours.comment); break;
        }
        painter.drawText(QPointF(x, baseline.y()), text.mid(token.start, token.length));
    }
    painter.restore();
}

void CodeView::revealSelection() {
    viewport()->update();
    const int row = rows_.rowOf(document_->selected());
    if (row < 0) return;
    // What is in sight stays where it is.
    if (row >= firstVisibleRow() && row < firstVisibleRow() + visibleRows()) return;
    verticalScrollBar()->setValue(row - visibleRows() / 3);
}

void CodeView::selectRow(int row) {
    const NodeId node = row < 0 ? no_node : rows_.rows()[static_cast<std::size_t>(row)].node;
    if (node != no_node) document_->select(node);
}

void CodeView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || document_->isEmpty()) return;
    // With Ctrl, the name under the mouse: a jump to where it is defined.
    if (event->modifiers() & Qt::ControlModifier) {
        const NodeId node = nodeAt(event->pos());
        if (node != no_node) document_->select(node);
    } else {
        selectRow(rowAt(event->pos().y()));
    }
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copyLine();
        return;
    }
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step == 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const int size = static_cast<int>(rows_.rows().size());
    for (int row = rows_.rowOf(document_->selected()) + step; row >= 0 && row < size; row += step) {
        const NodeId node = rows_.rows()[static_cast<std::size_t>(row)].node;
        if (node == no_node || node == document_->selected()) continue;
        document_->select(node);
        return;
    }
}

void CodeView::copyLine() {
    const int row = rows_.rowOf(document_->selected());
    if (row < 0) return;
    const CodeRow& found = rows_.rows()[static_cast<std::size_t>(row)];
    const bool takes_after = sides_ != Sides::before && found.after >= 0;
    QGuiApplication::clipboard()->setText((takes_after ? rows_.textAfter(found) : rows_.textBefore(found)).trimmed());
}

bool CodeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !document_->isEmpty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const NodeId node = nodeAt(help->pos());
        if (node == no_node) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), nodeToolTip(*document_, node), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void CodeView::contextMenuEvent(QContextMenuEvent* event) {
    if (document_->isEmpty()) return;
    selectRow(rowAt(event->pos().y()));
    QMenu menu(this);
    menu.addAction(tr("Copy line"), QKeySequence::Copy, this, &CodeView::copyLine);
    addCopyEntries(menu, *document_, document_->selected());
    menu.exec(event->globalPos());
}

void CodeView::goToNextChange() { selectRow(rows_.nextChange(rows_.rowOf(document_->selected()))); }

void CodeView::goToPreviousChange() {
    const int row = rows_.rowOf(document_->selected());
    selectRow(rows_.previousChange(row < 0 ? static_cast<int>(rows_.rows().size()) : row));
}

} // namespace inspector
