// Reading and writing by index and by mask.
#include <algorithm>
#include <array>

#include "core/passes/decompose/rule.h"

namespace inspector::decomposition {
namespace {

Values masked_fill(Call& call) {
    const Tensor x = call.tensor("self");
    const Tensor value = call.op().overload == "Tensor" ? call.tensor("value").to(x.dtype())
                                                        : call.scalar(call.argument("value"), x.dtype(), x);
    return call.give(where(call.tensor("mask"), value, x));
}

/// [None, …, None, index], which indexes dimension `dim`.
Argument index_at(std::int64_t dim, const Tensor& index) {
    std::vector<Argument> all(static_cast<std::size_t>(dim), Argument(None{}));
    all.emplace_back(index);
    return list(std::move(all));
}

/// index_put of `values` at `index` of dimension `dim`; a number has one place.
Tensor put(Call& call, const Tensor& x, const Tensor& index, const Tensor& values, std::int64_t dim, bool accumulate) {
    if (x.rank() == 0) {
        const Tensor raised = call.unsqueeze(x, 0);
        const Tensor value = values.rank() == 0 ? call.unsqueeze(values, 0) : values;
        return call.squeeze(call("index_put.default", raised, index_at(0, index), value, accumulate), 0);
    }
    return call("index_put.default", x, index_at(dim, index), values, accumulate);
}

Values index_add(Call& call) {
    const Tensor x = call.tensor("self");
    Tensor source = call.tensor("source");
    const Argument alpha = call.argument("alpha");
    if (call.number("alpha") != 1) source = source * alpha;
    const Tensor index = call.tensor("index");
    return call.give(put(call, x, index.rank() == 0 ? call.unsqueeze(index, 0) : index, source.to(x.dtype()),
                         call.dim("dim", x.rank()), true));
}

Values index_copy(Call& call) {
    const Tensor x = call.tensor("self"), index = call.tensor("index");
    return call.give(put(call, x, index.rank() == 0 ? call.unsqueeze(index, 0) : index, call.tensor("source"),
                         call.dim("dim", x.rank()), false));
}

Values index_fill(Call& call) {
    const Tensor x = call.tensor("self"), index = call.tensor("index");
    const Tensor value = call.op().overload == "int_Tensor" ? call.tensor("value").to(x.dtype())
                                                            : call.scalar(call.argument("value"), x.dtype(), x);
    return call.give(put(call, x, index.rank() == 0 ? call.unsqueeze(index, 0) : index, value, call.dim("dim", x.rank()), false));
}

Values index(Call& call) { return call.give(call("index.Tensor", call.tensor("self"), call.argument("indices"))); }

Values masked_index(Call& call) {
    const Tensor x = call.tensor("self");
    std::vector<Argument> indices;
    std::int64_t dim = 0;
    for (const Argument& given : call.items("indices")) {
        if (given.node() == no_node) {
            indices.push_back(given);
        } else {
            const auto size = x.constant_size(dim);
            if (!size) return call.decline("a size it reads is no constant");
            indices.emplace_back(call("clamp.default", given, std::int64_t{0}, *size - 1));
        }
        ++dim;
    }
    const Tensor read = call("index.Tensor", x, list(std::move(indices)));
    return call.give(where(call.tensor("mask"), read, call.scalar(call.argument("fill"), x.dtype(), x)));
}

Values index_put(Call& call) {
    return call.give(call("index_put.default", call.tensor("self"), call.argument("indices"), call.tensor("values"),
                          call.argument("accumulate")));
}

Values take(Call& call) {
    const Tensor flat = call.reshape(call.tensor("self"), {std::int64_t{-1}});
    return call.give(call("index.Tensor", flat, list(std::vector<Tensor>{call.tensor("index")})));
}

/// scatter(…, reduce="add" or "multiply")
Values scatter_reduced(Call& call) {
    const Tensor x = call.tensor("self"), index = call.tensor("index");
    const std::string reduce = call.text("reduce");
    Tensor source = call.op().overload == "reduce" ? call.tensor("src")
                                                   : call.full(index.shape(), call.argument("value"), x.dtype(), x);
    if (reduce == "add") return call.give(call("scatter_add.default", x, call.argument("dim"), index, source));
    return call.give(call("scatter_reduce.two", x, call.argument("dim"), index, source, std::string("prod")));
}

Values isin(Call& call) {
    const std::string& overload = call.op().overload;
    const Tensor elements = call.tensor(overload == "Scalar_Tensor" ? "element" : "elements");
    const Tensor tests = call.reshape(call.tensor(overload == "Tensor_Scalar" ? "test_element" : "test_elements"), {std::int64_t{-1}});
    const Tensor found = call("any.dim", call("eq.Tensor", call.unsqueeze(elements, -1), tests), std::int64_t{-1}, false);
    return call.give(call.flag("invert") ? call("logical_not.default", found) : found);
}

/// Zeros of the input's sizes, into which a gradient is written.
Tensor zeros_of_input(Call& call, const char* sizes) {
    const Tensor gradient = call.tensor("grad_output");
    return call.full(call.items(sizes), std::int64_t{0}, gradient.dtype(), gradient);
}

Values select_backward(Call& call) {
    return call.give(call("select_scatter.default", zeros_of_input(call, "input_sizes"), call.tensor("grad_output"),
                          call.argument("dim"), call.argument("index")));
}

Values slice_backward(Call& call) {
    return call.give(call("slice_scatter.default", zeros_of_input(call, "input_sizes"), call.tensor("grad_output"),
                          call.argument("dim"), call.argument("start"), call.argument("end"), call.argument("step")));
}

/// `source` written into the diagonal of `x`: spread over rows or columns, and chosen where column = row + offset.
Tensor with_diagonal(Call& call, const Tensor& x, const Tensor& source, std::int64_t offset, std::int64_t row, std::int64_t column) {
    std::vector<std::int64_t> order, back(static_cast<std::size_t>(x.rank()));
    for (std::int64_t dim = 0; dim < x.rank(); ++dim)
        if (dim != row && dim != column) order.push_back(dim);
    order.push_back(row);
    order.push_back(column);
    for (std::size_t i = 0; i < order.size(); ++i) back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    const Tensor plane = call.permute(x, order);
    const auto rows = plane.constant_size(-2), columns = plane.constant_size(-1), length = source.constant_size(-1);
    if (!rows || !columns || !length) {
        call.trouble("the sizes of the plane are no constants");
        return {};
    }
    const std::int64_t missing = (offset >= 0 ? *rows : *columns) - *length;
    const Tensor padded = missing == 0 ? source : call("constant_pad_nd.default", source, list(std::vector<std::int64_t>{0, missing}));
    const Tensor spread = call.unsqueeze(padded, offset >= 0 ? -1 : -2);
    const Tensor on_diagonal = call("eq.Tensor", call.unsqueeze(call.arange(*rows, DType::i64, x), 1) + offset,
                                    call.arange(*columns, DType::i64, x));
    return call.permute(where(on_diagonal, spread.to(x.dtype()), plane), back);
}

Values diagonal_scatter(Call& call) {
    const Tensor x = call.tensor("self");
    return call.give(with_diagonal(call, x, call.tensor("src"), call.integer("offset"), call.dim("dim1", x.rank()),
                                   call.dim("dim2", x.rank())));
}

Values diagonal_backward(Call& call) {
    const Tensor zeros = zeros_of_input(call, "input_sizes");
    return call.give(with_diagonal(call, zeros, call.tensor("grad_output"), call.integer("offset"), call.dim("dim1", zeros.rank()),
                                   call.dim("dim2", zeros.rank())));
}

/// Places count from the storage's start, which is the tensor's where that lies row by row.
Values as_strided_scatter(Call& call) {
    const Tensor x = call.tensor("self"), source = call.tensor("src");
    const auto* meta = x.is_defined() ? std::get_if<TensorMeta>(&call.graph().node(x.node()).meta) : nullptr;
    if (!meta || !meta->strides) return call.decline("the strides of its operand are not known");
    std::int64_t count = 1;
    for (std::size_t i = meta->sizes.size(); i-- > 0;) {
        const auto size = meta->sizes[i].constant(), stride = (*meta->strides)[i].constant();
        if (!size || !stride) return call.decline("it has symbolic sizes");
        if (*size != 1 && *stride != count) return call.decline("its operand does not lie row by row");
        count *= *size;
    }
    std::int64_t first = 0;
    if (call.is_given("storage_offset")) {
        const auto own = meta->storage_offset ? meta->storage_offset->constant() : std::optional<std::int64_t>(0);
        if (own != std::int64_t{0}) return call.decline("its operand does not begin its storage");
        first = call.integer("storage_offset");
    }
    const std::vector<std::int64_t> sizes = call.integers("size"), strides = call.integers("stride");
    std::int64_t last = first;
    for (std::size_t i = 0; i < std::min(sizes.size(), strides.size()); ++i) last += std::max<std::int64_t>(sizes[i] - 1, 0) * strides[i];
    if (last >= count) return call.decline("it writes beyond its operand");
    Tensor places = call.scalar(first, DType::i64, x);
    for (std::size_t i = 0; i < std::min(sizes.size(), strides.size()); ++i) {
        const std::int64_t later = static_cast<std::int64_t>(sizes.size() - i) - 1;
        Tensor along = call.arange(sizes[i], DType::i64, x) * strides[i];
        if (later > 0) {
            std::vector<std::int64_t> shape{sizes[i]};
            shape.insert(shape.end(), static_cast<std::size_t>(later), 1);
            along = call("view.default", along, list(shape));
        }
        places = places + along;
    }
    const Tensor flat = call("view.default", x, list(std::vector<std::int64_t>{-1}));
    const Tensor written = call("index_put.default", flat, list(std::vector<Tensor>{places}), source.to(x.dtype()));
    return call.give(call("view.default", written, list(x.shape())));
}

/// Indices taken modulo the size, as far as symbols leave it open; slices put together where they do not.
Tensor rolled(Call& call, const Tensor& x, std::int64_t dim, const Argument& shift) {
    const auto size = x.constant_size(dim);
    const auto by = call.size_value(shift);
    if (size && by && by->is_constant()) {
        if (*size == 0) return call("clone.default", x);
        const std::int64_t start = ((*size - *by->constant()) % *size + *size) % *size;
        if (start == 0) return call("clone.default", x);
        return call("cat.default", list(std::vector<Tensor>{call("slice.Tensor", x, dim, start, *size),
                                                            call("slice.Tensor", x, dim, std::int64_t{0}, start)}), dim);
    }
    const Argument length = x.size(dim);
    const Tensor places = call("remainder.Scalar", call.arange(length, DType::i64, x) - shift, length);
    return call("index_select.default", x, dim, places);
}

Values roll(Call& call) {
    const Tensor x = call.tensor("self");
    const std::vector<Argument> shifts = call.items("shifts");
    if (call.items("dims").empty()) {
        if (shifts.size() != 1) return call.decline("it has several shifts and no dimensions");
        if (x.rank() == 0) return call.give(call("clone.default", x));
        const Tensor flat = call.reshape(x, {std::int64_t{-1}});
        return call.give(call("view.default", rolled(call, flat, 0, shifts.front()), list(x.shape())));
    }
    const std::vector<std::int64_t> dims = call.dims("dims", x.rank());
    if (dims.size() != shifts.size()) return call.decline("it has not as many shifts as dimensions");
    Tensor made = x;
    for (std::size_t i = 0; i < dims.size(); ++i) made = rolled(call, made, dims[i], shifts[i]);
    return call.give(made);
}

constexpr std::array rules{
    Rule{"aten.masked_fill.Scalar", "where(mask, value, x)", &masked_fill},
    Rule{"aten.masked_fill.Tensor", "where(mask, value, x)", &masked_fill},
    Rule{"aten.index_add.default", "index_put(x, index, alpha*source, accumulate)", &index_add},
    Rule{"aten.index_copy.default", "index_put(x, index, source)", &index_copy},
    Rule{"aten.index_fill.int_Scalar", "index_put(x, index, value)", &index_fill},
    Rule{"aten.index_fill.int_Tensor", "index_put(x, index, value)", &index_fill},
    Rule{"aten._unsafe_index.Tensor", "index(x, indices)", &index},
    Rule{"aten._unsafe_index_put.default", "index_put(x, indices, values)", &index_put},
    Rule{"aten._unsafe_masked_index.default", "where(mask, index(x, clamped indices), fill)", &masked_index},
    Rule{"aten.take.default", "index(view(x, -1), index)", &take},
    Rule{"aten.scatter.reduce", "scatter_add, or scatter_reduce(prod)", &scatter_reduced},
    Rule{"aten.scatter.value_reduce", "scatter_add, or scatter_reduce(prod)", &scatter_reduced},
    Rule{"aten.isin.Tensor_Tensor", "any(elements = each test)", &isin},
    Rule{"aten.isin.Tensor_Scalar", "any(elements = each test)", &isin},
    Rule{"aten.isin.Scalar_Tensor", "any(elements = each test)", &isin},
    Rule{"aten.select_backward.default", "select_scatter(zeros, grad, …)", &select_backward},
    Rule{"aten.slice_backward.default", "slice_scatter(zeros, grad, …)", &slice_backward},
    Rule{"aten.diagonal_scatter.default", "where(column = row + offset, src, x)", &diagonal_scatter},
    Rule{"aten.diagonal_backward.default", "where(column = row + offset, grad, 0)", &diagonal_backward},
    Rule{"aten.as_strided_scatter.default", "index_put(view(x, -1), places, src)", &as_strided_scatter},
    Rule{"aten.roll.default", "two slices put together the other way round", &roll},
};

} // namespace

std::span<const Rule> indexing_rules() { return rules; }

} // namespace inspector::decomposition
