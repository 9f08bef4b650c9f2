// "And if" of one symbol: a line to write its range in, which refuses what is no range with a sentence.
#pragma once

#include <optional>

#include <QWidget>

#include "core/analysis/symbols.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace inspector {

class RangeEditor : public QWidget {
    Q_OBJECT
public:
    explicit RangeEditor(QWidget* parent = nullptr);

    /// `isAsked`: its range is another than the file's. What somebody is writing stays while the symbol is the same.
    void setSymbol(const SymbolFacts& symbol, bool isAsked);

Q_SIGNALS:
    void asked(const inspector::SymbolRange& range);
    void forgotten(const std::string& symbol); ///< the file's range is wanted again

private:
    void ask();
    void refuse(const QString& sentence);

    QLabel* name_;
    QLineEdit* text_;
    QToolButton* ask_;
    QToolButton* forget_;
    QLabel* refusal_;
    std::optional<SymbolFacts> symbol_;
};

} // namespace inspector
