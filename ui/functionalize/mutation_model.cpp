#include "ui/functionalize/mutation_model.h"

#include <QCoreApplication>
#include <QFont>
#include <QGuiApplication>

#include "core/passes/functionalize/explain_step.h"
#include "core/passes/reinplace/explain.h"
#include "ui/appearance/counted.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/line_text.h"
#include "ui/functionalize/outcome_style.h"

namespace inspector {

MutationModel::MutationModel(RoundTripSession* session, QObject* parent) : QAbstractTableModel(parent), session_(session) {
    connect(session, &RoundTripSession::prepared, this, [this] {
        beginResetModel();
        endResetModel();
    });
    connect(session, &RoundTripSession::stepped, this, [this] {
        if (const int rows = rowCount(); rows > 0) Q_EMIT dataChanged(index(0, 0), index(rows - 1, column_count - 1));
    });
}

NodeId MutationModel::node(int row) const {
    return row >= 0 && row < rowCount() ? session_->functional()->mutations()[static_cast<std::size_t>(row)] : no_node;
}

int MutationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !session_->functional() ? 0 : static_cast<int>(session_->functional()->mutations().size());
}

int MutationModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString MutationModel::outcome(std::size_t step) const {
    if (session_->trip()) return outcomeWord(session_->trip()->mutations[step].outcome);
    const FunctionalizeSession& finished = *session_->finished();
    if (step + 1 > finished.steps().size()) return tr("not reached");
    return finished.steps()[step].refusal != MutationRefusal::none ? tr("refused") : tr("out of place");
}

/// The decisions that made the outcome: of the functional call, then of what writes it back.
QString MutationModel::why(std::size_t step) const {
    const RoundTrip* trip = session_->trip();
    if (!trip) {
        const FunctionalizeSession& finished = *session_->finished();
        const bool is_refused = step + 1 == finished.steps().size() && finished.steps()[step].refusal != MutationRefusal::none;
        return is_refused ? QString::fromStdString(explain_refusal(finished)) : QString();
    }
    const RoundTripMutation& mutation = trip->mutations[step];
    if (!mutation.decision) return outcomeMeaning(mutation.outcome);
    const ReinplaceSession& session = *session_->reinplaced();
    const auto sentence = [&session](std::uint32_t decision) {
        return QString::fromStdString(plain_text(explain(session, session.decisions()[decision])));
    };
    QString text = sentence(*mutation.decision);
    for (const std::uint32_t decision : mutation.write_back) {
        const NodeId node = session.decisions()[decision].node;
        text += QStringLiteral("; %%1 %2").arg(QString::fromStdString(session.original().node(node).name), sentence(decision));
    }
    return text;
}

QVariant MutationModel::data(const QModelIndex& index, int role) const {
    const NodeId id = node(index.row());
    if (id == no_node) return {};
    const auto step = static_cast<std::size_t>(index.row());
    const bool is_next = session_->functional()->current() == id;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case number_column: return index.row() + 1;
        case mutation_column: return lineText(session_->functional()->original(), id);
        case outcome_column: return outcome(step);
        case why_column: return why(step);
        default: return {};
        }
    case Qt::ToolTipRole: {
        const QString tip = outcome(step) + QStringLiteral(": ") + why(step);
        return literalToolTip(
            session_->trip() ? tip + QLatin1Char('\n') + outcomeMeaning(session_->trip()->mutations[step].outcome) : tip);
    }
    case Qt::DecorationRole: {
        if (index.column() != outcome_column) return {};
        const bool is_refused = !session_->trip() && step + 1 == session_->finished()->steps().size();
        const VerdictMark mark = session_->trip() ? outcomeMark(session_->trip()->mutations[step].outcome)
                                 : is_refused     ? VerdictMark::raises
                                                  : VerdictMark::pending;
        return verdictIcon(mark, schemeOf(QGuiApplication::palette()));
    }
    case Qt::FontRole: {
        if (index.column() != mutation_column) return {};
        QFont font = codeFont();
        font.setBold(is_next);
        return font;
    }
    case Qt::TextAlignmentRole:
        if (index.column() == number_column) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    default: return {};
    }
}

QVariant MutationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case number_column: return tr("#");
    case mutation_column: return tr("Mutation");
    case outcome_column: return tr("Came back");
    case why_column: return tr("Why");
    default: return {};
    }
}

QString roundTripSummary(const RoundTripSession& session) {
    const auto translated = [](const char* text) { return QCoreApplication::translate("MutationModel", text); };
    if (session.isPreparing()) return translated("Making the graph functional…");
    if (!session.functional()) return {};
    if (!session.hasMutations()) return translated("Nothing is written in this graph");
    const std::size_t count = session.functional()->mutations().size();
    QStringList parts;
    if (const RoundTrip* trip = session.trip()) {
        for (const RoundTripOutcome outcome :
             {RoundTripOutcome::in_place, RoundTripOutcome::copied_back, RoundTripOutcome::out_of_place, RoundTripOutcome::dead})
            if (const std::size_t number = trip->count(outcome)) parts << QStringLiteral("%1 %2").arg(number).arg(outcomeWord(outcome));
    } else {
        parts << translated("refused");
    }
    const QString mutations = counted(count, translated("%1 mutation"), translated("%1 mutations"));
    return parts.isEmpty() ? mutations : mutations + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

} // namespace inspector
