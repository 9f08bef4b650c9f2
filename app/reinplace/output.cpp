#include "app/reinplace/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/graph/utf8.h"

namespace inspector {

bool Output::text(std::string_view text) {
    constexpr std::size_t enough = 1 << 16;
    if (is_closed_) return false;
    held_back_ += text;
    return held_back_.size() < enough || flush();
}

void Output::line(std::string_view text) {
    held_back_ += text;
    this->text("\n");
}

void Output::message(std::string_view text) {
    const std::string line = "reinplace: " + valid_utf8(std::string(text)) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void Output::answer_no() { status_ = std::max(status_, ExitStatus::answered_no); }

void Output::problem(std::string_view text, ExitStatus status) {
    message(text);
    status_ = std::max(status_, status);
}

void Output::file_problem(const std::string& file, const std::string& error, ExitStatus status, bool json) {
    if (json) {
        using Json = nlohmann::ordered_json;
        const Json object = {{"schema", 1}, {"file", file}, {"ok", false}, {"error", error}};
        line(object.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    flush(); // results and messages stay in order on a terminal
    problem(one_line(error), status);
}

bool Output::flush() {
    if (is_closed_) return false;
    const std::string bytes = valid_utf8(std::move(held_back_));
    held_back_.clear();
    std::string_view left = bytes;
    while (!left.empty()) {
        const ssize_t written = write(STDOUT_FILENO, left.data(), left.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            is_closed_ = true;
            if (errno == EPIPE) return false; // as in `| head`: who reads has what was wanted
            problem(std::string("cannot write the results: ") + std::strerror(errno), ExitStatus::failed);
            return false;
        }
        left.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace inspector
