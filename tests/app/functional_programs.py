"""Loads what `reinplace functionalize` writes with torch.export, and runs it beside the program it was made of.

    functional_programs.py REINPLACE TRAINING.pt2…
"""

import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import torch

from exported_program import run


def same(a, b):
    if not isinstance(a, torch.Tensor):
        return a == b
    return a.dtype == b.dtype and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))


def mutating(program):
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            schema = getattr(node.target, "_schema", None)
            if schema is not None and schema.is_mutable:
                yield node


def main(reinplace, files):
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            for epilogue in ("outputs", "copies"):
                what = f"{file} with {epilogue}"
                out = os.path.join(folder, "functional.pt2")
                subprocess.run([reinplace, "functionalize", file, "-o", out, "--epilogue", epilogue], check=True)
                functional = torch.export.load(out)
                before, after = run(torch.export.load(file)), run(functional)
                if len(before) != len(after) or not all(map(same, before, after)):
                    faults.append(f"{what}: other results")
                names = [node.name for node in mutating(functional)]
                if epilogue == "outputs" and names:
                    faults.append(f"{what}: {names} write")
                if any(not name.startswith("copy_") for name in names):
                    faults.append(f"{what}: {names} are not all copies")
                torch.export.save(functional, out)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
