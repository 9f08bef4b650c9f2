// The caller gives the input up: its memory is the graph's own.
#include <algorithm>

#include "core/passes/reinplace/proposals/kinds.h"

namespace inspector {
namespace {

/// Parameters, buffers and constants belong to the module, which is called again.
bool is_the_callers_to_give(const ProgramGraph& program, const std::string& name) {
    if (!program.signature) return true;
    return std::ranges::any_of(program.signature->inputs, [&](const InputSpec& input) {
        return input.placeholder == name && input.kind == InputSpec::Kind::user_input;
    });
}

} // namespace

std::vector<Change> donate_input(const RefusedNode& refused) {
    const Reason reason = refused.decision.reason;
    if (reason != Reason::storage_of_input && reason != Reason::read_between && reason != Reason::returned_alias)
        return {};
    const NodeId input = refused.witness(WitnessRole::input);
    if (input == no_node) return {};
    const std::string name = refused.graph().node(input).name;
    if (std::ranges::find(refused.made.donated, name) != refused.made.donated.end()) return {};
    if (!is_the_callers_to_give(refused.made.program, name)) return {};
    SentenceWriter words(refused.graph());
    words << "mark " << input << " as donated";
    return {{ChangeKind::donate_input, {input}, words.take(), [name](ChangedProgram& program) {
                 program.donated.push_back(name);
             }}};
}

} // namespace inspector
