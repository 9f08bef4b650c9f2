#include "core/formats/trace_log/logged_graphs.h"

#include <algorithm>
#include <optional>

#include "core/formats/fx_text/record_graphs.h"
#include "core/formats/reader_notes.h"
#include "core/formats/unique_ids.h"

namespace inspector {
namespace {

struct Tree {
    std::vector<ProgramGraph> graphs; ///< what was asked for, then nested ones; parents are indices here
    std::vector<std::string> notes;
};

fx_text::LogRecord record_of(const ProgramGraph& unread) {
    const LoggedText& text = *unread.text;
    fx_text::LogRecord record;
    record.artifact = unread.kind;
    record.compile_id = unread.compile_id;
    record.is_logged = true;
    record.source.reserve(text.text.size() + 1);
    std::string_view rest = text.text;
    for (std::uint32_t line = text.line;; ++line) {
        const std::size_t end = rest.find('\n');
        record.source.append_line(rest.substr(0, end), line, text.cut);
        if (end == std::string_view::npos) return record;
        rest.remove_prefix(end + 1);
    }
}

Error in_file(Error error, const ProgramGraph& graph) {
    if (!graph.text->file.empty()) error.place = graph.text->file + (error.place.empty() ? "" : ": " + error.place);
    return error;
}

Result<Tree> read_tree(const ProgramGraph& unread, const ReadOptions& options) {
    auto read = fx_text::read_record(record_of(unread), 0, options);
    if (!read) return tl::unexpected(in_file(read.error(), unread));
    if (read->trees.empty() && read->first_error) return tl::unexpected(in_file(*read->first_error, unread));
    if (read->trees.empty()) return tl::unexpected(in_file({{}, "line " + std::to_string(unread.text->line), "this holds no FX graph"}, unread));
    Tree tree;
    tree.notes = std::move(read->notes);
    UniqueIds ids;
    for (fx_text::GraphTree& found : read->trees) {
        const std::size_t first = tree.graphs.size();
        for (ProgramGraph& graph : found.graphs) {
            if (graph.parent) *graph.parent += first;
            graph.id = ids.unique(graph.parent ? tree.graphs[*graph.parent].id + "." + graph.attribute : unread.id);
            tree.graphs.push_back(std::move(graph));
        }
    }
    tree.graphs.front().text = unread.text;
    return tree;
}

void append(std::vector<ProgramGraph>& graphs, std::vector<ProgramGraph> tree) {
    const std::size_t first = graphs.size();
    for (ProgramGraph& graph : tree) {
        if (graph.parent) *graph.parent += first;
        graphs.push_back(std::move(graph));
    }
}

/// Without what can be read again.
ProgramGraph unread(const ProgramGraph& graph) {
    ProgramGraph made;
    made.id = graph.id;
    made.kind = made.title = graph.kind;
    made.compile_id = graph.compile_id;
    made.text = graph.text;
    made.is_read = false;
    return made;
}

} // namespace

namespace trace_log {

Result<void> read_graphs(Program& program, const ReadOptions& options) {
    std::uint64_t bytes = 0;
    for (const ProgramGraph& graph : program.graphs)
        if (!graph.is_read) bytes += graph.text->text.size();
    if (bytes > options.read_at_once) return {};
    std::vector<ProgramGraph> graphs;
    std::optional<Error> first_error;
    std::size_t bytes_done = 0;
    std::vector<std::size_t> place(program.graphs.size()); // of a graph that stays, in the new list
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        ProgramGraph& graph = program.graphs[i];
        if (options.cancelled && options.cancelled->load(std::memory_order_relaxed)) return fail({}, "reading was cancelled");
        if (graph.is_read) {
            place[i] = graphs.size();
            if (graph.parent) graph.parent = place[*graph.parent];
            graphs.push_back(std::move(graph));
            continue;
        }
        bytes_done += graph.text->text.size();
        ReadOptions quiet = options;
        quiet.progress = {};
        auto tree = read_tree(graph, quiet);
        if (options.progress) options.progress(static_cast<int>(bytes_done * 100 / std::max<std::uint64_t>(bytes, 1)));
        if (!tree) {
            if (!first_error) first_error = tree.error();
            add_note(program, tree.error().message() + " (" + graph.id + " is left out)");
            continue;
        }
        for (std::string& note : tree->notes) add_note(program, in_file({{}, {}, std::move(note)}, graph).message());
        append(graphs, std::move(tree->graphs));
    }
    if (graphs.empty() && first_error) return tl::unexpected(*first_error);
    program.graphs = std::move(graphs);
    return {};
}

} // namespace trace_log

Result<ReadGraph> read_graph(const Program& program, std::size_t index, const ReadOptions& options) {
    ReadGraph made;
    if (program.graphs[index].is_read) {
        made = {program, index};
        return made;
    }
    auto tree = read_tree(program.graphs[index], options);
    if (!tree) {
        Error error = tree.error();
        error.file = program.path;
        return tl::unexpected(std::move(error));
    }
    std::vector<std::optional<std::size_t>> place(program.graphs.size()); // of a graph that stays read, in the new list
    made.program.path = program.path;
    made.program.format = program.format;
    made.program.torch_version = program.torch_version;
    made.program.inductor = program.inductor;
    made.program.notes = program.notes;
    for (std::size_t i = 0; i < program.graphs.size(); ++i) {
        const ProgramGraph& graph = program.graphs[i];
        if (i == index) {
            made.index = made.program.graphs.size();
            append(made.program.graphs, std::move(tree->graphs));
        } else if (graph.text) {
            made.program.graphs.push_back(unread(graph));
        } else if (!graph.parent || place[*graph.parent]) {
            place[i] = made.program.graphs.size();
            made.program.graphs.push_back(graph);
            if (graph.parent) made.program.graphs.back().parent = place[*graph.parent];
        }
    }
    for (std::string& note : tree->notes) add_note(made.program, std::move(note));
    return made;
}

} // namespace inspector
