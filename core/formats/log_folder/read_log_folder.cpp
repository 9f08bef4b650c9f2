// A folder of logs as one program. What their graphs' ids are: core/formats/reader.h.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/formats/file_bytes.h"
#include "core/formats/fx_text/log_records.h"
#include "core/formats/reader.h"
#include "core/formats/reader_notes.h"
#include "core/formats/trace_log/logged_graphs.h"
#include "core/formats/trace_log/trace_records.h"
#include "core/formats/unique_ids.h"

namespace inspector {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000;
constexpr int most_levels = 32;

/// Regular files, in the order of their names; links are not followed, so that a log leads nowhere else.
Result<std::vector<fs::path>> files_below(const fs::path& folder, Program& program) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        std::error_code unknown;
        const fs::file_status status = it->symlink_status(unknown);
        if (fs::is_directory(status) && it.depth() + 1 >= most_levels) {
            it.disable_recursion_pending();
            add_note(program, fs::relative(it->path(), folder, unknown).generic_string() + ": deeper than " +
                                  std::to_string(most_levels) + " folders; it is passed over");
        }
        if (!fs::is_regular_file(status)) continue;
        if (files.size() == most_files)
            return fail({}, "the folder holds more than " + std::to_string(most_files) + " files");
        files.push_back(it->path());
    }
    if (error) return fail({}, "the folder cannot be read: " + error.message());
    std::ranges::sort(files);
    return files;
}

/// What a log's name says: without "dedicated_log_torch_trace_" and its ending.
std::string short_name(const fs::path& name) {
    constexpr std::string_view decoration = "dedicated_log_torch_trace_";
    std::string text = name.filename().string();
    if (text.starts_with(decoration)) text.erase(0, decoration.size());
    for (const std::string_view ending : {".log", ".py", ".txt"})
        if (text.ends_with(ending) && text.size() > ending.size()) {
            text.resize(text.size() - ending.size());
            break;
        }
    return (name.parent_path() / text).generic_string();
}

/// The folders that all of `names` begin with, with the slash behind them.
std::string common_folders(const std::vector<std::string>& names) {
    std::string common = names.front().substr(0, names.front().rfind('/') + 1);
    for (const std::string& name : names)
        while (!name.starts_with(common)) common.resize(common.size() < 2 ? 0 : common.rfind('/', common.size() - 2) + 1);
    return common;
}

struct Log {
    std::string path; ///< in the folder
    Program program;
};

/// TORCH_COMPILE_DEBUG names a graph by its file.
bool is_debug_file(const fs::path& name) { return name.filename().string().starts_with("fx_graph_") && name.extension() == ".py"; }

void merge(Program& program, Log log, const std::string& prefix, UniqueIds& ids) {
    const std::size_t first = program.graphs.size();
    const auto in_log = [&prefix](const std::string& id) {
        if (prefix.empty()) return id;
        if (id == "root") return prefix;
        return prefix + "/" + id;
    };
    for (ProgramGraph& graph : log.program.graphs) {
        graph.id = ids.unique(in_log(graph.id));
        if (graph.parent) *graph.parent += first;
        else if (is_debug_file(log.path)) graph.kind = fs::path(log.path).stem().string();
        if (graph.text) {
            LoggedText text = *graph.text;
            text.file = log.path;
            graph.text = std::make_shared<const LoggedText>(std::move(text));
        }
        program.graphs.push_back(std::move(graph));
    }
    if (program.torch_version.empty()) program.torch_version = log.program.torch_version;
    auto& inductor = log.program.inductor;
    std::ranges::move(inductor.ops, std::back_inserter(program.inductor.ops));
    std::ranges::move(inductor.counters, std::back_inserter(program.inductor.counters));
    for (const std::string& note : log.program.notes) add_note(program, log.path + ": " + note);
}

/// What one file of the folder is.
struct Candidate {
    enum class Kind { log, archive, other };
    Kind kind = Kind::other;
    std::string bytes;
};

Result<Candidate> look_at(const fs::path& file, std::uint64_t limit) {
    const auto is_text = begins_as_text(file.string());
    if (!is_text) return tl::unexpected(is_text.error());
    if (!*is_text) return Candidate{};
    auto bytes = read_file_bytes(file.string(), limit);
    if (!bytes) return tl::unexpected(bytes.error());
    if (is_zip_start(*bytes)) return Candidate{Candidate::Kind::archive, {}};
    if (!trace_log::is_trace_log(*bytes) && !fx_text::may_hold_graphs(*bytes)) return Candidate{};
    return Candidate{Candidate::Kind::log, std::move(*bytes)};
}

/// "a.pt2, b.pt2 and 7 more".
std::string listed(const std::vector<std::string>& names) {
    std::string text = names.front();
    for (std::size_t i = 1; i < std::min<std::size_t>(names.size(), 3); ++i) text += ", " + names[i];
    if (names.size() > 3) text += " and " + std::to_string(names.size() - 3) + " more";
    return text;
}

} // namespace

Result<Program> read_log_folder(const std::string& path, const ReadOptions& options) {
    Program program;
    program.format = "log_folder";
    const fs::path folder(path);
    const auto files = files_below(folder, program);
    if (!files) return tl::unexpected(files.error());

    ReadOptions each = options;
    each.read_at_once = 0; // the graphs of all logs are read at the end, or none
    each.progress = {};
    std::vector<Log> logs;
    std::size_t graphs = 0;
    std::vector<std::string> archives;
    std::optional<std::string> first_problem;
    for (std::size_t i = 0; i < files->size(); ++i) {
        if (options.cancelled && options.cancelled->load(std::memory_order_relaxed)) return fail({}, "reading was cancelled");
        if (options.progress) options.progress(static_cast<int>(i * 50 / files->size()));
        const std::string name = (*files)[i].lexically_relative(folder).generic_string();
        auto candidate = look_at((*files)[i], each.limits.text_bytes);
        if (candidate && candidate->kind == Candidate::Kind::other) continue;
        if (candidate && candidate->kind == Candidate::Kind::archive) {
            archives.push_back(name);
            continue;
        }
        auto read = candidate ? read_text(std::move(candidate->bytes), each) : tl::unexpected(candidate.error());
        if (!read) {
            Error error = read.error();
            error.file = name;
            if (!first_problem) first_problem = error.message();
            add_note(program, error.message());
            continue;
        }
        for (const ProgramGraph& graph : read->graphs)
            if (graph.text) each.limits.text_bytes -= std::min<std::uint64_t>(each.limits.text_bytes, graph.text->text.size());
        graphs += read->graphs.size();
        if (graphs > options.limits.graphs)
            return fail({}, "the folder's logs hold more than " + std::to_string(options.limits.graphs) + " graphs");
        logs.push_back({name, std::move(*read)});
    }
    if (!archives.empty()) add_note(program, "archives are opened one by one, not with their folder: " + listed(archives));
    if (logs.empty()) {
        const std::string reason = first_problem ? *first_problem : archives.empty() ? "" : program.notes.back();
        return fail({}, "the folder holds no log with a graph" + (reason.empty() ? "" : "; " + reason));
    }

    std::vector<std::string> names;
    for (const Log& log : logs) names.push_back(short_name(log.path));
    const std::size_t common = logs.size() == 1 ? std::string::npos : common_folders(names).size();
    UniqueIds ids;
    for (std::size_t i = 0; i < logs.size(); ++i)
        merge(program, std::move(logs[i]), common == std::string::npos ? "" : names[i].substr(common), ids);
    ReadOptions rest = options;
    if (options.progress) rest.progress = [&](int percent) { options.progress(50 + percent / 2); };
    if (auto done = trace_log::read_graphs(program, rest); !done) return tl::unexpected(done.error());
    return program;
}

} // namespace inspector
