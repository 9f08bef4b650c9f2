#include "ui/level/level_filter.h"

#include <algorithm>

#include "ui/level/level_model.h"

namespace inspector {

LevelFilter::LevelFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setRecursiveFilteringEnabled(true);
    setAutoAcceptChildRows(true);
}

void LevelFilter::setText(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void LevelFilter::setObstaclesOnly(bool on) {
    isObstaclesOnly_ = on;
    invalidateFilter();
}

bool LevelFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto& model = *static_cast<const LevelModel*>(sourceModel());
    const QModelIndex index = model.index(row, 0, parent);
    if (isObstaclesOnly_ && model.group(index) >= LevelModel::Group::nothing_against) return false;
    if (words_.isEmpty()) return true;
    const QString text = model.searchText(index);
    return !text.isEmpty() &&
           std::ranges::all_of(words_, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace inspector
