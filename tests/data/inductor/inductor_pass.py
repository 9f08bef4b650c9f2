"""Runs the re-inplacing pass of torch._inductor on a graph and records what it decided, node by node.

Used by make_cases.py. What precedes the pass and moves or drops nodes is run too: dead code goes, and graphs for inference
are reordered (reorder_for_locality).
"""

import copy
import io
import contextlib
import operator

import torch
import torch._inductor.graph  # registers all lowerings, as a compilation does
from torch._dispatch.python import enable_python_dispatcher
from torch._higher_order_ops.triton_kernel_wrap import triton_kernel_wrapper_functional
from torch._inductor.fx_passes import post_grad, reinplace
from torch._inductor.fx_utils import FakeTensorUpdater
from torch._inductor.virtualized import V
from torch._subclasses.fake_tensor import FakeTensor
from torch.fx.experimental.proxy_tensor import make_fx

post_grad.lazy_init()

_library = torch.library.Library("mylib", "DEF")
_library.define("scale_(Tensor(a!) x, float f) -> ()")
_library.define("reverse_into(Tensor(a!) dst, Tensor src) -> ()")
_library.define("exchange(Tensor(a!) x, Tensor(b!) y) -> Tensor")
_library.define("scale_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=(torch.Tag.out,))


def scale_(x, f):
    x.mul_(f)


def reverse_into(dst, src):
    for i in range(dst.shape[0]):
        dst[i] = src[src.shape[0] - 1 - i]


def exchange(x, y):
    total = x.sum() + y.sum()
    x.add_(1)
    y.sub_(1)
    return total


for _name, _function in (("scale_", scale_), ("reverse_into", reverse_into), ("exchange", exchange)):
    _library.impl(_name, _function, "CompositeExplicitAutograd")
_library.impl("scale_", lambda x, f: None, "Meta")
_library.impl("reverse_into", lambda dst, src: None, "Meta")
_library.impl("exchange", lambda x, y: torch.empty((), device="meta"), "Meta")


def trace(function, inputs, symbolic=False):
    mode = "symbolic" if symbolic else "fake"
    with torch.no_grad():
        return make_fx(function, tracing_mode=mode)(*inputs)


def readable(gm):
    text = gm.print_readable(print_output=False, include_stride=True, include_device=True)
    return text.rstrip("\n") + "\n"


def fake_mode_of(gm):
    for node in gm.graph.nodes:
        if isinstance(node.meta.get("val"), FakeTensor):
            return node.meta["val"].fake_mode
    raise SystemExit("the graph has no tensor")


def is_training(graph):
    return any(n.name.startswith(("primals_", "tangents_")) for n in graph.nodes if n.op == "placeholder")


def scatter_groups(before, graph):
    """(generalized scatter, [scatter nodes by name, innermost first]) for each one that canonicalisation made."""
    left = list(before)
    groups = []
    origin = {}  # name of a scatter as it was, by the node that stands for it now
    for node in graph.nodes:
        if node.target is not reinplace._generalized_scatter:
            continue
        _, src, views = node.args
        names = []
        source = origin.get(src, src.name)
        for view in reversed(views):
            target = reinplace._VIEW_OP_TO_SCATTER[view.target]
            found = next(
                s for s in left
                if s["target"] is target and s["src"] == source and s["args"] == view.args and s["kwargs"] == view.kwargs
            )
            left.remove(found)
            names.append(found["name"])
            source = found["name"]
        groups.append((node, names))
        # An inner scatter that is used elsewhere has become a view of the outer one.
        place = node
        for name, view in zip(reversed(names), views):
            origin[place] = name
            place = next((u for u in place.users if u.target is view.target and u.args[1:] == view.args and u.name not in
                          {s["name"] for s in before} and u.next is not None and place.next is u), place)
    if left:
        raise SystemExit(f"scatters were lost: {left}")
    return groups


def run(gm):
    """Decisions by node name, and the graph after the pass with its custom operators decomposed."""
    gm = copy.deepcopy(gm)
    graph = gm.graph
    all_calls = {n.name: str(n.target) for n in graph.nodes if n.op == "call_function"}
    decisions = {name: {"target": target, "verdict": "kept"} for name, target in all_calls.items()}
    with V.set_fake_mode(fake_mode_of(gm)), torch.no_grad():
        graph.eliminate_dead_code()
        alive = {n.name for n in graph.nodes}
        if not is_training(graph):
            post_grad.reorder_for_locality(graph)
        order = [n.name for n in graph.nodes]
        updater = FakeTensorUpdater(gm)
        scatters = [
            {"name": n.name, "target": n.target, "src": n.args[1].name, "args": n.args[2:], "kwargs": n.kwargs}
            for n in graph.nodes if n.target in reinplace._SCATTER_OP_TO_VIEW
        ]
        with enable_python_dispatcher():
            reinplace.canonicalize_view_scatter_ops(graph)
            groups = scatter_groups(scatters, graph)
            updater.incremental_update()
            candidates = [n for n in graph.nodes if n.op == "call_function"]
            targets = {n: n.target for n in candidates}
            cloned_before = {n: len(n.kwargs["tensors_to_clone"]) for n in candidates
                             if n.target is triton_kernel_wrapper_functional}
            unprofitable = {n for n, _ in groups if not reinplace.should_reinplace_scatter(n)}
            reinplace.reinplace_inplaceable_ops_core(graph)
            left = set(graph.nodes)
            for node in candidates:
                decision = decisions.get(node.name)
                if decision is None:
                    continue
                if node not in left:
                    decision["verdict"] = "deleted"
                elif node.target is not targets[node]:
                    decision["verdict"] = "reinplaced"
                elif node.target in (torch.ops.higher_order.auto_functionalized_v2, torch.ops.higher_order.auto_functionalized):
                    clones = node.meta["only_clone_these_tensors"]
                    if node.target is torch.ops.higher_order.auto_functionalized_v2:
                        names = [str(i) for i in range(len(node.kwargs["_all_bases"]))]
                    else:
                        names = reinplace_names(node)
                    clones = [str(c) for c in clones]
                    decision["cloned"] = clones
                    if len(clones) < len(names):
                        decision["verdict"] = "reinplaced"
            for node in candidates:
                if node in left and node.target is triton_kernel_wrapper_functional:
                    decision, clones = decisions[node.name], node.kwargs["tensors_to_clone"]
                    decision["cloned"] = list(clones)
                    if len(clones) < cloned_before[node]:
                        decision["verdict"] = "reinplaced"
            for node, names in groups:
                written = node.target is reinplace._inplace_generalized_scatter
                for place, name in enumerate(names):
                    decisions[name]["verdict"] = "kept" if not written else "deleted" if place else "scatter_to_copy"
                    if node in unprofitable:
                        decisions[name]["unprofitable"] = True
            reinplace.decompose_generalized_scatter(graph)
        post_grad.decompose_auto_functionalized(graph)
    for name, decision in decisions.items():
        if name not in alive:
            decision["dead"] = True
    gm.recompile()
    return decisions, order, gm


def reinplace_names(node):
    from torch._higher_order_ops.auto_functionalize import get_mutable_args

    names, _ = get_mutable_args(node.args[0])
    return [n for n in names if node.kwargs[n] is not None]


def effect(gm, inputs):
    """Values a caller sees: results and inputs afterwards."""
    inputs = [i.clone() if isinstance(i, torch.Tensor) else i for i in inputs]
    with torch.no_grad(), contextlib.redirect_stderr(io.StringIO()):
        results = torch.fx.Interpreter(gm).run(*inputs)
    results = results if isinstance(results, (list, tuple)) else [results]
    return [r for r in [*results, *inputs] if isinstance(r, torch.Tensor)]


def return_lists(gm):
    """In-place foreach operators return nothing; Inductor takes an item of their result for the item they wrote."""
    for node in list(gm.graph.nodes):
        if node.target is operator.getitem and str(node.args[0].target).startswith("aten._foreach_") and "_." in str(node.args[0].target):
            node.replace_all_uses_with(node.args[0].args[0][node.args[1]])
            gm.graph.erase_node(node)
    gm.recompile()


def outcome(before, after, inputs):
    return_lists(after)
    expected = effect(before, inputs)
    try:
        got = effect(after, inputs)
    except Exception as error:  # the message is torch's
        return "graph fails to run: " + str(error).splitlines()[0]
    same = len(expected) == len(got) and all(torch.equal(a, b) for a, b in zip(expected, got))
    return "equal" if same else "different values"
