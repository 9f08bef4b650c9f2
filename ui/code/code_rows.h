// The graph's text before and after, line beside line: a node stands in the same row on both sides.
#pragma once

#include <QString>

#include "core/graph/print.h"
#include "ui/document/document.h"

namespace inspector {

struct CodeRow {
    enum class Change { same, changed, added, removed };
    int before = -1;           ///< line of the text before; -1: filler
    int after = -1;            ///< line of the text after; -1: filler
    NodeId node = no_node;     ///< no_node: a comment, a blank line
    Change change = Change::same;
};

class CodeRows {
public:
    CodeRows() = default;
    /// Prints the graph as read and as rewritten so far. Linear in their text.
    [[nodiscard]] static CodeRows run(const Document& document, bool strides);

    [[nodiscard]] const std::vector<CodeRow>& rows() const { return rows_; }
    [[nodiscard]] QString textBefore(const CodeRow& row) const { return text(before_, row.before); }
    [[nodiscard]] QString textAfter(const CodeRow& row) const { return text(after_, row.after); }
    /// Its last row; a placeholder's is that of "def forward(". -1 where it has none.
    [[nodiscard]] int rowOf(NodeId node) const;
    /// The next row after `row` that differs, or the one before it; -1 where there is none.
    [[nodiscard]] int nextChange(int row) const;
    [[nodiscard]] int previousChange(int row) const;
    [[nodiscard]] std::size_t changes() const { return changes_; }
    /// Characters of the longest line, "def forward(" with its thousands of inputs apart.
    [[nodiscard]] std::size_t width() const { return width_; }

private:
    static QString text(const std::vector<ReadableLine>& lines, int line);
    void add(CodeRow row);
    void place(NodeId node, int row);

    std::vector<ReadableLine> before_;
    std::vector<ReadableLine> after_;
    std::vector<CodeRow> rows_;
    std::vector<int> rowOfNode_; ///< by node index; -1 for none
    std::size_t changes_ = 0;
    std::size_t width_ = 0;
};

} // namespace inspector
