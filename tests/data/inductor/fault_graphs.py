"""Graphs on which the re-inplacing pass of torch._inductor is known to go wrong, or to leave memory unsaved.

Each is what functionalization makes of the program in the report: input mutations are copy_ epilogues. The number is that of
the report in the public tracker of pytorch/pytorch.
"""

import torch

aten = torch.ops.aten
hop = torch.ops.higher_order
mylib = torch.ops.mylib


def f(*sizes):
    count = 1
    for size in sizes:
        count *= size
    return torch.arange(1.0, count + 1).reshape(sizes)


def i(*values):
    return torch.tensor(values)


def scatter_then_zeroed(x, src):
    y = aten.slice_scatter.default(x, src, 0, 1, 3)
    aten.copy_.default(x, aten.full.default([4, 6], 0.0))
    return (y,)


def scatter_that_changes_nothing(x):
    y = aten.diagonal_scatter.default(x, aten.diagonal.default(x))
    aten.copy_.default(x, aten.full.default([4, 4], 2.0))
    return (y,)


def view_of_old_value_returned(x, index, values):
    put = aten.index_put.default(x, [index], values)
    aten.copy_.default(x, aten.clamp.default(put, 0.0, 3.0))
    return (aten.select.int(put, 0, 0),)


def returned_is_input(x, index, values):
    put = aten.index_put.default(x, [index], values)
    aten.copy_.default(x, put)
    return (put,)


def clone_removed(x):
    done = hop.auto_functionalized_v2(mylib.reverse_into.default, src=x, _dst_base_index=0, _all_bases=[x])
    aten.copy_.default(x, done[1])
    return (aten.mul.Tensor(done[1], 2.0),)


def clone_removed_v1(x):
    done = hop.auto_functionalized(mylib.reverse_into.default, dst=x, src=x)
    aten.copy_.default(x, done[1])
    return (aten.mul.Tensor(done[1], 2.0),)


def scatter_source_is_view(x):
    moved = aten.slice_scatter.default(x, aten.slice.Tensor(x, 0, 0, 5), 0, 1, 6)
    aten.copy_.default(x, moved)
    return (aten.sum.default(moved),)


def index_put_on_expanded(zeros, index, values):
    wide = aten.expand.default(aten.mul.Tensor(zeros, 1.0), [4, 8])
    return (aten.index_put.default(wide, [index], values, True),)


def values_alias_self(x, index):
    put = aten.index_put.default(x, [index], aten.slice.Tensor(x, 0, 0, 3))
    aten.copy_.default(x, put)
    return (aten.sum.default(put),)


def indices_alias_self(x, values):
    put = aten.index_put.default(x, [aten.slice.Tensor(x, 0, 1, 4)], values)
    aten.copy_.default(x, put)
    return (aten.sum.default(put),)


def layer_of_cache(cache, new, index):
    layer = aten.select.int(cache, 0, 1)
    put = aten.index_put.default(layer, [None, index], new)
    whole = aten.select_scatter.default(cache, put, 0, 1)
    aten.copy_.default(cache, whole)
    return (aten.sum.dim_IntList(aten.select.int(whole, 0, 1), [1]),)


def slice_then_index(x, src, index, values):
    sliced = aten.slice_scatter.default(x, src, 0, 1, 3)
    put = aten.index_put.default(sliced, [index], values)
    aten.copy_.default(x, put)
    return ()


def flat_index_put(x, index, values):
    put = aten.index_put.default(aten.view.default(x, [32]), [index], values)
    aten.copy_.default(x, aten.view.default(put, [4, 8]))
    return ()


def permuted_index_put(x, index, values):
    put = aten.index_put.default(aten.permute.default(x, [1, 0]), [index], values)
    aten.copy_.default(x, aten.permute.default(put, [1, 0]))
    return ()


def custom_op_on_view_v1(x):
    row = aten.select.int(x, 0, 1)
    done = hop.auto_functionalized(mylib.scale_.default, x=row, f=2.0)
    whole = aten.select_scatter.default(x, done[1], 0, 1)
    aten.copy_.default(x, whole)
    return (aten.sum.default(whole),)


def custom_op_on_view_v2(x):
    done = hop.auto_functionalized_v2(mylib.scale_.default, f=2.0, _x_base_index=0, _x_size=(8,), _x_stride=(1,),
                                      _x_storage_offset=8, _all_bases=[x])
    aten.copy_.default(x, done[1])
    return (aten.sum.default(done[1]),)


def part_of_input_put(x, index, values):
    put = aten.index_put.default(aten.slice.Tensor(x, 0, 0, 4), [index], values)
    whole = aten.slice_scatter.default(x, put, 0, 0, 4)
    aten.copy_.default(x, aten.mul.Tensor(whole, 2.0))
    return ()


def same_tensor_twice(x):
    done = hop.auto_functionalized(mylib.exchange.default, x=x, y=x)
    return (done[1], done[2])


def same_base_twice_v2(x):
    fresh = aten.mul.Tensor(x, 1.0)
    done = hop.auto_functionalized_v2(mylib.exchange.default, _x_base_index=0, _x_slice_dim=0, _x_slice_start=0, _x_slice_end=2,
                                      _y_base_index=0, _y_slice_dim=0, _y_slice_start=2, _y_slice_end=4, _all_bases=[fresh])
    return (done[0], done[1])


def two_views_of_one_input(x, index, values):
    first, second = aten.select.int(x, 0, 0), aten.select.int(x, 0, 1)
    done = hop.auto_functionalized(mylib.exchange.default, x=first, y=second)
    step = aten.select_scatter.default(x, done[1], 0, 0)
    whole = aten.select_scatter.default(step, done[2], 0, 1)
    aten.copy_.default(x, whole)
    return (done[0],)


def read_later(x):
    fresh = aten.mul.Tensor(x, 2.0)
    done = hop.auto_functionalized_v2(mylib.scale_.default, f=3.0, _x_base_index=0, _all_bases=[fresh])
    late = aten.add.Tensor(done[1], 1.0)
    return (aten.add.Tensor(late, aten.sin.default(fresh)),)


def foreach_with_copies(a, b):
    both = aten._foreach_add.Scalar([a, b], 1.0)
    aten.copy_.default(a, both[0])
    aten.copy_.default(b, both[1])
    return (aten.sum.default(both[0]),)


def foreach_one_copy_missing(a, b):
    both = aten._foreach_mul.List([a, b], [b, a])
    aten.copy_.default(a, both[0])
    return (both[1],)


def foreach_copies_crossed(a, b):
    both = aten._foreach_add.Scalar([a, b], 1.0)
    aten.copy_.default(a, both[1])
    aten.copy_.default(b, both[0])
    return ()


def foreach_reads_the_other(a, b):
    both = aten._foreach_add.List([a, b], [b, a])
    aten.copy_.default(a, both[0])
    aten.copy_.default(b, both[1])
    return ()


def interleaved_views(primals, index, values):
    fresh = aten.mul.Tensor(primals, 1.0)
    even = aten.slice.Tensor(fresh, 0, 0, 16, 2)
    odd = aten.slice.Tensor(fresh, 0, 1, 16, 2)
    put = aten.index_put.default(even, [index], values)
    return (put, aten.sum.default(odd))


def nested_scatter(x, src):
    row = aten.select.int(x, 0, 1)
    part = aten.slice_scatter.default(row, src, 0, 2, 5)
    whole = aten.select_scatter.default(x, part, 0, 1)
    aten.copy_.default(x, whole)
    return (aten.sum.default(part),)


def read_moved_behind(x, index, values):
    old = aten.mean.dim(x, [1])
    put = aten.index_put.default(x, [index], values)
    total = aten.sum.dim_IntList(put, [1])
    both = aten.add.Tensor(total, old)
    aten.copy_.default(x, put)
    return (both,)


def read_moved_behind_in_training(primals, index, values):
    return read_moved_behind(primals, index, values)


def fused_with_neighbours(x, src):
    y = aten.mul.Tensor(x, 2.0)
    part = aten.add.Tensor(aten.slice.Tensor(y, 0, 0, 2), 1.0)
    whole = aten.slice_scatter.default(y, part, 0, 0, 2)
    return (aten.add.Tensor(whole, 1.0),)


def realized_base(x, w):
    y = aten.mul.Tensor(x, 2.0)
    product = aten.mm.default(y, w)
    whole = aten.slice_scatter.default(y, aten.slice.Tensor(product, 0, 0, 2), 0, 0, 2)
    return (whole,)


def unsafe_put(x, index, values):
    fresh = aten.mul.Tensor(x, 2.0)
    return (aten._unsafe_index_put.default(fresh, [index], values),)


def dead_reader(x, index, values):
    put = aten.index_put.default(x, [index], values)
    aten.sum.default(x)
    aten.copy_.default(x, put)
    return (aten.sum.default(put),)


def out_operator(x, buffer):
    done = hop.auto_functionalized_v2(mylib.scale_.default, f=1.0, _x_base_index=0, _all_bases=[buffer])
    return (done[1], aten.add.Tensor(x, buffer))


# name: (function, inputs, what it shows)
GRAPHS = {
    "198094-scatter-then-zeroed": (scatter_then_zeroed, [f(4, 6), -f(2, 6)],
        "some copy_ into the input is enough for the pass; this one writes another value, and the result is returned"),
    "198094-scatter-that-changes-nothing": (scatter_that_changes_nothing, [f(4, 4)],
        "the same with a scatter of what is there already"),
    "198094-view-of-old-value-returned": (view_of_old_value_returned, [f(4, 6), i(1, 2), -f(2, 6)],
        "the same with index_put, and a view of the result is returned"),
    "195451-returned-is-input": (returned_is_input, [f(4, 6), i(1, 2), -f(2, 6)],
        "the returned tensor becomes the input itself"),
    "198031-clone-removed": (clone_removed, [f(8)],
        "another argument of the custom operator is the tensor it writes"),
    "198031-clone-removed-v1": (clone_removed_v1, [f(8)], "the same, functionalized the older way"),
    "197829-scatter-source-is-view": (scatter_source_is_view, [f(6)], "the scatter's source is a view of what it writes"),
    "183986-index-put-on-expanded": (index_put_on_expanded, [torch.zeros(1, 8), i(0, 1, 0), f(3, 8)],
        "one element in memory stands for several rows"),
    "185450-values-alias-self": (values_alias_self, [f(6), i(1, 2, 3)], "the values lie where they are written"),
    "185450-indices-alias-self": (indices_alias_self, [i(3, 1, 2, 0, 1, 2), i(7, 8, 9)],
        "the indices lie where the values are written"),
    "195285-slice-then-index": (slice_then_index, [f(4, 6), -f(2, 6), i(1, 2), f(2, 6)],
        "missed: the input is copied back only after a second update"),
    "137416-layer-of-cache": (layer_of_cache, [f(2, 2, 16, 8), -f(2, 2, 8), i(3, 4)],
        "missed: an update of a view of the input is copied whole"),
    "137416-flat-index-put": (flat_index_put, [f(4, 8), i(3, 9), -f(2)],
        "mended in 2.13: the view keeps the layout of the input"),
    "184542-permuted-index-put": (permuted_index_put, [f(4, 8), i(3, 5), -f(2, 4)],
        "taken in 2.13: the result of index_put keeps the strides of the permuted view"),
    "part-of-input-put": (part_of_input_put, [f(6, 4), i(3, 1), -f(2, 4)],
        "missed twice: what is copied back is neither the put's result nor the scatter's"),
    "131192-custom-op-on-view-v1": (custom_op_on_view_v1, [f(4, 8)], "missed: a custom operator that writes a view of an input"),
    "131192-custom-op-on-view-v2": (custom_op_on_view_v2, [f(4, 8)], "mended by passing bases: the input itself is written"),
    "132196-same-tensor-twice": (same_tensor_twice, [f(4)], "no input may be written without a copy_ into it"),
    "132196-same-base-twice-v2": (same_base_twice_v2, [f(4, 2)], "two slices of one base: one decision for both"),
    "153389-two-views-of-one-input": (two_views_of_one_input, [f(4, 8), i(1), f(1)], "missed: two views of one input"),
    "127660-read-later": (read_later, [f(8)], "missed: the old value is read after the write"),
    "foreach-with-copies": (foreach_with_copies, [f(4), -f(4)], "every item of the list is copied back"),
    "foreach-one-copy-missing": (foreach_one_copy_missing, [f(4), -f(4)], "one item of the list is not copied back"),
    "foreach-copies-crossed": (foreach_copies_crossed, [f(4), -f(4)],
        "each item is copied back into the other's input, and the pass does not look which"),
    "foreach-reads-the-other": (foreach_reads_the_other, [f(4), -f(4)], "each item is written while the other's is still read"),
    "interleaved-views": (interleaved_views, [f(16), i(1, 2), f(2)],
        "missed: the pass cannot tell that every second element lies apart from the others"),
    "nested-scatter": (nested_scatter, [f(4, 8), -f(3)], "two scatters that the pass fuses into one"),
    "read-moved-behind": (read_moved_behind, [f(4, 6), i(1, 2), -f(2, 6)],
        "missed: reorder_for_locality moves the read of the old value behind the write"),
    "read-moved-behind-in-training": (read_moved_behind_in_training, [f(4, 6), i(1, 2), -f(2, 6)],
        "the same for training, where nothing is reordered"),
    "fused-with-neighbours": (fused_with_neighbours, [f(4, 6), f(2)], "allowed, but fusing is thought better"),
    "realized-base": (realized_base, [f(4, 4), f(4, 4)], "base and result are in memory anyway"),
    "unsafe-put": (unsafe_put, [f(4, 6), i(1, 2), -f(2, 6)], "index_put without bounds checks"),
    "dead-reader": (dead_reader, [f(4, 6), i(1, 2), -f(2, 6)], "a read whose result nobody needs is gone before the pass"),
    "custom-op-input-not-copied-back": (out_operator, [f(4), -f(4)], "the caller's tensor must not change"),
}
