// Finds the graphs in a text. What their kinds, titles and ids are: core/formats/reader.h.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/fx_text/graph_ids.h"
#include "core/formats/fx_text/log_records.h"
#include "core/formats/fx_text/logged_reinplace.h"
#include "core/formats/fx_text/record_graphs.h"
#include "core/formats/reader.h"
#include "core/formats/reader_notes.h"

namespace inspector {
namespace {

using namespace fx_text;

void append_tree(std::vector<ProgramGraph>& graphs, GraphTree tree) {
    const std::size_t first = graphs.size();
    for (ProgramGraph& graph : tree.graphs) {
        if (graph.parent) *graph.parent += first;
        graphs.push_back(std::move(graph));
    }
}

/// What is read takes many times the bytes of a line or an argument, so a text may have fewer of them than bytes.
Result<void> check_counts(std::string_view text, const ReadLimits& limits) {
    std::uint64_t lines = 0, values = 0;
    for (const char c : text) {
        lines += c == '\n';
        values += c == ',';
    }
    const auto refuse = [&](const char* what) {
        return fail({}, "the text has more than " + std::to_string(limits.text_items) + " " + what);
    };
    if (lines > limits.text_items) return refuse("lines");
    if (values > limits.text_items) return refuse("values");
    return {};
}

} // namespace

Result<Program> read_fx_text(std::string_view text, const ReadOptions& options) {
    if (text.size() > options.limits.text_bytes)
        return fail({}, "the text is longer than " + std::to_string(options.limits.text_bytes) + " bytes");
    if (const auto fits = check_counts(text, options.limits); !fits) return tl::unexpected(fits.error());
    Program program;
    program.format = "fx_text";
    std::vector<GraphTree> trees;
    std::optional<Error> first_error;
    std::size_t bytes_done = 0, graph_count = 0;
    for (const LogRecord& record : split_records(text)) {
        ReadOptions record_options = options;
        if (options.progress)
            record_options.progress = [&](int percent) {
                const std::size_t bytes =
                    bytes_done + record.source.text().size() / 100 * static_cast<std::size_t>(percent);
                options.progress(static_cast<int>(std::min<std::size_t>(bytes, text.size()) * 100 / text.size()));
            };
        auto read = read_record(record, graph_count, record_options);
        if (!read) return tl::unexpected(read.error());
        if (!first_error) first_error = read->first_error;
        if (program.torch_version.empty()) program.torch_version = read->torch_version;
        for (GraphTree& tree : read->trees) {
            graph_count += tree.graphs.size();
            trees.push_back(std::move(tree));
        }
        for (std::string& note : read->notes) add_note(program, std::move(note));
        if (record.is_logged) append_logged_reinplace(record, program);
        bytes_done += record.source.text().size();
    }
    const bool has_graph = !trees.empty();
    if (!has_graph && first_error) return tl::unexpected(*first_error);
    if (!has_graph && program.inductor.empty())
        return fail({}, "no FX graph found: the text has neither a \"def forward(…):\" nor a \"graph(…):\" line");
    std::ranges::stable_sort(trees, {}, &GraphTree::line);
    for (GraphTree& tree : trees) append_tree(program.graphs, std::move(tree));
    set_graph_ids(program.graphs);
    return program;
}

} // namespace inspector
