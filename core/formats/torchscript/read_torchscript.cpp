// TorchScript's texts and archives as programs.
#include "core/formats/torchscript/read_torchscript.h"

#include <utility>

#include "core/formats/pt2/tensor_archive.h"
#include "core/formats/torchscript/archived_state.h"
#include "core/formats/torchscript/import_code.h"
#include "core/formats/torchscript/ir_text.h"
#include "core/formats/torchscript/lowering.h"

namespace inspector {

Result<Program> read_script_text(std::string_view text, const ReadOptions& options) {
    auto graphs = torchscript::parse_ir_text(text, options);
    if (!graphs) return tl::unexpected(std::move(graphs.error()));
    torchscript::ScriptModule module;
    for (std::size_t i = 0; i < graphs->size(); ++i) {
        const std::string id = graphs->size() == 1 ? "root" : i == 0 ? "graph" : "graph_" + std::to_string(i);
        module.functions.emplace(id, std::move((*graphs)[i]));
        module.methods.push_back({id, id});
    }
    return torchscript::lower(module, options);
}

bool is_script_archive(const pt2::Archive& archive) {
    return archive.contains("data.pkl") && archive.contains("constants.pkl");
}

Result<Program> read_script_archive(const pt2::Archive& archive, const std::string& path, const ReadOptions& options) {
    torchscript::ScriptModule module;
    module.is_archive = true;
    Program noted;
    auto state = torchscript::read_state(archive, options.limits.depth, options.limits.text_bytes, noted);
    if (!state) return tl::unexpected(std::move(state.error()));
    module.state = std::move(*state);
    if (options.progress) options.progress(20);
    if (auto imported = torchscript::import_code(archive, options, module); !imported) return tl::unexpected(std::move(imported.error()));
    if (options.progress) options.progress(70);
    auto program = torchscript::lower(module, options);
    if (!program) return program;
    program->archive = pt2::tensor_archive(archive, path);
    program->notes.insert(program->notes.begin(), noted.notes.begin(), noted.notes.end());
    return program;
}

} // namespace inspector
