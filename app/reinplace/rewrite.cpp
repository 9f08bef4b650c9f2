// reinplace rewrite: the graph after the pass, in any format that can be written.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"
#include "app/reinplace/result_file.h"
#include "app/reinplace/session_options.h"
#include "core/formats/decisions/decision_records.h"
#include "core/formats/decisions/decisions_json.h"
#include "core/formats/pt2/writer.h"
#include "core/formats/report/report.h"
#include "core/formats/session_document/session_document.h"
#include "core/graph/utf8.h"
#include "core/passes/reinplace/saved_session.h"

namespace inspector {
namespace {

const std::string no_policy = "none"; ///< the graph as it was read

struct RewriteOptions {
    std::string file;
    std::string graph;
    std::string out;
    std::string format;
    bool with_record = false; ///< of the decisions, in a pt2's metadata
    SessionOptions session;
    InputTypes inputs;
};

bool is_report(std::string_view format) { return format == "html" || format == "markdown" || format == "sarif"; }

/// The document of somebody who has just made all decisions; sessions on other graphs are kept.
Result<std::string> document_text(const Program& program, std::size_t index, const ReinplaceSession& session) {
    SavedSession saved = save_session(session, index, no_node);
    set_origin(saved, program);
    if (const SavedSession* before = saved_on(program, index)) saved.file_ranges = before->file_ranges;
    std::vector<SavedSession> sessions{std::move(saved)};
    if (program.saved && program.saved->graph != index) sessions.push_back(*program.saved);
    for (const SavedSession& other : program.other_sessions)
        if (other.graph != index) sessions.push_back(other);
    return print_program_part(program).map(
        [&](const std::string& part) { return print_session_document(program, part, sessions); });
}

/// The text of every format but pt2.
Result<std::string> format_text(const std::string& format, const Program& program, std::size_t index,
                                const ReinplaceSession* session, Output& output) {
    const ProgramGraph& source = program.graphs[index];
    if (format == "session") return document_text(program, index, *session);
    if (format == "json") return decisions_json(program.path, source.id, *session) + '\n';
    if (is_report(format)) {
        const Report report = make_report(program.path, source, *session);
        return format == "html" ? print_html(report) : format == "markdown" ? print_markdown(report) : print_sarif(report);
    }
    if (!session) return graph_text(format, program, index, nullptr, output);
    Program rewritten = program;
    rewritten.graphs[index].graph = session->graph();
    return graph_text(format, rewritten, index, session, output);
}

Result<void> write_result(const std::string& format, const Program& program, std::size_t index,
                          const ReinplaceSession* session, const RewriteOptions& options, Output& output) {
    const ProgramGraph& source = program.graphs[index];
    if (format == "pt2") {
        const DecisionRecords records = options.with_record ? decision_records(*session) : DecisionRecords{};
        return write_pt2(program.archive->path, source, session ? session->graph() : source.graph, options.out, records);
    }
    auto text = format_text(format, program, index, session, output);
    if (!text) return tl::unexpected(std::move(text.error()));
    return write_text(std::move(*text), options.out, output);
}

void rewrite(const RewriteOptions& options, Output& output) {
    const auto refuse = [&](const std::string& reason, ExitStatus status) { output.problem(one_line(reason), status); };
    const auto chosen = result_format(options.format, options.out, options.file);
    if (!chosen) return refuse(chosen.error().message(), ExitStatus::bad_usage);
    const std::string& format = *chosen;
    const bool with_pass = options.session.policy != no_policy;
    if ((format == "json" || format == "session" || is_report(format)) && !with_pass)
        return refuse("policy none decides nothing to write as " + format, ExitStatus::bad_usage);
    if (const std::string choice = options.session.given_choice(); !with_pass && !choice.empty())
        return refuse("policy none decides nothing that " + choice + " could change", ExitStatus::bad_usage);

    if (options.with_record && format != "pt2")
        return refuse("--record is for the metadata of a .pt2; " + format + " has none", ExitStatus::bad_usage);
    if (options.with_record && !with_pass)
        return refuse("policy none decides nothing that --record could keep", ExitStatus::bad_usage);

    const auto opened = open_graph(options.file, options.graph, format, options.inputs, output);
    if (!opened) return;
    const auto& [program, index] = *opened;

    std::unique_ptr<ReinplaceSession> session;
    if (with_pass) {
        if (const auto fits = options.session.check_against(program, {index}); !fits)
            return refuse(fits.error().message(), ExitStatus::bad_usage);
        auto started = options.session.start(program, index);
        if (!started) return refuse(started.error().message(), ExitStatus::bad_usage);
        session = std::move(*started);
        session->run_to_end();
        options.session.tell_forced_in_vain(*session, output);
    }
    const auto written = write_result(format, program, index, session.get(), options, output);
    if (!written) refuse(written.error().message(), ExitStatus::failed);
}

} // namespace

void add_rewrite_command(CLI::App& app, Output& output) {
    CLI::App* command = app.add_subcommand("rewrite", "Writes the graph as the pass leaves it");
    auto options = std::make_shared<RewriteOptions>();
    command->add_option("FILE", options->file, "File to read; - is standard input")->required();
    command->add_option("-o,--output", options->out, "File to write; - is standard output")->type_name("OUT")->required();
    command->add_option("--format", options->format, "What to write; without it the ending of OUT says")
        ->check(CLI::IsMember({"pt2", "python", "fx", "json", "dot", "svg", "html", "markdown", "sarif", "session"}));
    command->add_option("--graph", options->graph, "This graph instead of the root (see list)")->type_name("ID");
    command->add_flag("--record", options->with_record, "Keep the decisions in the metadata \"custom\" of a pt2's nodes");
    options->session.add_to(*command, {no_policy});
    options->inputs.add_to(*command);
    command->callback([options, &output] { rewrite(*options, output); });
}

} // namespace inspector
