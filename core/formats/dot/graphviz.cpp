#include "core/formats/dot/graphviz.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inspector {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor() { reset(); }
    void reset() {
        if (value_ >= 0) close(std::exchange(value_, -1));
    }
    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool is_open() const { return value_ >= 0; }

private:
    int value_ = -1;
};

struct Pipe { Descriptor read_end, write_end; };

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return fail("dot", std::string("cannot make a pipe: ") + std::strerror(errno));
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Ends the child when it goes out of scope.
class Child {
public:
    explicit Child(pid_t pid) : pid_(pid) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (pid_ < 0) return;
        kill(pid_, SIGKILL);
        (void)wait_status();
    }
    /// Blocks until it ended; waitpid's status.
    int wait_status() {
        int status = -1;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
        pid_ = -1;
        return status;
    }

private:
    pid_t pid_;
};

Result<pid_t> spawn(const Pipe& input, const Pipe& output, const Pipe& messages) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input.read_end.get(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.write_end.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages.write_end.get(), STDERR_FILENO);
    std::array<char, 4> program{"dot"};
    std::array<char, 6> format{"-Tsvg"};
    std::array<char*, 3> arguments{program.data(), format.data(), nullptr};
    pid_t pid = -1;
    const int error = posix_spawnp(&pid, "dot", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return fail("dot", std::string("cannot be started: ") + std::strerror(error));
    return pid;
}

/// Writing to a child that has gone must be an error, not the end of this program.
class IgnoredPipeSignal {
public:
    IgnoredPipeSignal() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &ignore, &previous_);
    }
    IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
    IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;
    ~IgnoredPipeSignal() { sigaction(SIGPIPE, &previous_, nullptr); }

private:
    struct sigaction previous_ {};
};

/// False when the other side has closed.
bool read_some(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer;
    const ssize_t count = read(from.get(), buffer.data(), buffer.size());
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

struct Conversation { std::string output, messages; bool finished = false; };

/// Writes and reads at once, so that neither side waits for the other; ends when the child closes its output.
Conversation converse(std::string_view text, Descriptor input, Descriptor output, Descriptor messages, Clock::time_point end) {
    const IgnoredPipeSignal ignored;
    fcntl(input.get(), F_SETFL, O_NONBLOCK);
    Conversation result;
    while (output.is_open() || messages.is_open()) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) return result;
        std::array<pollfd, 3> waiting{{{input.get(), POLLOUT, 0}, {output.get(), POLLIN, 0}, {messages.get(), POLLIN, 0}}};
        if (poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) return result;
        if (waiting[0].revents != 0) {
            const ssize_t written = write(input.get(), text.data(), text.size());
            if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
            const bool failed = written < 0 && errno != EINTR && errno != EAGAIN;
            if (text.empty() || failed) input.reset();
        }
        if (waiting[1].revents != 0 && !read_some(output, result.output)) output.reset();
        if (waiting[2].revents != 0 && !read_some(messages, result.messages)) messages.reset();
    }
    result.finished = true;
    return result;
}

} // namespace

Result<std::string> run_dot(std::string_view dot_text, std::chrono::milliseconds limit) {
    const Clock::time_point end = Clock::now() + limit;
    auto input = make_pipe();
    auto output = make_pipe();
    auto messages = make_pipe();
    for (auto* pipe : {&input, &output, &messages})
        if (!*pipe) return tl::unexpected<Error>(pipe->error());
    const auto pid = spawn(*input, *output, *messages);
    if (!pid) return tl::unexpected<Error>(pid.error());
    Child child(*pid);
    for (Descriptor* ours : {&input->read_end, &output->write_end, &messages->write_end}) ours->reset();

    Conversation said = converse(dot_text, std::move(input->write_end), std::move(output->read_end),
                                 std::move(messages->read_end), end);
    if (!said.finished) return fail("dot", "took longer than " + std::to_string(limit.count()) + " ms and was stopped");
    const int status = child.wait_status();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail("dot", "failed: " + said.messages.substr(0, said.messages.find('\n')));
    return std::move(said.output);
}

} // namespace inspector
