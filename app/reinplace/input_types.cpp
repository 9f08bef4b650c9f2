#include "app/reinplace/input_types.h"

#include <CLI/CLI.hpp>

#include "core/formats/input_type.h"
#include "core/graph/utf8.h"

namespace inspector {

void InputTypes::add_to(CLI::App& command) {
    command
        .add_option("--input", given,
                    "The type of an input for which the file has none, as in x=f32[2,16]; may be repeated")
        ->type_name("NAME=TYPE")->expected(1)->take_all();
}

Result<void> InputTypes::apply(Program& program) const {
    for (const std::string& each : given)
        if (auto done = give_input_type(program, each); !done) return done;
    return {};
}

void InputTypes::tell_lacking(const Program& program, std::size_t graph, Output& output) const {
    const Graph& shown = program.graphs[graph].graph;
    std::string names;
    for (const NodeId input : shown.placeholders()) {
        const Node& node = shown.node(input);
        if (!std::holds_alternative<UnknownMeta>(node.meta)) continue;
        names += (names.empty() ? "" : ", ") + node.name;
    }
    if (!names.empty())
        output.message(one_line(program.path + ": no shape is known of " + names +
                                "; --input NAME=TYPE gives one, as in --input \"x=f32[2, 16]\""));
}

} // namespace inspector
