#include "ui/level/level_model.h"

#include <algorithm>

#include <QFont>
#include <QFontMetrics>
#include <QSize>

#include "core/analysis/operator_forms.h"
#include "core/operators/infer.h"
#include "ui/appearance/theme.h"
#include "ui/document/describe.h"

namespace inspector {
namespace {

QString text(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

LevelModel::Group groupOf(const NestedLevel::Use& use) {
    if (!use.obstacle) return LevelModel::Group::nothing_against;
    switch (stands_against(*use.obstacle)) {
    case Level::training: return LevelModel::Group::training;
    case Level::functional_aten: return LevelModel::Group::functional_aten;
    default: return LevelModel::Group::core_aten;
    }
}

} // namespace

LevelModel::LevelModel(const Document* document, QObject* parent) : QAbstractItemModel(parent), document_(document) {}

std::vector<LevelModel::Row> LevelModel::rowsOf(const NestedLevel& level) {
    std::vector<Row> rows;
    const auto add = [&rows](Row row, int parent) {
        const int made = static_cast<int>(rows.size());
        row.parent = parent;
        if (parent >= 0) {
            std::vector<int>& siblings = rows[static_cast<std::size_t>(parent)].children;
            row.number = static_cast<int>(siblings.size());
            siblings.push_back(made);
        }
        rows.push_back(std::move(row));
        return made;
    };
    const auto add_use = [&](Row row, std::size_t use, int parent) {
        row.kind = Kind::op;
        row.use = use;
        const int op = add(row, parent);
        row.kind = Kind::node;
        for (const NestedLevel::Place& place : level.operators[use].places) {
            row.place = place;
            add(row, op);
        }
    };
    using Obstacle = LevelObstacle::Kind;
    for (const Group group :
         {Group::training, Group::functional_aten, Group::core_aten, Group::nothing_against, Group::no_meta_kernel}) {
        std::vector<std::size_t> uses;
        for (std::size_t i = 0; i < level.operators.size(); ++i) {
            const NestedLevel::Use& use = level.operators[i];
            if (group == Group::no_meta_kernel ? !needed_for_metadata(use).empty() : groupOf(use) == group)
                uses.push_back(i);
        }
        if (uses.empty()) continue;
        Row row;
        row.group = group;
        const int top = add(row, -1);
        if (group == Group::nothing_against || group == Group::no_meta_kernel) {
            for (const std::size_t use : uses) add_use(row, use, top);
            continue;
        }
        for (const Obstacle reason : {Obstacle::not_an_operator, Obstacle::mutating, Obstacle::custom,
                                      Obstacle::composite, Obstacle::not_core}) {
            const auto has_reason = [&](std::size_t use) { return level.operators[use].obstacle == reason; };
            if (std::ranges::none_of(uses, has_reason)) continue;
            row.kind = Kind::reason;
            row.reason = reason;
            const int parent = add(row, top);
            for (const std::size_t use : uses)
                if (has_reason(use)) add_use(row, use, parent);
        }
    }
    return rows;
}

void LevelModel::refresh() {
    if (document_->isEmpty()) return clear();
    NestedLevel level = find_level(*document_->program(), document_->graphIndex(), *document_->graph());
    std::vector<Row> rows = rowsOf(level);
    if (rows == rows_ && level.operators == level_.operators) {
        level_ = std::move(level);
        if (!tops_.empty())
            Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(tops_.size()) - 1, column_count - 1));
        return;
    }
    beginResetModel();
    level_ = std::move(level);
    rows_ = std::move(rows);
    tops_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].parent < 0) {
            rows_[i].number = static_cast<int>(tops_.size());
            tops_.push_back(static_cast<int>(i));
        }
    endResetModel();
}

void LevelModel::clear() {
    if (rows_.empty()) return;
    beginResetModel();
    level_ = {};
    rows_.clear();
    tops_.clear();
    endResetModel();
}

// A row's internal id is its place in rows_.
const LevelModel::Row* LevelModel::row(const QModelIndex& index) const {
    return index.isValid() && index.internalId() < rows_.size() ? &rows_[index.internalId()] : nullptr;
}

const std::vector<int>& LevelModel::childrenOf(const QModelIndex& parent) const {
    const Row* found = row(parent);
    return found ? found->children : tops_;
}

QModelIndex LevelModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, static_cast<quintptr>(childrenOf(parent)[static_cast<std::size_t>(row)]));
}

QModelIndex LevelModel::parent(const QModelIndex& index) const {
    const Row* found = row(index);
    if (!found || found->parent < 0) return {};
    return createIndex(rows_[static_cast<std::size_t>(found->parent)].number, 0, static_cast<quintptr>(found->parent));
}

int LevelModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int LevelModel::columnCount(const QModelIndex&) const { return column_count; }

LevelModel::Kind LevelModel::kind(const QModelIndex& index) const {
    return row(index) ? row(index)->kind : Kind::group;
}
LevelModel::Group LevelModel::group(const QModelIndex& index) const {
    return row(index) ? row(index)->group : Group::training;
}

const NestedLevel::Use* LevelModel::use(const QModelIndex& index) const {
    const Row* found = row(index);
    return found && (found->kind == Kind::op || found->kind == Kind::node) ? &level_.operators[found->use] : nullptr;
}

std::optional<NestedLevel::Place> LevelModel::place(const QModelIndex& index) const {
    const Row* found = row(index);
    return found && found->kind == Kind::node ? std::optional(found->place) : std::nullopt;
}

std::vector<NodeId> LevelModel::nodes(const QModelIndex& index) const {
    std::vector<NodeId> found;
    const Row* top = row(index);
    if (!top) return found;
    std::vector<const Row*> todo{top};
    while (!todo.empty()) {
        const Row* next = todo.back();
        todo.pop_back();
        if (next->kind == Kind::node && next->place.graph == document_->graphIndex()) found.push_back(next->place.node);
        for (auto child = next->children.rbegin(); child != next->children.rend(); ++child)
            todo.push_back(&rows_[static_cast<std::size_t>(*child)]);
    }
    return found;
}

QModelIndex LevelModel::indexOf(NodeId node) const {
    // Those without a meta kernel stand last, and elsewhere before.
    const auto found = std::ranges::find_if(rows_, [&](const Row& row) {
        return row.kind == Kind::node && row.place.node == node && row.place.graph == document_->graphIndex();
    });
    return found == rows_.end() ? QModelIndex()
                                : createIndex(found->number, 0, static_cast<quintptr>(found - rows_.begin()));
}

QString LevelModel::key(const QModelIndex& index) const {
    const Row* found = row(index);
    if (!found) return {};
    QString key = QString::number(static_cast<int>(found->group));
    if (found->kind != Kind::group) key += QLatin1Char('/') + text(kind_name(found->reason));
    if (const NestedLevel::Use* of = use(index)) key += QLatin1Char('/') + QString::fromStdString(of->target);
    if (found->kind == Kind::node)
        key += QStringLiteral("/%1/%2").arg(found->place.graph).arg(index_of(found->place.node));
    return key;
}

QString LevelModel::searchText(const QModelIndex& index) const {
    const Row* found = row(index);
    const NestedLevel::Use* of = use(index);
    if (!of) return {};
    if (found->kind == Kind::node) return nodeName(found->place);
    QString words = QString::fromStdString(short_name(*of));
    if (!of->op) return words;
    for (const std::string& tag : of->op->tags) words += QLatin1Char(' ') + QString::fromStdString(tag);
    return words + QLatin1Char(' ') + QString::fromStdString(of->op->schema_text);
}

QString LevelModel::nodeName(const NestedLevel::Place& place) const {
    if (place.graph == document_->graphIndex()) return nodeText(*document_, place.node);
    const ProgramGraph& graph = document_->program()->graphs[place.graph];
    return QStringLiteral("%1:%%2").arg(QString::fromStdString(graph.id),
                                        QString::fromStdString(graph.graph.node(place.node).name));
}

QString LevelModel::nameOf(const Row& row) const {
    switch (row.kind) {
    case Kind::group:
        switch (row.group) {
        case Group::training: return tr("Against training");
        case Group::functional_aten: return tr("Against functional ATen");
        case Group::core_aten: return tr("Against Core ATen");
        case Group::nothing_against: return tr("Against no level");
        case Group::no_meta_kernel: return tr("Without meta kernel");
        }
        break;
    case Kind::reason: return text(kind_name(row.reason));
    case Kind::op: return QString::fromStdString(short_name(level_.operators[row.use]));
    case Kind::node: return nodeName(row.place);
    }
    return {};
}

std::size_t LevelModel::countNodes(const Row& row) const {
    if (row.kind == Kind::op) return level_.operators[row.use].places.size();
    std::size_t count = 0;
    for (const int child : row.children) count += countNodes(rows_[static_cast<std::size_t>(child)]);
    return count;
}

/// A form that an operator has or not: a sign, and in words for tool tips and screen readers.
QVariant LevelModel::formOf(const Row& row, int column, int role) const {
    const Operator* op = row.kind == Kind::op ? level_.operators[row.use].op : nullptr;
    if (!op) return {};
    const bool is_words = role != Qt::DisplayRole;
    const auto form = [&](const Operator* found, const QString& none) -> QVariant {
        if (is_words) return found ? QString::fromStdString(found->short_target()) : none;
        return found ? QStringLiteral("✓") : QStringLiteral("–");
    };
    const OperatorForms forms = forms_of(*op);
    switch (column) {
    case decomposes_column:
        if (!is_words) return is_decomposable(*op) ? QStringLiteral("✓") : QStringLiteral("–");
        if (op->is_composite) return tr("It is made of other operators");
        return op->has_decomposition ? tr("run_decompositions() takes it apart") : tr("run_decompositions() leaves it");
    case in_place_column: return form(forms.in_place, tr("It has no in-place form"));
    case out_column: return form(forms.out, tr("It has no out= form"));
    case meta_column:
        if (is_words) return text(meta_words(*op));
        if (has_own_meta_kernel(*op) && op->meta != MetaForm::kernel) return tr("here");
        switch (op->meta) {
        case MetaForm::kernel: return QStringLiteral("✓");
        case MetaForm::composite: return tr("made of");
        case MetaForm::python: return tr("Python");
        case MetaForm::none: return tr("none");
        }
        break;
    default: break;
    }
    return {};
}

QVariant LevelModel::data(const QModelIndex& index, int role) const {
    const Row* found = row(index);
    if (!found) return {};
    const bool is_words = found->kind == Kind::group || found->kind == Kind::reason;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == name_column) return nameOf(*found);
        if (index.column() == nodes_column)
            return found->kind == Kind::node ? QVariant() : static_cast<qulonglong>(countNodes(*found));
        return formOf(*found, index.column(), role);
    case Qt::AccessibleTextRole:
        return index.column() <= nodes_column ? data(index, Qt::DisplayRole) : formOf(*found, index.column(), role);
    case Qt::ToolTipRole:
        if (index.column() > nodes_column) {
            const QString words = formOf(*found, index.column(), role).toString();
            return words.isEmpty() ? QVariant() : literalToolTip(words);
        }
        if (found->kind == Kind::node && found->place.graph == document_->graphIndex())
            return nodeToolTip(*document_, found->place.node);
        if (found->kind == Kind::node) return tr("In a nested graph: Enter or a double click shows that");
        return found->kind == Kind::op && level_.operators[found->use].op
                   ? QVariant(literalToolTip(QString::fromStdString(level_.operators[found->use].op->schema_text)))
                   : QVariant();
    case Qt::FontRole: {
        if (index.column() != name_column) return {};
        if (!is_words) return codeFont();
        QFont font;
        font.setBold(found->kind == Kind::group);
        return font;
    }
    case Qt::SizeHintRole: return QSize(0, QFontMetrics(codeFont()).height() + 4);
    case Qt::TextAlignmentRole:
        if (index.column() == nodes_column)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return index.column() == name_column ? QVariant() : QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    default: return {};
    }
}

QVariant LevelModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section > nodes_column)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignCenter));
    if (role == Qt::TextAlignmentRole && section == nodes_column)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case decomposes_column:
            return tr("run_decompositions() takes it apart: by a rule, or since it is made of other operators");
        case in_place_column: return tr("It has a form that changes its first argument");
        case out_column: return tr("It has a form that writes into a tensor it is given");
        case meta_column: return tr("What computes the layout of its result without running it");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case name_column: return tr("Operators and nodes");
    case nodes_column: return tr("Nodes");
    case decomposes_column: return tr("Decomposes");
    case in_place_column: return tr("In place");
    case out_column: return tr("out=");
    case meta_column: return tr("Meta");
    default: return {};
    }
}

} // namespace inspector
