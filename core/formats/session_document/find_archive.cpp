#include <filesystem>

#include "core/formats/pt2/tensor_archive.h"
#include "core/formats/session_document/session_document.h"

namespace inspector {

void find_archive(Program& program, const std::string& path) {
    if (!program.archive) return;
    TensorArchive& archive = *program.archive;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const std::filesystem::path named = folder / archive.path; // an absolute one stays what it is
    const std::filesystem::path beside = folder / named.filename();
    const auto as_named = pt2::check_archive(named.string(), archive);
    archive.is_at_hand = as_named || pt2::check_archive(beside.string(), archive);
    if (archive.is_at_hand) {
        archive.path = std::filesystem::absolute(as_named ? named : beside).lexically_normal().string();
        return;
    }
    program.notes.push_back("the weights are lacking: " + archive.path + " " + as_named.error().reason +
                            "; put the file the session was made from there, or beside this document");
}

} // namespace inspector
