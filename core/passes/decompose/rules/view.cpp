// Views, and what puts tensors together.
#include <algorithm>
#include <array>
#include <numeric>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values transpose(Call& call) {
    return call.give(call.transpose(call.tensor("self"), call.integer("dim0"), call.integer("dim1")));
}

Values t(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(x.rank() < 2 ? call("alias.default", x) : call.permute(x, {1, 0}));
}

Values unbind(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t dim = call.dim("dim", x.rank());
    const auto size = x.constant_size(dim);
    if (!size) return call.decline("how many pieces it makes depends on a symbol");
    std::vector<Tensor> pieces;
    for (std::int64_t i = 0; i < *size; ++i)
        pieces.push_back(call.is_used(static_cast<std::size_t>(i)) ? call("select.int", x, dim, i) : Tensor());
    return call.give_all(std::move(pieces));
}

Values split(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t dim = call.dim("dim", x.rank()), piece = call.integer("split_size");
    const auto size = x.constant_size(dim);
    if (!size) return call.decline("how many pieces it makes depends on a symbol");
    if (piece <= 0) return call.decline("its pieces are empty");
    std::vector<std::int64_t> sizes;
    for (std::int64_t start = 0; start < *size; start += piece) sizes.push_back(std::min(piece, *size - start));
    if (sizes.empty()) sizes.push_back(0);
    return call.give_list(call("split_with_sizes.default", x, list(sizes), dim));
}

Values unsafe_split_with_sizes(Call& call) {
    return call.give_list(call("split_with_sizes.default", call.tensor("self"), call.argument("split_sizes"), call.argument("dim")));
}

Values split_with_sizes_copy(Call& call) {
    const Tensor pieces = call("split_with_sizes.default", call.tensor("self"), call.argument("split_sizes"), call.argument("dim"));
    std::vector<Tensor> copies;
    for (std::size_t i = 0; i < call.items("split_sizes").size(); ++i) copies.push_back(call.contiguous(call.item(pieces, i)));
    return call.give_all(std::move(copies));
}

Values squeeze(Call& call) {
    const Tensor x = call.tensor("self");
    std::vector<std::int64_t> ones;
    for (std::int64_t i = 0; i < x.rank(); ++i)
        if (x.constant_size(i) == 1) ones.push_back(i);
    return call.give(call("squeeze.dims", x, list(ones)));
}

Values unsafe_view(Call& call) { return call.give(call.reshape(call.tensor("self"), call.items("size"))); }
Values view_of_alias(Call& call) { return call.give(call("view.default", call.tensor("self"), call.argument("size"))); }
Values alias(Call& call) { return call.give(call("alias.default", call.tensor("self"))); }
Values clone(Call& call) { return call.give(call.contiguous(call.tensor("self"))); }

/// `name_copy` of a view `name`: the view, copied row by row.
Values copied_view(Call& call) {
    std::string target = call.op().short_target().substr(5); // behind "aten."
    target.erase(target.find("_copy"), 5);
    return call.give(call.contiguous(call.add(target, call.arguments(), {})));
}
Values transpose_copy(Call& call) {
    return call.give(call.contiguous(call.transpose(call.tensor("self"), call.integer("dim0"), call.integer("dim1"))));
}
Values t_copy(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(call.contiguous(x.rank() < 2 ? x : call.permute(x, {1, 0})));
}
Values squeeze_copy(Call& call) {
    const Tensor x = call.tensor("self");
    std::vector<std::int64_t> ones;
    for (std::int64_t i = 0; i < x.rank(); ++i)
        if (x.constant_size(i) == 1) ones.push_back(i);
    return call.give(call.contiguous(call("squeeze.dims", x, list(ones))));
}

Values stack(Call& call) {
    const std::vector<Tensor> tensors = call.tensors("tensors");
    if (tensors.empty()) return call.decline("it stacks nothing");
    const std::int64_t dim = call.dim("dim", tensors.front().rank() + 1);
    std::vector<Tensor> raised;
    for (const Tensor& tensor : tensors) raised.push_back(call.unsqueeze(tensor, dim));
    return call.give(call("cat.default", list(raised), dim));
}

/// Sizes with dimension `dim` of `x` taken apart into `outer` and `inner` of constant number.
Values pixel_shuffle(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t r = call.integer("upscale_factor"), rank = x.rank();
    const auto channels = x.constant_size(-3);
    if (!channels || rank < 3) return call.decline("the number of channels is no constant");
    std::vector<Argument> sizes = x.shape();
    const std::vector<Argument> batch(sizes.begin(), sizes.end() - 3);
    const Argument height = x.size(-2), width = x.size(-1);
    std::vector<Argument> apart = batch, together = batch;
    for (const Argument& size : {Argument(*channels / (r * r)), Argument(r), Argument(r), height, width}) apart.push_back(size);
    for (const Argument& size : {Argument(*channels / (r * r)), call.times(height, r), call.times(width, r)}) together.push_back(size);
    std::vector<std::int64_t> order(batch.size());
    std::iota(order.begin(), order.end(), 0);
    const auto b = static_cast<std::int64_t>(batch.size());
    for (const std::int64_t dim : {b, b + 3, b + 1, b + 4, b + 2}) order.push_back(dim);
    return call.give(call.reshape(call.permute(call("view.default", x, list(apart)), order), together));
}

Values pixel_unshuffle(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t r = call.integer("downscale_factor"), rank = x.rank();
    const auto channels = x.constant_size(-3), height = x.constant_size(-2), width = x.constant_size(-1);
    if (!channels || !height || !width || rank < 3) return call.decline("the sizes of the image are no constants");
    std::vector<Argument> sizes = x.shape();
    const std::vector<Argument> batch(sizes.begin(), sizes.end() - 3);
    std::vector<Argument> apart = batch, together = batch;
    for (const std::int64_t size : {*channels, *height / r, r, *width / r, r}) apart.emplace_back(size);
    for (const std::int64_t size : {*channels * r * r, *height / r, *width / r}) together.emplace_back(size);
    std::vector<std::int64_t> order(batch.size());
    std::iota(order.begin(), order.end(), 0);
    const auto b = static_cast<std::int64_t>(batch.size());
    for (const std::int64_t dim : {b, b + 2, b + 4, b + 1, b + 3}) order.push_back(dim);
    return call.give(call.reshape(call.permute(call("view.default", x, list(apart)), order), together));
}

Values channel_shuffle(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t groups = call.integer("groups");
    const auto channels = x.constant_size(1);
    if (!channels || groups <= 0) return call.decline("the number of channels is no constant");
    const std::vector<Argument> sizes = x.shape();
    std::vector<Argument> apart{sizes[0], groups, *channels / groups};
    apart.insert(apart.end(), sizes.begin() + 2, sizes.end());
    return call.give(call.reshape(call.transpose(call.reshape(x, apart), 1, 2), sizes));
}

Values diag_embed(Call& call) {
    const Tensor x = call.tensor("self");
    const std::int64_t offset = call.integer("offset"), rank = x.rank() + 1;
    std::int64_t row = call.dim("dim1", rank), column = call.dim("dim2", rank);
    const std::int64_t shift = std::abs(offset);
    // Row i, or column i below the diagonal, holds element i; the rest is cut off by the mask.
    const bool is_above = (offset >= 0) == (row < column);
    if (row > column) std::swap(row, column);
    Tensor padded = x;
    if (shift > 0) padded = call("constant_pad_nd.default", x, list(std::vector<std::int64_t>{0, shift}));
    const Argument size = padded.size(-1);
    const Tensor places = call.arange(size, DType::i64, x);
    const Tensor mask = call("eq.Tensor", call.unsqueeze(places, 1) + (is_above ? shift : -shift), places);
    const Tensor spread = call.unsqueeze(padded, is_above ? -1 : -2);
    const Argument zero = x.dtype() == DType::b8 ? Argument(false) : Argument(std::int64_t{0});
    const Tensor last = where(mask, spread, call.scalar(zero, x.dtype(), x));
    std::vector<std::int64_t> order;
    std::int64_t next = 0;
    for (std::int64_t dim = 0; dim < rank; ++dim) order.push_back(dim == row ? rank - 2 : dim == column ? rank - 1 : next++);
    return call.give(std::ranges::is_sorted(order) ? last : call.permute(last, order));
}

Values rot90(Call& call) {
    const Tensor x = call.tensor("self");
    const std::vector<std::int64_t> dims = call.dims("dims", x.rank());
    if (dims.size() != 2) return call.decline("it does not turn a plane");
    const std::int64_t turns = ((call.integer("k") % 4) + 4) % 4;
    const auto flip = [&](const Tensor& y, std::vector<std::int64_t> which) { return call("flip.default", y, list(which)); };
    switch (turns) {
    case 1: return call.give(call.transpose(flip(x, {dims[1]}), dims[0], dims[1]));
    case 2: return call.give(flip(x, dims));
    case 3: return call.give(call.transpose(flip(x, {dims[0]}), dims[0], dims[1]));
    default: return call.give(call.contiguous(x));
    }
}

/// Windows of a dimension, which overlap: only strides can say that.
Values unfold(Call& call) {
    const Tensor x = call.tensor("self");
    const auto* meta = std::get_if<TensorMeta>(&call.graph().node(x.node()).meta);
    if (!meta || !meta->strides) return call.decline("the strides of its operand are not known");
    const std::int64_t dim = call.dim("dimension", x.rank()), size = call.integer("size"), step = call.integer("step");
    std::vector<std::int64_t> sizes, strides;
    for (std::size_t i = 0; i < meta->sizes.size(); ++i) {
        const auto length = meta->sizes[i].constant(), stride = (*meta->strides)[i].constant();
        if (!length || !stride) return call.decline("it has symbolic sizes");
        sizes.push_back(*length);
        strides.push_back(*stride);
    }
    if (sizes.empty() || step <= 0) return call.decline("it has no dimension to unfold");
    const auto place = static_cast<std::size_t>(dim);
    strides.push_back(strides[place]);
    sizes[place] = (sizes[place] - size) / step + 1;
    strides[place] *= step;
    sizes.push_back(size);
    return call.give(call("as_strided.default", x, list(sizes), list(strides)));
}

Values block_diag(Call& call) {
    std::vector<Tensor> matrices = call.tensors("tensors");
    std::int64_t width = 0;
    const DType dtype = call.result().dtype;
    for (Tensor& matrix : matrices) {
        while (matrix.is_defined() && matrix.rank() < 2) matrix = call.unsqueeze(matrix, 0);
        matrix = matrix.to(dtype);
        const auto columns = matrix.constant_size(1);
        if (!columns) return call.decline("the number of columns is no constant");
        width += *columns;
    }
    std::int64_t before = 0;
    for (Tensor& matrix : matrices) {
        const std::int64_t columns = matrix.constant_size(1).value_or(0);
        matrix = call("constant_pad_nd.default", matrix, list(std::vector<std::int64_t>{before, width - before - columns}));
        before += columns;
    }
    return call.give(call("cat.default", list(matrices)));
}

/// Patches of an image as columns: the places of each are the sum of where it lies and the place in it.
Values im2col(Call& call) {
    Tensor x = call.tensor("self");
    const bool has_batch = x.rank() == 4;
    if (!has_batch) x = call.unsqueeze(x, 0);
    const auto kernel = call.integers("kernel_size"), dilation = call.integers("dilation"), padding = call.integers("padding"),
               stride = call.integers("stride");
    const auto at = [](const std::vector<std::int64_t>& pair, std::size_t i) { return pair.empty() ? 1 : pair[std::min(i, pair.size() - 1)]; };
    x = call("constant_pad_nd.default", x,
             list(std::vector<std::int64_t>{at(padding, 1), at(padding, 1), at(padding, 0), at(padding, 0)}));
    Argument indices[2];
    std::int64_t counts[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto size = x.constant_size(static_cast<std::int64_t>(i) + 2);
        if (!size || at(stride, i) <= 0) return call.decline("the sizes of the image are no constants");
        counts[i] = (*size - at(dilation, i) * (at(kernel, i) - 1) - 1) / at(stride, i) + 1;
        const Tensor inner = call.unsqueeze(call.arange(at(kernel, i), DType::i64, x) * at(dilation, i), 1);
        Tensor places = inner + call.arange(counts[i], DType::i64, x) * at(stride, i);
        if (i == 0) places = call.unsqueeze(call.unsqueeze(places, -1), -1);
        indices[i] = places;
    }
    const Tensor patches = call("index.Tensor", x, list(std::vector<Argument>{None{}, None{}, indices[0], indices[1]}));
    const Tensor ordered = call.permute(patches, {0, 1, 2, 4, 3, 5});
    const Argument rows = call.product_of({x.size(1), at(kernel, 0), at(kernel, 1)});
    const Tensor columns = call.reshape(ordered, {x.size(0), rows, counts[0] * counts[1]});
    return call.give(has_batch ? columns : call.squeeze(columns, 0));
}

constexpr std::array rules{
    Rule{"aten.transpose.int", "permute", &transpose},
    Rule{"aten.t.default", "permute(x, [1, 0])", &t},
    Rule{"aten.unbind.int", "select(x, dim, i), for each i", &unbind},
    Rule{"aten.split.Tensor", "split_with_sizes", &split},
    Rule{"aten.unsafe_split.Tensor", "split_with_sizes", &split},
    Rule{"aten.unsafe_split_with_sizes.default", "split_with_sizes", &unsafe_split_with_sizes},
    Rule{"aten.split_with_sizes_copy.default", "split_with_sizes, each piece copied", &split_with_sizes_copy},
    Rule{"aten.squeeze.default", "squeeze of the dimensions of size 1", &squeeze},
    Rule{"aten._unsafe_view.default", "view(x, size)", &unsafe_view},
    Rule{"aten._reshape_alias.default", "view(x, size)", &view_of_alias},
    Rule{"aten.detach.default", "alias(x)", &alias},
    Rule{"aten.lift_fresh.default", "alias(x)", &alias},
    Rule{"aten.alias_copy.default", "clone(x)", &clone},
    Rule{"aten.detach_copy.default", "clone(x)", &clone},
    Rule{"aten.view_copy.default", "clone(view(x, size))", &copied_view},
    Rule{"aten.expand_copy.default", "clone(expand(x, size))", &copied_view},
    Rule{"aten.permute_copy.default", "clone(permute(x, dims))", &copied_view},
    Rule{"aten.diagonal_copy.default", "clone(diagonal(x, …))", &copied_view},
    Rule{"aten.select_copy.int", "clone(select(x, dim, index))", &copied_view},
    Rule{"aten.slice_copy.Tensor", "clone(slice(x, …))", &copied_view},
    Rule{"aten.unsqueeze_copy.default", "clone(unsqueeze(x, dim))", &copied_view},
    Rule{"aten.squeeze_copy.dim", "clone(squeeze(x, dim))", &copied_view},
    Rule{"aten.squeeze_copy.dims", "clone(squeeze(x, dims))", &copied_view},
    Rule{"aten.squeeze_copy.default", "clone(squeeze(x))", &squeeze_copy},
    Rule{"aten.as_strided_copy.default", "clone(as_strided(x, …))", &copied_view},
    Rule{"aten.transpose_copy.int", "clone(permute)", &transpose_copy},
    Rule{"aten.t_copy.default", "clone(permute(x, [1, 0]))", &t_copy},
    Rule{"aten.stack.default", "cat of tensors with one dimension more", &stack},
    Rule{"aten.pixel_shuffle.default", "view, permute, view", &pixel_shuffle},
    Rule{"aten.pixel_unshuffle.default", "view, permute, view", &pixel_unshuffle},
    Rule{"aten.channel_shuffle.default", "view, permute, view", &channel_shuffle},
    Rule{"aten.diag_embed.default", "where(column = row + offset, x, 0)", &diag_embed},
    Rule{"aten.rot90.default", "flip and permute", &rot90},
    Rule{"aten.unfold_copy.default", "clone(unfold(x, …))", &copied_view},
    Rule{"aten.block_diag.default", "each matrix between zeros, below each other", &block_diag},
    Rule{"aten.im2col.default", "index(x, rows, columns), permute, view", &im2col},
    Rule{"aten.unfold.default", "as_strided", &unfold},
};

} // namespace

std::span<const Rule> view_rules() { return rules; }

} // namespace inspector::decomposition
