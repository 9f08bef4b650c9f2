"""Writes the samples that show one graph in several of FX's text forms, as PyTorch prints them.

For every NAME: NAME.fx.txt is str(graph), NAME.code.txt is gm.code, NAME.readable.txt is print_readable(). The tests read
each of them and compare what they print with NAME.fx.txt. Made with torch 2.13.0:

    python make_samples.py
"""

import math
import operator
import pathlib
import re

import torch
from torch import fx, nn

here = pathlib.Path(__file__).parent


def write(name, text):
    text = re.sub(r"/[^ ]*/(make_samples\.py)", "model.py", text)
    text = re.sub(r"/[^ ]*/(torch/[^ ]*\.py)", r"site-packages/\1", text)
    (here / name).write_text(text if text.endswith("\n") else text + "\n")


def write_forms(name, module, **options):
    write(f"{name}.fx.txt", str(module.graph))
    write(f"{name}.code.txt", module.code)
    write(f"{name}.readable.txt", module.print_readable(print_output=False, **options))


def every_kind_of_argument():
    """Opcodes, operators, names that code mangles, constants of every type."""
    g = fx.Graph()
    call = g.call_function
    x = g.placeholder("x")
    y = g.placeholder("y", type_expr=torch.Tensor)
    g.placeholder("L_self_")
    g.placeholder("z", default_value=None)
    g.placeholder("*args")
    g.placeholder("**kw")
    w = g.get_attr("w")
    g.get_attr("layers.0.weight")
    a = call(operator.add, (x, 1))
    for infix in (operator.mul, operator.sub, operator.floordiv, operator.truediv, operator.mod, operator.pow,
                  operator.lshift, operator.rshift, operator.or_, operator.xor, operator.eq, operator.ne,
                  operator.lt, operator.gt, operator.le, operator.ge):
        a = call(infix, (2, a))
    a = call(operator.neg, (a,))
    a = call(operator.pos, (a,))
    a = call(operator.pow, (a, -1))
    a = call(operator.and_, (a, a))
    a = call(operator.invert, (a,))
    a = call(operator.matmul, (a, w))
    for inplace in (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow, operator.imatmul):
        a = call(inplace, (a, w))
    call(operator.setitem, (a, slice(0, None, 2), w))
    call(operator.setitem, (a, (slice(None), y), 3.5))
    a = call(operator.getitem, (a, (slice(None, None, None), 0, None, Ellipsis)))
    a = call(operator.getitem, (a, slice(None, x, None)))
    a = call(operator.not_, (a,))
    a = call(operator.truth, (a,))
    a = call(math.ceil, (a,))
    a = call(getattr, (a, "shape"))
    a = call(getattr, (a, "0"))
    a = call(getattr, (a, "sh", None))
    a = call(len, (a,))
    a = call(max, (a, 1))
    a = g.call_method("view", (a, -1, [a, 2]), {"b": "str"})
    a = g.call_method("contiguous", (a,), {"memory_format": torch.channels_last_3d})
    a = g.call_module("layers.0", (a,), {"q": (1,), "r": ()})
    a = g.call_module("m", (a,))
    a = call(torch.einsum, ("ij,jk->ik", a, x))
    a = call(torch.ops.aten.einsum.default, ("ij, jk -> ik", [a, x]))
    a = call(torch.ops.aten.div.Tensor_mode, (a, x), {"rounding_mode": "trunc"})
    a = call(torch.ops.aten.add.Tensor, (a, 1 + 2j))
    a = call(torch.ops.aten.add.Tensor, (a, -2j))
    a = call(torch.ops.aten.add.Tensor, (a, 1e-06), {"alpha": -0.5})
    a = call(torch.ops.aten.full.default, ([2, a], float("-inf")),
             dict(dtype=torch.float32, device=torch.device("cuda", 1), layout=torch.strided, pin_memory=False))
    a = call(torch.ops.aten.clone.default, (a,), dict(memory_format=torch.preserve_format))
    a = call(torch.ops.aten.add.Tensor, (a, float("nan")))
    a = call(torch.relu, (a,), {"d": {"a": x, "b": [1]}, "e": "it's \"q\"", "f": "", "big": 2**70, "small": -2**63})
    a = call(torch._C._nn.gelu, (a,))
    a = call(torch.nn.functional.relu, (a,), {"inplace": False})
    a = call(torch.sym_max, (a, 1))
    a = call(torch.Tensor.add_, (a, 1))
    a = call(torch.ops.aten.add, (a, 1))
    a = call(torch.ops.higher_order.cond, (a, w, w, (x,)))
    a = call(torch.ops.aten._to_copy.default, (a,), {"dtype": torch.bool})
    a = call(torch.ops.aten.sum.dim_IntList, (a, [0, 1], True))
    g.output({"a": a, "b": (x, "s", None, torch.float32, torch.device("cpu"), [])})
    parts = {"w": torch.ones(2), "layers": nn.ModuleList([nn.Linear(2, 2)]), "layers.0": nn.Linear(2, 2),
             "m": nn.ReLU(), "layers.0.weight": nn.Parameter(torch.ones(2))}
    return fx.GraphModule(parts, g)


def unusual_arguments():
    """Operators as values, and strings with brackets that have no partner."""
    g = fx.Graph()
    x, y = g.placeholder("x"), g.placeholder("y", default_value=("s", [1.5, None]))
    a = g.call_function(torch.ops.higher_order.auto_functionalized_v2, (torch.ops.aten.index_put_.default,),
                        {"accumulate": True, "_self_base_index": 0, "_all_bases": [x, y]})
    g.call_function(torch._assert, (a, "shape is (2, not [3"))
    g.call_function(torch.ops.aten._assert_async.msg, (a, "expected (1, 2"))
    g.call_function(torch.relu, ("what? ](,", y))
    g.call_function(torch.relu, ("one {",))
    g.call_function(operator.getitem, (a, slice("it's", x, (y, None))))
    g.output((a, [x], (), None))
    return fx.GraphModule(nn.Module(), g)


def commented():
    """What print_readable says above nodes."""
    g = fx.Graph()
    a = g.placeholder("x")
    policy = torch.utils.checkpoint.CheckpointPolicy.MUST_SAVE
    for meta in ({"custom": {"stage": 0, "fqn": "model.layers"}}, {"recompute": policy}, {"ac_graph_id": 3},
                 {"ac_graph_id": 3, "recompute": policy}, {"custom": {"k": "v"}, "ac_graph_id": 4, "recompute": policy}):
        for trace in (None, 'Traceback:\n  File "a b.py", line 6, in forward\n    h = f(x), code: 2\n'):
            a = g.call_function(torch.relu, (a,))
            a.meta = dict(meta)
            if trace:
                a.meta["stack_trace"] = trace
    g.output(a)
    return fx.GraphModule(nn.Module(), g)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.blocks = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.constant = torch.ones(4)

    def forward(self, x, d, *, k=None):
        self.count.add_(1)
        y = self.blocks(self.linear(x)) + d["a"] + self.constant
        x.mul_(2)
        return {"o": y + k, "n": x.shape[0], "m": y.sum().item(), "s": "hi"}


class Branches(nn.Module):
    def forward(self, x):
        def inner(x):
            return torch.cond(x.sum() > 3, lambda x: x.sin() + 1, lambda x: x.cos(), (x,))

        return torch.cond(x.sum() > 0, inner, lambda x: x * 2, (x,))


def boxed():
    g = fx.Graph()
    g.set_codegen(fx.graph._BoxedCodeGen())
    x, y = g.placeholder("x"), g.placeholder("y")
    g.output((g.call_function(torch.ops.aten.add.Tensor, (x, y)),))
    return fx.GraphModule(nn.Module(), g)


def main():
    write_forms("arguments", every_kind_of_argument())
    write_forms("unusual", unusual_arguments())
    write_forms("commented", commented())
    write("arguments.expanded.txt", every_kind_of_argument().print_readable(print_output=False, expanded_def=True))
    example = (torch.ones(3, 4), {"a": torch.ones(4)})
    exported = torch.export.export(Model(), example, {"k": torch.ones(4)}, dynamic_shapes={
        "x": {0: torch.export.Dim("batch", max=64)}, "d": {"a": None}, "k": None}, strict=False)
    write("exported.ep.txt", str(exported))
    write("exported.fx.txt", str(exported.graph))
    functional = exported.run_decompositions({})
    write("functional.ep.txt", str(functional))
    write("functional.fx.txt", str(functional.graph))
    write_forms("unflattened", exported.module(check_guards=False))
    branches = torch.export.export(Branches(), (torch.ones(4),), strict=False).run_decompositions({})
    write_forms("branches", branches.graph_module, include_stride=True, include_device=True)
    write("boxed.fx.txt", str(boxed().graph))
    write("boxed.code.txt", boxed().code)


main()
