#include "ui/symbols/symbol_model.h"

#include <algorithm>

#include <QFont>
#include <QGuiApplication>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"
#include "ui/symbols/symbol_page.h"

namespace inspector {

SymbolModel::SymbolModel(const Document* document, const SymbolSurvey* survey, QObject* parent)
    : QAbstractTableModel(parent), document_(document), survey_(survey) {}

void SymbolModel::refresh() {
    beginResetModel();
    endResetModel();
}

const SymbolFacts* SymbolModel::symbol(int row) const {
    return row >= 0 && row < rowCount() ? &survey_->found()->symbols[static_cast<std::size_t>(row)] : nullptr;
}

int SymbolModel::rowOf(const std::string& name) const {
    for (int row = 0; row < rowCount(); ++row)
        if (symbol(row)->name == name) return row;
    return -1;
}

int SymbolModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !survey_->found() ? 0 : static_cast<int>(survey_->found()->symbols.size());
}

int SymbolModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

bool SymbolModel::isAsked(const SymbolFacts& symbol) const {
    const auto& asked = document_->askedRanges();
    return std::ranges::find(asked, symbol.name, &SymbolRange::symbol) != asked.end();
}

QString SymbolModel::textOf(const SymbolFacts& symbol, int column) const {
    switch (column) {
    case name_column: return QString::fromStdString(symbol.name);
    case range_column: return rangeText(symbol);
    case sample_column: return symbol.hint ? QString::number(*symbol.hint) : tr("none");
    case divisor_column: return symbol.divisor ? QString::number(*symbol.divisor) : QString();
    case origin_column: return originText(*document_, symbol.origin);
    case relations_column: {
        QStringList relations;
        for (const SymbolFacts::Relation& relation : symbol.relations)
            relations << QString::fromStdString(relation.text);
        return relations.join(QStringLiteral("; "));
    }
    case uses_column: return QString::number(symbol.uses.size());
    default: return {};
    }
}

QVariant SymbolModel::data(const QModelIndex& index, int role) const {
    const SymbolFacts* found = symbol(index.row());
    if (!found) return {};
    switch (role) {
    case Qt::DisplayRole: return textOf(*found, index.column());
    case Qt::ToolTipRole:
        if (index.column() == range_column && isAsked(*found))
            if (const SymbolFacts* before = survey_->found()->findAsRead(found->name))
                return tr("Asked for; in the file: %1").arg(rangeText(*before));
        return literalToolTip(textOf(*found, index.column()));
    case Qt::FontRole: {
        const bool is_code = index.column() == name_column || index.column() == relations_column;
        QFont font = is_code ? codeFont() : QFont();
        font.setBold(index.column() == range_column && isAsked(*found));
        return font;
    }
    case Qt::BackgroundRole:
        return index.column() == range_column && isAsked(*found)
                   ? QVariant(themeColours(QGuiApplication::palette()).changed)
                   : QVariant();
    case Qt::TextAlignmentRole:
        if (index.column() == sample_column || index.column() == divisor_column || index.column() == uses_column)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    default: return {};
    }
}

QVariant SymbolModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole &&
        (section == sample_column || section == divisor_column || section == uses_column))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case name_column: return tr("Symbol");
    case range_column: return tr("Range");
    case sample_column: return tr("Sample");
    case divisor_column: return tr("Divisible by");
    case origin_column: return tr("From");
    case relations_column: return tr("Relations");
    case uses_column: return tr("Uses");
    default: return {};
    }
}

} // namespace inspector
