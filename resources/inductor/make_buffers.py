"""Writes which operators Inductor computes in kernels of torch's own: resources/inductor/buffers-torch-2.13.txt.

    python make_buffers.py [OUT]

One operator a line, then a tab and what is so: `result` (its result is a buffer in memory), `inputs` (it reads its inputs
from memory), or both. Inductor's re-inplacing pass asks this of scatters: where base and result are in memory anyway,
writing in place costs no fusion. Run it with the torch whose decisions the program shall take; the file is committed.
"""

import sys
from pathlib import Path

import torch
import torch._inductor.graph  # registers all lowerings
from torch._inductor import lowering
from torch._inductor.fx_passes import post_grad


def overloads(operators):
    return {str(op) for op in operators if isinstance(op, torch._ops.OpOverload)}


def main():
    post_grad.lazy_init()
    results, inputs = overloads(lowering.fallbacks), overloads(lowering.needs_realized_inputs)
    version = ".".join(torch.__version__.split(".")[:2])
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / f"buffers-torch-{version}.txt"
    with out.open("w", encoding="utf-8") as file:
        for name in sorted(results | inputs):
            words = ["result"] * (name in results) + ["inputs"] * (name in inputs)
            file.write(f"{name}\t{','.join(words)}\n")
    print(f"{out}: {len(results | inputs)} operators of torch {torch.__version__}")


if __name__ == "__main__":
    main()
