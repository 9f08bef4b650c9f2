// A decision of the re-inplacing pass, as a record. Sentences are made from it at the edge (explain.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/graph/size_condition.h"

namespace inspector {

enum class Verdict : std::uint8_t { pending, reinplaced, scatter_to_copy, deleted, kept, upstream_raises };

/// The checks in the order they are asked.
enum class CheckId : std::uint8_t {
    not_an_operator, no_arguments, first_argument_not_tensor, metadata, input_alias, argument_alias, later_use,
    scatter, no_inplace_variant, inplace_variant, output_alias, result_layout,
    redundant_write, not_a_candidate, written_twice, fusion,
};

/// Why, finer than the check: stable ids.
enum class Reason : std::uint8_t {
    none,
    not_an_overload,
    higher_order_op,
    unknown_operator,
    schema_without_arguments,
    first_argument_is_list,
    first_argument_is_optional,
    first_argument_not_a_tensor_type,
    numel,
    dtype,
    internal_overlap,
    leaf_count,
    metadata_unknown,
    result_is_void,
    result_is_not_a_tensor,
    self_is_not_a_tensor,
    self_as_keyword,
    view_op_copied,
    get_attr_tensor,
    needs_symbolic_shapes,
    sparse_layout,
    writes_several_arguments,
    storage_of_input,
    self_repeated,
    used_later,
    scatter_matched,
    is_view,
    name_missing,
    overload_missing,
    overload_ambiguous,
    has_inplace_variant,
    doomed_scatter,
    forced,
    skipped,
    sizes,
    device,
    lazy_bits,
    foreign_storage,
    operand_overlaps,
    read_between,
    returned_alias,
    layout_would_change,
    writes_the_same,
    not_in_table,
    dead_code,
    fused_scatter,
    replaced_by_operand,
    operand_unknown,
    list_items_alias,
    input_not_copied_back,
    view_not_copied_back,
    written_through_another,
    fusion_preferred,
};

enum class WitnessRole : std::uint8_t {
    self,
    result,
    input,
    operand,
    later_use,
    through_view,
    scatter,
    scatter_base,
    matched_alias,
    replacement,
    copy_back
};

struct Witness {
    WitnessRole role = WitnessRole::self;
    NodeId node = no_node;
    std::uint32_t order = 0;   ///< place in program order, for sorting
    friend bool operator==(const Witness&, const Witness&) = default;
};

/// What a person asked for a decision.
enum class Choice : std::uint8_t { policy, accept, skip, force };

/// What sizes would have to be for a refusal not to be one: it is true at some in range, and at others not.
struct DecisionCondition {
    std::vector<SizeCondition> all;      ///< together
    bool is_exact = true;                ///< where one fails the rewrite is wrong; else that is not known
    std::string text;                    ///< "s0 ≥ 2 and s1 = s0"
    std::string otherwise;               ///< what stands against it elsewhere: "the sizes differ"
};

/// One of the tensors, or lists of tensors, that an operator with several of them would write.
struct OperandDecision {
    std::string name;                    ///< of the argument: "x"; auto_functionalized_v2 numbers its bases: "0"
    std::vector<NodeId> values;          ///< one; the items of a list
    bool in_place = false;               ///< else it is cloned, and the clone is written
    CheckId check = CheckId::metadata;   ///< why not, where it is not
    Reason reason = Reason::none;
    std::vector<Witness> witnesses{};
    std::int64_t bytes = 0;              ///< of the elements of its values: saved, or lost to the clone
};

struct Decision {
    std::uint32_t index = 0;             ///< number among the graph's decisions: stable for one graph and policy
    NodeId node = no_node;
    NodeId operand = no_node;            ///< self
    std::string target;                  ///< before the decision: "aten.add.Tensor"
    Verdict verdict = Verdict::pending;
    CheckId check = CheckId::not_an_operator;
    Reason reason = Reason::none;
    Choice choice = Choice::policy;
    std::vector<std::string> detail;     ///< as the corpus records it: failed metadata fields, blocking nodes, new target
    std::string new_target;              ///< "aten.add_.Tensor"; empty when kept
    std::vector<Witness> witnesses;
    std::int64_t bytes = 0;              ///< of the result's storage: saved when reinplaced, lost when kept
    std::optional<DecisionCondition> condition; ///< refusals of `sound` that depend on symbolic sizes
    std::vector<OperandDecision> operands; ///< of lists and of custom operators (inductor); else empty
};

/// The node is in place, is a copy into its base, or is gone: its result is its operand from then on.
[[nodiscard]] inline bool is_rewritten(const Decision& decision) {
    return decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy ||
           decision.verdict == Verdict::deleted;
}
/// is_rewritten() by a rewrite of its own, not as a node that another rewrite makes superfluous.
[[nodiscard]] inline bool is_own_rewrite(const Decision& decision) {
    return decision.verdict == Verdict::reinplaced || decision.verdict == Verdict::scatter_to_copy ||
           decision.reason == Reason::writes_the_same;
}

[[nodiscard]] std::string_view text_id(Verdict verdict);
[[nodiscard]] std::string_view text_id(CheckId check);
[[nodiscard]] std::string_view text_id(Reason reason);
[[nodiscard]] std::string_view text_id(WitnessRole role);
[[nodiscard]] std::string_view text_id(Choice choice);

} // namespace inspector
