"""Records what the re-inplacing pass of torch._inductor decides: faults/*, kernels/*, random.py.txt and random.json.

    python make_cases.py [RANDOM_GRAPHS]

Run it with the torch whose decisions are to be recorded (2.13); what it writes is committed.
"""

import json
import sys
from pathlib import Path

import torch

import inductor_pass
import kernel_graphs
from fault_graphs import GRAPHS
from random_graphs import Program

HERE = Path(__file__).parent


def record(gm, inputs):
    decisions, order, after = inductor_pass.run(gm)
    return {"upstream": inductor_pass.outcome(gm, after, inputs), "order": order, "decisions": decisions}


def dump(value, indent=None):
    return json.dumps(value, indent=indent, separators=(",", ":") if indent is None else None) + "\n"


def write_faults():
    for name, (function, inputs, about) in GRAPHS.items():
        gm = inductor_pass.trace(function, inputs)
        folder = HERE / "faults" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "before.py.txt").write_text(inductor_pass.readable(gm))
        recorded = {"about": about, "torch": torch.__version__, **record(gm, inputs)}
        (folder / "decisions.json").write_text(dump(recorded, indent=1))
        print(name, recorded["upstream"], {k: v["verdict"] for k, v in recorded["decisions"].items() if v["verdict"] != "kept"})


def write_kernels():
    for name, (build, about) in kernel_graphs.GRAPHS.items():
        gm = build()
        folder = HERE / "kernels" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "before.py.txt").write_text(inductor_pass.readable(gm))
        decisions, order, _ = inductor_pass.run(gm)
        recorded = {"about": about, "torch": torch.__version__, "upstream": "not run", "order": order, "decisions": decisions}
        (folder / "decisions.json").write_text(dump(recorded, indent=1))
        print(name, decisions)


def rename_inputs(gm):
    """Inputs of a training graph: primals_1, primals_2…"""
    for number, node in enumerate(n for n in gm.graph.nodes if n.op == "placeholder"):
        node.name = node.target = f"primals_{number + 1}"
    gm.recompile()


def write_random(count):
    text, cases = "", []
    for seed in range(count * 2):
        if len(cases) == count:
            break
        program = Program(seed)
        try:
            gm = inductor_pass.trace(program, program.inputs())
        except (RuntimeError, IndexError, ValueError):
            continue  # the draw is no program
        if seed % 4 == 3:
            rename_inputs(gm)
        try:
            case = record(gm, program.inputs())
        except Exception as error:
            print(seed, type(error).__name__, str(error).splitlines()[:1])
            continue
        text += inductor_pass.readable(gm) + "\n"
        cases.append({"seed": seed, **case})
    (HERE / "random.py.txt").write_text(text)
    (HERE / "random.json").write_text("[" + ",\n".join(dump(case).rstrip() for case in cases) + "]\n")
    print(len(cases), "random graphs;", sum(c["upstream"] != "equal" for c in cases), "come out changed")


if __name__ == "__main__":
    write_faults()
    write_kernels()
    write_random(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
