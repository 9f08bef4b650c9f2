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
Result<DecodedText> decode(std::string bytes) {
    if (!fx_text::begins_as_log(bytes)) return decode_text(std::move(bytes));
    auto fault = first_text_fault(bytes);
    if (!fault) return decode_text(std::move(bytes));
    return DecodedText{without_text_faults(std::move(bytes)), std::move(fault)};
}

Result<Program> read_decoded(std::string_view text, const ReadOptions& options) {
    if (is_session_document(text)) return read_session_document(text, options);
    if (torchscript::is_ir_text(text)) return read_script_text(text, options);
    return read_fx_text(text, options);
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
    const auto decoded = decode(std::move(bytes));
    if (!decoded) return tl::unexpected(decoded.error());
    auto program = read_decoded(decoded->text, options);
    if (const auto& fault = decoded->fault; program && fault)
        add_note(*program, "line " + std::to_string(fault->line + 1) + ": " + fault->what + ", shown as U+FFFD");
    return program;
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
