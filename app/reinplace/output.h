// Where a command's results, messages and exit status go.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/result.h"

namespace inspector {

enum class ExitStatus : int {
    fine = 0,
    answered_no = 1,   ///< a question was answered "no"; a graph cannot become what was asked for
    bad_usage = 2,
    failed = 3,        ///< a file could not be read, or a result not be written
};

/// Results go to standard output in large pieces, messages to standard error at once; both as valid UTF-8.
class Output {
public:
    /// One line of the result; a newline is added.
    void line(std::string_view text);
    /// Text of the result as it is. False once standard output takes no more.
    bool text(std::string_view text);
    /// What a person should know: "reinplace: …" on standard error.
    void message(std::string_view text);
    /// message(), and the exit status becomes at least `status`.
    void problem(std::string_view text, ExitStatus status);
    /// A file that failed: a message, and with `json` the line {"schema":1,"file":…,"ok":false,"error":…} among the results.
    void file_problem(const std::string& file, const std::string& error, ExitStatus status, bool json);

    /// The answer to the question asked is no: the exit status becomes at least 1.
    void answer_no();

    /// Writes what is held back. False once standard output took no more: said in a message, once, unless who reads it
    /// has closed it.
    bool flush();
    [[nodiscard]] ExitStatus status() const { return status_; }

private:
    std::string held_back_;
    ExitStatus status_ = ExitStatus::fine;
    bool is_closed_ = false;
};

} // namespace inspector
