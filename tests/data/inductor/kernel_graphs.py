"""Graphs whose kernels do not run here (Triton, collectives): only what the pass decides is recorded."""

import functools
import operator
import sys
import types

import torch
import torch.distributed._functional_collectives  # registers the collectives' fake kernels
from torch._higher_order_ops.triton_kernel_wrap import kernel_side_table, triton_kernel_wrapper_functional
from torch._subclasses.fake_tensor import FakeTensorMode

aten = torch.ops.aten
collectives = torch.ops._c10d_functional


class Kernel:
    """Stands for triton's JITFunction, of which the pass asks the type and the name."""

    def fn(self):
        pass


@functools.cache
def add_kernel():
    autotuner, jit = types.ModuleType("triton.runtime.autotuner"), types.ModuleType("triton.runtime.jit")
    autotuner.Autotuner, jit.JITFunction = type("Autotuner", (), {}), Kernel
    for name in ("triton", "triton.runtime"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[autotuner.__name__], sys.modules[jit.__name__] = autotuner, jit
    return kernel_side_table.add_kernel(Kernel())


class Builder:
    """Nodes with the fake values that a trace would give them."""

    def __init__(self):
        self.graph = torch.fx.Graph()
        self.mode = FakeTensorMode()
        self.kernel_index = add_kernel()

    def input(self, name, *sizes):
        node = self.graph.placeholder(name)
        with self.mode:
            node.meta["val"] = torch.empty(sizes)
        return node

    def call(self, target, *args, value=None):
        node = self.graph.call_function(target, args)
        if value is None:
            with self.mode:
                value = target(*torch.fx.map_arg(args, lambda n: n.meta["val"]))
        node.meta["val"] = value
        return node

    def kernel(self, clones, **tensors):
        call = self.graph.call_function(triton_kernel_wrapper_functional, (), {
            "kernel_idx": self.kernel_index, "constant_args_idx": 0, "grid": [(1, 1, 1)], "tma_descriptor_metadata": {},
            "kwargs": tensors, "tensors_to_clone": clones})
        with self.mode:
            call.meta["val"] = {name: torch.empty_like(tensors[name].meta["val"]) for name in clones}
        return call

    def item(self, call, key):
        return self.call(operator.getitem, call, key, value=call.meta["val"][key])

    def module(self, *results):
        self.graph.output(results)
        return torch.fx.GraphModule({}, self.graph)


def kernel_writes_own_tensor():
    b = Builder()
    x = b.input("x", 8)
    out = b.call(aten.add.Tensor, x, 1)
    return b.module(b.item(b.kernel(["out"], inp=x, out=out), "out"))


def kernel_writes_input():
    b = Builder()
    x = b.input("x", 8)
    return b.module(b.item(b.kernel(["out"], out=x), "out"))


def kernel_copied_back():
    b = Builder()
    x = b.input("x", 8)
    y = b.item(b.kernel(["out"], out=x), "out")
    b.call(aten.copy_.default, x, y)
    return b.module(y)


def kernel_reads_later():
    b = Builder()
    x = b.input("x", 8)
    a, c = b.call(aten.add.Tensor, x, 1), b.call(aten.mul.Tensor, x, 2)
    call = b.kernel(["first", "second"], first=a, second=c)
    first, second = b.item(call, "first"), b.item(call, "second")
    return b.module(first, second, b.call(aten.neg.default, c))


def kernel_given_one_tensor_twice():
    b = Builder()
    x = b.input("x", 8)
    a = b.call(aten.add.Tensor, x, 1)
    call = b.kernel(["first", "second"], first=a, second=a)
    return b.module(b.item(call, "first"), b.item(call, "second"))


def reduce(b, value):
    done = b.call(collectives.all_reduce.default, value, "sum", "world")
    return b.call(collectives.wait_tensor.default, done)


def all_reduce_of_own_tensor():
    b = Builder()
    return b.module(reduce(b, b.call(aten.add.Tensor, b.input("x", 8), 1)))


def all_reduce_of_input():
    b = Builder()
    return b.module(reduce(b, b.input("x", 8)))


def all_reduce_copied_back():
    b = Builder()
    x = b.input("x", 8)
    done = b.call(collectives.all_reduce.default, x, "sum", "world")
    b.call(aten.copy_.default, x, done)
    return b.module(b.call(aten.neg.default, done))


def all_reduce_read_later():
    b = Builder()
    a = b.call(aten.add.Tensor, b.input("x", 8), 1)
    done = reduce(b, a)
    return b.module(done, b.call(aten.neg.default, a))


def all_reduce_coalesced():
    b = Builder()
    x, y = b.input("x", 8), b.input("y", 4)
    tensors = [b.call(aten.add.Tensor, x, 1), b.call(aten.add.Tensor, y, 1)]
    done = b.call(collectives.all_reduce_coalesced.default, tensors, "sum", "world")
    items = [b.item(done, 0), b.item(done, 1)]
    return b.module(*(b.call(collectives.wait_tensor.default, item) for item in items))


GRAPHS = {
    "triton-own-tensor": (kernel_writes_own_tensor, "the tensor the kernel writes is the graph's own"),
    "triton-input": (kernel_writes_input, "nothing copies the result back into the input"),
    "triton-copied-back": (kernel_copied_back, "the result is copied back into the input"),
    "triton-read-later": (kernel_reads_later, "one of two tensors is read after the kernel: it alone stays cloned"),
    "triton-one-tensor-twice": (kernel_given_one_tensor_twice, "one tensor for both: one of them stays cloned"),
    "all-reduce-own-tensor": (all_reduce_of_own_tensor, "the reduced tensor is the graph's own"),
    "all-reduce-input": (all_reduce_of_input, "nothing copies the result back into the input"),
    "all-reduce-copied-back": (all_reduce_copied_back, "the result is copied back into the input"),
    "all-reduce-read-later": (all_reduce_read_later, "the old value is read after the reduction"),
    "all-reduce-coalesced": (all_reduce_coalesced, "a list of tensors"),
}
