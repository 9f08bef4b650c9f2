#include "app/reinplace/symbols_text.h"

#include <algorithm>

#include "core/analysis/symbols.h"
#include "core/graph/utf8.h"
#include "core/passes/reinplace/range_effect.h"

namespace inspector {
namespace {

constexpr std::size_t most_nodes = 8;

class Writer {
public:
    explicit Writer(const Graph& graph) : graph_(graph) {}

    std::string name(NodeId node) const { return node == no_node ? "" : "%" + graph_.node(node).name; }

    std::string origin(const SymbolOrigin& origin) const {
        switch (origin.kind) {
        case SymbolOrigin::Kind::input_dimension:
            return "dimension " + std::to_string(origin.dimension) + " of " + name(origin.node);
        case SymbolOrigin::Kind::input_number: return "the input " + name(origin.node);
        case SymbolOrigin::Kind::derived:
            return "derived: dimension " + std::to_string(origin.dimension) + " of " + name(origin.node) + " is " +
                   origin.expression;
        case SymbolOrigin::Kind::data_dependent: return "depends on data, made by " + name(origin.node);
        case SymbolOrigin::Kind::unused: break;
        }
        return "not used in this graph";
    }

    std::string nodes(const std::vector<NodeId>& nodes) const {
        std::string text;
        for (std::size_t i = 0; i < std::min(nodes.size(), most_nodes); ++i) text += (i ? ", " : "") + name(nodes[i]);
        if (nodes.size() > most_nodes) text += " and " + std::to_string(nodes.size() - most_nodes) + " more";
        return text;
    }

private:
    const Graph& graph_;
};

std::string varying_text(const VaryingSize& size) {
    std::string text =
        "    %" + size.node + ".size(" + std::to_string(size.dimension) + ") = " + size.expression + "  (";
    for (std::size_t i = 0; i < size.sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(size.sizes[i]);
    return one_line(text + (size.is_free ? "; free)" : ")")) + '\n';
}

std::string list_text(std::string_view head, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_nodes); ++i) text += (i ? ", %" : "%") + names[i];
    if (names.size() > most_nodes) text += " and " + std::to_string(names.size() - most_nodes) + " more";
    return "  " + std::string(head) + ": " + one_line(text) + '\n';
}

} // namespace

std::string symbols_text(const std::string& file, const ProgramGraph& program, const std::vector<SymbolRange>& asked) {
    ProgramGraph other = program;
    set_ranges(other, asked);
    const Writer writer(program.graph);
    std::string text = one_line(file + "  " + program.id) + '\n';
    const std::vector<SymbolFacts> symbols = symbol_table(other);
    if (symbols.empty()) text += "  no symbols: every size is a number\n";
    for (const SymbolFacts& symbol : symbols) {
        text += "  " +
                one_line(symbol.name + "  " + range_words(symbol.minimum, symbol.maximum) +
                         (symbol.hint ? ", sample " + std::to_string(*symbol.hint) : ", no sample") + "; " +
                         writer.origin(symbol.origin)) +
                '\n';
        if (symbol.divisor) text += "    divisible by " + std::to_string(*symbol.divisor) + '\n';
        for (const SymbolFacts::Relation& relation : symbol.relations)
            text +=
                "    " +
                one_line(relation.text + (relation.because == "input_dimension"
                                              ? ""
                                              : "  (" + relation.because + ", " + writer.name(relation.node) + ")")) +
                '\n';
        if (!symbol.uses.empty()) text += "    used by " + one_line(writer.nodes(symbol.uses)) + '\n';
    }
    const auto conditions = conditional_refusals(other);
    if (!conditions.empty()) text += "  decisions of sound that depend on sizes\n";
    for (const Decision& decision : conditions)
        text +=
            "    " +
            one_line(writer.name(decision.node) + "  in place " + (decision.condition->is_exact ? "only if " : "if ") +
                     decision.condition->text + "; elsewhere " + decision.condition->otherwise) +
            '\n';
    if (asked.empty()) return text;
    const auto effects = range_effects(program, asked);
    text += effects.empty() ? "  with these ranges every decision of sound is as with the file's\n"
                            : "  with these ranges sound decides otherwise\n";
    for (const RangeEffect& effect : effects)
        text += "    " + one_line(writer.name(effect.node) + "  " + effect.before + " → " + effect.after +
                                  (effect.condition.empty() ? "" : "  (" + effect.condition + ")")) + '\n';
    return text;
}

std::string variation_text(const std::vector<std::string>& files, const SizeVariation& variation) {
    std::string text;
    for (const std::string& file : files) text += one_line(file) + '\n';
    if (variation.inputs.empty()) text += "  no dimension of an input varies\n";
    else text += "  dimensions of inputs that vary\n";
    for (const VaryingSize& size : variation.inputs) text += varying_text(size);
    if (!variation.values.empty()) text += "  of other values\n";
    for (const VaryingSize& size : variation.values) text += varying_text(size);
    return text + list_text("not in every graph, or of another rank", variation.missing) +
           list_text("calls something else in another graph", variation.changed);
}

} // namespace inspector
