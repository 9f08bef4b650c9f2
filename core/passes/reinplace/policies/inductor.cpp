// torch._inductor.fx_passes.reinplace as it is in torch 2.13, and what moves or removes nodes before it: dead code
// goes, and graphs for inference are reordered. Unlike that pass, it says why it leaves a node alone, and what that
// costs.
#include "core/passes/reinplace/checks/inductor/alias_use_check.h"
#include "core/passes/reinplace/checks/inductor/copy_back_check.h"
#include "core/passes/reinplace/checks/inductor/fusion_check.h"
#include "core/passes/reinplace/checks/inductor/inductor_write_check.h"
#include "core/passes/reinplace/checks/inductor/operand_storage_check.h"
#include "core/passes/reinplace/checks/inductor/single_writer_check.h"
#include "core/passes/reinplace/checks/inductor/table_check.h"
#include "core/passes/reinplace/inductor/write.h"
#include "core/passes/reinplace/policy.h"

namespace inspector {
namespace {

bool is_member(const Node&) { return true; }
bool counts_as_use(const Target&) { return true; }

} // namespace

const Policy& inductor_policy() {
    static const InductorTableCheck table;
    static const OperandStorageCheck operand_storage;
    static const CopyBackCheck copy_back;
    static const AliasUseCheck alias_use;
    static const SingleWriterCheck single_writer;
    static const FusionCheck fusion;
    static const InductorWriteCheck write;
    static const Policy policy{
        .info = {"inductor", "Decides as the re-inplacing pass of torch._inductor 2.13 does, its faults included."},
        .checks = {&table, &operand_storage, &copy_back, &alias_use, &single_writer, &fusion, &write},
        .is_member = is_member,
        .counts_as_use = counts_as_use,
        .prepares_like_inductor = true,
        .aliasing = GraphFacts::Aliasing::of_fake_tensors,
        .can_rewrite = can_write_as_inductor,
        .rewrite = write_as_inductor,
    };
    return policy;
}

} // namespace inspector
