#include "core/passes/functionalize/explain_step.h"

#include <algorithm>
#include <set>

#include "core/graph/count_text.h"

namespace inspector {
namespace {

/// "%x, %y or %z"
std::string alternatives(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<NodeId> once;
    for (const NodeId node : nodes)
        if (node != no_node && std::ranges::find(once, node) == once.end()) once.push_back(node);
    std::string text;
    for (std::size_t i = 0; i < once.size(); ++i)
        text += (i == 0 ? "%" : i + 1 == once.size() ? " or %" : ", %") + graph.node(once[i]).name;
    return text;
}

/// `graph` is the one as it was, in which `written` are nodes.
std::string reason(MutationRefusal refusal, const std::string& target, const Graph& graph, const std::vector<NodeId>& written) {
    switch (refusal) {
    case MutationRefusal::none: break;
    case MutationRefusal::unknown_operator: return target + " is an operator nobody here knows; by its name it writes its argument";
    case MutationRefusal::unknown_effect:
        return "nothing is known of " + target + ", and nothing uses its result: it may write " + alternatives(graph, written);
    case MutationRefusal::not_an_operator: return target + " may write what it is given, and no operator schema tells what";
    case MutationRefusal::no_functional_form: return target + " writes an argument, and no operator returns what it would write";
    case MutationRefusal::changes_storage: return target + " changes the tensor's storage itself";
    case MutationRefusal::changes_input_shape: return target + " gives an input another shape, which the caller sees";
    case MutationRefusal::unknown_tensor: return target + " writes something that is no tensor of this graph";
    case MutationRefusal::overlaps_itself: return target + " writes a view that overlaps itself, so that the result depends on the order";
    case MutationRefusal::written_twice: return target + " writes two tensors that share memory";
    case MutationRefusal::other_size: return target + " writes a result of another size than the tensor it is written to";
    case MutationRefusal::no_inverse: return target + " writes through a view that nothing here can write back";
    case MutationRefusal::symbolic_narrow:
        return target + " writes through a narrow with a symbolic start or length, which is written back only from start 0 on";
    case MutationRefusal::constant_written:
        return target + " writes a constant, which no output can stand for (copies at the end can)";
    case MutationRefusal::shared_input: return target + " writes an input whose memory another input has too";
    case MutationRefusal::captured_written: return target + " writes what the nested graph was given";
    }
    return target;
}

Sentence list_of(const Graph& graph, const std::vector<NodeId>& nodes) {
    SentenceWriter words(graph);
    for (std::size_t i = 0; i < nodes.size(); ++i) words << (i == 0 ? "" : i + 1 == nodes.size() ? " and " : ", ") << nodes[i];
    return words.take();
}

} // namespace

std::string explain_refusal(const FunctionalizeSession& session) {
    if (session.at_end()) return reason(session.refusal(), "an earlier mutation", session.original(), {});
    const FunctionalizeStep& step = session.steps().back();
    return reason(step.refusal, step.target, session.original(), step.written);
}

Sentence explain(const FunctionalizeSession& session, const FunctionalizeStep& step) {
    SentenceWriter words(session.graph());
    if (step.refusal != MutationRefusal::none) {
        words << "refused: " << reason(step.refusal, step.target, session.original(), step.written);
        return words.take();
    }
    words << step.target << " on " << list_of(session.original(), step.written) << " becomes " << step.functional_target;
    std::vector<NodeId> chain;
    for (const AddedNode& added : step.added)
        if ((added.role == AddedRole::scatter || added.role == AddedRole::inverse) && session.graph().contains(added.node))
            chain.push_back(added.node);
    if (!chain.empty()) words << "; " << list_of(session.graph(), chain) << (chain.size() == 1 ? " writes" : " write") << " it back";
    std::set<NodeId> readers;
    for (const Redirection& redirection : step.redirected) readers.insert(redirection.user);
    if (!readers.empty())
        words << "; " << count_text(readers.size(), "node reads", "nodes read") << " the new values";
    return words.take();
}

} // namespace inspector
