"""Random functional programs with what the re-inplacing pass of torch._inductor looks at: index_put, scatters, custom
operators, foreach, views, and copy_ epilogues."""

import random

import torch

aten = torch.ops.aten
hop = torch.ops.higher_order
mylib = torch.ops.mylib


class Program:
    """A program drawn from a seed; calling it with its inputs runs it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.shapes = [self.random.choice([(4, 6), (3, 4), (6,), (2, 3, 4), (4, 4)]) for _ in range(self.random.randint(1, 3))]
        self.seed = seed

    def inputs(self):
        torch.manual_seed(self.seed)
        tensors = [torch.randint(-4, 5, shape).float() for shape in self.shapes]
        return [*tensors, torch.tensor([1, 0]), torch.tensor([1])]

    def __call__(self, *inputs):
        draw = random.Random(self.seed + 1)
        *tensors, pair, single = inputs
        values = list(tensors)
        updates = []
        for _ in range(draw.randint(3, 14)):
            made = self.step(draw, values, updates, pair, single)
            values += [v for v in made if v.dim() > 0]
        for x in tensors:
            if draw.random() < 0.65:
                self.copy_back(draw, x, values, updates)
        count = min(len(values), draw.randint(0, 2))
        results = draw.sample(values[len(tensors):], min(count, len(values) - len(tensors)))
        return tuple(results) + (aten.sum.default(values[-1]),)

    def copy_back(self, draw, x, values, updates):
        fitting = [v for v in updates if v.shape == x.shape] * 4 + [v for v in values if v.shape == x.shape and v is not x]
        flat = [v for v in updates if v.numel() == x.numel() and v.shape != x.shape]
        if flat and draw.random() < 0.6:
            aten.copy_.default(x, aten.view.default(draw.choice(flat).contiguous(), list(x.shape)))
        elif fitting:
            aten.copy_.default(x, draw.choice(fitting))
        elif draw.random() < 0.3:
            aten.copy_.default(x, aten.full.default(list(x.shape), 0.0))

    def step(self, draw, values, updates, pair, single):
        kind = draw.choices(["view", "pointwise", "reduce", "put", "scatter", "nested", "custom", "foreach", "mm"],
                            [5, 4, 1, 4, 4, 2, 2, 1, 1])[0]
        made = getattr(self, kind)(draw, values, pair, single)
        if kind in ("put", "scatter", "nested", "custom", "foreach"):
            updates += [v for v in made if v.dim() > 0]
        return made

    def value(self, draw, values):
        # Recent ones more often, so that chains come about.
        return values[max(draw.randrange(len(values)), draw.randrange(len(values)))]

    def view(self, draw, values, pair, single):
        x = self.value(draw, values)
        return [draw.choice([self.select, self.slice, self.permute, self.reshape, self.diagonal, self.expand])(draw, x)]

    def select(self, draw, x):
        dim = draw.randrange(x.dim())
        return aten.select.int(x, dim, draw.randrange(x.shape[dim])) if x.dim() > 1 else aten.slice.Tensor(x, 0, 0, 2)

    def slice(self, draw, x):
        dim = draw.randrange(x.dim())
        start = draw.randrange(x.shape[dim])
        return aten.slice.Tensor(x, dim, start, draw.randint(start + 1, x.shape[dim]), draw.choice([1, 1, 2]))

    def permute(self, draw, x):
        dims = list(range(x.dim()))
        draw.shuffle(dims)
        return aten.permute.default(x, dims)

    def reshape(self, draw, x):
        return aten.reshape.default(x, [x.numel()])

    def diagonal(self, draw, x):
        return aten.diagonal.default(x) if x.dim() > 1 else aten.unsqueeze.default(x, 0)

    def expand(self, draw, x):
        return aten.expand.default(aten.unsqueeze.default(x, 0), [2, *x.shape]) if draw.random() < 0.2 else aten.alias.default(x)

    def pointwise(self, draw, values, pair, single):
        x = self.value(draw, values)
        same = [v for v in values if v.shape == x.shape]
        return [draw.choice([
            lambda: aten.add.Tensor(x, draw.choice(same)), lambda: aten.mul.Tensor(x, 2.0),
            lambda: aten.relu.default(x), lambda: aten.neg.default(x)])()]

    def reduce(self, draw, values, pair, single):
        x = self.value(draw, values)
        return [aten.sum.dim_IntList(x, [draw.randrange(x.dim())])]

    def mm(self, draw, values, pair, single):
        square = [v for v in values if v.dim() == 2 and v.shape[0] == v.shape[1]]
        if not square:
            return []
        return [aten.mm.default(draw.choice(square), draw.choice(square))] if square[0].shape == square[-1].shape else []

    def put(self, draw, values, pair, single):
        x = self.value(draw, values)
        dim = draw.randrange(x.dim())
        index = pair if x.shape[dim] > 1 else torch.zeros_like(single)
        shape = [index.shape[0] if d == dim else size for d, size in enumerate(x.shape)]
        fitting = [v for v in values if list(v.shape) == shape]
        source = draw.choice(fitting) if fitting and draw.random() < 0.5 else aten.full.default(shape, 3.0)
        where = [None] * dim + [index]
        op = aten._unsafe_index_put.default if draw.random() < 0.2 else aten.index_put.default
        return [op(x, where, source, draw.random() < 0.3)]

    def part(self, draw, x):
        """(view, scatter of a value into x) at the same place."""
        kinds = ["slice", "select", "diagonal", "as_strided"] if x.dim() > 1 else ["slice"]
        kind = draw.choices(kinds, [4, 4, 1, 1][:len(kinds)])[0]
        dim = draw.randrange(x.dim())
        if kind == "slice":
            start = draw.randrange(x.shape[dim])
            args = (dim, start, draw.randint(start + 1, x.shape[dim]))
            return aten.slice.Tensor(x, *args), lambda base, src: aten.slice_scatter.default(base, src, *args)
        if kind == "select":
            args = (dim, draw.randrange(x.shape[dim]))
            return aten.select.int(x, *args), lambda base, src: aten.select_scatter.default(base, src, *args)
        if kind == "diagonal":
            return aten.diagonal.default(x), lambda base, src: aten.diagonal_scatter.default(base, src)
        if not x.is_contiguous() or x.storage_offset() != 0:
            return self.part(draw, x)
        args = ([2], [1], 1)
        return aten.as_strided.default(x, *args), lambda base, src: aten.as_strided_scatter.default(base, src, *args)

    def changed(self, draw, values, view):
        fitting = [v for v in values if v.shape == view.shape]
        if fitting and draw.random() < 0.4:
            return draw.choice(fitting)
        return aten.add.Tensor(view, 1.0) if draw.random() < 0.7 else aten.full.default(list(view.shape), 5.0)

    def scatter(self, draw, values, pair, single):
        x = self.value(draw, values)
        view, write = self.part(draw, x)
        return [write(x, self.changed(draw, values, view))]

    def nested(self, draw, values, pair, single):
        x = self.value(draw, values)
        outer, write_outer = self.part(draw, x)
        if outer.dim() == 0:
            return []
        inner, write_inner = self.part(draw, outer)
        part = write_inner(outer, self.changed(draw, values, inner))
        whole = write_outer(x, part)
        return [whole, part] if draw.random() < 0.5 else [whole]

    def custom(self, draw, values, pair, single):
        x = self.value(draw, values)
        y = draw.choice(values)
        kind = draw.randrange(4)
        if kind == 0:
            return [hop.auto_functionalized(mylib.scale_.default, x=x, f=2.0)[1]]
        if kind == 1:
            done = hop.auto_functionalized(mylib.exchange.default, x=x, y=y)
            return [done[1], done[2]]
        if kind == 2:
            return [hop.auto_functionalized_v2(mylib.scale_.default, f=0.5, _x_base_index=0, _all_bases=[x])[1]]
        done = hop.auto_functionalized_v2(mylib.exchange.default, _x_base_index=0, _y_base_index=1, _all_bases=[x, y])
        return [done[1], done[2]]

    def foreach(self, draw, values, pair, single):
        items = [self.value(draw, values), draw.choice(values)]
        return list(aten._foreach_mul.Scalar(items, 2.0))
