#include "core/passes/functionalize/view_link.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "core/analysis/tensor_extent.h"
#include "core/operators/operator_table.h"

namespace inspector {
namespace {

const Operator* aten(std::string_view name) { return OperatorTable::instance().find("aten." + std::string(name)); }

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    constexpr std::string_view prefix = "aten::";
    return name.starts_with(prefix) && std::ranges::find(names, name.substr(prefix.size())) != names.end();
}

/// Arguments after the viewed tensor, which must be the first.
std::optional<std::vector<Argument>> rest_of(const ViewLink& link) {
    if (link.args.empty() || link.args[0].node() != link.viewed) return std::nullopt;
    return std::vector<Argument>(link.args.begin() + 1, link.args.end());
}

const Argument* argument_of(const ViewLink& link, std::size_t place, std::string_view name) {
    if (place < link.args.size()) return &link.args[place];
    for (const auto& [key, argument] : link.kwargs)
        if (key == name) return &argument;
    return nullptr;
}

std::optional<std::int64_t> integer_of(const Argument* argument) {
    const auto* number = argument ? argument->as<std::int64_t>() : nullptr;
    return number ? std::optional(*number) : std::nullopt;
}

/// `permute(x, dims)` is undone by `permute(v, inverse)`.
std::optional<Argument> inverse_permutation(const Argument* dims) {
    const auto* list = dims ? dims->as<ArgumentList>() : nullptr;
    if (!list) return std::nullopt;
    const auto count = std::ssize(list->items);
    ArgumentList inverse;
    inverse.items.assign(list->items.size(), std::int64_t{0});
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        auto dim = integer_of(&list->items[static_cast<std::size_t>(i)]);
        if (dim && *dim < 0) *dim += count;
        if (!dim || *dim < 0 || *dim >= count) return std::nullopt;
        inverse.items[static_cast<std::size_t>(*dim)] = std::int64_t{i};
    }
    return Argument(std::move(inverse));
}

InverseView plain(std::string_view name, std::vector<Argument> rest = {}) {
    InverseView inverse;
    inverse.op = aten(name);
    inverse.rest = std::move(rest);
    return inverse;
}

InverseView scatter(std::string_view name, std::vector<Argument> rest, std::vector<NamedArgument> kwargs = {}) {
    InverseView inverse = plain(name, std::move(rest));
    inverse.kwargs = std::move(kwargs);
    inverse.is_scatter = true;
    return inverse;
}

std::optional<InverseView> inverse_of_narrow(const ViewLink& link) {
    const auto dim = integer_of(argument_of(link, 1, "dim"));
    const auto start = integer_of(argument_of(link, 2, "start"));
    const Argument* length = argument_of(link, 3, "length");
    if (!dim || !start || !length) return std::nullopt;
    if (*start == 0) return scatter("slice_scatter.default", {*dim, *start, *length});
    const auto count = integer_of(length);
    if (!count) return std::nullopt;
    // From the end, -1 + 1 is no place that slices know.
    const bool is_to_the_end = *start < 0 && *start + *count == 0;
    return scatter("slice_scatter.default", {*dim, *start, is_to_the_end ? std::numeric_limits<std::int64_t>::max() : *start + *count});
}

std::optional<InverseView> inverse_of_permutation(const ViewLink& link) {
    const std::string_view name = link.op->name;
    const auto rest = rest_of(link);
    // Conjugating twice changes nothing either.
    if (is_one_of(name, {"transpose", "t", "swapaxes", "swapdims", "numpy_T", "mT", "mH", "matrix_H", "adjoint"})) {
        InverseView inverse;
        inverse.op = link.op;
        if (rest) inverse.rest = *rest;
        inverse.kwargs = link.kwargs;
        return rest ? std::optional(inverse) : std::nullopt;
    }
    if (name == "aten::permute") {
        auto dims = inverse_permutation(argument_of(link, 1, "dims"));
        return dims ? std::optional(plain("permute.default", {std::move(*dims)})) : std::nullopt;
    }
    if (is_one_of(name, {"movedim", "moveaxis"}) && rest && rest->size() == 2) {
        InverseView inverse;
        inverse.op = link.op;
        inverse.rest = {(*rest)[1], (*rest)[0]};
        return inverse;
    }
    return std::nullopt;
}

/// Views that keep the elements in their order and give them other sizes.
bool keeps_order(const ViewLink& link) {
    if (link.op->name == "aten::view") return link.op->overload.empty();
    return is_one_of(link.op->name, {"reshape", "_unsafe_view", "_reshape_alias", "flatten", "unflatten", "view_as", "reshape_as",
                                     "squeeze", "unsqueeze", "ravel", "atleast_1d", "atleast_2d", "atleast_3d", "expand",
                                     "expand_as", "broadcast_to", "alias", "detach", "lift_fresh"}) ||
           may_return_itself(*link.op);
}

/// Which dimension a multi-output view cuts; nullopt where it is no number.
std::optional<std::int64_t> cut_dimension(const Node& list, const Operator& op, std::int64_t dimensions) {
    if (op.name == "aten::vsplit") return 0;
    if (op.name == "aten::hsplit") return dimensions == 1 ? 0 : 1;
    if (op.name == "aten::dsplit") return 2;
    const auto place = std::ranges::find(op.arguments, "dim", &SchemaArgument::name) - op.arguments.begin();
    const Argument* dim = static_cast<std::size_t>(place) < list.args.size() ? &list.args[static_cast<std::size_t>(place)] : nullptr;
    for (const auto& [name, argument] : list.kwargs)
        if (name == "dim") dim = &argument;
    if (!dim) return 0;
    auto number = integer_of(dim);
    if (number && *number < 0) *number += dimensions;
    return number;
}

} // namespace

ViewLink link_of_call(const Node& node, NodeId viewed) {
    ViewLink link{node.opcode, node.target, nullptr, node.args, node.kwargs, viewed};
    if (node.opcode == Opcode::call_function) link.op = OperatorTable::instance().find(node.target);
    return link;
}

ViewLink link_to(const char* target, NodeId viewed, std::vector<Argument> rest) {
    ViewLink link;
    link.target = std::string("torch.ops.") + target;
    link.op = OperatorTable::instance().find(link.target);
    link.args = {NodeReference{viewed}};
    std::ranges::move(rest, std::back_inserter(link.args));
    link.viewed = viewed;
    return link;
}

std::optional<ViewLink> link_of_piece(const Node& list, const ValueFacts& facts, bool is_symbolic, std::int64_t index) {
    const Operator* op = OperatorTable::instance().find(list.target);
    const NodeId viewed = list.args.empty() ? no_node : list.args[0].node();
    if (!op || viewed == no_node || index < 0 || index >= std::ssize(facts.items)) return std::nullopt;
    const auto& piece = facts.items[static_cast<std::size_t>(index)];
    if (!piece) return std::nullopt;
    if (op->name == "aten::unbind") {
        const auto dim = cut_dimension(list, *op, std::ssize(piece->sizes) + 1);
        return dim ? std::optional(link_to("aten.select.int", viewed, {*dim, index})) : std::nullopt;
    }
    const bool cuts = is_one_of(op->name, {"split", "split_with_sizes", "chunk", "tensor_split", "hsplit", "vsplit", "dsplit",
                                           "unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk"});
    const auto dim = cut_dimension(list, *op, std::ssize(piece->sizes));
    if (!cuts || !dim || *dim < 0 || *dim >= std::ssize(piece->sizes)) return std::nullopt;
    const auto d = static_cast<std::size_t>(*dim);
    const auto* list_meta = std::get_if<ListMeta>(&list.meta);
    std::int64_t start = 0, end = 0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(index); ++i) {
        const auto& cut = facts.items[i];
        const bool is_described = list_meta && i < list_meta->items.size() && list_meta->items[i];
        const auto size = is_described ? list_meta->items[i]->sizes[d].constant() : std::nullopt;
        if (!cut || (is_symbolic && !size)) return std::nullopt;
        start = end;
        end += size.value_or(cut->sizes[d]);
    }
    return link_to("aten.slice.Tensor", viewed, {*dim, start, end});
}

std::optional<InverseView> inverse_of(const ViewLink& link, const TensorLayout* viewed, const TensorLayout* view) {
    if (!link.op) return std::nullopt;
    const std::string_view name = link.op->name;
    auto rest = rest_of(link);
    if (!rest) return std::nullopt;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> scatters{{
        {"aten.select.int", "select_scatter.default"},
        {"aten.slice.Tensor", "slice_scatter.default"},
        {"aten.diagonal.default", "diagonal_scatter.default"},
        {"aten.as_strided.default", "as_strided_scatter.default"},
    }};
    const std::string target = link.op->short_target();
    for (const auto& [forward, back] : scatters)
        if (target == forward) return scatter(back, std::move(*rest), link.kwargs);
    if (target == "aten.narrow.default") return inverse_of_narrow(link);
    if (auto permutation = inverse_of_permutation(link)) return permutation;
    if (name == "aten::unsqueeze") return plain("squeeze.dim", std::move(*rest));
    if (target == "aten.view.dtype" && viewed) return plain("view.dtype", {viewed->dtype});
    if (name == "aten::view_as_real") return plain("view_as_complex.default");
    if (name == "aten::view_as_complex") return plain("view_as_real.default");
    if (name == "aten::_conj" || name == "aten::_neg_view") return plain(link.op->short_target().substr(5));
    if (!keeps_order(link)) return std::nullopt;
    if (viewed && view && element_count(viewed->sizes) != element_count(view->sizes)) return std::nullopt;
    const bool may_repeat = is_one_of(name, {"expand", "expand_as", "broadcast_to"});
    if (may_repeat && !(viewed && view)) return std::nullopt;
    InverseView inverse = plain("view.default");
    inverse.takes_sizes = true;
    return inverse;
}

bool may_return_itself(const Operator& op) {
    return is_one_of(op.name, {"to", "contiguous", "type_as", "resolve_conj", "resolve_neg", "dropout", "feature_dropout",
                               "alpha_dropout", "feature_alpha_dropout", "conj_physical", "_to_cpu", "positive"});
}

} // namespace inspector
