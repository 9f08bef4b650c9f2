#include "ui/graph_view/layout_progress.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "ui/graph_view/layout_request.h"

namespace inspector {

LayoutProgress::LayoutProgress(LayoutRequest* request, QWidget* parent) : QWidget(parent) {
    setAutoFillBackground(true);
    text_ = new QLabel;
    bar_ = new QProgressBar;
    bar_->setMaximumWidth(120);
    bar_->setTextVisible(false);
    auto* cancel = new QToolButton;
    cancel->setText(tr("Cancel"));
    cancel->setToolTip(tr("Keep the arrangement there is"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(text_);
    row->addWidget(bar_);
    row->addWidget(cancel);
    hide();

    constexpr int delay = 300; // milliseconds
    delay_.setSingleShot(true);
    delay_.setInterval(delay);
    connect(&delay_, &QTimer::timeout, this, [this] {
        adjustSize();
        Q_EMIT aboutToShow();
        show();
    });
    connect(cancel, &QToolButton::clicked, request, &LayoutRequest::cancel);
    connect(request, &LayoutRequest::started, &delay_, qOverload<>(&QTimer::start));
    connect(request, &LayoutRequest::progressChanged, this, &LayoutProgress::showPercent);
    connect(request, &LayoutRequest::finished, this, [this] {
        delay_.stop();
        hide();
    });
}

void LayoutProgress::showPercent(int percent) {
    text_->setText(percent < 0 ? tr("Graphviz is arranging the graph…") : tr("Arranging the graph…"));
    bar_->setRange(0, percent < 0 ? 0 : 100);
    bar_->setValue(std::max(percent, 0));
}

} // namespace inspector
