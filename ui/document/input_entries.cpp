#include "ui/document/input_entries.h"

#include <QInputDialog>
#include <QMenu>

#include "core/graph/print.h"
#include "ui/document/document.h"

namespace inspector {
namespace {

void addDonate(QMenu& menu, Document& document, NodeId node) {
    QAction* donate = menu.addAction(Document::tr("Caller Gives It Up (Donate)"));
    donate->setObjectName(QStringLiteral("donate"));
    donate->setCheckable(true);
    donate->setChecked(document.isDonated(node));
    donate->setToolTip(Document::tr("Its memory may be written: the decisions start again"));
    QObject::connect(donate, &QAction::triggered, &document,
                     [&document, node](bool donated) { document.setDonated(node, donated); });
}

/// Asks until a type fits or the person gives up.
void askType(Document& document, NodeId node, QWidget* parent) {
    const QString name = QString::fromStdString(document.node(node)->name);
    const QString question = Document::tr("The type of %1, as in f32[2, 16] or bf16[2, 16][1, 2]cuda:0:").arg(name);
    const ValueMeta& meta = document.node(node)->meta;
    QString label = question;
    QString type = std::holds_alternative<UnknownMeta>(meta) ? QString() : QString::fromStdString(annotation(meta, {}));
    for (;;) {
        bool isGiven = false;
        type = QInputDialog::getText(parent, Document::tr("Type of an Input"), label, QLineEdit::Normal, type, &isGiven);
        if (!isGiven) return;
        const auto given = document.giveType(node, type.trimmed());
        if (given) return;
        label = QString::fromStdString(given.error().message()) + QLatin1String("\n\n") + question;
    }
}

} // namespace

void addInputEntries(QMenu& menu, Document& document, NodeId node) {
    const Node* input = document.node(node);
    if (!input || input->opcode != Opcode::placeholder) return;
    if (document.policy() == QLatin1String("sound")) addDonate(menu, document, node);
    if (!document.canGiveType(node)) return;
    const bool is_given = !std::holds_alternative<UnknownMeta>(input->meta);
    QAction* give = menu.addAction(is_given ? Document::tr("Change Its Type…") : Document::tr("Give Its Type…"));
    give->setObjectName(QStringLiteral("giveType"));
    give->setToolTip(Document::tr("The file does not say it; without it little is known of what depends on this input"));
    QObject::connect(give, &QAction::triggered, &document,
                     [&document, node, parent = menu.parentWidget()] { askType(document, node, parent); });
}

} // namespace inspector
