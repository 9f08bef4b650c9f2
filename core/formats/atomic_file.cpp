#include "core/formats/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace inspector {
namespace {

/// An open file that is closed, and unless kept removed, when it goes out of scope.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string pattern) : path_(std::move(pattern)), descriptor_(mkstemp(path_.data())) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (descriptor_ < 0) return;
        close(descriptor_);
        if (!kept_) unlink(path_.c_str());
    }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    void keep() { kept_ = true; }

private:
    std::string path_;
    int descriptor_;
    bool kept_ = false;
};

/// 0, or errno.
int write_all(int descriptor, std::string_view contents) {
    while (!contents.empty()) {
        const ssize_t written = write(descriptor, contents.data(), contents.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        contents.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

tl::unexpected<Error> cannot_write(const std::string& path, int error) {
    return tl::unexpected<Error>(Error{path, {}, std::string("cannot write: ") + std::strerror(error)});
}

using Producer = std::function<Result<void>(const PieceWriter&)>;

/// Lets `produce` write to `descriptor`; an error of the disk counts before one of `produce`.
Result<void> write_pieces(const std::string& path, int descriptor, const Producer& produce) {
    int error = 0;
    const Result<void> produced = produce([&](std::string_view piece) {
        if (error == 0) error = write_all(descriptor, piece);
        return error == 0;
    });
    if (error != 0) return cannot_write(path, error);
    return produced;
}

Result<void> write_directly(const std::string& path, const Producer& produce) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return cannot_write(path, errno);
    const Result<void> written = write_pieces(path, descriptor, produce);
    if (close(descriptor) != 0 && written) return cannot_write(path, errno);
    return written;
}

mode_t mode_for_new_files() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

} // namespace

Result<void> write_file_atomically(const std::string& path, std::string_view contents) {
    return write_file_atomically(path, [&](const PieceWriter& write) -> Result<void> {
        write(contents);
        return {};
    });
}

Result<void> write_file_atomically(const std::string& path, const Producer& produce) {
    struct stat existing {};
    const bool exists = stat(path.c_str(), &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode)) return cannot_write(path, EISDIR);
    if (exists && !S_ISREG(existing.st_mode)) return write_directly(path, produce);

    std::error_code ignored;
    std::string target = path;
    if (exists)
        if (const auto resolved = std::filesystem::canonical(path, ignored); !ignored) target = resolved.string();

    TemporaryFile file(target + ".XXXXXX");
    if (file.descriptor() < 0) return cannot_write(path, errno);
    if (const Result<void> written = write_pieces(path, file.descriptor(), produce); !written) return written;
    if (fchmod(file.descriptor(), exists ? existing.st_mode & 07777 : mode_for_new_files()) != 0 ||
        fsync(file.descriptor()) != 0 || rename(file.path().c_str(), target.c_str()) != 0)
        return cannot_write(path, errno);
    file.keep();
    return {};
}

} // namespace inspector
