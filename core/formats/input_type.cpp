#include "core/formats/input_type.h"

#include <algorithm>
#include <utility>

#include "core/formats/fx_text/annotation.h"
#include "core/graph/print.h"

namespace inspector {

Result<InputType> parse_input_type(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        return fail({}, "\"" + text + "\" is not NAME=TYPE, as in x=f32[2, 16]");
    InputType given{text.substr(0, equals), {}};
    auto type = fx_text::parse_annotation(std::string_view(text).substr(equals + 1));
    if (!type) return fail({}, "the type of " + given.name + ": " + type.error().reason);
    given.type = std::move(*type);
    return given;
}

Result<void> give_input_type(Program& program, const InputType& given) {
    const auto refuse = [&](std::string reason) { return tl::unexpected(Error{program.path, {}, std::move(reason)}); };
    const auto& [name, type] = given;
    const ValueMeta* said = nullptr;
    bool is_taken = false;
    for (ProgramGraph& each : program.graphs) {
        const NodeId input = each.graph.find(name);
        if (input == no_node || each.graph.node(input).opcode != Opcode::placeholder) continue;
        const ValueMeta& meta = each.graph.node(input).meta;
        if (std::holds_alternative<UnknownMeta>(meta)) {
            each.graph.set_meta(input, type);
            is_taken = true;
        } else {
            said = &meta;
        }
    }
    if (is_taken) return {};
    if (said) return refuse("the file says the type of " + name + " itself: " + annotation(*said, {}));
    return refuse("there is no input " + name);
}

} // namespace inspector
