#include "core/graph/print.h"
#include "core/graph/verify.h"
#include "tests/fuzz/target.h"

namespace fuzz {

using namespace inspector;

namespace {

void check_tensor(const TensorMeta& tensor) {
    require(!tensor.strides || tensor.strides->size() == tensor.sizes.size(), "there are as many strides as sizes");
}

void check_meta(const ValueMeta& meta) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta)) check_tensor(*tensor);
    if (const auto* list = std::get_if<ListMeta>(&meta))
        for (const auto& item : list->items)
            if (item) check_tensor(*item);
}

} // namespace

void check_program(const Result<Program>& program) {
    if (!program) return require(!program.error().reason.empty(), "an error has a reason");
    for (std::size_t i = 0; i < program->graphs.size(); ++i) {
        const ProgramGraph& graph = program->graphs[i];
        require(!graph.id.empty(), "a graph has an id");
        require(!graph.parent || *graph.parent < i, "a parent stands before its nested graphs");
        if (!graph.is_read) continue;
        if (const auto faults = verify(graph.graph); !faults.empty()) require(false, faults.front().message());
        for (const NodeId node : graph.graph) check_meta(graph.graph.node(node).meta);
        require(!print_fx(graph.graph).empty(), "a graph can be printed");
        if (!graph.parent)
            require(!print_readable(*program, i, {}).empty(), "a graph can be printed with what is nested");
    }
    for (const StoredTensor& tensor : program->tensors) check_tensor(tensor.meta);
}

} // namespace fuzz
