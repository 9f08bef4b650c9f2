// Opening a file of any format this program reads. Recognised by content, not by name.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// Limits of every reader; beyond them a file is refused with a sentence that gives the limit.
struct ReadLimits {
    std::uint64_t text_bytes = 512ULL << 20;   ///< of a text, or of one JSON record
    std::uint32_t depth = 200;                 ///< nesting of arguments, JSON or graphs
    std::uint32_t nodes = 2'000'000;           ///< of one graph
    std::uint32_t text_items = 20'000'000;     ///< lines of an FX text, and as many values between commas
    std::uint32_t graphs = 100'000;            ///< of one trace log, or a folder of logs
};

struct ReadOptions {
    ReadLimits limits;
    std::function<void(int percent)> progress;      ///< may be empty
    const std::atomic<bool>* cancelled = nullptr;   ///< may be null; a set flag ends reading with an error
    /// Bytes of graphs' text in a trace log, or a folder of them: where there is more, graphs are listed and left unread.
    std::uint64_t read_at_once = std::numeric_limits<std::uint64_t>::max();
};

/// Nothing in the file is executed. Errors name file, place and reason. `path` "-" reads standard input; a
/// folder is read by read_log_folder.
[[nodiscard]] Result<Program> read_program(const std::string& path, const ReadOptions& options = {});

/// The same for the bytes of a text, of any format but .pt2; the program has no path.
[[nodiscard]] Result<Program> read_text(std::string bytes, const ReadOptions& options = {});

/// FX text in every variant, several graphs in one text included (formats/fx_text/): str(graph), gm.code,
/// print_readable, str(ep), fx_graph_runnable.py and what TORCH_LOGS writes, with its prefixes and colours. In a log,
/// a graph that cannot be read is left out and noted, as long as another one can be read; anywhere else it is an
/// error.
///
/// kind: the artifact a log line names ("post_grad_graphs"), else the variant: "fx_graph", "code", "print_readable",
/// "exported_program"; "subgraph" for a nested graph. title: a log's header line, else the class's name. id: "root"
/// where the text has one graph beside nested ones; of several, the title in lower case with underscores
/// ("forward_graph_0"), the second of that name ending in "_1"; a nested graph's is its attribute's name, behind its
/// parent's id and a dot unless that is "root".
[[nodiscard]] Result<Program> read_fx_text(std::string_view text, const ReadOptions& options = {});
/// A TORCH_TRACE log (formats/trace_log/). kind: the record's or artifact's name ("aot_forward_graph"). id: the compile
/// id and that name, "0/0/aot_forward_graph", the second of one name ending in "_1"; nested graphs as in other texts. A
/// graph that cannot be read is left out and noted, as is what else is damaged. Error: no graph can be read.
[[nodiscard]] Result<Program> read_trace_log(std::string_view bytes, const ReadOptions& options = {});
/// The logs in a folder and below (formats/log_folder/): TORCH_TRACE and TORCH_LOGS files, TORCH_COMPILE_DEBUG folders.
/// Links are not followed. Ids begin with the file's path in the folder, without what all have in common.
[[nodiscard]] Result<Program> read_log_folder(const std::string& path, const ReadOptions& options = {});

/// Our own document (formats/session_document/): graphs, and what was done with them in Program::saved. Errors name a
/// JSON pointer, or line and column of what is no JSON. The archive its tensors lie in is not looked for: find_archive().
[[nodiscard]] Result<Program> read_session_document(std::string_view text, const ReadOptions& options = {});

/// A program in which the graph at `index`, and those nested in it, are read, and no other that can be left unread; the
/// place of the graph in it. Error: the text cannot be read; file, line and reason.
struct ReadGraph {
    Program program;
    std::size_t index = 0;
};
[[nodiscard]] Result<ReadGraph> read_graph(const Program& program, std::size_t index, const ReadOptions& options = {});

/// TorchScript's graphs as they are printed (formats/torchscript/), calls inlined where the text has their code. kind:
/// "torchscript"; "subgraph" for the body of a loop or a branch. id: "root" where there is one graph, else "graph", "graph_1"…;
/// a block's is its attribute's name ("true_graph_0", "body_graph_0"), behind its parent's id and a dot unless that is "root".
[[nodiscard]] Result<Program> read_script_text(std::string_view text, const ReadOptions& options = {});

/// A .pt2 archive of torch.export.save (formats/pt2/).
[[nodiscard]] Result<Program> read_pt2(const std::string& path, const ReadOptions& options = {});

} // namespace inspector
