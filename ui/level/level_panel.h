// Which IR the graph is in, what stands against the higher ones, and what its operators are.
#pragma once

#include <optional>

#include <QSet>
#include <QWidget>

#include "core/analysis/level.h"
#include "ui/document/document.h"

class QLabel;
class QLineEdit;
class QToolButton;
class QTreeView;

namespace inspector {

class EmptyState;
class LevelFilter;
class LevelModel;
class PageBrowser;

class LevelPanel : public QWidget {
    Q_OBJECT
public:
    explicit LevelPanel(Document* document, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeTree();
    void refresh();
    void showEmptyReason();
    void showSentence();
    void showPage();
    void showSelection();
    void choose(const QModelIndex& row);
    /// Shows the nested graph of a row's node, and the node in it.
    void openNested(const QModelIndex& row);
    void restoreExpanded(const QModelIndex& parent);
    [[nodiscard]] QModelIndex sourceRow() const;

    Document* document_;
    LevelModel* model_;
    LevelFilter* filter_;
    QLabel* sentence_;
    QLineEdit* text_;
    QToolButton* obstaclesOnly_;
    QTreeView* view_;
    EmptyState* empty_ = nullptr;
    PageBrowser* page_;
    Level asRead_ = Level::core_aten;
    std::optional<NestedLevel::Place> wanted_; ///< chosen once its graph is shown
    bool isOtherGraph_ = true;         ///< since the last refresh
    bool isStale_ = true;
    bool isChoosing_ = false;          ///< the view's selection follows the document's, not the other way round
    QSet<QString> collapsed_, expanded_; ///< keys of rows, by hand and by selection
};

} // namespace inspector
