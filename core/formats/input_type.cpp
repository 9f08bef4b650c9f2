#include "core/formats/input_type.h"

#include <algorithm>

#include "core/formats/fx_text/annotation.h"
#include "core/graph/print.h"

namespace inspector {

Result<void> give_input_type(Program& program, const std::string& text) {
    const auto refuse = [&](std::string reason) { return tl::unexpected(Error{program.path, {}, std::move(reason)}); };
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) return refuse("\"" + text + "\" is not NAME=TYPE, as in x=f32[2, 16]");
    const std::string name = text.substr(0, equals);
    const auto type = fx_text::parse_annotation(std::string_view(text).substr(equals + 1));
    if (!type) return refuse("the type of " + name + ": " + type.error().reason);

    const ValueMeta* said = nullptr;
    bool is_taken = false;
    for (ProgramGraph& each : program.graphs) {
        const NodeId input = each.graph.find(name);
        if (input == no_node || each.graph.node(input).opcode != Opcode::placeholder) continue;
        const ValueMeta& meta = each.graph.node(input).meta;
        if (std::holds_alternative<UnknownMeta>(meta)) {
            each.graph.set_meta(input, *type);
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
