// What one file holds: graphs, and for an ExportedProgram its signature, constants and ranges.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/inductor_log.h"
#include "core/graph/saved_session.h"

namespace inspector {

struct InputSpec {
    enum class Kind : std::uint8_t { user_input, parameter, buffer, tensor_constant, custom_object, constant, token };
    Kind kind = Kind::user_input;
    std::string placeholder;            ///< node's name
    std::string target;                 ///< fully qualified name of the parameter, buffer or constant
    std::optional<bool> persistent;     ///< buffers
    std::string record{};               ///< StoredTensor::record of the target: inputs of one record share a storage
};

struct OutputSpec {
    enum class Kind : std::uint8_t {
        user_output, buffer_mutation, user_input_mutation, parameter_mutation,
        gradient_to_parameter, gradient_to_user_input, loss_output, token,
    };
    Kind kind = Kind::user_output;
    std::string value;                  ///< node's name, or a constant's text
    std::string target;                 ///< what is mutated, or whose gradient it is
};

struct Signature {
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
};

/// A weight or constant of a .pt2: a view (see meta) of the archive's record. Two with the same record share storage.
struct StoredTensor {
    std::string name;    ///< fully qualified
    std::string record;  ///< entry in the archive, without its root folder
    bool is_parameter = false;
    bool is_pickled = false; ///< never unpickled by this program
    TensorMeta meta;
};

struct ModuleCall { std::string module; std::vector<std::string> inputs; std::vector<std::string> outputs; };

/// One message of a log that holds a graph: its text without the logger's prefixes.
struct LoggedText {
    std::string text;
    std::string file;        ///< in a folder: the log's path there; else empty
    std::uint32_t line = 1;  ///< of the first line in that file
    std::uint32_t cut = 0;   ///< characters of each line of the file that are not in `text`
};

/// One graph of a file. `id` is unique in the file and is what `--graph` takes.
struct ProgramGraph {
    std::string id;          ///< "root", "true_graph_0", "forward"…
    /// The record's name in a log, else the format ("pt2", "fx_graph", "print_readable", "code"); "subgraph".
    std::string kind;
    std::string compile_id;  ///< logs only
    std::string title;       ///< class name or header line of a text
    std::optional<std::size_t> parent; ///< index of the graph that holds this one, for nested graphs
    std::string attribute;   ///< nested: the get_attr target in the parent that names this graph
    Graph graph;
    std::optional<Signature> signature;
    std::vector<SymbolRange> ranges;
    std::map<std::string, std::int64_t> hints;  ///< sample value of each symbol, where the file gives one
    std::vector<ModuleCall> module_calls;
    /// Of a compile log's graphs that are not nested: what the graph is read from.
    std::shared_ptr<const LoggedText> text;
    bool is_read = true;     ///< false: `graph` is empty until read_graph() of core/formats/reader.h
};

/// The .pt2 in which the tensors' records and the sample inputs lie.
struct TensorArchive {
    std::string path;
    std::uint64_t bytes = 0;
    std::string checksum;    ///< pt2::Archive::checksum(): of all records
    bool is_at_hand = true;  ///< false: a document refers to it, and no such file is there
};

struct Program {
    std::string path;                     ///< as it was given
    std::string format;                   ///< "pt2", "fx_text", "trace_log", "log_folder", "session_document"
    std::string torch_version;            ///< empty where the file does not say
    std::vector<std::string> verifiers;   ///< .pt2: "TRAINING", "ATEN"
    std::vector<ProgramGraph> graphs;     ///< a parent stands before its nested graphs
    std::vector<StoredTensor> tensors;    ///< weights, then constants
    std::optional<TensorArchive> archive; ///< of a .pt2, and of a document made from one
    InductorLog inductor;                 ///< logs only
    std::optional<SavedSession> saved;    ///< session documents only: of the graph that was shown
    std::vector<SavedSession> other_sessions; ///< the same, of other graphs; no two of one graph
    std::vector<std::string> notes;       ///< what the reader noticed and a person should know
};

/// `graph` and those nested in it at any depth, as indices of program.graphs in their order.
[[nodiscard]] std::vector<std::size_t> graphs_within(const Program& program, std::size_t graph);
/// What a session document keeps of graphs[graph]; nullptr for nothing.
[[nodiscard]] const SavedSession* saved_on(const Program& program, std::size_t graph);
/// Where the program came from: what a session document it was read from says, or else its own path and format.
void set_origin(SavedSession& saved, const Program& program);
/// The file in which the program's tensors lie: its archive, or else what it was read from.
[[nodiscard]] const std::string& weights_path(const Program& program);

} // namespace inspector
