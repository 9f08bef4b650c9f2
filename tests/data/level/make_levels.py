"""What torch says of the operators of every exported program here: levels.json, which test_level_command compares with.

    python make_levels.py

Of each file: {graph path: {target: [what stands against it, is tagged core]}}; nested graphs are walked for themselves.
"""

import json
import operator
import sys
from pathlib import Path

import torch

DATA = Path(__file__).resolve().parent.parent


def obstacle(target):
    if isinstance(target, torch._ops.HigherOrderOperator):
        return None
    if not isinstance(target, torch._ops.OpOverload):
        return None if target is operator.getitem or target.__module__ in ("_operator", "math", "torch") else "not an operator"
    if target._schema.is_mutable:
        return "mutating"
    if not target._schema.returns or torch.Tag.core in target.tags:
        return None
    if target.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd):
        return "composite"
    return "not core" if target.namespace == "aten" else "custom"


def operators_of(module):
    found = {}
    for node in module.graph.nodes:
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            found[str(node.target)] = [obstacle(node.target), torch.Tag.core in node.target.tags]
    return found


def main():
    levels = {}
    for path in sorted(DATA.glob("*/**/*.pt2")):
        name = str(path.relative_to(DATA))
        if "old-layout" in name:
            continue # torch 2.13 needs its own loader for these
        try:
            program = torch.export.load(path)
        except Exception as error: # some files are made to be refused
            print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        graphs = [operators_of(module) for _, module in program.graph_module.named_modules()
                  if isinstance(module, torch.fx.GraphModule)]
        levels[name] = {target: graph[target] for graph in graphs for target in sorted(graph)}
    lines = [f"{json.dumps(name)}: {json.dumps(levels[name], sort_keys=True)}" for name in sorted(levels)]
    (Path(__file__).parent / "levels.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(levels)} programs, {sum(map(len, levels.values()))} operators")


if __name__ == "__main__":
    main()
