#include "ui/compile_log/comparison_model.h"

#include <algorithm>

#include <QApplication>
#include <QPalette>

#include "ui/appearance/theme.h"
#include "ui/document/describe.h"

namespace inspector {
namespace {

QStringList linesOf(const QString& text) {
    QStringList lines = text.split(QLatin1Char('\n'));
    for (QString& line : lines)
        while (line.endsWith(QLatin1Char(' '))) line.chop(1); // print_readable leaves the indent on blank lines
    while (!lines.isEmpty() && lines.constLast().isEmpty()) lines.removeLast();
    return lines;
}

bool isAfter(int column) { return column >= ComparisonModel::after_number; }

} // namespace

void ComparisonModel::setTexts(const QString& before, const QString& after) {
    beginResetModel();
    before_ = linesOf(before);
    after_ = linesOf(after);
    rows_ = alignLines(before_, after_);
    differences_ = static_cast<int>(std::ranges::count(rows_, false, &AlignedRow::isSame));
    endResetModel();
}

int ComparisonModel::changeBeside(int row, int step) const {
    const auto count = static_cast<int>(rows_.size());
    const auto is_start = [this](int at) {
        const auto here = static_cast<std::size_t>(at);
        return !rows_[here].isSame && (at == 0 || rows_[here - 1].isSame);
    };
    for (int distance = 1; distance <= count; ++distance) {
        const int at = ((row + step * distance) % count + count) % count;
        if (is_start(at)) return at;
    }
    return -1;
}

qsizetype ComparisonModel::longestLine(Column side) const {
    qsizetype longest = 0;
    for (const QString& line : isAfter(side) ? after_ : before_) longest = std::max(longest, line.size());
    return longest;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int ComparisonModel::columnCount(const QModelIndex&) const { return column_count; }

QString ComparisonModel::line(const AlignedRow& row, int column) const {
    const int number = isAfter(column) ? row.after : row.before;
    if (number < 0) return {};
    if (column == before_number || column == after_number) return QString::number(number + 1);
    return isAfter(column) ? after_[number] : before_[number];
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const AlignedRow& row = rows_[static_cast<std::size_t>(index.row())];
    const bool is_number = index.column() == before_number || index.column() == after_number;
    switch (role) {
    case Qt::DisplayRole: return line(row, index.column());
    case Qt::ToolTipRole: return is_number ? QVariant() : literalToolTip(line(row, index.column()));
    case Qt::FontRole: return codeFont();
    case Qt::TextAlignmentRole: return is_number ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole: return is_number ? QVariant(themeColours(QApplication::palette()).muted) : QVariant();
    case Qt::BackgroundRole: {
        if (row.isSame) return {};
        const ThemeColours& colours = themeColours(QApplication::palette());
        if (row.before >= 0 && row.after >= 0) return colours.changed;
        if (isAfter(index.column())) return row.after >= 0 ? QVariant(colours.added) : QVariant();
        return row.before >= 0 ? QVariant(colours.removed) : QVariant();
    }
    case Qt::AccessibleTextRole: {
        const QString text = line(row, index.column());
        return row.isSame || is_number ? text : tr("differs: %1").arg(text);
    }
    default: return {};
    }
}

} // namespace inspector
