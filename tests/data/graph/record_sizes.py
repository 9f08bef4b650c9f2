"""Prints sizes.tsv: random size expressions as sympy writes them. Needs torch (recorded with torch 2.13, sympy 1.14).

Each line has the srepr form, the str form, and the value with the symbols below, "-" where it is no integer.
"""

import random

import sympy
from sympy import And, Eq, Float, Ge, Gt, Integer, Le, Lt, Ne, Not, Or, Symbol, srepr
from torch.utils._sympy import functions as torch_functions

VALUES = {"s0": 5, "s1": 7, "s13": 12, "s27": 31, "s77": 64, "s2": 3, "u0": -4, "u12": 9}
SYMBOLS = {name: Symbol(name, integer=True, **({"positive": True} if name[0] == "s" else {})) for name in VALUES}
FIRST = ["s13", "16*s13", "s27 + 1", "FloorDiv(s27 + 1, 2)", "s27 - FloorDiv(s27 + 1, 2)", "Max(1, FloorDiv(s27 + 1, 2))",
         "s27*s77", "s27**2", "Ge(u0, 0)", "2*s77 - 3", "1 - s0", "-s0 - 1"]
LINES = 500


def number():
    return Integer(random.choice([1, 2, 2, 3, 4, 8, 16, 64, 7, -1, -2, 5, 128, -3]))


def expression(depth):
    if depth == 0 or random.random() < 0.15:
        return random.choice(list(SYMBOLS.values())) if random.random() < 0.75 else number()
    a = expression(depth - 1)
    f = torch_functions
    kind = random.randrange(14)
    if kind <= 3:
        return a + expression(depth - 1)
    if kind <= 6:
        return a * expression(depth - 1)
    if kind == 7:
        return a - expression(depth - 1)
    if kind == 8:
        return f.FloorDiv(a, random.choice([number(), expression(depth - 1)]))
    if kind == 9:
        return random.choice([f.Max, f.Min])(a, expression(depth - 1))
    if kind == 10:
        return random.choice([f.Mod, f.PythonMod])(a, number())
    if kind == 11:
        return a ** random.choice([2, 3])
    if kind == 12:
        return random.choice([
            lambda: a / number(), lambda: a / expression(depth - 1), lambda: 2**a, lambda: sympy.sqrt(a),
            lambda: f.ToFloat(a), lambda: f.FloatTrueDiv(f.ToFloat(a), Float(random.choice([2.0, 0.1, 1e-6, 3e20]))),
            lambda: f.FloatPow(f.ToFloat(a), Float(0.5)), lambda: f.PowByNatural(Integer(2), a), lambda: f.Identity(a),
            lambda: f.TruncToInt(f.IntTrueDiv(a, expression(depth - 1))), lambda: f.CeilToInt(f.IntTrueDiv(a, number())),
            lambda: f.ModularIndexing(a, number(), number()), lambda: f.CeilDiv(a, number()),
            lambda: f.OpaqueUnaryFn_sqrt(a), lambda: f.BitwiseFn_bitwise_and(a, number())])()
    return f.Where(Ge(a, expression(depth - 1)), a, number())


def relation(depth):
    r = random.choice([Ge, Gt, Le, Lt, Eq, Ne])(expression(depth), expression(depth - 1))
    kind = random.randrange(6)
    if kind == 0:
        return And(r, relation(max(depth - 1, 0)))
    if kind == 1:
        return Or(r, relation(max(depth - 1, 0)))
    return Not(r) if kind == 2 else r


def value(expression):
    expression = expression.replace(torch_functions.Identity, lambda x: x)
    result = expression.subs({SYMBOLS[name]: value for name, value in VALUES.items()})
    if result.is_Integer:
        return str(result)
    return {"True": "1", "False": "0"}.get(str(result), "-")


def main():
    random.seed(77)
    names = {**SYMBOLS, **{name: getattr(torch_functions, name) for name in ("FloorDiv", "Max")}, "Ge": Ge}
    pending = [eval(text, names) for text in FIRST]
    written = set()
    while len(written) < LINES:
        try:
            e = pending.pop(0) if pending else expression(random.randrange(1, 4)) if random.random() < 0.85 else relation(2)
            line = f"{srepr(e)}\t{e}\t{value(e)}"
        except Exception:  # what sympy refuses is no case
            continue
        # Infinities are no sizes; a float that stands alone is printed with other digits.
        if line in written or len(line) > 600 or any(word in line for word in ("zoo", "nan", "oo")) or line.startswith("Float"):
            continue
        written.add(line)
        print(line)


main()
