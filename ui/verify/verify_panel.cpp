#include "ui/verify/verify_panel.h"

#include <limits>

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/document/node_links.h"
#include "ui/palette/page_browser.h"
#include "ui/verify/verification_page.h"

namespace inspector {

namespace {

constexpr std::int64_t mebibyte = std::int64_t(1) << 20;

} // namespace

VerifyPanel::VerifyPanel(Document* document, VerificationRun* run, QAction* verify, QAction* stop, QWidget* parent)
    : QWidget(parent), document_(document), run_(run), scope_(new QComboBox(this)), seed_(new QSpinBox(this)),
      memoryLimit_(new QSpinBox(this)), progress_(new QWidget(this)), stage_(new QLabel(this)), bar_(new QProgressBar(this)),
      page_(new PageBrowser(this)) {
    scope_->setObjectName(QStringLiteral("verifyScope"));
    scope_->setAccessibleName(tr("What is verified"));
    scope_->setToolTip(tr("All decisions: the pass to its end, with your choices.\nMade so far: the graph as it is rewritten now."));
    scope_->addItem(tr("All decisions"), QVariant::fromValue(int(VerificationRequest::Scope::all_decisions)));
    scope_->addItem(tr("Decisions made so far"), QVariant::fromValue(int(VerificationRequest::Scope::made_so_far)));
    seed_->setObjectName(QStringLiteral("verifySeed"));
    seed_->setAccessibleName(tr("Seed"));
    seed_->setToolTip(tr("Of made-up inputs and random operators"));
    seed_->setRange(0, std::numeric_limits<int>::max());
    memoryLimit_->setObjectName(QStringLiteral("verifyMemoryLimit"));
    memoryLimit_->setAccessibleName(tr("Memory limit"));
    memoryLimit_->setToolTip(tr("A run that would need more is refused before it allocates it"));
    memoryLimit_->setRange(1, 1 << 24);
    memoryLimit_->setSuffix(tr(" MiB"));
    memoryLimit_->setValue(static_cast<int>(RunOptions().memory_limit / mebibyte));

    page_->setObjectName(QStringLiteral("verificationPage"));
    page_->setAccessibleName(tr("Verification"));
    connect(page_, &QTextBrowser::anchorClicked, this, &VerifyPanel::follow);
    stage_->setObjectName(QStringLiteral("verifyStage"));
    bar_->setObjectName(QStringLiteral("verifyProgress"));
    bar_->setFixedWidth(160);
    bar_->setTextVisible(false);

    const auto button = [this](QAction* action) {
        auto* made = new QToolButton(this);
        made->setDefaultAction(action);
        made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        return made;
    };
    const auto label = [this](const QString& text, QWidget* of) {
        auto* made = new QLabel(text, this);
        made->setBuddy(of);
        return made;
    };
    auto* fields = new QHBoxLayout;
    fields->setContentsMargins(8, 8, 8, 8);
    fields->setSpacing(8);
    fields->addWidget(button(verify));
    fields->addWidget(scope_);
    fields->addSpacing(8);
    fields->addWidget(label(tr("Seed"), seed_));
    fields->addWidget(seed_);
    fields->addSpacing(8);
    fields->addWidget(label(tr("Memory limit"), memoryLimit_));
    fields->addWidget(memoryLimit_);
    fields->addStretch(1);

    auto* running = new QHBoxLayout(progress_);
    running->setContentsMargins(8, 0, 8, 8);
    running->setSpacing(8);
    running->addWidget(bar_);
    running->addWidget(button(stop));
    running->addWidget(stage_, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(fields);
    layout->addWidget(progress_);
    layout->addWidget(page_, 1);

    connect(scope_, &QComboBox::currentIndexChanged, this, &VerifyPanel::requestChanged);
    connect(run_, &VerificationRun::changed, this, &VerifyPanel::refresh);
    connect(run_, &VerificationRun::progressed, this, &VerifyPanel::showProgress);
    refresh();
}

VerificationRequest VerifyPanel::request() const {
    return {.scope = static_cast<VerificationRequest::Scope>(scope_->currentData().toInt()),
            .seed = static_cast<std::uint64_t>(seed_->value()),
            .memoryLimit = memoryLimit_->value() * mebibyte};
}

QTextBrowser* VerifyPanel::page() const { return page_; }

void VerifyPanel::refresh() {
    progress_->setVisible(run_->isRunning());
    showProgress();
    const int scrolled = page_->verticalScrollBar()->value();
    page_->setHtml(verificationPage(*document_, *run_, palette()));
    page_->verticalScrollBar()->setValue(run_->isOutdated() ? scrolled : 0);
}

void VerifyPanel::showProgress() {
    const int percent = run_->percent();
    bar_->setRange(0, percent < 0 ? 0 : 100);
    bar_->setValue(std::max(percent, 0));
    stage_->setText(run_->stage() + QChar(0x2026));
}

void VerifyPanel::follow(const QUrl& link) {
    if (const auto node = nodeOfLink(link)) {
        document_->select(*node);
        return;
    }
    const NodeId node{link.path().toUInt()};
    if (link.scheme() == QLatin1String("through")) document_->throughNode(node);
    else if (link.scheme() == QLatin1String("leave")) document_->choose(node, Choice::policy);
}

void VerifyPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        page_->document()->clear(); // images of the former palette
        refresh();
    }
}

} // namespace inspector
