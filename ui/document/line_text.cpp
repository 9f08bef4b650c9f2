#include "ui/document/line_text.h"

#include "core/graph/print.h"

namespace inspector {

QString lineText(const Graph& graph, NodeId node) {
    const Node& found = graph.node(node);
    const QString name = QString::fromStdString(found.name);
    switch (found.opcode) {
    case Opcode::placeholder: return name;
    case Opcode::get_attr: return QStringLiteral("%1 = self.%2").arg(name, QString::fromStdString(found.target));
    case Opcode::output:
        return found.args.empty() ? QStringLiteral("return")
                                  : QStringLiteral("return ") + QString::fromStdString(format_argument_python(graph, found.args.front()));
    default: break;
    }
    return QStringLiteral("%1 = %2").arg(name, QString::fromStdString(format_expression(graph, node)).remove(QStringLiteral("torch.ops.")));
}

} // namespace inspector
