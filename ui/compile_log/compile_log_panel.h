// What a log with several graphs holds: compiles, the graphs of each by stage, and what Inductor's own pass said.
//
//     ▾ compile 0/0
//         dynamo_output_graph
//         before_post_grad_graph        86 nodes
//       ▾ Inductor's own pass
//           auto_functionalized_v2      mylib::scale_: missed [0], 128 bytes
#pragma once

#include <functional>

#include <QTreeWidget>

#include "ui/document/document.h"

class QPushButton;

namespace inspector {

class CompileLogPanel : public QWidget {
    Q_OBJECT
public:
    explicit CompileLogPanel(Document* document, QWidget* parent = nullptr);
    /// Whether `program` has anything to browse: several graphs that no other holds.
    [[nodiscard]] static bool isWorthShowing(const Program& program);

Q_SIGNALS:
    /// The person wants two graphs, by their ids, side by side.
    void comparisonWanted(const QString& before, const QString& after);

private:
    void rebuild();
    void addGraph(QTreeWidgetItem* above, std::size_t graph);
    void addInductor(QTreeWidgetItem* above, const std::string& compileId);
    void showOurs();
    void open(const QTreeWidgetItem* item);
    void compareSelected();
    void showWhatCanBeCompared();

    Document* document_;
    QTreeWidget* tree_;
    QList<QTreeWidgetItem*> inductorRows_; ///< of operators
    QPushButton* compare_;
};

} // namespace inspector
