// The end of the graph: what is returned, what is written back into inputs, and what nobody needs any more.
#include "core/passes/functionalize/walk.h"

#include <algorithm>

#include "core/operators/operator_table.h"
#include "core/passes/functionalize/dead_code.h"

namespace inspector {

FunctionalizeEnding FunctionalWalk::finish() {
    FunctionalizeEnding ending;
    FunctionalizeStep record;
    record_ = &record;
    visit_until_mutation();
    for (const NodeId id : order_) {
        const Opcode opcode = source_.node(id).opcode;
        const TensorId root = tree_.of(id);
        const bool is_input = opcode == Opcode::placeholder || opcode == Opcode::get_attr;
        if (is_input && root != no_tensor && tree_[root].source == id && tree_.writes(tree_[root].storage) > 0)
            ending.inputs.push_back({id, tree_[root].value, no_node});
    }
    if (graph_.output() != no_node) {
        if (rules_.epilogue == Epilogue::copies) write_inputs(ending.inputs);
        redirect_returned(ending.inputs);
        if (rules_.epilogue == Epilogue::outputs && !ending.inputs.empty()) return_written(ending.inputs);
    }
    ending.refusal = trouble_;
    ending.added = std::move(record.added);
    ending.redirected = std::move(record.redirected);
    ending.erased = eliminate_dead_code(graph_);
    record_ = nullptr;
    return ending;
}

void FunctionalWalk::write_inputs(std::vector<WrittenInput>& inputs) {
    const Operator* copy = OperatorTable::instance().find("aten.copy_.default");
    for (WrittenInput& input : inputs) {
        const TensorId root = tree_.of(input.placeholder);
        input.copy = added(builder_.call(graph_.output(), *copy, {NodeReference{input.placeholder}, NodeReference{input.value}}, {},
                                         meta(root), input.placeholder), AddedRole::epilogue);
        // What is returned of it is a view of the input again.
        tree_.write(root);
        tree_.set_value(root, input.placeholder, tree_.writes(tree_[root].storage));
    }
}

void FunctionalWalk::redirect_returned(const std::vector<WrittenInput>& inputs) {
    const NodeId output = graph_.output();
    // Returned tensors that shared memory share it again: all are views of one value.
    std::map<StorageId, std::set<TensorId>> sharing;
    if (rules_.epilogue == Epilogue::copies)
        for (const WrittenInput& input : inputs) sharing[tree_[tree_.of(input.placeholder)].storage].insert(tree_.of(input.placeholder));
    for (const NodeId named : source_.inputs(output))
        if (const TensorId id = tree_.of(named); id != no_tensor) sharing[tree_[id].storage].insert(id);
    for (const NodeId named : source_.inputs(output)) {
        const TensorId id = tree_.of(named);
        if (id == no_tensor) continue;
        const bool shares = sharing[tree_[id].storage].size() > 1;
        const NodeId value = shares ? attached(id, output) : current(id, output);
        if (value == named) continue;
        graph_.replace_input(output, named, value);
        record_->redirected.push_back({output, named, value});
    }
}

void FunctionalWalk::return_written(const std::vector<WrittenInput>& inputs) {
    const NodeId output = graph_.output();
    const Argument result = graph_.node(output).args.empty() ? Argument() : graph_.node(output).args.front();
    ArgumentList all;
    all.kind = ArgumentList::Kind::tuple;
    for (const WrittenInput& input : inputs) all.items.emplace_back(NodeReference{input.value});
    if (const auto* list = result.as<ArgumentList>()) all.items.insert(all.items.end(), list->items.begin(), list->items.end());
    else all.items.push_back(result);
    graph_.set_arguments(output, {Argument(std::move(all))}, {});
}

} // namespace inspector
