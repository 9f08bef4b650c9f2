// The symbols of a graph as a table: range, sample, where each comes from, who uses it.
#pragma once

#include <QAbstractTableModel>

#include "ui/symbols/symbol_survey.h"

namespace inspector {

class SymbolModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name_column,
        range_column,
        sample_column,
        divisor_column,
        origin_column,
        relations_column,
        uses_column,
        column_count
    };

    SymbolModel(const Document* document, const SymbolSurvey* survey, QObject* parent = nullptr);

    /// Everything is new.
    void refresh();
    /// nullptr where there is no such row.
    [[nodiscard]] const SymbolFacts* symbol(int row) const;
    /// -1 where there is none of that name.
    [[nodiscard]] int rowOf(const std::string& name) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Another range than the file's is asked for.
    [[nodiscard]] bool isAsked(const SymbolFacts& symbol) const;

private:
    [[nodiscard]] QString textOf(const SymbolFacts& symbol, int column) const;

    const Document* document_;
    const SymbolSurvey* survey_;
};

} // namespace inspector
