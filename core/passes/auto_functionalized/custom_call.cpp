#include "core/passes/auto_functionalized/custom_call.h"

#include <map>

#include "core/analysis/call_arguments.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

constexpr std::string_view first_version = "torch.ops.higher_order.auto_functionalized";
constexpr std::string_view second_version = "torch.ops.higher_order.auto_functionalized_v2";

/// The argument's tensors; empty where it has none.
std::vector<NodeId> tensors_of(const Argument& argument) {
    std::vector<NodeId> values;
    for_each_reference(argument, [&](NodeId value) { values.push_back(value); });
    return values;
}

void read_bases(const Node& node, CustomCall& call) {
    const Argument* bases = keyword_argument(node, "_all_bases");
    const auto* list = bases ? bases->as<ArgumentList>() : nullptr;
    if (!list) return;
    for (std::size_t i = 0; i < list->items.size(); ++i)
        if (list->items[i].node() != no_node)
            call.written.push_back({std::to_string(i), {list->items[i].node()}, false, call.result_count + i});
}

void read_written_arguments(const Node& node, CustomCall& call) {
    std::size_t item = call.result_count;
    for (const SchemaArgument& argument : call.op->arguments) {
        if (!argument.alias || !argument.alias->is_write) continue;
        const Argument* given = keyword_argument(node, argument.name);
        if (given && !tensors_of(*given).empty())
            call.written.push_back({argument.name, tensors_of(*given), given->as<ArgumentList>() != nullptr, item});
        ++item;
    }
}

bool same_type_and_sizes(const ValueMeta& a, const ValueMeta& b) {
    const auto *x = std::get_if<TensorMeta>(&a), *y = std::get_if<TensorMeta>(&b);
    return x && y && x->dtype == y->dtype && x->sizes == y->sizes;
}

/// Chooses `count` of the tensor arguments, in order, such that those whose results are taken fit; the only way to do
/// so.
class ArgumentGuess {
public:
    ArgumentGuess(const Graph& graph, const Node& node, std::map<std::size_t, NodeId> taken, std::size_t count)
        : graph_(graph), taken_(std::move(taken)), count_(count) {
        for (const auto& [name, argument] : node.kwargs)
            if (argument.node() != no_node) arguments_.emplace_back(name, argument.node());
    }

    std::optional<std::vector<std::pair<std::string, NodeId>>> only_choice() {
        if (arguments_.size() > 16) return std::nullopt;
        choose(0);
        return choices_ == 1 ? std::optional(found_) : std::nullopt;
    }

private:
    void choose(std::size_t from) {
        if (chosen_.size() == count_) {
            if (++choices_ == 1) found_ = chosen_;
            return;
        }
        for (std::size_t i = from; i < arguments_.size() && choices_ < 2; ++i) {
            const auto item = taken_.find(chosen_.size());
            const auto& [name, value] = arguments_[i];
            if (item != taken_.end() && !same_type_and_sizes(graph_.node(item->second).meta, graph_.node(value).meta))
                continue;
            chosen_.emplace_back(name, value);
            choose(i + 1);
            chosen_.pop_back();
        }
    }

    const Graph& graph_;
    std::map<std::size_t, NodeId> taken_; ///< by number of the written argument: the getitem of its new value
    std::size_t count_;
    std::vector<std::pair<std::string, NodeId>> arguments_, chosen_, found_;
    int choices_ = 0;
};

bool guess_written_arguments(const Graph& graph, NodeId id, CustomCall& call) {
    std::map<std::size_t, NodeId> taken;
    std::size_t count = 1; // auto_functionalized wraps operators that write something
    for (const NodeId user : graph.users(id)) {
        const Node& item = graph.node(user);
        const auto* index = item.args.size() > 1 ? item.args[1].as<std::int64_t>() : nullptr;
        if (!index || *index < static_cast<std::int64_t>(call.result_count)) continue;
        const auto number = static_cast<std::size_t>(*index) - call.result_count;
        taken[number] = user;
        count = std::max(count, number + 1);
    }
    const auto chosen = ArgumentGuess(graph, graph.node(id), std::move(taken), count).only_choice();
    if (!chosen) return false;
    for (const auto& [name, value] : *chosen)
        call.written.push_back({name, {value}, false, call.result_count + call.written.size()});
    return true;
}

} // namespace

bool is_custom_call(const Node& node) {
    return node.opcode == Opcode::call_function && (node.target == first_version || node.target == second_version);
}

std::optional<CustomCall> read_custom_call(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const auto* wrapped = is_custom_call(node) && !node.args.empty() ? node.args[0].as<OpaqueText>() : nullptr;
    if (!wrapped) return std::nullopt;
    CustomCall call;
    call.target = (wrapped->text.starts_with("torch.ops.") ? "" : "torch.ops.") + wrapped->text;
    call.op = OperatorTable::instance().find(call.target);
    call.on_bases = node.target == second_version;
    if (call.op) call.result_count = std::max<std::size_t>(1, call.op->returns.size());
    if (call.on_bases)
        read_bases(node, call);
    else if (call.op)
        read_written_arguments(node, call);
    else if (!guess_written_arguments(graph, id, call))
        return std::nullopt;
    return call;
}

} // namespace inspector
