// torch.fx.passes.reinplace as it is in torch 2.13. Where that pass stops with an error, this policy says so at the node
// and goes on with the next.
#include "core/passes/reinplace/checks/argument_alias_check.h"
#include "core/passes/reinplace/checks/inplace_variant_check.h"
#include "core/passes/reinplace/checks/input_alias_check.h"
#include "core/passes/reinplace/checks/later_use_check.h"
#include "core/passes/reinplace/checks/metadata_check.h"
#include "core/passes/reinplace/checks/operator_check.h"
#include "core/passes/reinplace/checks/scatter_check.h"
#include "core/passes/reinplace/policy.h"

namespace inspector {
namespace {

/// Constants of the module are real tensors to upstream; it collects fake ones only.
bool is_member(const Node& node) { return node.opcode != Opcode::get_attr; }

/// Operators that take a tensor and return nothing (_assert_tensor_metadata) make upstream raise. Graphs are decided as
/// if they were not there.
bool counts_as_use(const Target& target) {
    const Operator* op = target.op;
    return !(op && op->returns.empty() && !op->arguments.empty() && op->arguments[0].type == "Tensor");
}

} // namespace

const Policy& torch_fx_policy() {
    static const OperatorCheck is_operator;
    static const MetadataCheck metadata;
    static const InputAliasCheck input_alias;
    static const ArgumentAliasCheck argument_alias;
    static const LaterUseCheck later_use;
    static const ScatterCheck scatter;
    static const InplaceVariantCheck inplace_variant;
    static const Policy policy{
        .info = {"torch-fx", "Decides as torch.fx.passes.reinplace of torch 2.13 does, its faults included."},
        .checks = {&is_operator, &metadata, &input_alias, &argument_alias, &later_use, &scatter, &inplace_variant},
        .is_member = is_member,
        .counts_as_use = counts_as_use,
        .aliasing = GraphFacts::Aliasing::of_fake_tensors,
    };
    return policy;
}

} // namespace inspector
