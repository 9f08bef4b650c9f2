// reinplace symbols: what is known of symbolic sizes; which sizes vary between exports of one program.

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/graph_choice.h"
#include "app/reinplace/open_program.h"
#include "app/reinplace/symbols_text.h"
#include "core/analysis/symbols.h"
#include "core/formats/symbols/symbols_json.h"
#include "core/passes/reinplace/range_effect.h"
#include "core/passes/reinplace/saved_session.h"

namespace inspector {
namespace {

struct SymbolsOptions {
    std::vector<std::string> files;
    std::string graph;
    std::vector<std::string> ranges;
    bool json = false;
};

bool is_asked(const std::string& symbol, const std::vector<SymbolRange>& asked) {
    return std::ranges::find(asked, symbol, &SymbolRange::symbol) != asked.end();
}

/// Why the graphs do not take the ranges; empty where they do.
std::string why_not_ranges(const Program& program, const std::vector<std::size_t>& graphs,
                           const std::vector<SymbolRange>& asked) {
    if (asked.empty()) return {};
    std::set<std::string> known;
    for (const std::size_t graph : graphs)
        for (const SymbolFacts& symbol : symbol_table(program.graphs[graph])) {
            known.insert(symbol.name);
            const auto range = std::ranges::find(asked, symbol.name, &SymbolRange::symbol);
            if (range == asked.end()) continue;
            if (std::string why = why_not_range(symbol, *range); !why.empty())
                return "--range " + symbol.name + "=" + range_words(range->minimum, range->maximum) + ": " + why;
        }
    for (const SymbolRange& range : asked)
        if (!known.contains(range.symbol)) return "there is no symbol " + range.symbol;
    return {};
}

void show_graph(const Program& program, const ProgramGraph& graph, const std::vector<SymbolRange>& asked,
                const SymbolsOptions& options, Output& output) {
    if (options.json) output.line(symbols_json(program.path, graph, asked));
    else output.text(symbols_text(program.path, graph, asked));
}

void show_symbols(const Program& program, const SymbolsOptions& options, const std::vector<SymbolRange>& asked,
                  Output& output) {
    const auto graphs = choose_graphs(program, options.graph);
    if (!graphs)
        return output.file_problem(program.path, graphs.error().message(), ExitStatus::bad_usage, options.json);
    if (const std::string why = why_not_ranges(program, *graphs, asked); !why.empty())
        return output.file_problem(program.path, program.path + ": " + why, ExitStatus::bad_usage, options.json);
    for (const std::size_t index : *graphs) {
        const SavedSession* saved = saved_on(program, index);
        if (!saved || !saved->file_ranges) {
            show_graph(program, program.graphs[index], asked, options, output);
            continue;
        }
        ProgramGraph graph = program.graphs[index];
        std::vector<SymbolRange> ranges = asked;
        for (const SymbolRange& range : asked_ranges(graph, *saved))
            if (!is_asked(range.symbol, asked)) ranges.push_back(range);
        take_file_ranges(graph, *saved);
        show_graph(program, graph, ranges, options, output);
    }
}

void compare_files(const std::vector<Program>& programs, const SymbolsOptions& options, Output& output) {
    std::vector<const ProgramGraph*> graphs;
    std::vector<std::string> ids;
    for (const Program& program : programs) {
        const auto graph = choose_graph(program, options.graph);
        if (!graph)
            return output.file_problem(program.path, graph.error().message(), ExitStatus::bad_usage, options.json);
        graphs.push_back(&program.graphs[*graph]);
        ids.push_back(graphs.back()->id);
    }
    const SizeVariation variation = compare_sizes(graphs);
    if (options.json) output.line(variation_json(options.files, ids, variation));
    else output.text(variation_text(options.files, variation));
}

void symbols(const SymbolsOptions& options, Output& output) {
    std::vector<SymbolRange> asked;
    for (const std::string& text : options.ranges) {
        auto range = parse_range(text);
        if (!range) return output.problem(range.error().message(), ExitStatus::bad_usage);
        if (is_asked(range->symbol, asked))
            return output.problem("--range gives " + range->symbol + " twice", ExitStatus::bad_usage);
        asked.push_back(std::move(*range));
    }
    if (options.files.size() > 1 && !asked.empty())
        return output.problem("--range is a question about one file", ExitStatus::bad_usage);
    std::vector<Program> programs;
    for (const std::string& file : options.files) {
        auto program = open_program(file, options.graph, options.json, output);
        if (!program) continue;
        programs.push_back(std::move(*program));
    }
    if (programs.size() < options.files.size()) return; // told, of every file
    if (programs.size() == 1) show_symbols(programs.front(), options, asked, output);
    else compare_files(programs, options, output);
    output.flush();
}

} // namespace

void add_symbols_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("symbols", "Says of every symbolic size its range, relations, origin and "
                                                      "uses; of several files, which sizes vary and how");
    auto options = std::make_shared<SymbolsOptions>();
    command
        ->add_option("FILE", options->files,
                     "File to read, or exports of one program at different sizes; - is standard input")
        ->required();
    command->add_option("--graph", options->graph, "This graph only (see list)")->type_name("ID");
    command
        ->add_option("--range", options->ranges,
                     "And if the symbol were in this range, which decisions of sound change")
        ->type_name("NAME=LOW..HIGH")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "One JSON object per graph and line");
    command->callback([options, &output] { symbols(*options, output); });
}

} // namespace inspector
