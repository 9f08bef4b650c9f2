#include "tests/random_programs/random_program.h"

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "core/analysis/region.h"
#include "core/operators/infer.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

using Sizes = std::vector<std::int64_t>;

Argument list(const Sizes& items) {
    ArgumentList result;
    for (const std::int64_t item : items) result.items.emplace_back(item);
    return result;
}

Argument list(const std::vector<NodeId>& nodes) {
    ArgumentList result;
    for (const NodeId node : nodes) result.items.emplace_back(NodeReference{node});
    return result;
}

Argument ref(NodeId node) { return NodeReference{node}; }

class Generator {
public:
    Generator(std::uint64_t seed, const RandomProgramOptions& options) : options_(options), random_(seed) {}

    Program make() {
        const std::array<Sizes, 6> usual{Sizes{4, 4}, Sizes{4, 4}, Sizes{4}, Sizes{2, 3, 4}, Sizes{4, 1}, Sizes{}};
        const std::array<Sizes, 6> unit{Sizes{4, 4}, Sizes{1, 4}, Sizes{1}, Sizes{2, 1, 3}, Sizes{4, 1}, Sizes{1, 3, 1, 2}};
        const std::array<Sizes, 6>& shapes = options_.unit_sizes ? unit : usual;
        for (int i = 0, count = pick(2, 4); i < count; ++i) placeholder(i == 0 ? shapes[0] : shapes[std::size_t(pick(0, 5))]);
        for (int i = 0; i < options_.operations; ++i) step();
        if (options_.epilogue_copies && chance(30)) epilogue_copy();
        output();

        Program program;
        program.path = "random";
        program.format = "fx_text";
        ProgramGraph entry;
        entry.id = "root";
        entry.kind = "print_readable";
        entry.graph = std::move(graph_);
        entry.graph.forget_history();
        program.graphs.push_back(std::move(entry));
        return program;
    }

private:
    struct Value {
        NodeId node;
        TensorLayout layout;
    };

    int pick(int low, int high) { return low + int(random_() % std::uint64_t(high - low + 1)); }
    bool chance(int percent) { return pick(1, 100) <= percent; }

    // --- nodes -------------------------------------------------------------------------------------------------------

    void placeholder(const Sizes& sizes) {
        TensorLayout layout;
        layout.sizes = sizes;
        layout.strides.assign(sizes.size(), 1);
        for (std::size_t i = sizes.size(); i-- > 1;) layout.strides[i - 1] = layout.strides[i] * sizes[i];
        if (sizes.size() == 2 && chance(15)) std::swap(layout.strides[0], layout.strides[1]);
        layout.storage = meta_.new_storage();
        Node node;
        node.opcode = Opcode::placeholder;
        node.name = node.target = graph_.fresh_name("arg" + std::to_string(values_.size()) + "_1");
        node.meta = tensor_meta(layout);
        values_.push_back({graph_.append(std::move(node)), layout});
        ++inputs_;
    }

    const TensorLayout* layout_of(NodeId id) const {
        for (const Value& value : values_)
            if (value.node == id) return &value.layout;
        return nullptr;
    }

    MetaValue meta_value(const Argument& argument) const {
        if (const NodeId id = argument.node(); id != no_node) return {*layout_of(id)};
        if (const auto* items = argument.as<ArgumentList>()) {
            bool holds_nodes = false;
            for_each_reference(argument, [&](NodeId) { holds_nodes = true; });
            if (!holds_nodes) return {argument};
            MetaList result;
            for (const Argument& item : items->items) result.push_back(meta_value(item));
            return {std::move(result)};
        }
        if (argument.as<None>()) return {};
        return {argument};
    }

    /// Appends a call if its arguments are accepted. Values it adds: one, or an item each for a list result.
    std::vector<Value> call(const std::string& target, std::vector<Argument> args, std::vector<NamedArgument> kwargs = {}) {
        const Operator* op = OperatorTable::instance().find("torch.ops.aten." + target);
        if (!op) return {};
        std::vector<MetaValue> values;
        for (const Argument& argument : args) values.push_back(meta_value(argument));
        std::vector<std::pair<std::string, MetaValue>> named;
        for (const auto& [name, argument] : kwargs) named.emplace_back(name, meta_value(argument));
        const auto result = meta_.run(*op, values, named);
        if (!result) return {};

        std::string name = target.substr(0, target.find('.'));
        Node node;
        node.name = graph_.fresh_name(name == "sum" ? "sum_1" : name);
        node.target = "torch.ops.aten." + target;
        node.args = std::move(args);
        node.kwargs = std::move(kwargs);
        if (const auto* layout = std::get_if<TensorLayout>(&result->value)) {
            node.meta = tensor_meta(*layout);
            const TensorLayout kept = *layout;
            values_.push_back({graph_.append(std::move(node)), kept});
            return {values_.back()};
        }
        const auto* items = std::get_if<MetaList>(&result->value);
        if (!items || items->empty()) return {};
        ListMeta meta;
        for (const MetaValue& item : *items)
            meta.items.emplace_back(tensor_meta(std::get<TensorLayout>(item.value)));
        node.meta = std::move(meta);
        const NodeId whole = graph_.append(std::move(node));
        std::vector<Value> pieces;
        for (std::size_t i = 0; i < items->size(); ++i) {
            if (i > 0 && chance(20)) continue; // nobody takes this item
            const TensorLayout layout = std::get<TensorLayout>((*items)[i].value);
            Node item;
            item.name = graph_.fresh_name("getitem");
            item.target = "operator.getitem";
            item.args = {ref(whole), std::int64_t(i)};
            item.meta = tensor_meta(layout);
            values_.push_back({graph_.append(std::move(item)), layout});
            pieces.push_back(values_.back());
        }
        return pieces;
    }

    // --- choosing operands -------------------------------------------------------------------------------------------

    template <typename Accept> std::optional<Value> value_where(const Accept& accept) {
        std::vector<const Value*> fitting;
        for (const Value& value : values_)
            if (accept(value.layout)) fitting.push_back(&value);
        if (fitting.empty()) return std::nullopt;
        // Recent values more often than old ones: chains are what the pass works on.
        const std::size_t count = fitting.size();
        const std::size_t from_end = chance(60) ? random_() % std::min<std::size_t>(count, 4) : random_() % count;
        return *fitting[count - 1 - from_end];
    }

    Value any() { return *value_where([](const TensorLayout&) { return true; }); }
    Value floating() {
        return *value_where([](const TensorLayout& l) { return l.dtype == DType::f32; });
    }
    Value like(const TensorLayout& wanted) {
        return *value_where([&](const TensorLayout& l) { return l.sizes == wanted.sizes && l.dtype == wanted.dtype; });
    }
    std::optional<Value> matrix() {
        return value_where([](const TensorLayout& l) { return l.dtype == DType::f32 && l.sizes.size() >= 1; });
    }

    // --- patterns ----------------------------------------------------------------------------------------------------

    void step() {
        if (options_.training && chance(30)) return training_mutation();
        const int draw = pick(1, 100);
        if (draw <= 26) unary();
        else if (draw <= 44) binary();
        else if (draw <= 62) view(any());
        else if (draw <= 78) update_through_view();
        else if (draw <= 82) reduction();
        else if (draw <= 86) multiplication();
        else if (draw <= 89) indexing();
        else if (draw <= 93) copying();
        else if (draw <= 97) cast();
        else if (options_.mutating) mutation();
        else unary();
    }

    std::optional<Value> single(std::vector<Value> values) {
        return values.empty() ? std::nullopt : std::optional(values.front());
    }

    std::optional<Value> unary() {
        static constexpr std::array names{"neg.default", "relu.default", "abs.default", "sin.default", "cos.default", "tanh.default",
                                          "sigmoid.default", "silu.default", "exp.default", "square.default", "gelu.default", "clamp.default",
                                          "cumsum.default", "ceil.default", "hardtanh.default", "logical_not.default", "triu.default"};
        const std::string name = names[random_() % names.size()];
        const bool any_number = name == "neg.default" || name == "abs.default"; // no kernel of these takes bool
        const Value x = any_number ? *value_where([](const TensorLayout& l) { return l.dtype != DType::b8; }) : floating();
        if (name == "clamp.default") return single(call(name, {ref(x.node), -1.0, 1.0}));
        if (name == "cumsum.default") return x.layout.sizes.empty() ? std::nullopt : single(call(name, {ref(x.node), std::int64_t(0)}));
        return single(call(name, {ref(x.node)}));
    }

    std::optional<Value> binary_on(const Value& x) {
        static constexpr std::array tensor_names{"add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "maximum.default", "atan2.default",
                                                 "eq.Tensor", "lt.Tensor"};
        static constexpr std::array scalar_names{"add.Tensor", "mul.Tensor", "sub.Tensor", "div.Tensor", "pow.Tensor_Scalar", "gt.Scalar"};
        // Complex numbers have no order: meta kernels let such comparisons pass, CPU kernels refuse them.
        const std::size_t scalar_choices = is_complex(x.layout.dtype) ? scalar_names.size() - 1 : scalar_names.size();
        if (chance(40)) return single(call(scalar_names[random_() % scalar_choices], {ref(x.node), double(pick(1, 3))}));
        std::string name = tensor_names[random_() % tensor_names.size()];
        const Value y = chance(50) ? like(x.layout) : any();
        const bool ordered = !is_complex(x.layout.dtype) && !is_complex(y.layout.dtype);
        if (!ordered && (name == "lt.Tensor" || name == "maximum.default" || name == "atan2.default")) name = "mul.Tensor";
        if (ordered && chance(12)) {
            const auto condition = call("gt.Tensor", {ref(x.node), ref(y.node)});
            if (condition.empty()) return std::nullopt;
            return single(call(chance(50) ? "where.self" : "masked_fill.Scalar",
                               condition.empty() ? std::vector<Argument>{}
                                                 : std::vector<Argument>{ref(condition[0].node), ref(x.node), ref(y.node)}));
        }
        return single(call(name, {ref(x.node), ref(y.node)}));
    }
    std::optional<Value> binary() { return binary_on(any()); }

    std::optional<Value> elementwise_on(const Value& x) {
        if (x.layout.dtype != DType::f32 || chance(50)) return binary_on(x);
        static constexpr std::array names{"neg.default", "relu.default", "sin.default", "tanh.default", "abs.default"};
        return single(call(names[random_() % names.size()], {ref(x.node)}));
    }

    std::vector<Value> view(const Value& x) {
        const auto dims = static_cast<int>(x.layout.sizes.size());
        const auto dim = [&] { return std::int64_t(pick(0, std::max(0, dims - 1))); };
        const auto size = [&](std::int64_t d) { return x.layout.sizes[std::size_t(d)]; };
        std::int64_t elements = 1;
        for (const std::int64_t s : x.layout.sizes) elements *= s;
        switch (pick(0, 21)) {
            case 0: return call("view.default", {ref(x.node), list(Sizes{elements})});
            case 1: return elements % 2 == 0 ? call("view.default", {ref(x.node), list(Sizes{2, elements / 2})}) : std::vector<Value>{};
            case 2: return call("reshape.default", {ref(x.node), list(Sizes{elements})});
            case 3: return dims >= 2 ? call("transpose.int", {ref(x.node), std::int64_t(0), std::int64_t(1)}) : std::vector<Value>{};
            case 4: return dims == 3 ? call("permute.default", {ref(x.node), list(Sizes{2, 0, 1})}) : call("alias.default", {ref(x.node)});
            case 5:
            case 6: {
                const std::int64_t d = dim();
                if (dims == 0 || size(d) == 0) return {};
                return call("select.int", {ref(x.node), d, std::int64_t(pick(0, int(size(d)) - 1))});
            }
            case 7:
            case 8:
            case 9: return slice(x);
            case 10: return call("unsqueeze.default", {ref(x.node), std::int64_t(0)});
            case 11: return dims >= 1 ? call("squeeze.dim", {ref(x.node), dim()}) : std::vector<Value>{};
            case 12: {
                Sizes larger = x.layout.sizes;
                larger.insert(larger.begin(), 2);
                return call("expand.default", {ref(x.node), list(larger)});
            }
            case 13: return dims >= 2 ? call("diagonal.default", {ref(x.node)}) : std::vector<Value>{};
            case 14: return x.layout.sizes == Sizes{4, 4}
                                ? call("as_strided.default", {ref(x.node), list(Sizes{3, 2}), list(Sizes{pick(1, 4), pick(1, 2)}), x.layout.storage_offset})
                                : std::vector<Value>{};
            case 15: return dims == 1 && size(0) >= 3 ? call("unfold.default", {ref(x.node), std::int64_t(0), std::int64_t(2), std::int64_t(1)})
                                                      : std::vector<Value>{};
            case 16: return dims >= 1 ? call("split.Tensor", {ref(x.node), std::int64_t(2), dim()}) : std::vector<Value>{};
            case 17: return dims >= 1 ? call("chunk.default", {ref(x.node), std::int64_t(2), dim()}) : std::vector<Value>{};
            case 18: return dims >= 1 && elements > 0 ? call("unbind.int", {ref(x.node), dim()}) : std::vector<Value>{};
            case 19: return call("detach.default", {ref(x.node)});
            case 20: return x.layout.dtype == DType::c64 ? call("view_as_real.default", {ref(x.node)}) : call("t.default", {ref(x.node)});
            default: return x.layout.dtype == DType::f32 ? call("view.dtype", {ref(x.node), DType::i32}) : std::vector<Value>{};
        }
    }

    std::vector<Value> slice(const Value& x) {
        if (x.layout.sizes.empty()) return {};
        const std::int64_t d = pick(0, int(x.layout.sizes.size()) - 1), size = x.layout.sizes[std::size_t(d)];
        if (size == 0) return {};
        const std::int64_t start = pick(0, int(size) - 1), stop = pick(int(start), int(size)), step = chance(30) ? 2 : 1;
        std::vector<Argument> args{ref(x.node), d, start, stop};
        if (step != 1) args.emplace_back(step);
        return call("slice.Tensor", std::move(args));
    }

    /// What functionalization makes of `x[…].add_(…)`: a view, an update of it, a scatter back. Sometimes the scatter
    /// writes another region, another base, or a value that was not computed from the view.
    void update_through_view() {
        const Value base = chance(70) ? copy_of(floating()) : floating();
        const auto dims = static_cast<int>(base.layout.sizes.size());
        if (dims == 0) return;
        std::vector<Argument> region;
        std::string view_name, scatter_name;
        switch (pick(0, dims >= 2 ? 3 : 1)) {
            case 0: {
                const std::int64_t d = pick(0, dims - 1), size = base.layout.sizes[std::size_t(d)];
                if (size == 0) return;
                const std::int64_t start = pick(0, int(size) - 1), stop = pick(int(start) + 1, int(size));
                region = {d, start, stop};
                if (chance(25)) region.emplace_back(std::int64_t(2));
                view_name = "slice.Tensor";
                scatter_name = "slice_scatter.default";
                break;
            }
            case 1: {
                const std::int64_t d = pick(0, dims - 1), size = base.layout.sizes[std::size_t(d)];
                if (size == 0) return;
                region = {d, std::int64_t(pick(0, int(size) - 1))};
                view_name = "select.int";
                scatter_name = "select_scatter.default";
                break;
            }
            case 2:
                view_name = "diagonal.default";
                scatter_name = "diagonal_scatter.default";
                break;
            default:
                if (base.layout.sizes != Sizes{4, 4}) return;
                region = {list(Sizes{2, 2}), list(Sizes{4, 1}), base.layout.storage_offset + pick(0, 3)};
                view_name = "as_strided.default";
                scatter_name = "as_strided_scatter.default";
        }
        const auto with = [&](std::vector<Argument> first) {
            first.insert(first.end(), region.begin(), region.end());
            return first;
        };
        const auto piece = single(call(view_name, with({ref(base.node)})));
        if (!piece) return;
        const auto updated = elementwise_on(*piece);
        if (!updated || updated->layout.sizes != piece->layout.sizes || updated->layout.dtype != base.layout.dtype) return;
        if (chance(15)) elementwise_on(base); // somebody reads the base in between
        Value source = *updated;
        if (chance(10)) source = like(updated->layout);
        Value target = base;
        if (chance(10)) target = like(base.layout);
        if (chance(10) && view_name == "select.int") region[1] = std::int64_t(0);
        const auto whole = single(call(scatter_name, with({ref(target.node), ref(source.node)})));
        if (whole && chance(50)) elementwise_on(*whole);
    }

    Value copy_of(const Value& x) {
        const auto copy = single(call("clone.default", {ref(x.node)}));
        return copy ? *copy : x;
    }

    void reduction() {
        const Value x = floating();
        if (x.layout.sizes.empty()) return;
        static constexpr std::array names{"sum.dim_IntList", "mean.dim", "amax.default"};
        call(names[random_() % names.size()], {ref(x.node), list(Sizes{pick(0, int(x.layout.sizes.size()) - 1)}), chance(50)});
    }

    void multiplication() {
        const auto square = [](const TensorLayout& l) { return l.dtype == DType::f32 && l.sizes == Sizes{4, 4}; };
        const Value a = *value_where(square), b = *value_where(square), c = *value_where(square);
        if (chance(40)) call("mm.default", {ref(a.node), ref(b.node)});
        else if (chance(60)) call("addmm.default", {ref(c.node), ref(a.node), ref(b.node)});
        else {
            const auto lift = [&](const Value& v) { return single(call("unsqueeze.default", {ref(v.node), std::int64_t(0)})); };
            const auto x = lift(a), y = lift(b), z = lift(c);
            if (x && y && z) call("baddbmm.default", {ref(z->node), ref(x->node), ref(y->node)});
        }
    }

    void indexing() {
        const Value base = chance(60) ? copy_of(floating()) : floating();
        if (base.layout.sizes.empty() || base.layout.sizes[0] < 2) return;
        const auto index = single(call("arange.default", {std::int64_t(2)}, {{"device", DeviceName{"cpu"}}}));
        if (!index) return;
        const auto taken = single(call("index.Tensor", {ref(base.node), list(std::vector{index->node})}));
        if (!taken) return;
        const auto updated = elementwise_on(*taken);
        if (updated && updated->layout.sizes == taken->layout.sizes && updated->layout.dtype == base.layout.dtype)
            call("index_put.default", {ref(base.node), list(std::vector{index->node}), ref(updated->node)});
    }

    void copying() {
        switch (pick(0, 3)) {
            case 0: copy_of(any()); break;
            case 1: {
                const Value x = floating();
                call("copy.default", {ref(x.node), ref(like(x.layout).node)});
                break;
            }
            case 2: {
                const Value x = floating();
                if (!x.layout.sizes.empty()) call("cat.default", {list(std::vector{x.node, like(x.layout).node}), std::int64_t(0)});
                break;
            }
            default: {
                const Value x = floating();
                call("fill.Scalar", {ref(x.node), double(pick(0, 2))});
            }
        }
    }

    void cast() {
        if (chance(30)) {
            const Value x = floating();
            call("complex.default", {ref(x.node), ref(like(x.layout).node)});
            return;
        }
        static constexpr std::array types{DType::f64, DType::f16, DType::i64, DType::f32, DType::b8};
        call("_to_copy.default", {ref(any().node)}, {{"dtype", types[random_() % types.size()]}});
    }

    void mutation() {
        const auto own = value_where([](const TensorLayout& l) { return l.dtype == DType::f32; });
        if (!own) return;
        switch (pick(0, 2)) {
            case 0: call("add_.Tensor", {ref(own->node), double(pick(1, 3))}); break;
            case 1: call("mul_.Tensor", {ref(own->node), ref(like(own->layout).node)}); break;
            default: call("copy_.default", {ref(own->node), ref(like(own->layout).node)});
        }
    }

    // --- mutations ---------------------------------------------------------------------------------------------------

    static bool is_writable(const TensorLayout& layout) { return overlaps_itself(layout.sizes, layout.strides) == Overlap::no; }

    /// Of the same sizes and type on another storage: what reads memory it writes does not say what it computes.
    std::optional<Value> apart_from(const Value& written) {
        return value_where([&](const TensorLayout& l) {
            return l.sizes == written.layout.sizes && l.dtype == written.layout.dtype && l.storage != written.layout.storage;
        });
    }

    /// A value, an input among them, or a view of one, or a view of a view.
    std::optional<Value> written_value() {
        std::optional<Value> own = chance(25) ? std::optional(values_[random_() % std::size_t(inputs_)])
                                              : value_where([](const TensorLayout& l) { return l.dtype == DType::f32; });
        for (int views = pick(0, 2); own && views > 0; --views) {
            const std::vector<Value> made = view(*own);
            if (!made.empty()) own = made[random_() % made.size()];
        }
        const bool fits = own && is_writable(own->layout) && own->layout.dtype != DType::b8;
        return fits ? own : std::nullopt;
    }

    /// Writes in place; sometimes what was written, or a base of it, is read afterwards.
    void training_mutation() {
        const auto own = written_value();
        if (!own) return;
        const bool is_real = own->layout.dtype == DType::f32;
        const auto other = apart_from(*own);
        const Argument operand = other ? ref(other->node) : Argument(std::int64_t(pick(1, 3)));
        const Argument number{std::int64_t(pick(1, 3))};
        switch (pick(0, is_real ? 17 : 4)) {
            case 0: call("add_.Tensor", {ref(own->node), number}); break;
            case 1: call("mul_.Tensor", {ref(own->node), operand}); break;
            case 2: if (other) call("copy_.default", {ref(own->node), ref(other->node)}); break;
            case 3: call("zero_.default", {ref(own->node)}); break;
            case 4: call("fill_.Scalar", {ref(own->node), number}); break;
            case 5: call("relu_.default", {ref(own->node)}); break;
            case 6: call("clamp_.default", {ref(own->node), 0.0}); break;
            case 7: call("sin_.default", {ref(own->node)}); break;
            case 8: call("div_.Tensor", {ref(own->node), operand}); break;
            case 9: call("gt_.Scalar", {ref(own->node), 0.0}); break;
            case 10: write_sum(*own); break;
            case 11: write_broadcast(*own); break;
            case 12: write_cast(*own); break;
            case 13: write_masked(*own); break;
            case 14: write_indexed(*own); break;
            case 15: write_out(*own); break;
            case 16: write_list(*own); break;
            default: call(chance(50) ? "uniform_.default" : "triu_.default", {ref(own->node)});
        }
        if (chance(30)) elementwise_on(any());
    }

    void write_sum(const Value& own) {
        const auto sum = single(call("sum.default", {ref(own.node)}));
        if (sum) call("sub_.Tensor", {ref(own.node), ref(sum->node)});
    }

    void write_broadcast(const Value& own) {
        const auto smaller = value_where([&](const TensorLayout& l) {
            return l.dtype == DType::f32 && l.storage != own.layout.storage && l.sizes.size() <= own.layout.sizes.size();
        });
        if (smaller) call(chance(50) ? "add_.Tensor" : "copy_.default", {ref(own.node), ref(smaller->node)});
    }

    void write_cast(const Value& own) {
        const auto other = value_where([&](const TensorLayout& l) {
            return l.sizes == own.layout.sizes && l.storage != own.layout.storage && !is_complex(l.dtype);
        });
        if (other) call("copy_.default", {ref(own.node), ref(other->node)});
    }

    void write_masked(const Value& own) {
        const auto mask = single(call("gt.Scalar", {ref(own.node), 0.5}));
        if (mask) call("masked_fill_.Scalar", {ref(own.node), ref(mask->node), double(pick(1, 3))});
    }

    void write_indexed(const Value& own) {
        if (own.layout.sizes.empty() || own.layout.sizes[0] < 2) return;
        const auto index = single(call("arange.default", {std::int64_t(2)}, {{"device", DeviceName{"cpu"}}}));
        const auto taken = index ? single(call("index.Tensor", {ref(own.node), list(std::vector{index->node})})) : std::nullopt;
        if (taken) call("index_put_.default", {ref(own.node), list(std::vector{index->node}), ref(taken->node), chance(50)});
    }

    void write_out(const Value& own) {
        const auto other = apart_from(own);
        if (other) call("mul.out", {ref(other->node), 2.0}, {{"out", ref(own.node)}});
    }

    void write_list(const Value& own) {
        const auto other = value_where([&](const TensorLayout& l) {
            return l.dtype == DType::f32 && l.storage != own.layout.storage && is_writable(l);
        });
        std::vector<NodeId> written{own.node};
        if (other) written.push_back(other->node);
        Node node;
        node.name = graph_.fresh_name("_foreach_add_");
        node.target = "torch.ops.aten._foreach_add_.Scalar";
        node.args = {list(written), std::int64_t(1)};
        node.meta = NoneMeta{};
        graph_.append(std::move(node));
    }

    void epilogue_copy() {
        std::vector<Value> inputs(values_.begin(), values_.begin() + inputs_);
        const Value target = inputs[random_() % inputs.size()];
        const auto source = value_where([&](const TensorLayout& l) { return l.sizes == target.layout.sizes && l.dtype == target.layout.dtype; });
        if (source && source->node != target.node) call("copy_.default", {ref(target.node), ref(source->node)});
    }

    void output() {
        Node node;
        node.opcode = Opcode::output;
        node.name = node.target = "output";
        ArgumentList results;
        results.kind = ArgumentList::Kind::tuple;
        const int count = pick(1, 4);
        results.items.push_back(ref(values_.back().node));
        for (int i = 1; i < count; ++i) {
            // Mostly what nobody used yet: otherwise half the program would be dead.
            std::vector<NodeId> unused;
            for (const Value& value : values_)
                if (!graph_.has_users(value.node)) unused.push_back(value.node);
            results.items.push_back(ref(chance(70) && !unused.empty() ? unused[random_() % unused.size()] : any().node));
        }
        node.args = {Argument(std::move(results))};
        graph_.append(std::move(node));
    }

    RandomProgramOptions options_;
    std::mt19937_64 random_;
    Graph graph_;
    MetaExecutor meta_;
    std::vector<Value> values_;
    int inputs_ = 0;
};

} // namespace

Program random_program(std::uint64_t seed, const RandomProgramOptions& options) { return Generator(seed, options).make(); }

} // namespace inspector
