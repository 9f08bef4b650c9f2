// Never changes what a caller can observe: values bit for bit, mutations of inputs, strides of outputs, which outputs share
// storage with each other and with inputs, and errors; for every size in range, whatever layouts the kernels pick. Holds
// for inference. Docs: docs/policies.md.
#include "core/passes/reinplace/checks/inplace_variant_check.h"
#include "core/passes/reinplace/checks/operator_check.h"
#include "core/passes/reinplace/checks/scatter_check.h"
#include "core/passes/reinplace/checks/sound/exact_metadata_check.h"
#include "core/passes/reinplace/checks/sound/later_read_check.h"
#include "core/passes/reinplace/checks/sound/operand_overlap_check.h"
#include "core/passes/reinplace/checks/sound/own_memory_check.h"
#include "core/passes/reinplace/checks/sound/redundant_write_check.h"
#include "core/passes/reinplace/checks/sound/result_layout_check.h"
#include "core/passes/reinplace/checks/sound/returned_alias_check.h"
#include "core/passes/reinplace/policy.h"

namespace inspector {
namespace {

bool is_member(const Node&) { return true; }
bool counts_as_use(const Target&) { return true; }

} // namespace

const Policy& sound_policy() {
    static const OperatorCheck is_operator;
    static const ExactMetadataCheck metadata;
    static const RedundantWriteCheck redundant_write;
    static const OwnMemoryCheck own_memory;
    static const OperandOverlapCheck operand_overlap;
    static const LaterReadCheck later_read;
    static const ReturnedAliasCheck returned_alias;
    static const ResultLayoutCheck result_layout;
    static const ScatterCheck scatter;
    static const InplaceVariantCheck inplace_variant;
    static const Policy policy{
        {"sound", "Never changes what a caller can observe, and within that reinplaces what it can."},
        {&is_operator, &metadata, &redundant_write, &own_memory, &operand_overlap, &later_read, &returned_alias, &result_layout, &scatter,
         &inplace_variant},
        is_member,
        counts_as_use,
        true,
    };
    return policy;
}

} // namespace inspector
