#include "core/formats/reader.h"

#include <algorithm>
#include <filesystem>

#include "core/formats/file_bytes.h"
#include "core/formats/fx_text/log_records.h"
#include "core/formats/pt2/archive.h"
#include "core/formats/reader_notes.h"
#include "core/formats/session_document/session_document.h"
#include "core/formats/standard_input.h"
#include "core/formats/text_encoding.h"
#include "core/formats/torchscript/ir_text.h"
#include "core/formats/torchscript/read_torchscript.h"
#include "core/formats/trace_log/trace_records.h"

namespace inspector {
namespace {

/// A log stays readable where a few of its bytes are damaged; any other text with zero bytes is no text.
Result<Program> read_damaged_log(std::string bytes, const TextFault& fault, const ReadOptions& options) {
    auto program = read_fx_text(without_text_faults(std::move(bytes)), options);
    if (program) add_note(*program, "line " + std::to_string(fault.line + 1) + ": " + fault.what + ", shown as U+FFFD");
    return program;
}

Result<Program> read_archive(const std::string& path, const ReadOptions& options) {
    if (const auto archive = pt2::Archive::open(path); archive && is_script_archive(*archive))
        return read_script_archive(*archive, path, options);
    return read_pt2(path, options);
}

Result<Program> read_file(const std::string& path, const ReadOptions& options) {
    std::error_code error;
    if (path != "-" && std::filesystem::is_directory(path, error)) return read_log_folder(path, options);
    auto bytes = read_file_bytes(path, options.limits.text_bytes);
    if (!bytes) return tl::unexpected(bytes.error());
    if (!is_zip_start(*bytes)) return read_text(std::move(*bytes), options);
    if (path == "-") {
        const auto kept = keep_standard_input(*bytes);
        return kept ? read_archive(*kept, options) : tl::unexpected(kept.error());
    }
    return read_archive(path, options);
}

} // namespace

Result<Program> read_text(std::string bytes, const ReadOptions& options) {
    if (bytes.empty()) return fail({}, "the file is empty");
    if (trace_log::is_trace_log(bytes)) return read_trace_log(bytes, options);
    if (fx_text::begins_as_log(bytes))
        if (const auto fault = first_text_fault(bytes)) return read_damaged_log(std::move(bytes), *fault, options);
    auto text = decode_text(std::move(bytes));
    if (!text) return tl::unexpected(text.error());
    if (is_session_document(*text)) return read_session_document(*text, options);
    if (torchscript::is_ir_text(*text)) return read_script_text(*text, options);
    return read_fx_text(*text, options);
}

Result<Program> read_program(const std::string& path, const ReadOptions& options) {
    auto program = read_file(path, options);
    if (!program) {
        Error error = program.error();
        error.file = path;
        return tl::unexpected(std::move(error));
    }
    program->path = path;
    if (program->saved) find_archive(*program, path);
    return program;
}

} // namespace inspector
