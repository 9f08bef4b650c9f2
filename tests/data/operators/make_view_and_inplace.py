"""Writes view_and_inplace.txt beside this file: what torch.fx.passes.reinplace says of every overload torch registers.

One line for each overload that is a view or has an in-place variant; all others are neither.

    aten::add.Tensor <tab> none <tab> aten::add_.Tensor
    aten::split.Tensor <tab> multi <tab> -

The third column is "-" for no variant and "raises" where looking for one fails an assertion.
"""

import sys
from pathlib import Path

import torch
from torch.fx.passes import reinplace

sys.path.insert(0, str(Path(__file__).parents[3] / "resources" / "schemas"))
import make_schemas

VIEW_KINDS = {
    reinplace._ViewType.NonView: "none",
    reinplace._ViewType.SingleOutputView: "single",
    reinplace._ViewType.MultiOutputView: "multi",
}


def qualified(operator):
    schema = operator._schema
    return f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name


def inplace_variant(operator):
    try:
        variant = reinplace._maybe_get_inplace_op(operator)
    except (AssertionError, IndexError):
        return "raises"
    return qualified(variant) if variant is not None else "-"


lines = []
for name in make_schemas.operator_names():
    for operator in make_schemas.overloads(name):
        row = (VIEW_KINDS[reinplace._get_view_type(operator)], inplace_variant(operator))
        if row != ("none", "-"):
            lines.append("\t".join((qualified(operator), *row)) + "\n")
Path(__file__).with_name("view_and_inplace.txt").write_text("".join(lines), encoding="utf-8")
