// The whole graph in a corner, with the part that is in view; click or drag moves the view there.
#pragma once

#include <QPixmap>
#include <QWidget>

#include "ui/graph_view/graph_picture.h"

namespace inspector {

class Minimap : public QWidget {
    Q_OBJECT
public:
    Minimap(const GraphPicture& picture, QWidget* parent);

    /// The picture has changed.
    void updatePicture();
    /// `room` is what the corner offers. The map takes the graph's proportions as far as it stays wide enough to hit.
    void fitInto(QSize room);
    void setEmphasis(std::uint32_t selected, std::uint32_t current);
    /// What is in view, in the scene.
    void setView(const QRectF& view);

Q_SIGNALS:
    void moved(QPointF centre); ///< in the scene

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QTransform fromScene() const;
    void moveTo(QPointF position);

    const GraphPicture& picture_;
    QPixmap nodes_;      ///< painted once per picture; null where it has to be again
    QRectF view_;
    std::uint32_t selected_ = GraphPicture::none;
    std::uint32_t current_ = GraphPicture::none;
};

} // namespace inspector
