#include "ui/main_window/start_page.h"

#include <QAction>
#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/appearance/stroke_icon.h"
#include "ui/document/describe.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/recent_files.h"

namespace inspector {
namespace {

QLabel* caption(const QString& text) {
    auto* label = new QLabel(text);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

StartPage::StartPage(QAction* open, RecentFiles* recent, QWidget* parent)
    : QWidget(parent), recent_(recent), recentBox_(new QWidget), recentList_(new QVBoxLayout(recentBox_)) {
    setObjectName(QStringLiteral("startPage"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    auto* title = new QLabel(tr("Why was this operation not done in place?"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    title->setFont(large);
    title->setWordWrap(true);
    auto* about = caption(tr("Open a PyTorch graph — a .pt2 of torch.export, FX text, or compile logs — and step through each "
                             "decision of the re-inplacing pass. You can also drop a file or a folder here, or paste a graph."));
    about->setWordWrap(true);
    auto* button = new QPushButton(open->icon(), tr("Open a graph…"));
    button->setObjectName(QStringLiteral("startOpen"));
    button->setToolTip(open->toolTip());
    button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(button, &QPushButton::clicked, open, &QAction::trigger);

    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(about);
    column->addSpacing(8);
    column->addWidget(button);
    column->addSpacing(16);
    column->addWidget(caption(tr("Examples")));
    for (const Example& example : examples()) {
        auto* link = new QCommandLinkButton(example.title, example.about);
        link->setIcon(strokeIcon(QStringLiteral("graph")));
        link->setObjectName(QStringLiteral("example:") + QFileInfo(example.resource).fileName());
        connect(link, &QPushButton::clicked, this, [this, &example] { Q_EMIT fileChosen(exampleFile(example)); });
        column->addWidget(link);
    }
    column->addSpacing(16);
    column->addWidget(recentBox_);
    column->addStretch(2);
    recentList_->setContentsMargins(0, 0, 0, 0);
    recentList_->setSpacing(4);

    auto* layout = new QGridLayout(this);
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 4);
    layout->setColumnStretch(2, 1);
    layout->addLayout(column, 0, 1);
    connect(recent, &RecentFiles::changed, this, &StartPage::listRecent);
    listRecent();
}

void StartPage::listRecent() {
    while (QLayoutItem* item = recentList_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList paths = recent_->paths();
    recentBox_->setVisible(!paths.isEmpty());
    recentList_->addWidget(caption(tr("Recent files")));
    for (const QString& path : paths.mid(0, 5)) {
        auto* link = new QPushButton(QFileInfo(path).fileName().replace(QLatin1Char('&'), QLatin1String("&&")));
        link->setFlat(true);
        link->setToolTip(literalToolTip(path));
        link->setStyleSheet(QStringLiteral("text-align: left; padding: 4px"));
        connect(link, &QPushButton::clicked, this, [this, path] { Q_EMIT fileChosen(path); });
        recentList_->addWidget(link, 0, Qt::AlignLeft);
    }
}

} // namespace inspector
