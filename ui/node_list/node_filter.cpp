#include "ui/node_list/node_filter.h"

#include "ui/node_list/node_list_model.h"

namespace inspector {
namespace {

/// Both ends of the last check are one to a person.
CheckId asked(CheckId check) { return check == CheckId::no_inplace_variant ? CheckId::inplace_variant : check; }

} // namespace

NodeFilter::NodeFilter(QObject* parent) : QSortFilterProxyModel(parent) { setSortRole(NodeListModel::sort_role); }

void NodeFilter::setText(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void NodeFilter::setVerdict(std::optional<VerdictMark> mark) {
    verdict_ = mark;
    invalidateFilter();
}

void NodeFilter::setCheck(std::optional<CheckId> check) {
    check_ = check;
    invalidateFilter();
}

void NodeFilter::setDiffering(bool only) {
    differing_ = only;
    invalidateFilter();
}

void NodeFilter::setMissesFirst(bool first) {
    if (std::exchange(missesFirst_, first) == first) return;
    invalidate();
    sort(NodeListModel::number_column, Qt::AscendingOrder);
}

bool NodeFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QAbstractItemModel& model = *sourceModel();
    const QModelIndex first = model.index(row, 0, parent);
    if (verdict_ && first.data(NodeListModel::verdict_role).toInt() != static_cast<int>(*verdict_)) return false;
    if (differing_ && first.data(NodeListModel::judgement_role).toInt() == static_cast<int>(Judgement::alike)) return false;
    if (check_) {
        const int check = first.data(NodeListModel::check_role).toInt();
        if (check < 0 || asked(static_cast<CheckId>(check)) != asked(*check_)) return false;
    }
    const auto contains = [&](int column, QStringView word) {
        return model.index(row, column, parent).data().toString().contains(word, Qt::CaseInsensitive);
    };
    for (const QString& word : words_) {
        const auto colon = word.indexOf(QLatin1Char(':'));
        const QStringView field = QStringView(word).left(std::max<qsizetype>(colon, 0));
        const QStringView value = QStringView(word).mid(colon + 1);
        bool found = false;
        if (field == u"name") found = contains(NodeListModel::node_column, value);
        else if (field == u"op") found = contains(NodeListModel::operation_column, value);
        else if (field == u"verdict") found = contains(NodeListModel::verdict_column, value);
        else if (field == u"policy") found = contains(NodeListModel::policies_column, value);
        else if (field == u"check") {
            // "later_use" is how scripts write it, "Later use" is what the column shows.
            found = contains(NodeListModel::check_column, value.toString().replace(QLatin1Char('_'), QLatin1Char(' ')));
        } else {
            found = contains(NodeListModel::node_column, word) || contains(NodeListModel::operation_column, word);
        }
        if (!found) return false;
    }
    return true;
}

bool NodeFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    if (!missesFirst_) return QSortFilterProxyModel::lessThan(left, right);
    const auto left_bytes = left.data(NodeListModel::missed_bytes_role).toLongLong();
    const auto right_bytes = right.data(NodeListModel::missed_bytes_role).toLongLong();
    return left_bytes != right_bytes ? left_bytes > right_bytes : left.row() < right.row();
}

} // namespace inspector
