#include <filesystem>

#include "core/formats/pt2/tensor_archive.h"
#include "core/formats/session_document/session_document.h"

namespace inspector {

void find_archive(Program& program, const std::string& path) {
    if (!program.archive) return;
    TensorArchive& archive = *program.archive;
    const std::string lacking = program.tensors.empty() ? "the archive is lacking: " : "the weights are lacking: ";
    if (archive.path.empty()) {
        archive.is_at_hand = false;
        program.notes.push_back(lacking + "the session was made from standard input");
        return;
    }
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::filesystem::path named = folder / archive.path; // an absolute one stays what it is
    const std::filesystem::path beside = folder / named.filename();
    const auto as_named = pt2::check_archive(named.string(), archive);
    archive.is_at_hand = as_named || pt2::check_archive(beside.string(), archive);
    if (archive.is_at_hand) {
        archive.path = std::filesystem::absolute(as_named ? named : beside).lexically_normal().string();
        return;
    }
    program.notes.push_back(lacking + archive.path + ": " + as_named.error().reason +
                            "; put the file the session was made from there, or beside this document");
}

} // namespace inspector
