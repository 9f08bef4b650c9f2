#include "app/reinplace/input_types.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "core/graph/utf8.h"

namespace inspector {
namespace {

constexpr std::size_t most_named = 8;

} // namespace

void InputTypes::add_to(CLI::App& command) {
    const auto take = [this](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            auto type = parse_input_type(text);
            if (!type) throw CLI::ValidationError("--input", one_line(type.error().message()));
            if (std::ranges::find(given, type->name, &InputType::name) != given.end())
                throw CLI::ValidationError("--input", one_line("the type of " + type->name + " is given twice"));
            given.push_back(std::move(*type));
        }
    };
    command
        .add_option_function<std::vector<std::string>>(
            "--input", take, "The type of an input for which the file has none, as in x=f32[2,16]; may be repeated")
        ->type_name("NAME=TYPE")->expected(1)->take_all();
}

Result<void> InputTypes::apply(Program& program) const {
    for (const InputType& each : given)
        if (auto done = give_input_type(program, each); !done) return done;
    return {};
}

void InputTypes::tell_lacking(const Program& program, std::size_t graph, Output& output) const {
    const Graph& shown = program.graphs[graph].graph;
    std::string names;
    std::size_t count = 0;
    for (const NodeId input : shown.placeholders()) {
        const Node& node = shown.node(input);
        if (!std::holds_alternative<UnknownMeta>(node.meta) || ++count > most_named) continue;
        names += (names.empty() ? "" : ", ") + node.name;
    }
    if (count > most_named) names += " and " + std::to_string(count - most_named) + " more";
    if (!names.empty())
        output.message(one_line(program.path + ": " +
                                (program.graphs.size() > 1 ? "graph " + program.graphs[graph].id + ": " : "") +
                                "no shape is known of " + names +
                                "; --input NAME=TYPE gives one, as in --input \"x=f32[2, 16]\""));
}

} // namespace inspector
