// The graph that was made, as code to read and copy, in which the lines of some nodes stand out.
#pragma once

#include <vector>

#include <QHash>
#include <QPlainTextEdit>

#include "core/graph/print.h"

namespace inspector {

class MadeCode : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit MadeCode(QWidget* parent = nullptr);

    void setLines(const std::vector<ReadableLine>& lines);
    /// Marks their lines, and brings the first into sight.
    void mark(const std::vector<NodeId>& nodes);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showMarks();

    QHash<uint, int> lineOf_; ///< by index of the node
    std::vector<int> marked_; ///< lines
};

} // namespace inspector
