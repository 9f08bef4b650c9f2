#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/graph/custom_annotation.h"
#include "core/graph/print.h"
#include "core/graph/python_repr.h"

namespace inspector {
namespace {

/// A line in the making that remembers where it names nodes.
class LineBuilder {
public:
    LineBuilder(const Graph& graph, std::string indent) : graph_(graph) { line_.text = std::move(indent); }

    LineBuilder& text(std::string_view more) {
        line_.text += more;
        return *this;
    }
    LineBuilder& name(NodeId id) {
        if (!graph_.contains(id)) return text("<missing>");
        const std::string& name = graph_.node(id).name;
        line_.names.push_back({line_.text.size(), name.size(), id});
        return text(name);
    }
    LineBuilder& argument(const Argument& argument) {
        if (argument.as<NodeReference>()) return name(argument.node());
        if (const auto* list = argument.as<ArgumentList>()) return this->list(*list);
        const auto* dict = argument.as<ArgumentDict>();
        if (!dict) return text(format_argument_python(graph_, argument));
        text("{");
        for (const auto& [key, item] : dict->items) {
            if (&key != &dict->items.front().first) text(", ");
            text(python_repr(key)).text(": ").argument(item);
        }
        return text("}");
    }
    /// "a, b, key = c".
    LineBuilder& call_arguments(const Node& node, std::size_t first) {
        bool empty = true;
        for (std::size_t i = first; i < node.args.size(); ++i) {
            text(std::exchange(empty, false) ? "" : ", ").argument(node.args[i]);
        }
        for (const auto& [key, item] : node.kwargs) {
            text(std::exchange(empty, false) ? "" : ", ").text(key).text(" = ").argument(item);
        }
        return *this;
    }
    ReadableLine finish(NodeId node) {
        line_.node = node;
        return std::move(line_);
    }

private:
    LineBuilder& list(const ArgumentList& list) {
        using Kind = ArgumentList::Kind;
        text(list.kind == Kind::list ? "[" : list.kind == Kind::tuple ? "(" : "slice(");
        for (const Argument& item : list.items) {
            if (&item != &list.items.front()) text(", ");
            argument(item);
        }
        if (list.kind == Kind::tuple && list.items.size() == 1) text(",");
        return text(list.kind == Kind::list ? "]" : ")");
    }

    const Graph& graph_;
    ReadableLine line_;
};

/// How Python writes a function of its `operator` module; "$" stands for an argument.
struct OperatorSyntax {
    std::string_view name;
    std::string_view pattern;
};
constexpr std::array operators{
    OperatorSyntax{"eq", "$ == $"},      OperatorSyntax{"ne", "$ != $"},       OperatorSyntax{"lt", "$ < $"},
    OperatorSyntax{"gt", "$ > $"},       OperatorSyntax{"le", "$ <= $"},       OperatorSyntax{"ge", "$ >= $"},
    OperatorSyntax{"pos", "+$"},         OperatorSyntax{"neg", "-$"},          OperatorSyntax{"invert", "~$"},
    OperatorSyntax{"add", "$ + $"},      OperatorSyntax{"sub", "$ - $"},       OperatorSyntax{"mul", "$ * $"},
    OperatorSyntax{"floordiv", "$ // $"}, OperatorSyntax{"truediv", "$ / $"},  OperatorSyntax{"mod", "$ % $"},
    OperatorSyntax{"pow", "$ ** $"},     OperatorSyntax{"lshift", "$ << $"},   OperatorSyntax{"rshift", "$ >> $"},
    OperatorSyntax{"and_", "$ & $"},     OperatorSyntax{"or_", "$ | $"},       OperatorSyntax{"xor", "$ ^ $"},
    OperatorSyntax{"getitem", "$[$]"},   OperatorSyntax{"matmul", "$ @ $"},
};
constexpr std::array inplace_operators{
    OperatorSyntax{"iadd", "$ += $"},     OperatorSyntax{"iand", "$ &= $"},      OperatorSyntax{"ifloordiv", "$ //= $"},
    OperatorSyntax{"ilshift", "$ <<= $"}, OperatorSyntax{"imod", "$ %= $"},      OperatorSyntax{"imul", "$ *= $"},
    OperatorSyntax{"imatmul", "$ @= $"},  OperatorSyntax{"ior", "$ |= $"},       OperatorSyntax{"ipow", "$ **= $"},
    OperatorSyntax{"irshift", "$ >>= $"}, OperatorSyntax{"isub", "$ -= $"},      OperatorSyntax{"itruediv", "$ /= $"},
    OperatorSyntax{"ixor", "$ ^= $"},     OperatorSyntax{"setitem", "$[$] = $"},
};

/// The pattern for the node's operator, where it has one and enough arguments for it.
template <std::size_t count>
std::optional<std::string_view> pattern_of(const std::array<OperatorSyntax, count>& table, const Node& node) {
    constexpr std::string_view module = "operator.";
    if (node.opcode != Opcode::call_function || !node.target.starts_with(module)) return std::nullopt;
    const std::string_view name = std::string_view(node.target).substr(module.size());
    const auto* found = std::ranges::find(table, name, &OperatorSyntax::name);
    if (found == table.end()) return std::nullopt;
    const auto wanted = static_cast<std::size_t>(std::ranges::count(found->pattern, '$'));
    return node.args.size() >= wanted ? std::optional(found->pattern) : std::nullopt;
}

void fill(LineBuilder& line, std::string_view pattern, const std::vector<Argument>& args) {
    auto next = args.begin();
    for (const char& c : pattern) {
        if (c == '$') line.argument(*next++);
        else line.text({&c, 1});
    }
}

/// str.isidentifier(), with every letter outside ASCII taken as one.
bool may_follow_dot(std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    return !name.empty() && is_letter(name.front()) &&
           std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// "base.a.b", with getattr for parts that are no identifier.
std::string attribute_of(std::string base, std::string_view path) {
    for (;;) {
        const std::size_t dot = path.find('.');
        const std::string part(path.substr(0, dot));
        base = may_follow_dot(part) ? base + "." + part : "getattr(" + base + ", \"" + part + "\")";
        if (dot == std::string_view::npos) return base;
        path.remove_prefix(dot + 1);
    }
}

/// The name under which generated code knows a function: torch's own by their full name, others as one identifier.
std::string global_name(std::string_view target) {
    constexpr std::string_view builtins = "builtins.";
    if (target.starts_with(builtins)) return std::string(target.substr(builtins.size()));
    // Methods of torch.Tensor's C base class do not know their module, so FX takes them for foreign.
    const bool is_torch = target.starts_with("torch.") && !target.starts_with("torch._dynamo.") &&
                          !target.starts_with("torch._inductor.") && !target.starts_with("torch.Tensor.");
    if (is_torch) return std::string(target);
    std::string name = target.starts_with("operator.") ? "_" : "";
    bool in_illegal_run = false;
    for (const char c : target) {
        const bool legal = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (legal || !in_illegal_run) name += legal ? c : '_';
        in_illegal_run = !legal;
    }
    return name;
}

/// The parts of an attribute path that begins with a node's name: the name stays a place that can be selected.
void attribute(LineBuilder& line, const Graph& graph, const Argument& base, std::string_view path) {
    const std::string whole = attribute_of(format_argument_python(graph, base), path);
    const std::string prefix = base.as<NodeReference>() ? graph.node(base.node()).name + "." : "";
    if (prefix.empty() || !whole.starts_with(prefix)) line.text(whole);
    else line.name(base.node()).text(std::string_view(whole).substr(prefix.size() - 1));
}

void expression(LineBuilder& line, const Graph& graph, const Node& node) {
    switch (node.opcode) {
    case Opcode::placeholder: line.text(node.target); return;
    case Opcode::get_attr: line.text(attribute_of("self", node.target)); return;
    case Opcode::call_module:
        line.text(attribute_of("self", node.target)).text("(").call_arguments(node, 0).text(")");
        return;
    case Opcode::call_method:
        if (node.args.empty()) line.text(attribute_of("None", node.target));
        else attribute(line, graph, node.args[0], node.target);
        line.text("(").call_arguments(node, 1).text(")");
        return;
    case Opcode::output:
        if (node.args.empty()) line.text("None");
        else line.argument(node.args[0]);
        return;
    case Opcode::call_function: break;
    }
    if (const auto pattern = pattern_of(operators, node)) {
        fill(line, *pattern, node.args);
        return;
    }
    const std::string function = global_name(node.target);
    const std::string* name = node.args.size() == 2 ? node.args[1].as<std::string>() : nullptr;
    if (function == "getattr" && name && may_follow_dot(*name)) attribute(line, graph, node.args[0], *name);
    else line.text(function).text("(").call_arguments(node, 0).text(")");
}

/// `: "f32[4]cpu"` after a name; a Python type where the value is not known.
std::string annotation_suffix(const Node& node, const ReadableOptions& options) {
    if (const std::string text = annotation(node.meta, options); !text.empty()) return ": \"" + text + "\"";
    return node.type.empty() ? "" : " : " + node.type;
}

std::string_view property(const NodeOrigin& origin, std::string_view key) {
    for (const auto& [name, value] : origin.properties)
        if (name == key) return value;
    return {};
}

/// The comment above the nodes of one source line.
std::string comment(const Node& node) {
    std::string text = "#";
    const std::string custom = custom_annotation(property(node.origin, "custom"));
    if (!custom.empty()) text.append(" Annotation: ").append(custom);
    const std::string_view checkpoint = property(node.origin, "ac_graph_id");
    const std::string_view recompute = property(node.origin, "recompute");
    if (!checkpoint.empty()) text.append(" ac_graph_id: ").append(checkpoint);
    if (!recompute.empty()) text.append(checkpoint.empty() ? " recompute: " : " - ").append(recompute);
    const std::string summary = stack_summary(node.origin.stack_trace);
    return text + " " + (summary.empty() ? "No stacktrace found for following nodes" : summary);
}

/// For each node by id, the values whose last use it is, in order of its arguments.
std::vector<std::vector<NodeId>> last_uses(const Graph& graph) {
    std::vector<std::vector<NodeId>> freed(graph.id_limit());
    std::vector<bool> seen(graph.id_limit());
    for (NodeId user = graph.last(); user != no_node; user = graph.previous(user)) {
        for (const NodeId input : graph.inputs(user)) {
            if (seen[index_of(input)]) continue;
            seen[index_of(input)] = true;
            freed[index_of(user)].push_back(input);
        }
    }
    return freed;
}

class ReadablePrinter {
public:
    ReadablePrinter(const Graph& graph, const ReadableOptions& options)
        : graph_(graph), options_(options), freed_(last_uses(graph)) {}

    std::vector<ReadableLine> print() {
        add(LineBuilder(graph_, "class " + options_.class_name + "(torch.nn.Module):").finish(no_node));
        add(signature());
        const std::size_t body = lines_.size();
        for (const NodeId id : graph_) print_node(id);
        if (lines_.size() == body) add(LineBuilder(graph_, indent + "pass").finish(no_node));
        // FX strips the blank line before the first comment.
        else if (lines_[body].text.empty()) lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(body));
        return std::move(lines_);
    }

private:
    ReadableLine signature() {
        LineBuilder line(graph_, "    def forward(self");
        for (const NodeId id : graph_) {
            const Node& node = graph_.node(id);
            if (node.opcode != Opcode::placeholder) continue;
            line.text(", ");
            if (node.target == node.name) line.name(id);
            else line.text(node.target);
            line.text(annotation_suffix(node, options_));
            if (!node.args.empty()) line.text(" = ").argument(node.args.front());
        }
        line.text(")");
        const NodeId output = graph_.output();
        if (output != no_node && !graph_.node(output).type.empty()) line.text(" -> ").text(graph_.node(output).type);
        return line.text(":").finish(no_node);
    }

    void print_node(NodeId id) {
        const Node& node = graph_.node(id);
        if (node.opcode == Opcode::placeholder) {
            // "*args" in the signature is "args" in the body.
            std::string argument = node.target;
            std::erase(argument, '*');
            if (argument != node.name) add(LineBuilder(graph_, indent).name(id).text(" = ").text(argument).finish(id));
            return;
        }
        LineBuilder line(graph_, indent);
        if (node.opcode == Opcode::output) {
            line.text("return ");
            expression(line, graph_, node);
            add(line.finish(id));
            return;
        }
        if (std::string text = comment(node); text != last_comment_) {
            add(LineBuilder(graph_, "").finish(no_node));
            add(LineBuilder(graph_, indent + text).finish(no_node));
            last_comment_ = std::move(text);
        }
        const auto inplace = pattern_of(inplace_operators, node);
        if (inplace) {
            fill(line, *inplace, node.args);
            line.text(";  ");
        }
        line.name(id).text(annotation_suffix(node, options_)).text(" = ");
        if (inplace) line.argument(node.args[0]);
        else expression(line, graph_, node);
        free_values(line, id);
        add(line.finish(id));
    }

    void free_values(LineBuilder& line, NodeId id) {
        std::vector<NodeId>& freed = freed_[index_of(id)];
        if (!graph_.has_users(id)) freed.push_back(id);
        if (freed.empty()) return;
        line.text(";  ");
        for (const NodeId value : freed) line.name(value).text(" = ");
        line.text("None");
    }

    void add(ReadableLine line) { lines_.push_back(std::move(line)); }

    static inline const std::string indent = std::string(8, ' ');
    const Graph& graph_;
    const ReadableOptions& options_;
    std::vector<std::vector<NodeId>> freed_;
    std::vector<ReadableLine> lines_;
    std::string last_comment_;
};

std::string shape_text(const std::vector<SymbolicSize>& sizes) {
    std::string text = "[";
    for (const SymbolicSize& size : sizes) {
        if (&size != &sizes.front()) text += ", ";
        text += size.to_string();
    }
    return text + "]";
}

/// Writes one graph and what hangs below it; recursion is as deep as graphs are nested.
void print_nested(const Program& program, const std::multimap<std::size_t, std::size_t>& children, std::size_t graph,
                  const ReadableOptions& options, std::string_view indent, std::string& text) {
    for (const ReadableLine& line : print_readable_lines(program.graphs[graph].graph, options)) {
        if (!line.text.empty()) text.append(indent).append(line.text);
        text += '\n';
    }
    const auto [begin, end] = children.equal_range(graph);
    for (auto child = begin; child != end; ++child) {
        ReadableOptions nested = options;
        nested.class_name = program.graphs[child->second].attribute;
        text += '\n';
        print_nested(program, children, child->second, nested, std::string(indent) + "    ", text);
    }
}

} // namespace

std::vector<ReadableLine> print_readable_lines(const Graph& graph, const ReadableOptions& options) {
    return ReadablePrinter(graph, options).print();
}

std::string print_readable(const Program& program, std::size_t graph, const ReadableOptions& options) {
    std::multimap<std::size_t, std::size_t> children;
    // A parent stands before its children, so that no cycle can be followed.
    for (std::size_t i = 0; i < program.graphs.size(); ++i)
        if (const auto parent = program.graphs[i].parent; parent && *parent < i) children.emplace(*parent, i);
    std::string text;
    print_nested(program, children, graph, options, "", text);
    return text;
}

std::string print_readable(const Graph& graph, const ReadableOptions& options) {
    std::string text;
    for (const ReadableLine& line : print_readable_lines(graph, options)) text += line.text + "\n";
    return text;
}

std::string format_expression(const Graph& graph, NodeId id) {
    LineBuilder line(graph, "");
    const Node& node = graph.node(id);
    if (const auto pattern = pattern_of(inplace_operators, node)) fill(line, *pattern, node.args);
    else expression(line, graph, node);
    return line.finish(id).text;
}

std::string annotation(const ValueMeta& meta, const ReadableOptions& options) {
    if (const auto* scalar = std::get_if<ScalarMeta>(&meta))
        return scalar->is_python_number ? "" : "Sym(" + scalar->value.to_string() + ")";
    const auto* tensor = std::get_if<TensorMeta>(&meta);
    if (!tensor || tensor->layout == Layout::sparse_csr || tensor->layout == Layout::sparse_csc) return {};
    std::string text = std::string(short_name(tensor->dtype)) + shape_text(tensor->sizes);
    if (options.strides && tensor->strides) text += shape_text(*tensor->strides);
    if (options.device && tensor->device) text += *tensor->device;
    if (tensor->class_name.empty()) return text;
    return tensor->class_name + "(" + text + (tensor->class_detail.empty() ? "" : ", ") + tensor->class_detail + ")";
}

} // namespace inspector
