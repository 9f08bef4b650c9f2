#include "core/formats/session_document/session_json.h"

#include "core/formats/session_document/ranges_json.h"

namespace inspector::session_document {
namespace {

Json decision_json(const SavedDecision& decision) {
    return {{"node", decision.node}, {"verdict", decision.verdict}, {"check", decision.check}, {"reason", decision.reason}};
}

} // namespace

std::string print_session(const SavedSession& saved, std::size_t graph) {
    Json json{{"graph", graph}, {"policy", saved.policy}};
    if (saved.first) json["first"] = *saved.first;
    if (!saved.donated.empty()) json["donated"] = saved.donated;
    for (const SavedChoice& choice : saved.choices) json["choices"][choice.node] = choice.choice;
    json["position"] = saved.position;
    if (saved.checks > 0) json["checks"] = saved.checks;
    if (saved.file_ranges) {
        json["file_ranges"] = ranges_json(saved.file_ranges->ranges);
        if (!saved.file_ranges->hints.empty()) json["file_hints"] = saved.file_ranges->hints;
    }
    put_text(json, "selected", saved.selected);
    put_text(json, "origin", saved.origin);
    put_text(json, "origin_format", saved.origin_format);
    put_text(json, "document", saved.document);
    std::string out = print_line(json);
    out.pop_back(); // the closing brace
    out += ",\n \"decisions\":[";
    const char* separator = "\n  ";
    for (const SavedDecision& decision : saved.decisions) {
        out += separator + print_line(decision_json(decision));
        separator = ",\n  ";
    }
    return out + "]}";
}

SavedSession read_session(const Json& json) {
    SavedSession saved;
    saved.graph = count(member(json, "graph"));
    saved.policy = text(member(json, "policy"));
    if (const Json* first = find(json, "first")) saved.first = count(*first);
    if (const Json* donated = find(json, "donated"))
        for (const Json& name : list(*donated)) saved.donated.push_back(text(name));
    if (const Json* choices = find(json, "choices"))
        for (auto choice = object(*choices).begin(); choice != choices->end(); ++choice)
            saved.choices.push_back({choice.key(), text(*choice)});
    saved.position = count(member(json, "position"));
    if (const Json* checks = find(json, "checks")) saved.checks = count(*checks);
    if (const Json* ranges = find(json, "file_ranges")) {
        saved.file_ranges.emplace().ranges = read_ranges(*ranges);
        if (const Json* hints = find(json, "file_hints")) saved.file_ranges->hints = read_hints(*hints);
    }
    saved.selected = text_or_empty(json, "selected");
    saved.origin = text_or_empty(json, "origin");
    saved.origin_format = text_or_empty(json, "origin_format");
    saved.document = text_or_empty(json, "document");
    if (const Json* decisions = find(json, "decisions"))
        for (const Json& decision : list(*decisions))
            saved.decisions.push_back({text(member(decision, "node")), text(member(decision, "verdict")),
                                       text(member(decision, "check")), text(member(decision, "reason"))});
    return saved;
}

} // namespace inspector::session_document
