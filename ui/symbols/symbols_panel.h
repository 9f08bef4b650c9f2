// The symbols of the graph: ranges, origins, relations, uses; and what would be decided if the ranges were others.
#pragma once

#include <QWidget>

#include "ui/document/document.h"

class QAction;
class QLabel;
class QStackedWidget;
class QTreeView;

namespace inspector {

class PageBrowser;
class RangeEditor;
class SymbolModel;
class SymbolSurvey;

class SymbolsPanel : public QWidget {
    Q_OBJECT
public:
    /// `reset` takes the file's ranges again; it must outlive the panel.
    SymbolsPanel(Document* document, QAction* reset, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeTable();
    void showSurvey();
    void showSentence();
    void showSymbol();
    void highlightUses();

    Document* document_;
    SymbolSurvey* survey_;
    SymbolModel* model_;
    QStackedWidget* pages_;
    QLabel* empty_;
    QLabel* sentence_;
    QTreeView* view_;
    RangeEditor* editor_;
    PageBrowser* page_;
    std::string chosen_;       ///< the symbol's name; stays over other ranges
    bool isChoosing_ = false;  ///< the row follows `chosen_`, not the other way round
};

} // namespace inspector
