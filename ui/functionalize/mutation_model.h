// The source graph's mutations in program order: which came back in place, which did not, and why.
#pragma once

#include <QAbstractTableModel>

#include "ui/functionalize/round_trip_session.h"

namespace inspector {

class MutationModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { number_column, mutation_column, outcome_column, why_column, column_count };

    explicit MutationModel(RoundTripSession* session, QObject* parent = nullptr);

    [[nodiscard]] NodeId node(int row) const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString outcome(std::size_t step) const;
    [[nodiscard]] QString why(std::size_t step) const;

    RoundTripSession* session_;
};

/// "5 mutations: 3 in place again, 1 copied back, 1 dead", or why there are none.
[[nodiscard]] QString roundTripSummary(const RoundTripSession& session);

} // namespace inspector
