#include "core/formats/fx_text/record_graphs.h"

#include <algorithm>

#include "core/formats/fx_text/exported_program_text.h"
#include "core/formats/fx_text/fx_listing.h"
#include "core/formats/fx_text/python_function.h"
#include "core/formats/fx_text/repro_inputs.h"
#include "core/graph/print.h"
#include "core/operators/operator_table.h"

namespace inspector::fx_text {
namespace {

constexpr std::size_t npos = std::string_view::npos;

/// " ===== Forward graph 0 =====" gives "Forward graph 0".
std::optional<std::string_view> header_title(std::string_view line) {
    constexpr std::string_view bar = "====";
    line = trimmed(line);
    if (!line.starts_with(bar) || !line.ends_with(bar)) return std::nullopt;
    const std::size_t begin = line.find_first_not_of("= ");
    if (begin == npos) return std::nullopt;
    return line.substr(begin, line.find_last_not_of("= ") - begin + 1);
}

struct ClassLine {
    std::string_view name;
    std::size_t indent = 0;
    bool is_top = false; ///< a log puts the code's file before the class of a graph that is not nested
};

/// "class GraphModule(torch.nn.Module):"
std::optional<ClassLine> class_line(std::string_view line) {
    constexpr std::string_view base = "(torch.nn.Module):";
    constexpr std::string_view keyword = "class ";
    const std::string_view text = trimmed(line);
    if (!text.ends_with(base)) return std::nullopt;
    const std::size_t begin = text.starts_with(keyword) ? 0 : text.rfind(" class ");
    if (begin == npos) return std::nullopt;
    const std::size_t name = begin + keyword.size() + (begin == 0 ? 0 : 1);
    return ClassLine{text.substr(name, text.size() - base.size() - name), indentation(line), begin != 0};
}

bool is_function_start(std::string_view line) { return trimmed(line).starts_with("def forward("); }

const Operator* find_operator(std::string_view target) { return OperatorTable::instance().find(target); }

class RecordReader {
public:
    RecordReader(const LogRecord& record, std::size_t graphs_before, const ReadOptions& options)
        : record_(record), source_(record.source), options_(options), is_log_(record.is_logged),
          graph_count_(graphs_before) {}

    /// In a log, a graph that cannot be read is left out and noted; anywhere else it is an error.
    Result<void> read() {
        for (line_ = 0; line_ < source_.lines().size();) {
            if (options_.cancelled && options_.cancelled->load(std::memory_order_relaxed))
                return fail({}, "reading was cancelled");
            if (auto done = read_line(source_.line_text(line_)); !done) {
                if (!is_log_) return done;
                if (!first_error_) first_error_ = done.error();
                notes_.push_back(done.error().message() + " (this graph is left out)");
                ++line_;
            }
            if (graph_count_ > options_.limits.graphs)
                return fail({}, "there are more than " + std::to_string(options_.limits.graphs) + " graphs");
        }
        return {};
    }

    RecordGraphs take() && {
        return {std::move(trees_), std::move(notes_), std::move(first_error_), std::move(torch_version_)};
    }

private:
    /// A graph that nested ones may follow.
    struct Open {
        std::size_t indent = 0;           ///< of its `def`: nested classes stand there, or deeper
        std::optional<std::size_t> graph; ///< in the current tree; none where it could not be read
    };

    Result<void> read_line(std::string_view line) {
        if (const auto title = header_title(line)) {
            title_ = *title;
            is_log_ = true;
        } else if (trimmed(line) == "ExportedProgram:") {
            is_exported_ = true;
        } else if (const auto found = class_line(line)) {
            class_ = *found;
        } else if (is_function_start(line)) {
            return read_function(line);
        } else if (is_fx_listing_start(line)) {
            return read_listing();
        } else if (is_exported_ && !trees_.empty() && is_signature_start(line)) {
            return read_signature();
        } else if (is_exported_ && !trees_.empty() && is_range_constraints(line)) {
            auto ranges = parse_range_constraints(source_, line_);
            if (!ranges) return tl::unexpected(ranges.error());
            trees_.back().graphs.front().ranges = std::move(*ranges);
        } else if (!trees_.empty() && is_repro_inputs_start(line)) {
            read_repro_inputs(source_, line_, options_.limits, trees_.back().graphs.front());
            return {};
        } else if (constexpr std::string_view mark = "# torch version: "; trimmed(line).starts_with(mark)) {
            torch_version_ = trimmed(line).substr(mark.size());
        }
        ++line_;
        return {};
    }

    Result<void> read_function(std::string_view line) {
        const ClassLine parent_class = class_.value_or(ClassLine{{}, 0, true});
        class_.reset();
        while (!open_.empty() && (parent_class.is_top || parent_class.indent < open_.back().indent)) open_.pop_back();
        const bool is_nested = !open_.empty();
        const std::size_t offset = source_.lines()[line_].offset + indentation(line);
        if (open_.size() >= options_.limits.depth)
            return tl::unexpected(source_.error(offset, "graphs are nested deeper than " +
                                                            std::to_string(options_.limits.depth) + " levels"));
        const std::optional<std::size_t> parent = is_nested ? open_.back().graph : std::nullopt;
        open_.push_back({indentation(line), std::nullopt});
        auto parsed = parse_python_function(source_, offset, options_);
        if (!parsed) return tl::unexpected(parsed.error());
        const std::size_t first = line_;
        line_ = source_.line_at(parsed->end) + 1;
        if (is_nested && !parent) return {}; // nested in a graph that is left out
        ProgramGraph graph;
        graph.kind = is_exported_ ? "exported_program" : parsed->is_annotated ? "print_readable" : "code";
        graph.title = parent_class.name.empty() ? "forward" : std::string(parent_class.name);
        if (is_nested) {
            graph.kind = "subgraph";
            graph.parent = parent;
            graph.attribute = parent_class.name;
        }
        add(std::move(*parsed), std::move(graph), first);
        return {};
    }

    Result<void> read_listing() {
        open_.clear();
        auto parsed = parse_fx_listing(source_, line_, options_, find_operator);
        if (!parsed) return tl::unexpected(parsed.error());
        const std::size_t first = line_;
        line_ = parsed->end >= source_.text().size() ? source_.lines().size() : source_.line_at(parsed->end);
        ProgramGraph graph;
        graph.kind = "fx_graph";
        graph.title = "graph";
        open_.push_back({npos, std::nullopt}); // nothing nests in a listing
        add(std::move(*parsed), std::move(graph), first);
        return {};
    }

    void add(ParsedGraph parsed, ProgramGraph graph, std::size_t first) {
        graph.graph = std::move(parsed.graph);
        graph.compile_id = record_.compile_id;
        if (!graph.parent) {
            if (!record_.artifact.empty()) graph.kind = record_.artifact;
            if (!title_.empty()) graph.title = std::exchange(title_, {});
            trees_.push_back({source_.lines()[first].number, {}});
        }
        open_.back().graph = trees_.back().graphs.size();
        trees_.back().graphs.push_back(std::move(graph));
        ++graph_count_;
        notes_.insert(notes_.end(), parsed.notes.begin(), parsed.notes.end());
    }

    Result<void> read_signature() {
        if (!trimmed(source_.line_text(line_)).ends_with(':')) { // ExportGraphSignature(input_specs=[…], …)
            notes_.push_back(source_.place(source_.lines()[line_].offset) +
                             ": the signature is written as releases before 2.5 did, and is left out");
            ++line_;
            return {};
        }
        auto signature = parse_signature(source_, line_);
        if (!signature) return tl::unexpected(signature.error());
        ProgramGraph& root = trees_.back().graphs.front();
        name_constant_outputs(*signature, root.graph);
        for (const InputSpec& input : signature->inputs)
            if (root.graph.find(input.placeholder) == no_node)
                notes_.push_back("the signature names an input \"" + input.placeholder +
                                 "\" that the graph does not have");
        root.signature = std::move(*signature);
        return {};
    }

    /// The text names no constant that is returned; the graph's output has it.
    static void name_constant_outputs(Signature& signature, const Graph& graph) {
        const NodeId output = graph.output();
        if (output == no_node || graph.node(output).args.empty()) return;
        const auto* returned = graph.node(output).args.front().as<ArgumentList>();
        if (!returned || returned->items.size() != signature.outputs.size()) return;
        for (std::size_t i = 0; i < signature.outputs.size(); ++i)
            if (signature.outputs[i].value.empty())
                signature.outputs[i].value = format_argument_fx(graph, returned->items[i]);
    }

    const LogRecord& record_;
    const SourceText& source_;
    const ReadOptions& options_;
    std::size_t line_ = 0;
    bool is_log_;
    std::size_t graph_count_; ///< of the whole text so far
    bool is_exported_ = false;
    std::string title_;
    std::string torch_version_;
    std::optional<ClassLine> class_;
    std::vector<Open> open_;
    std::vector<GraphTree> trees_;
    std::vector<std::string> notes_;
    std::optional<Error> first_error_;
};

} // namespace

Result<RecordGraphs> read_record(const LogRecord& record, std::size_t graphs_before, const ReadOptions& options) {
    RecordReader reader(record, graphs_before, options);
    if (auto done = reader.read(); !done) return tl::unexpected(done.error());
    return std::move(reader).take();
}

} // namespace inspector::fx_text
