"""Writes the operator schemas that plain `import torch` registers: resources/schemas/torch-2.13.txt.

    python make_schemas.py [OUT]

One overload a line: the schema as torch prints it, a tab, its tags (torch.Tag names, sorted, comma-separated).
Operators are sorted by name; the overloads of one operator stand in the order of packet.overloads(), which is the order
in which torch.fx.passes.reinplace tries them. Run it with the torch whose decisions the program shall take; the file is
committed, so that decisions do not depend on the LibTorch the program was built with.
"""

import sys
from pathlib import Path

import torch


def operator_names():
    """Qualified names ("aten::add"), sorted: the dispatcher's, and TorchScript's, whose overloads share the packets."""
    names = set(torch._C._dispatch_get_all_op_names())
    names |= {schema.name for schema in torch._C._jit_get_all_schemas()}
    return sorted({name.split(".")[0] for name in names})


def overloads(qualified_name):
    namespace, _, name = qualified_name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), name, None)
    if packet is None or not hasattr(packet, "overloads"):
        return
    for overload in packet.overloads():
        yield getattr(packet, overload)


def line(operator):
    tags = ",".join(sorted(tag.name for tag in operator.tags))
    return f"{operator._schema}\t{tags}\n"


def main():
    default = Path(__file__).parent / f"torch-{'.'.join(torch.__version__.split('.')[:2])}.txt"
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    lines = [line(operator) for name in operator_names() for operator in overloads(name)]
    if any("\n" in text[:-1] for text in lines):
        raise SystemExit("a schema spans several lines")
    out.write_text("".join(lines), encoding="utf-8")
    print(f"{out}: {len(lines)} overloads of torch {torch.__version__}")


if __name__ == "__main__":
    main()
