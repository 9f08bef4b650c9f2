// What the sources of this folder give the rest of the program, through the table of library.h. Torch-free header.
#pragma once

#include "core/libtorch/library.h"

namespace inspector::entries {

[[nodiscard]] std::vector<Operator> dispatcher_overloads(std::string_view qualified_name);
[[nodiscard]] Result<CompositeTrace> trace_composite(const Operator& op, const std::vector<MetaValue>& args);
[[nodiscard]] std::unique_ptr<MetaExecutor::Backend> make_meta_backend(StorageId& next);
[[nodiscard]] bool has_meta_kernel(const Operator& op);
[[nodiscard]] bool has_own_meta_kernel(const Operator& op);

[[nodiscard]] Result<RunInputs> make_run_inputs(const Program& program, std::size_t graph, const RunOptions& options);
[[nodiscard]] Result<Comparison> compare_by_running(const Program& program, std::size_t index, const Graph& rewritten,
                                                    const RunInputs& inputs, const RunOptions& options);
[[nodiscard]] Result<Comparison> compare_programs(const Program& before, const Program& after, std::size_t index,
                                                  const RunInputs& inputs, const RunOptions& options);

[[nodiscard]] Result<void> import_code(const pt2::Archive& archive, const ReadOptions& options,
                                       torchscript::ScriptModule& module);
[[nodiscard]] Result<void> write_archive(const pt2::Archive& source, const std::map<std::string, std::string>& replaced,
                                         const PieceWriter& write);

} // namespace inspector::entries
