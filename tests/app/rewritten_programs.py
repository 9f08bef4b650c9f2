"""Loads what `reinplace rewrite` writes with torch.export, and runs it beside the program it was made of.

    rewritten_programs.py REINPLACE SEVERAL_MODELS.pt2 TRACED.pt…

TorchScript modules become Python modules, which give what the traced module gives.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import torch
from torch.export import Dim
from torch.export.pt2_archive._package import load_pt2


class Scatters(torch.nn.Module):
    """Writes through views whose sizes are symbols."""

    def forward(self, x, y):
        z = x * 2
        z[1:] = y + 1
        w = z.relu() + 3
        w[:, 0] = y.sum()
        w[: y.shape[0], 1:].mul_(2)
        return w, z.sum()


def decisions(reinplace, file, *options):
    lines = subprocess.run([reinplace, "explain", "--json", file, *options], check=True, capture_output=True).stdout
    return [decision for line in lines.splitlines() for decision in json.loads(line)["decisions"]]


def same(before, after, inputs):
    results = [program.module()(*copy.deepcopy(inputs)) for program in (before, after)]
    leaves = [torch.utils._pytree.tree_leaves(result) for result in results]
    return len(leaves[0]) == len(leaves[1]) and all(map(torch.equal, *leaves))


def symbolic_scatter(reinplace, folder):
    file, out = os.path.join(folder, "scatters.pt2"), os.path.join(folder, "rewritten.pt2")
    rows = Dim("rows", min=3, max=64)
    shapes = {"x": {0: rows}, "y": {0: rows - 1}}
    program = torch.export.export(Scatters(), (torch.randn(6, 4), torch.randn(5, 4)), dynamic_shapes=shapes).run_decompositions({})
    torch.export.save(program, file)
    if not any(decision["verdict"] == "scatter_to_copy" for decision in decisions(reinplace, file)):
        yield "no scatter became a copy"
    subprocess.run([reinplace, "rewrite", file, "-o", out], check=True)
    rewritten = torch.export.load(out)
    for rows in (3, 6, 17):
        if not same(program, rewritten, (torch.randn(rows, 4), torch.randn(rows - 1, 4))):
            yield f"with {rows} rows the results differ"


def recorded_decisions(reinplace, folder):
    """The decisions are in node.meta and, of nodes that are gone, in the module's; what was in there stays."""
    file, out = os.path.join(folder, "scatters.pt2"), os.path.join(folder, "recorded.pt2")
    program = torch.export.load(file)
    for node in program.graph.nodes:
        if node.op == "call_function":
            node.meta["custom"] = {"tag": node.name}
    program.graph_module.meta["custom"] = {"tag": "whole"}
    torch.export.save(program, file)
    subprocess.run([reinplace, "rewrite", file, "--record", "-o", out], check=True)
    rewritten = torch.export.load(out)
    whole = rewritten.graph_module.meta["custom"]
    nodes = [node for node in rewritten.graph.nodes if "reinplace" in node.meta.get("custom", {})]
    records = [node.meta["custom"]["reinplace"] for node in nodes] + whole["reinplace"]["root"]["removed"]
    if whole["tag"] != "whole" or any(node.meta["custom"].get("tag") != node.name for node in nodes):
        yield "metadata that was there is gone"
    if any(node.meta["custom"]["reinplace"]["node"] != node.name for node in nodes):
        yield "a decision is at another node"
    said = {decision["index"]: decision for decision in decisions(reinplace, file)}
    for record in records:
        expected = said.pop(record["index"])
        if any(record[key] != expected[key] for key in record if key != "sentence") or not record["sentence"]:
            yield f"decision {record['index']} is recorded as {record}"
    if said:
        yield f"decisions {list(said)} are not recorded"
    if not same(program, rewritten, (torch.randn(6, 4), torch.randn(5, 4))):
        yield "with records the results differ"


def several_models(reinplace, folder, file):
    out = os.path.join(folder, "several.pt2")
    subprocess.run([reinplace, "rewrite", file, "--graph", "encoder", "-o", out], check=True)
    before, after = load_pt2(file).exported_programs, load_pt2(out).exported_programs
    for name, program in before.items():
        if not same(program, after[name], program.example_inputs[0]):
            yield f"{name} gives other results"
    targets = {name: [str(node.target) for node in program.graph.nodes] for name, program in after.items()}
    if "aten.relu_.default" not in targets["encoder"]:
        yield "the encoder was not rewritten"
    if any(target.split(".")[1].endswith("_") for target in targets["decoder"] if target.startswith("aten.")):
        yield "the decoder was rewritten"


def traced_module(reinplace, folder, file):
    x = torch.randn(4, 8)
    expected = torch.jit.load(file)(x.clone())
    for policy in ("none", "sound", "torch-fx"):
        out = os.path.join(folder, f"{os.path.basename(file)[:-3]}_{policy.replace('-', '_')}.py")
        subprocess.run([reinplace, "rewrite", file, "--policy", policy, "-o", out], check=True)
        module = {"__file__": out, "__name__": "rewritten"}
        with open(out) as text, torch.no_grad():
            exec(compile(text.read(), out, "exec"), module)
            results = module["forward"](*module["load"](), x.clone())
        if len(results) != len(expected) or not all(map(torch.equal, results, expected)):
            yield f"{file} gives other results with the policy {policy}"


def main(reinplace, several, *traced):
    with tempfile.TemporaryDirectory() as folder:
        faults = [*symbolic_scatter(reinplace, folder), *recorded_decisions(reinplace, folder), *several_models(reinplace, folder, several)]
        for file in traced:
            faults += traced_module(reinplace, folder, file)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
