#include "ui/functionalize/round_trip_model.h"

#include <algorithm>
#include <utility>

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/document/program_order.h"
#include "ui/document/line_text.h"
#include "ui/functionalize/outcome_style.h"

namespace inspector {

RoundTripModel::RoundTripModel(RoundTripSession* session, QObject* parent)
    : QAbstractTableModel(parent), session_(session) {
    connect(session, &RoundTripSession::prepared, this, &RoundTripModel::rebuild);
    connect(session, &RoundTripSession::stepped, this, &RoundTripModel::rebuild);
    rebuild();
}

void RoundTripModel::rebuild() {
    beginResetModel();
    rows_.clear();
    if (session_->hasMutations()) {
        const Graph& source = graph(source_column);
        const Graph& functional = graph(functional_column);
        for (const NodeId id : programOrder(source, functional))
            rows_.push_back({{source.contains(id) ? id : no_node, functional.contains(id) ? id : no_node, no_node}});
        addReinplaced();
    }
    endResetModel();
}

/// As far as functionalization has come: what lies beyond is not made yet.
void RoundTripModel::addReinplaced() {
    if (!session_->trip()) return;
    const Graph& reinplaced = graph(reinplaced_column);
    std::vector<Row> rows;
    std::size_t next = 0; // of rows_
    const auto take_through = [&](std::size_t row) {
        rows.insert(rows.end(), rows_.begin() + static_cast<std::ptrdiff_t>(next), rows_.begin() + static_cast<std::ptrdiff_t>(row) + 1);
        next = row + 1;
    };
    const auto find = [&](auto&& is_it) {
        const auto found = std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(next), rows_.end(), is_it);
        return static_cast<std::size_t>(found - rows_.begin());
    };
    for (const NodeId id : reinplaced) {
        const NodeId made_of = session_->sourceOfReinplaced(id);
        // A view and a copy_ that a scatter became: the first stands beside the scatter.
        const bool is_created = !session_->finished()->graph().contains(id);
        if (!session_->isPassed(made_of) || (!is_created && !graph(functional_column).contains(id))) continue;
        const std::size_t row = find([&](const Row& candidate) {
            const NodeId functional = candidate.cells[functional_column];
            if (!is_created) return functional == id;
            return functional != no_node && !reinplaced.contains(functional) && source(functional_column, functional) == made_of;
        });
        // Not past a row that a later node of this column needs.
        const bool is_beside = row < rows_.size() &&
            (!is_created || std::none_of(rows_.begin() + static_cast<std::ptrdiff_t>(next), rows_.begin() + static_cast<std::ptrdiff_t>(row),
                                         [&](const Row& between) { return reinplaced.contains(between.cells[functional_column]); }));
        if (is_beside) take_through(row);
        else rows.emplace_back();
        rows.back().cells[reinplaced_column] = id;
    }
    if (next < rows_.size()) take_through(rows_.size() - 1);
    rows_ = std::move(rows);
}

const Graph& RoundTripModel::graph(int column) const {
    switch (column) {
    case source_column: return session_->functional()->original();
    case functional_column: return session_->functional()->graph();
    default: return session_->reinplaced()->graph();
    }
}

NodeId RoundTripModel::node(const QModelIndex& index) const {
    return index.isValid() ? rows_[static_cast<std::size_t>(index.row())].cells[index.column()] : no_node;
}

NodeId RoundTripModel::source(int column, NodeId node) const {
    return column == reinplaced_column ? session_->sourceOfReinplaced(node) : session_->sourceOf(node);
}

void RoundTripModel::setChosen(NodeId source) {
    if (std::exchange(chosen_, source) != source && !rows_.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

QModelIndex RoundTripModel::cellOf(NodeId node, Column column) const {
    if (node == no_node) return {};
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (rows_[row].cells[column] == node) return index(static_cast<int>(row), column);
    for (const int other : {source_column, functional_column, reinplaced_column})
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const NodeId cell = rows_[row].cells[other];
            if (cell == node || (cell != no_node && source(other, cell) == node)) return index(static_cast<int>(row), other);
        }
    return {};
}

int RoundTripModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int RoundTripModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString RoundTripModel::change(const QModelIndex& index) const {
    const NodeId id = node(index);
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case source_column:
        return row.cells[functional_column] == no_node ? tr("not in the functional graph") : QString();
    case functional_column:
        if (!graph(source_column).contains(id)) return tr("added");
        return lineText(graph(source_column), id) == lineText(graph(functional_column), id) ? QString() : tr("changed");
    default:
        if (!session_->finished()->graph().contains(id)) return tr("added");
        return lineText(session_->finished()->graph(), id) == lineText(graph(reinplaced_column), id) ? QString() : tr("changed");
    }
}

QVariant RoundTripModel::background(const QModelIndex& index) const {
    const ThemeColours& colours = themeColours(QGuiApplication::palette());
    const NodeId id = node(index);
    if (id == no_node) return {};
    if (chosen_ != no_node && source(index.column(), id) == chosen_) return colours.evidence;
    const QString changed = change(index);
    if (changed.isEmpty()) return {};
    if (index.column() == source_column) return colours.removed;
    return graph(source_column).contains(id) ? colours.changed : colours.added;
}

QVariant RoundTripModel::icon(const QModelIndex& index) const {
    const NodeId id = node(index);
    if (id == no_node) return {};
    const Scheme scheme = schemeOf(QGuiApplication::palette());
    if (index.column() == source_column) {
        const auto step = session_->stepOn(id);
        if (!step) return {};
        if (!session_->trip()) return verdictIcon(VerdictMark::pending, scheme);
        return verdictIcon(outcomeMark(session_->trip()->mutations[*step].outcome), scheme);
    }
    return {};
}

QVariant RoundTripModel::data(const QModelIndex& index, int role) const {
    const NodeId id = node(index);
    if (id == no_node) return {};
    const bool is_source = index.column() == source_column;
    const NodeId made_of = source(index.column(), id);
    const bool is_next = is_source && session_->functional()->current() == id;
    switch (role) {
    case Qt::DisplayRole: return lineText(graph(index.column()), id);
    case Qt::ToolTipRole: {
        QStringList lines{lineText(graph(index.column()), id)};
        if (const QString changed = change(index); !changed.isEmpty()) lines << changed;
        if (is_next) lines << tr("The mutation that the next step takes");
        if (!is_source && made_of != id) lines << tr("stands for %%1").arg(QString::fromStdString(graph(source_column).node(made_of).name));
        return literalToolTip(lines.join(QLatin1Char('\n')));
    }
    case Qt::AccessibleTextRole: {
        QString text = lineText(graph(index.column()), id);
        if (const QString changed = change(index); !changed.isEmpty()) text += QStringLiteral(", ") + changed;
        if (is_next) text += QStringLiteral(", ") + tr("next mutation");
        if (made_of == chosen_) text += QStringLiteral(", ") + tr("belongs to the chosen node");
        return text;
    }
    case Qt::FontRole: {
        QFont font = codeFont();
        font.setBold(is_next);
        font.setStrikeOut(is_source && !change(index).isEmpty());
        return font;
    }
    case Qt::ForegroundRole:
        return is_next ? QVariant(themeColours(QGuiApplication::palette()).current) : QVariant();
    case Qt::BackgroundRole: return background(index);
    case Qt::DecorationRole: return icon(index);
    case node_role: return static_cast<uint>(index_of(id));
    case source_role: return static_cast<uint>(index_of(made_of));
    case counterpart_role: return chosen_ != no_node && made_of == chosen_;
    default: return {};
    }
}

QVariant RoundTripModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const bool is_tip = role == Qt::ToolTipRole;
    switch (section) {
    case source_column: return is_tip ? tr("The graph as it was read; marks say what became of each mutation") : tr("Source");
    case functional_column:
        return is_tip ? tr("As functionalized so far: nothing writes up to the mutation that is next") : tr("Functionalized");
    case reinplaced_column:
        return is_tip ? tr("What the policy sound makes of the functional graph, as far as functionalization has come") : tr("Reinplaced (sound)");
    default: return {};
    }
}

} // namespace inspector
