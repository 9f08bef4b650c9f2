// Which nodes a list shows, and in what order.
#pragma once

#include <optional>

#include <QSortFilterProxyModel>
#include <QStringList>

#include "ui/palette/verdict_style.h"

namespace inspector {

class NodeFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit NodeFilter(QObject* parent = nullptr);

    /// Words that must all occur in a node's name or operation, whatever their case. "name:", "op:", "verdict:", "check:"
    /// and "policy:" ("policy:unsound") before a word look there only.
    void setText(const QString& text);
    void setVerdict(std::optional<VerdictMark> mark); ///< nullopt: all
    void setCheck(std::optional<CheckId> check);      ///< nullopt: all; the two in-place variant checks are one
    void setDiffering(bool only); ///< only nodes on which another policy decides otherwise than sound
    /// Refusals that lose bytes before the rest, largest first; then program order.
    void setMissesFirst(bool first);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList words_;
    std::optional<VerdictMark> verdict_;
    std::optional<CheckId> check_;
    bool differing_ = false;
    bool missesFirst_ = false;
};

} // namespace inspector
