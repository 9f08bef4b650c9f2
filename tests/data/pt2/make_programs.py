"""Makes the .pt2 files of this folder, and beside each NAME.fx.txt: str(graph) of the program that was saved, graph by
graph. Run with torch 2.13 in this folder: python make_programs.py"""

import json
import os
import zipfile

import torch
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim
from torch.export.pt2_archive._package import package_pt2

torch.manual_seed(0)
TORCH_FOLDER = os.path.dirname(os.path.dirname(torch.__file__)) + "/"
HERE = os.path.dirname(os.path.abspath(__file__)) + "/"


@torch.library.custom_op("example::halves", mutates_args=())
def halves(a: torch.Tensor, factors: list[int], word: str = "plain") -> tuple[torch.Tensor, list[torch.Tensor]]:
    return a + 1, [a * f for f in factors]


@halves.register_fake
def _(a, factors, word="plain"):
    return torch.empty_like(a), [torch.empty_like(a) for _ in factors]


class ControlFlow(torch.nn.Module):
    def forward(self, x):
        def inner(a):
            return torch.cond(a.mean() > 1, lambda b: b.sin(), lambda b: b.cos(), (a,))

        y = torch.cond(x.sum() > 0, inner, lambda a: a * 2, (x,))
        count, z = while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (torch.zeros((), dtype=torch.int64), y))
        return count, z


class Results(torch.nn.Module):
    def forward(self, x, image):
        first, second = x.split(2)
        rows = x.unbind(0)
        value, index = torch.max(x, 0)
        a, parts = torch.ops.example.halves(x, [1, 2])
        b, _ = torch.ops.example.halves(x, [3], word="z")
        _, more = torch.ops.example.halves(x, [1, 2])
        gradients = torch.ops.aten.convolution_backward(
            image, image, image.new_ones(2, 2, 1, 1), [0], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, [True, True, False])
        return first + rows[2], index, a, parts[1], b, more[0], gradients[1], torch._foreach_add([x, x], [x, second[:1]])


class Arguments(torch.nn.Module):
    def forward(self, x):
        return (
            x.masked_fill(x > 0, -float("inf")), torch.full((2,), float("nan")), torch.full((2,), 1e30),
            torch.full((2,), 2 + 3j), torch.full((2,), 2**62), x.to(torch.float64),
            torch.empty_like(x, device="cpu", layout=torch.strided, memory_format=torch.preserve_format) * 0,
            torch.einsum("ij,jk->ik", x, x), x[:, torch.tensor([0, 1])], x[None, ..., 1::2],
            torch.nn.functional.gelu(x, approximate="tanh"), torch.nn.functional.pad(x, (1, 1), value=-0.5),
            torch.lstm(x[None], (torch.zeros(1, 1, 2), torch.zeros(1, 1, 2)), [torch.zeros(8, 4), torch.zeros(8, 2)],
                       False, 1, 0.0, False, False, True)[0],
        )


class Inputs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.tied = torch.nn.Linear(4, 4, bias=False)
        self.tied.weight = self.linear.weight
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("scratch", torch.ones(4), persistent=False)
        self.table = torch.arange(4.0)

    def forward(self, x, pair, n, nothing, word, ratio, flag, *, scale):
        self.count.add_(1)
        x.mul_(2)
        return {"sum": self.tied(self.linear(x)) + self.scratch + self.table + pair[0] * ratio, "rest": [pair[1] * n, scale]}


class Dynamic(torch.nn.Module):
    def forward(self, x, positions):
        n, m = x.shape
        where = positions.nonzero()
        k = positions[0].item()
        torch._check(k >= 0)
        torch._check(k < 100)
        return (x.reshape(n * m).view(-1, 2), x[: n - 1], torch.zeros(n * 2 + 1, m // 2), x.new_full((n, n), n * 0.5),
                x.expand(3, n, m).transpose(0, 1).contiguous(), torch.arange(n)[::2], x.mean() * n / 3, torch.sym_max(n, 7) + x,
                where * 2, torch.zeros(k), torch.full((2,), positions.sum().item()), n)


class Voids(torch.nn.Module):
    def forward(self, x):
        torch._higher_order_ops.print("value {n}", n=1)
        torch.ops.aten._assert_async.msg(x.sum() > -1e6, "sum, far too small")
        return x.to(torch.float32)


class Wrapped(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            y = x.sin()
        return y * 2


def graphs(module, prefix=""):
    yield prefix or "root", module
    for node in module.graph.nodes:
        if node.op == "get_attr":
            yield from graphs(getattr(module, node.target), (prefix + "." if prefix else "") + node.target)


def text(program):
    return "".join(f"=== {name}\n{module.graph}\n" for name, module in graphs(program.graph_module))


def save(name, program):
    for _, module in graphs(program.graph_module):
        for node in module.graph.nodes:
            # Addresses and paths of the machine that ran this.
            node.meta.pop("from_node", None)
            if trace := node.meta.get("stack_trace"):
                node.meta["stack_trace"] = trace.replace(TORCH_FOLDER, "").replace(HERE, "")
    torch.export.save(program, f"{name}.pt2")
    loaded = torch.export.load(f"{name}.pt2")
    with open(f"{name}.fx.txt", "w") as file:
        # The file does not say what a get_attr node was called.
        file.write(text(loaded if name == "wrapped" else program))


def save_in_old_layout(name, source, text_of_source=False):
    """The layout of torch 2.5 to 2.7: no root folder, no names of nodes, no kinds of arguments. What it reads as is
    what torch.export.load makes of it, or the source where that has tuples which torch reads as lists."""
    with zipfile.ZipFile(f"{source}.pt2") as archive:
        root = archive.namelist()[0].split("/")[0]
        model = json.loads(archive.read(f"{root}/models/model.json"))
        inputs = archive.read(f"{root}/data/sample_inputs/model.pt")

    def simplify(graph):
        for node in graph["nodes"]:
            del node["name"], node["is_hop_single_tensor_return"]
            for argument in node["inputs"]:
                del argument["kind"]
                if nested := argument["arg"].get("as_graph"):
                    simplify(nested["graph"])

    simplify(model["graph_module"]["graph"])
    model["torch_version"] = "2.6.0"
    program = torch.export.load(f"{source}.pt2")
    with zipfile.ZipFile(f"{name}.pt2", "w") as archive:
        archive.writestr("serialized_exported_program.json", json.dumps(model))
        for part, value in ("state_dict", dict(program.state_dict)), ("constants", dict(program.constants)):
            torch.save(value, "part.tmp")
            archive.write("part.tmp", f"serialized_{part}.pt")
        os.remove("part.tmp")
        archive.writestr("serialized_example_inputs.pt", inputs)
        archive.writestr("version", "8.2")
    with open(f"{name}.fx.txt", "w") as file:
        loaded = text(torch.export.load(f"{name}.pt2"))
        file.write(open(f"{source}.fx.txt").read() if text_of_source else loaded)


x = torch.randn(4, 4)
control_flow = torch.export.export(ControlFlow(), (x,))
save("control-flow", control_flow.run_decompositions({}))
save("results", torch.export.export(Results(), (x, torch.randn(1, 2, 3, 3))).run_decompositions({}))
save("arguments", torch.export.export(Arguments(), (x,)))
constants = (torch.randn(4, 4), [x + 2, x + 1], 3, None, "abc", 2.5, True)
save("inputs-training", torch.export.export(Inputs(), constants, {"scale": x}, preserve_module_call_signature=("linear",)))
save("inputs-functional", torch.export.export(Inputs(), constants, {"scale": x}).run_decompositions({}))
sizes = {"x": {0: Dim("rows", min=3, max=64), 1: Dim.DYNAMIC}, "positions": None}
save("dynamic", torch.export.export(Dynamic(), (torch.randn(6, 4), torch.tensor([1, 0, 3])), dynamic_shapes=sizes).run_decompositions())
save("voids", torch.export.export(Voids(), (x,)))
save("wrapped", torch.export.export(Wrapped(), (x,)))
save_in_old_layout("old-layout", "arguments")
save_in_old_layout("old-layout-control-flow", "control-flow", text_of_source=True)


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.l(x) + 1)


class Decoder(torch.nn.Module):
    """Has a weight of the same name as the encoder's, and nested graphs."""

    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 6)

    def forward(self, x, y):
        return torch.cond(y.sum() > 0, lambda a: a.sin() + 1, lambda a: a.cos() * 2, (self.l(x),)).exp()


encoder = torch.export.export(Encoder(), (torch.randn(2, 4),)).run_decompositions({})
decoder = torch.export.export(Decoder(), (torch.randn(3, 4), torch.ones(2))).run_decompositions({})
package_pt2("several-models.pt2", exported_programs={"encoder": encoder, "decoder": decoder})
