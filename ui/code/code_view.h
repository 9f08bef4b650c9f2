// Draws the rows of a graph's text, before and after side by side. Only the rows in sight cost anything.
//
//     ▸  12 │▌ mul = aten.mul.Tensor(add, 2)      │  12 Ⓡ ▌ mul = aten.mul_.Tensor(add, 2)
#pragma once

#include <QAbstractScrollArea>

#include "ui/code/code_rows.h"

namespace inspector {

class CodeView : public QAbstractScrollArea {
    Q_OBJECT
public:
    enum class Sides { before, both, after };

    explicit CodeView(Document* document, QWidget* parent = nullptr);

    void setSides(Sides sides);
    [[nodiscard]] Sides sides() const { return sides_; }
    void setStrides(bool on); ///< in the annotations; print_readable(include_stride=…)
    void goToNextChange();
    void goToPreviousChange();
    [[nodiscard]] const CodeRows& rows() const { return rows_; }
    /// Rows in sight, for tests: the first and the number of whole ones.
    [[nodiscard]] int firstVisibleRow() const;
    [[nodiscard]] int visibleRows() const;
    [[nodiscard]] QRect rowRect(int row) const; ///< in the viewport
    /// Middle of a character of the left column, in the viewport.
    [[nodiscard]] int textPosition(qsizetype character) const;

Q_SIGNALS:
    void rowsChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Column {
        QRect area;
        int margin = 0;     ///< width of line numbers and marks
        bool isAfter = false;
    };
    void invalidate();      ///< prints again, now or when next shown
    void layOut();
    void revealSelection();
    void copyLine();
    void selectRow(int row);
    [[nodiscard]] int marginWidth() const;
    [[nodiscard]] std::vector<Column> columns() const;
    [[nodiscard]] int rowAt(int y) const;
    [[nodiscard]] NodeId nodeAt(QPoint position) const; ///< the name under the mouse, else the row's node
    void paintRow(QPainter& painter, int index, const Column& column, const QRect& rect) const;
    void paintText(QPainter& painter, const QString& text, QPointF baseline, const QRect& clip) const;

    Document* document_;
    CodeRows rows_;
    Sides sides_ = Sides::both;
    bool hasStrides_ = false;
    bool isStale_ = true;
    int rowHeight_ = 16;
    double character_ = 8; ///< width; fonts do not keep to whole pixels
};

} // namespace inspector
