#include "core/passes/reinplace/decision.h"

namespace inspector {

std::string_view text_id(Verdict verdict) {
    switch (verdict) {
    case Verdict::pending: return "pending";
    case Verdict::reinplaced: return "reinplaced";
    case Verdict::scatter_to_copy: return "scatter_to_copy";
    case Verdict::deleted: return "deleted";
    case Verdict::kept: return "kept";
    case Verdict::upstream_raises: return "upstream_raises";
    }
    return "";
}

std::string_view text_id(CheckId check) {
    switch (check) {
    case CheckId::not_an_operator: return "not_an_operator";
    case CheckId::no_arguments: return "no_arguments";
    case CheckId::first_argument_not_tensor: return "first_argument_not_tensor";
    case CheckId::metadata: return "metadata";
    case CheckId::input_alias: return "input_alias";
    case CheckId::argument_alias: return "argument_alias";
    case CheckId::later_use: return "later_use";
    case CheckId::scatter: return "scatter";
    case CheckId::no_inplace_variant: return "no_inplace_variant";
    case CheckId::inplace_variant: return "inplace_variant";
    case CheckId::output_alias: return "output_alias";
    case CheckId::result_layout: return "result_layout";
    case CheckId::redundant_write: return "redundant_write";
    case CheckId::not_a_candidate: return "not_a_candidate";
    case CheckId::written_twice: return "written_twice";
    case CheckId::fusion: return "fusion";
    }
    return "";
}

std::string_view text_id(Reason reason) {
    switch (reason) {
    case Reason::none: return "none";
    case Reason::not_an_overload: return "not_an_overload";
    case Reason::higher_order_op: return "higher_order_op";
    case Reason::unknown_operator: return "unknown_operator";
    case Reason::schema_without_arguments: return "schema_without_arguments";
    case Reason::first_argument_is_list: return "first_argument_is_list";
    case Reason::first_argument_is_optional: return "first_argument_is_optional";
    case Reason::first_argument_not_a_tensor_type: return "first_argument_not_a_tensor_type";
    case Reason::numel: return "numel";
    case Reason::dtype: return "dtype";
    case Reason::internal_overlap: return "internal_overlap";
    case Reason::leaf_count: return "leaf_count";
    case Reason::metadata_unknown: return "metadata_unknown";
    case Reason::result_is_void: return "result_is_void";
    case Reason::result_is_not_a_tensor: return "result_is_not_a_tensor";
    case Reason::self_is_not_a_tensor: return "self_is_not_a_tensor";
    case Reason::self_as_keyword: return "self_as_keyword";
    case Reason::view_op_copied: return "view_op_copied";
    case Reason::get_attr_tensor: return "get_attr_tensor";
    case Reason::needs_symbolic_shapes: return "needs_symbolic_shapes";
    case Reason::sparse_layout: return "sparse_layout";
    case Reason::writes_several_arguments: return "writes_several_arguments";
    case Reason::storage_of_input: return "storage_of_input";
    case Reason::self_repeated: return "self_repeated";
    case Reason::used_later: return "used_later";
    case Reason::scatter_matched: return "scatter_matched";
    case Reason::is_view: return "is_view";
    case Reason::name_missing: return "name_missing";
    case Reason::overload_missing: return "overload_missing";
    case Reason::overload_ambiguous: return "overload_ambiguous";
    case Reason::has_inplace_variant: return "has_inplace_variant";
    case Reason::doomed_scatter: return "doomed_scatter";
    case Reason::forced: return "forced";
    case Reason::skipped: return "skipped";
    case Reason::sizes: return "sizes";
    case Reason::device: return "device";
    case Reason::lazy_bits: return "lazy_bits";
    case Reason::foreign_storage: return "foreign_storage";
    case Reason::operand_overlaps: return "operand_overlaps";
    case Reason::read_between: return "read_between";
    case Reason::returned_alias: return "returned_alias";
    case Reason::layout_would_change: return "layout_would_change";
    case Reason::writes_the_same: return "writes_the_same";
    case Reason::not_in_table: return "not_in_table";
    case Reason::dead_code: return "dead_code";
    case Reason::fused_scatter: return "fused_scatter";
    case Reason::replaced_by_operand: return "replaced_by_operand";
    case Reason::operand_unknown: return "operand_unknown";
    case Reason::list_items_alias: return "list_items_alias";
    case Reason::input_not_copied_back: return "input_not_copied_back";
    case Reason::view_not_copied_back: return "view_not_copied_back";
    case Reason::written_through_another: return "written_through_another";
    case Reason::fusion_preferred: return "fusion_preferred";
    }
    return "";
}

std::string_view text_id(WitnessRole role) {
    switch (role) {
    case WitnessRole::self: return "self";
    case WitnessRole::result: return "result";
    case WitnessRole::input: return "input";
    case WitnessRole::operand: return "operand";
    case WitnessRole::later_use: return "later_use";
    case WitnessRole::through_view: return "through_view";
    case WitnessRole::scatter: return "scatter";
    case WitnessRole::scatter_base: return "scatter_base";
    case WitnessRole::matched_alias: return "matched_alias";
    case WitnessRole::replacement: return "replacement";
    case WitnessRole::copy_back: return "copy_back";
    }
    return "";
}

std::string_view text_id(Choice choice) {
    switch (choice) {
    case Choice::policy: return "policy";
    case Choice::accept: return "accept";
    case Choice::skip: return "skip";
    case Choice::force: return "force";
    }
    return "";
}

} // namespace inspector
