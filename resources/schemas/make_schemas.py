"""Writes the operators that plain `import torch` registers, and what torch can do with each: resources/schemas/torch-2.13.txt.

    python make_schemas.py [OUT]

One overload a line: the schema as torch prints it, a tab, its tags (torch.Tag names, sorted, comma-separated), a tab, and
how torch computes it, words separated by commas:

    composite       made of other operators (CompositeImplicitAutograd)
    decomposition   in the table that run_decompositions() takes operators apart by
    meta            a Meta kernel in C++
    meta_composite  no Meta kernel of its own is needed: a composite kernel runs on metadata
    meta_python     a Meta kernel in Python only

Operators are sorted by name; the overloads of one operator stand in the order of packet.overloads(), which is the order
in which torch.fx.passes.reinplace tries them. Run it with the torch whose decisions the program shall take; the file is
committed, so that decisions do not depend on the LibTorch the program was built with.
"""

import sys
from pathlib import Path

import torch
from torch._decomp import core_aten_decompositions


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


def computation(operator, decompositions):
    """The words of the third column."""
    name = operator._schema.name + (f".{operator._schema.overload_name}" if operator._schema.overload_name else "")
    if not torch._C._dispatch_has_kernel(name):
        return [] # TorchScript's alone

    def has(key):
        return torch._C._dispatch_has_kernel_for_dispatch_key(name, key)

    words = ["composite"] * has("CompositeImplicitAutograd") + ["decomposition"] * (operator in decompositions)
    kernels = [text for text in torch._C._dispatch_dump(name).splitlines() if text.startswith("Meta")]
    composite = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
    if any(".py:" not in text for text in kernels):
        words.append("meta")
    elif any(has(key) for key in composite):
        words.append("meta_composite")
    elif kernels:
        words.append("meta_python")
    return words


def line(operator, decompositions):
    tags = ",".join(sorted(tag.name for tag in operator.tags))
    return f"{operator._schema}\t{tags}\t{','.join(computation(operator, decompositions))}\n"


def main():
    default = Path(__file__).parent / f"torch-{'.'.join(torch.__version__.split('.')[:2])}.txt"
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    decompositions = core_aten_decompositions()
    lines = [line(operator, decompositions) for name in operator_names() for operator in overloads(name)]
    if any("\n" in text[:-1] for text in lines):
        raise SystemExit("a schema spans several lines")
    out.write_text("".join(lines), encoding="utf-8")
    print(f"{out}: {len(lines)} overloads of torch {torch.__version__}")


if __name__ == "__main__":
    main()
