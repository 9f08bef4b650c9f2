// LibTorch, loaded when something is first asked of it. Most commands never do, and loading it takes longer than all else
// they do. Torch-free header.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/execution/equivalence.h"
#include "core/formats/atomic_file.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/reader.h"
#include "core/formats/torchscript/script_module.h"
#include "core/operators/composite_trace.h"
#include "core/operators/infer.h"

namespace inspector {

/// What the program asks of LibTorch. Each does what the function or class that calls it says.
struct LibTorch {
    // core/operators
    std::vector<Operator> (*dispatcher_overloads)(std::string_view qualified_name);
    Result<CompositeTrace> (*trace_composite)(const Operator& op, const std::vector<MetaValue>& args);
    std::unique_ptr<MetaExecutor::Backend> (*make_meta_backend)(StorageId& next);
    bool (*has_meta_kernel)(const Operator& op);
    bool (*has_own_meta_kernel)(const Operator& op);
    // core/execution
    Result<RunInputs> (*make_run_inputs)(const Program& program, std::size_t graph, const RunOptions& options);
    Result<Comparison> (*compare_by_running)(const Program& program, std::size_t index, const Graph& rewritten,
                                             const RunInputs& inputs, const RunOptions& options);
    Result<Comparison> (*compare_programs)(const Program& before, const Program& after, std::size_t index,
                                           const RunInputs& inputs, const RunOptions& options);
    // core/formats
    Result<void> (*import_code)(const pt2::Archive& archive, const ReadOptions& options, torchscript::ScriptModule& module);
    Result<void> (*write_archive)(const pt2::Archive& source, const std::map<std::string, std::string>& replaced,
                                  const PieceWriter& write);
};

/// The library that all sources which include torch are in, libreinplace_libtorch.so beside this one. The first call loads
/// it and LibTorch; both stay until the process ends. Thread-safe. Error: one of them cannot be loaded, in the loader's words.
[[nodiscard]] const Result<const LibTorch*>& libtorch();

/// What the entry gives: ask_libtorch(&LibTorch::trace_composite, op, args). Error: its own, or as of libtorch().
template <typename Value, typename... Parameters, typename... Arguments>
[[nodiscard]] Result<Value> ask_libtorch(Result<Value> (*LibTorch::*entry)(Parameters...), Arguments&&... arguments) {
    const auto& torch = libtorch();
    if (!torch) return tl::unexpected(torch.error());
    return ((*torch)->*entry)(std::forward<Arguments>(arguments)...);
}

} // namespace inspector
