// reinplace: the inspector's command line.

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "app/reinplace/commands.h"

int main(int argc, char** argv) {
    using namespace inspector;
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe ends the results, and nothing else
    std::signal(SIGXFSZ, SIG_IGN); // and so is a file that may not grow further

    Output output;
    try {
        CLI::App app("Shows what PyTorch's re-inplacing pass decides on a graph, and why; rewrites the graph.", "reinplace");
        app.require_subcommand(0, 1); // none is said below: CLI11 would say it of an unknown one too
        app.set_version_flag("--version", INSPECTOR_VERSION);
        app.footer("Exit status: 0 fine, 1 a question was answered no or a graph is refused, 2 bad usage, 3 a file could not be read or written.");
        add_list_command(app, output);
        add_level_command(app, output);
        add_explain_command(app, output);
        add_compare_command(app, output);
        add_rewrite_command(app, output);
        add_functionalize_command(app, output);
        add_decompose_command(app, output);
        add_symbols_command(app, output);
        add_verify_command(app, output);
        try {
            app.parse(argc, argv);
            if (app.get_subcommands().empty()) throw CLI::RequiredError("A command");
        } catch (const CLI::Success& asked) { // --help, --version
            app.exit(asked);
        } catch (const CLI::ParseError& error) {
            output.problem(std::string(error.what()) + "\nRun with --help for more information.", ExitStatus::bad_usage);
        }
    } catch (const std::exception& error) { // out of memory, and what else no Result tells
        output.problem(error.what(), ExitStatus::failed);
    }
    output.flush();
    return static_cast<int>(output.status());
}
