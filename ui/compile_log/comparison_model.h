// Two texts in rows that stand side by side.
//
//     12 │ mul = aten.mul.Tensor(add, 2)     │ 12 │ mul_ = aten.mul_.Tensor(add, 2)
#pragma once

#include <QAbstractTableModel>

#include "ui/compile_log/line_alignment.h"

namespace inspector {

class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { before_number, before_text, after_number, after_text, column_count };

    explicit ComparisonModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setTexts(const QString& before, const QString& after);
    [[nodiscard]] const std::vector<AlignedRow>& rows() const { return rows_; }
    /// Number of rows that differ.
    [[nodiscard]] int differences() const { return differences_; }
    /// First row of the next (`step` 1) or previous (-1) run of differing rows, going round from `row`; -1 for none.
    [[nodiscard]] int changeBeside(int row, int step) const;
    /// Length of the longest line of a side, in characters.
    [[nodiscard]] qsizetype longestLine(Column side) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] QString line(const AlignedRow& row, int column) const;

    QStringList before_;
    QStringList after_;
    std::vector<AlignedRow> rows_;
    int differences_ = 0;
};

} // namespace inspector
