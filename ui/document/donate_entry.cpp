#include "ui/document/donate_entry.h"

#include <QMenu>

#include "ui/document/document.h"

namespace inspector {

void addDonateEntry(QMenu& menu, Document& document, NodeId node) {
    const Node* input = document.node(node);
    if (!input || input->opcode != Opcode::placeholder || document.policy() != QLatin1String("sound")) return;
    QAction* donate = menu.addAction(Document::tr("Caller Gives It Up (Donate)"));
    donate->setObjectName(QStringLiteral("donate"));
    donate->setCheckable(true);
    donate->setChecked(document.isDonated(node));
    donate->setToolTip(Document::tr("Its memory may be written: the decisions start again"));
    QObject::connect(donate, &QAction::triggered, &document,
                     [&document, node](bool donated) { document.setDonated(node, donated); });
}

} // namespace inspector
