"""Loads what `reinplace decompose` writes with torch.export, and runs it beside the program it was made of and beside what
torch's run_decompositions makes of that one.

    decomposed_programs.py REINPLACE FILE.pt2…
"""

import collections
import os
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import torch

from exported_program import run

RELATIVE = ABSOLUTE = 1e-5


def distance(a, b):
    """The largest difference; infinite where type or size differ."""
    if not isinstance(a, torch.Tensor):
        return 0.0 if a == b else float("inf")
    if a.dtype != b.dtype or a.shape != b.shape:
        return float("inf")
    if not torch.allclose(a.double(), b.double(), RELATIVE, ABSOLUTE, equal_nan=True):
        return float("inf")
    gap = torch.nan_to_num((a.double() - b.double()).abs())
    return gap.max().item() if gap.numel() else 0.0


def not_core(program):
    """Operators that are neither core nor assertions, and how often each is called."""
    found = collections.Counter()
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            if isinstance(node.target, torch._ops.OpOverload) and node.target._schema.returns:
                if torch.Tag.core not in node.target.tags:
                    found[str(node.target)] += 1
    return dict(found)


def size(program):
    return sum(len(m.graph.nodes) for m in program.graph_module.modules() if isinstance(m, torch.fx.GraphModule))


def main(reinplace, files):
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            out = os.path.join(folder, "core.pt2")
            told = subprocess.run([reinplace, "decompose", file, "-o", out], check=True, capture_output=True, text=True).stderr
            ours, source = torch.export.load(out), torch.export.load(file)
            theirs = torch.export.load(file).run_decompositions()
            before, after, reference = run(source), run(ours), run(theirs)
            far = [max(map(distance, x, after), default=0.0) if len(x) == len(after) else float("inf") for x in (before, reference)]
            left = not_core(ours)
            torch.export.save(ours, out)
            bad = left or told or max(far) == float("inf")
            failed |= bool(bad)
            print(f"{'FAULT ' if bad else ''}{file}: {size(ours)} nodes, torch {size(theirs)}; off by {far[0]:.1e} and {far[1]:.1e};"
                  f" left {left} {told.strip()}; torch leaves {not_core(theirs)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
