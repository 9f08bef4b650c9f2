#include "ui/code/code_rows.h"

#include <algorithm>

namespace inspector {
namespace {

/// Lines [begin, end) that belong to one node: what stands between the node before and it, then its own.
struct Chunk {
    int begin = 0;
    int end = 0;
};

/// Gives each node's lines in turn; asked for nodes in the order of the text.
class Chunks {
public:
    explicit Chunks(const std::vector<ReadableLine>& lines) : lines_(lines) {}

    [[nodiscard]] Chunk take(NodeId node) {
        // Nodes that do not stand in the text (placeholders are in its "def" line) have no lines.
        int end = next_;
        while (end < size() && line(end).node == no_node) ++end;
        if (end >= size() || line(end).node != node) return {next_, next_};
        while (end < size() && line(end).node == node) ++end;
        return {std::exchange(next_, end), end};
    }
    [[nodiscard]] Chunk rest() { return {std::exchange(next_, size()), size()}; }

private:
    [[nodiscard]] int size() const { return static_cast<int>(lines_.size()); }
    [[nodiscard]] const ReadableLine& line(int i) const { return lines_[static_cast<std::size_t>(i)]; }

    const std::vector<ReadableLine>& lines_;
    int next_ = 0;
};

bool isDefinition(const ReadableLine& line) {
    return line.node == no_node && line.text.find("def forward(") != std::string::npos;
}

} // namespace

CodeRows CodeRows::run(const Document& document, bool strides) {
    CodeRows result;
    if (document.isEmpty()) return result;
    const ReinplaceSession& session = *document.session();
    const ReadableOptions options{.class_name = "GraphModule", .strides = strides, .device = false};
    result.before_ = print_readable_lines(session.original(), options);
    result.after_ = print_readable_lines(session.graph(), options);
    for (const auto* lines : {&result.before_, &result.after_})
        for (const ReadableLine& line : *lines)
            if (!isDefinition(line)) result.width_ = std::max(result.width_, line.text.size());

    Chunks before(result.before_);
    Chunks after(result.after_);
    const auto add_chunks = [&result](Chunk left, Chunk right) {
        // The node's own line comes last in its chunk: filler goes on top.
        const int height = std::max(left.end - left.begin, right.end - right.begin);
        for (int i = height; i > 0; --i) {
            CodeRow row;
            if (left.end - i >= left.begin) row.before = left.end - i;
            if (right.end - i >= right.begin) row.after = right.end - i;
            result.add(row);
        }
    };
    for (const NodeId node : document.nodes()) {
        const bool is_before = session.original().contains(node);
        const bool is_after = session.graph().contains(node);
        add_chunks(is_before ? before.take(node) : Chunk{}, is_after ? after.take(node) : Chunk{});
    }
    add_chunks(before.rest(), after.rest());

    const auto definition = std::ranges::find_if(result.rows_, [&result](const CodeRow& row) {
        return row.before >= 0 && isDefinition(result.before_[static_cast<std::size_t>(row.before)]);
    });
    if (definition != result.rows_.end())
        for (const NodeId input : session.original().placeholders())
            result.place(input, static_cast<int>(definition - result.rows_.begin()));
    return result;
}

void CodeRows::place(NodeId node, int row) {
    if (index_of(node) >= rowOfNode_.size()) rowOfNode_.resize(index_of(node) + 1, -1);
    rowOfNode_[index_of(node)] = row;
}

void CodeRows::add(CodeRow row) {
    const ReadableLine* left = row.before < 0 ? nullptr : &before_[static_cast<std::size_t>(row.before)];
    const ReadableLine* right = row.after < 0 ? nullptr : &after_[static_cast<std::size_t>(row.after)];
    if (left) row.node = left->node;
    if (right && right->node != no_node) row.node = right->node;
    if (!left) row.change = CodeRow::Change::added;
    else if (!right) row.change = CodeRow::Change::removed;
    else if (left->text != right->text) row.change = CodeRow::Change::changed;
    // Comments and blank lines come and go with nodes; a change is a node's line.
    if (row.node != no_node) {
        if (row.change != CodeRow::Change::same) ++changes_;
        place(row.node, static_cast<int>(rows_.size()));
    }
    rows_.push_back(row);
}

QString CodeRows::text(const std::vector<ReadableLine>& lines, int line) {
    return line < 0 ? QString() : QString::fromStdString(lines[static_cast<std::size_t>(line)].text);
}

int CodeRows::rowOf(NodeId node) const { return index_of(node) < rowOfNode_.size() ? rowOfNode_[index_of(node)] : -1; }

int CodeRows::nextChange(int row) const {
    for (int i = row + 1; i < static_cast<int>(rows_.size()); ++i) {
        const CodeRow& candidate = rows_[static_cast<std::size_t>(i)];
        if (candidate.node != no_node && candidate.change != CodeRow::Change::same) return i;
    }
    return -1;
}

int CodeRows::previousChange(int row) const {
    for (int i = std::min(row, static_cast<int>(rows_.size())) - 1; i >= 0; --i) {
        const CodeRow& candidate = rows_[static_cast<std::size_t>(i)];
        if (candidate.node != no_node && candidate.change != CodeRow::Change::same) return i;
    }
    return -1;
}

} // namespace inspector
