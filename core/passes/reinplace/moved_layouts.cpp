#include "core/passes/reinplace/moved_layouts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/graph/symbolic_arithmetic.h"
#include "core/operators/infer.h"
#include "core/passes/reinplace/infer_call.h"
#include "core/passes/reinplace/layout_sensitivity.h"
#include "core/passes/reinplace/unit_stride_rules.h"

namespace inspector {
namespace {

constexpr std::size_t reader_limit = 256;

constexpr std::array asks_for_strides_or_offset{
    std::string_view("aten::storage_offset"),
    std::string_view("aten::stride"),
    std::string_view("aten::sym_storage_offset"),
    std::string_view("aten::sym_stride"),
};
static_assert(std::ranges::is_sorted(asks_for_strides_or_offset));

class Mover {
public:
    Mover(const PassState& state, NodeId node, const TensorLayout& place)
        : state_(state), places_(*state.places), root_(node), storage_(place.storage), shift_bytes_(0) {
        const TensorLayout& made = *places_.layout(node);
        keeps_strides_ = same_strides(made, place);
        keeps_all_strides_ = made.sizes == place.sizes && made.strides == place.strides;
        const std::int64_t size = element_size(made.dtype);
        shift_bytes_ = (place.storage_offset - made.storage_offset) * size;
        bits_shift_ = shift_bytes_;
        note_symbolic_shift();
        move(node, place);
    }

    MovedLayouts run() {
        const std::vector<NodeId>& values = places_.values_on(state_.storage(root_));
        const bool stays = keeps_all_strides_ && shift_bytes_ == 0;
        for (const NodeId value : values) {
            if (value == root_) continue;
            if (stays ? !keep(value) : !move_view(value)) return std::move(result_);
        }
        if (stays) return std::move(result_);
        const Operator* op = state_.target(root_).op;
        if (!op->has_tag("pointwise") &&
            !gives_same_bits(*op, state_.original.node(root_), dtype_of(root_), keeps_strides_, bits_shift_))
            return stop(root_, "its kernel may add or round in another order when it writes there");
        std::size_t readers = 0;
        for (const NodeId value : values) {
            for (const Placements::Read& read : places_.reads(value)) {
                if (++readers > reader_limit)
                    return stop(read.reader, "too many nodes read it to follow what a new layout does to all of them");
                if (!reader_is_unharmed(read.reader, value)) return std::move(result_);
            }
            for (const NodeId user : state_.original.users(value))
                if (!reads_elements_of(user, value) && !layout_reader_is_unharmed(user)) return std::move(result_);
        }
        return std::move(result_);
    }

private:
    MovedLayouts stop(NodeId at, std::string why) {
        result_.obstacle = at;
        result_.why = std::move(why);
        return std::move(result_);
    }
    bool object(NodeId at, std::string why) {
        result_.obstacle = at;
        result_.why = std::move(why);
        return false;
    }

    /// With symbols the distance may be one number here and another there.
    void note_symbolic_shift() {
        const Node& node = state_.original.node(root_);
        const NodeId self = node.args.empty() ? no_node : state_.graph.node(root_).args[0].node();
        const SymbolicLayout *to = places_.symbolic_layout(self), *from = places_.symbolic_layout(root_);
        if (!to || !from) return;
        const auto negative = product(from->offset, -1);
        symbolic_shift_ = negative ? sum(to->offset, *negative) : std::nullopt;
        if (!symbolic_shift_ || !symbolic_shift_->is_constant())
            bits_shift_ = shift_bytes_ == 0 ? 0 : 1; // no cache line
    }

    /// `value` for all sizes, once it has moved.
    [[nodiscard]] std::optional<SymbolicLayout> shifted(NodeId value) const {
        const SymbolicLayout* before = places_.symbolic_layout(value);
        if (!before || !keeps_strides_ || !symbolic_shift_) return std::nullopt;
        SymbolicLayout after = *before;
        const auto offset = sum(before->offset, *symbolic_shift_);
        if (!offset) return std::nullopt;
        after.offset = *offset;
        return after;
    }

    void move(NodeId value, TensorLayout layout) {
        moved_[value] = layout;
        result_.values.push_back({value, std::move(layout), shifted(value)});
    }

    bool keep(NodeId value) {
        if (const TensorLayout* known = places_.layout(value)) {
            TensorLayout kept = *known;
            kept.storage = storage_;
            move(value, std::move(kept));
        }
        return true;
    }

    [[nodiscard]] const TensorLayout* layout(NodeId node) const {
        const auto moved = moved_.find(node);
        return moved != moved_.end() ? &moved->second : places_.layout(node);
    }

    std::optional<MetaValue> infer(NodeId id) {
        const Operator* op = state_.target(id).op;
        if (!op) return std::nullopt;
        if (!executor_) executor_.emplace();
        return infer_call(*executor_, *op, state_.original.node(id), [&](NodeId operand) -> std::optional<MetaValue> {
            if (const TensorLayout* known = layout(operand)) return MetaValue{*known};
            if (const auto& number = state_.facts.of(operand).number) return MetaValue{*number};
            return std::nullopt;
        });
    }

    bool move_view(NodeId value) {
        const Node& node = state_.original.node(value);
        const ValueFacts& facts = state_.facts.of(value);
        if (facts.is_list) {
            const auto inferred = infer(value);
            const auto* items = inferred ? std::get_if<MetaList>(&inferred->value) : nullptr;
            if (!items || items->size() != facts.items.size())
                return object(value, "these pieces cannot be taken of the new layout");
            lists_[value] = *items;
            return true;
        }
        const TensorLayout* before = places_.layout(value);
        if (!before) return object(value, "its layout is not known");
        std::optional<MetaValue> inferred;
        if (state_.target(value).is_getitem) {
            const auto list = lists_.find(node.args[0].node());
            const auto* index = node.args.size() > 1 ? node.args[1].as<std::int64_t>() : nullptr;
            if (list == lists_.end() || !index || *index < 0 || static_cast<std::size_t>(*index) >= list->second.size())
                return object(value, "its place is not known");
            inferred = list->second[static_cast<std::size_t>(*index)];
        } else {
            inferred = infer(value);
        }
        const auto* after = inferred ? std::get_if<TensorLayout>(&inferred->value) : nullptr;
        if (!after || after->storage != moved_.at(root_).storage)
            return object(value, "this view cannot be taken of the new layout");
        if (after->sizes != before->sizes || after->dtype != before->dtype)
            return object(value, "this view would mean other elements");
        const std::int64_t shift = (after->storage_offset - before->storage_offset) * element_size(after->dtype);
        if (keeps_strides_ ? !same_strides(*before, *after) || shift != shift_bytes_
                           : state_.target(value).op && state_.target(value).op->name == "aten::as_strided")
            return object(value, "this view names cells of the storage itself, so it would mean other elements");
        move(value, *after);
        return true;
    }

    /// Lists are of what the root is of.
    [[nodiscard]] DType dtype_of(NodeId value) const {
        const TensorLayout* layout = places_.layout(value);
        return layout ? layout->dtype : places_.layout(root_)->dtype;
    }

    bool reader_is_unharmed(NodeId reader, NodeId value) {
        const Node& node = state_.original.node(reader);
        if (node.opcode == Opcode::output)
            return !places_.is_returned(state_.storage(root_)) || keeps_all_strides_of(value) ||
                   object(reader, "a returned value would have other strides");
        const Operator* op = state_.target(reader).op;
        if (!op) return object(reader, "nothing is known of how it reads a value that lies elsewhere");
        const bool names_cells = op->name == "aten::as_strided_scatter" || op->name == "aten::as_strided_copy";
        if (names_cells && node.args[0].node() == value) return object(reader, "it names cells of the storage itself");
        if (!gives_same_bits(*op, node, dtype_of(value), keeps_strides_, bits_shift_))
            return object(reader, keeps_strides_ ? "its kernel may choose its code by the address of its operand"
                                                 : "with other strides its kernel may add or round in another order");
        // A stride of a dimension of size 1 moves nothing, but operators order the dimensions of their results by it.
        if (keeps_all_strides_) return true;
        return op->is_mutable || makes_the_same_layout(reader) ||
               object(reader, "its result would be laid out differently");
    }

    /// Of dimensions of size 1 too: the caller sees them.
    [[nodiscard]] bool keeps_all_strides_of(NodeId value) const {
        if (const auto moved = moved_.find(value); moved != moved_.end()) return is_laid_out_as(value, {moved->second});
        const auto list = lists_.find(value);
        return list != lists_.end() && is_laid_out_as(value, {list->second});
    }

    /// `after` has the sizes and strides that `value` has now, in dimensions of size 1 too: readers look at them.
    [[nodiscard]] bool is_laid_out_as(NodeId value, const MetaValue& after) const {
        const auto is_same = [](const TensorLayout* before, const MetaValue& item) {
            const auto* layout = std::get_if<TensorLayout>(&item.value);
            return before && layout && before->sizes == layout->sizes && before->strides == layout->strides;
        };
        const auto* items = std::get_if<MetaList>(&after.value);
        if (!items) return is_same(places_.layout(value), after);
        const auto& before = state_.facts.of(value).items;
        for (std::size_t i = 0; i < items->size(); ++i)
            if (i >= before.size() || !is_same(before[i] ? &*before[i] : nullptr, (*items)[i])) return false;
        return true;
    }

    [[nodiscard]] bool reads_elements_of(NodeId user, NodeId value) const {
        return std::ranges::any_of(places_.reads(value),
                                   [&](const Placements::Read& read) { return read.reader == user; });
    }

    /// `user` needs no elements, but may need the layout: full_like follows its operand's strides.
    bool layout_reader_is_unharmed(NodeId user) {
        if (places_.layout(user) && places_.layout(user)->storage == places_.layout(root_)->storage)
            return true; // a view
        const Node& node = state_.original.node(user);
        const Operator* op = state_.target(user).op;
        if (!op) return true; // getitem, output
        const bool asserts_strides =
            op->name == "aten::_assert_tensor_metadata" && node.args.size() > 2 && !node.args[2].as<None>();
        if (asserts_strides || std::ranges::binary_search(asks_for_strides_or_offset, std::string_view(op->name)))
            return object(user, "it asks where the value lies");
        return makes_the_same_layout(user) || object(user, "its result would be laid out differently");
    }

    bool makes_the_same_layout(NodeId reader) {
        const UnitStrides& units = places_.unit_strides();
        const Operator* op = state_.target(reader).op;
        if (units.is_shown(reader) && !(units.is_known(reader) && op && follows_meta_kernel(*op))) return false;
        const auto inferred = infer(reader);
        if (!inferred) return false;
        const bool has_layout =
            std::holds_alternative<TensorLayout>(inferred->value) || std::holds_alternative<MetaList>(inferred->value);
        return !has_layout || is_laid_out_as(reader, *inferred);
    }

    const PassState& state_;
    const Placements& places_;
    NodeId root_;
    StorageId storage_;  ///< where all of them lie from now on
    std::int64_t shift_bytes_;
    std::int64_t bits_shift_ = 0;        ///< the same, or 1 where it is not the same for all sizes
    std::optional<SymbolicSize> symbolic_shift_; ///< in elements; nullopt: not known, or there are no symbols
    bool keeps_strides_ = true;      ///< of dimensions above 1
    bool keeps_all_strides_ = true;
    std::optional<MetaExecutor> executor_; ///< made when first needed: most results stay where they are
    std::map<NodeId, TensorLayout> moved_;
    std::map<NodeId, MetaList> lists_;
    MovedLayouts result_;
};

} // namespace

MovedLayouts move_result(const PassState& state, NodeId node, const TensorLayout& place) {
    return Mover(state, node, place).run();
}

} // namespace inspector
