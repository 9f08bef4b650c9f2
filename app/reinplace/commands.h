// The subcommands. Each adds itself to the program's options and runs when it was named.
#pragma once

#include "app/reinplace/output.h"

namespace CLI {
class App;
}

namespace inspector {

/// `output` must outlive the parsing of `app`.
void add_list_command(CLI::App& app, Output& output);
void add_level_command(CLI::App& app, Output& output);
void add_explain_command(CLI::App& app, Output& output);
void add_compare_command(CLI::App& app, Output& output);
void add_rewrite_command(CLI::App& app, Output& output);
void add_functionalize_command(CLI::App& app, Output& output);
void add_decompose_command(CLI::App& app, Output& output);
void add_symbols_command(CLI::App& app, Output& output);
void add_verify_command(CLI::App& app, Output& output);

} // namespace inspector
