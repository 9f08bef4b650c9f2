"""Writes meta_cases.jsonl beside this file: what operators return for fake tensors, recorded from torch.

    python make_meta_cases.py            takes some minutes

Calls come from torch's own test samples (op_db), run forward and backward, in float, integer, complex and half types, with
tensors laid out in several ways; once as the dispatcher sees them below autograd, once as torch.export's training IR
keeps them (composite operators whole); and from HAND_WRITTEN below for operators without samples. Each operator keeps a
few calls of each kind, spread evenly over those seen. The format is described in tests/operators/meta_case.h.

Left out: calls that fake tensors take and kernels refuse (an in-place result larger than self), and those whose result is
no strided CPU tensor.
"""

import collections
import json
import math
import sys
import types
import warnings
from pathlib import Path

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

warnings.simplefilter("ignore")
if "expecttest" not in sys.modules:  # imported by torch's samples, used by none of them
    sys.modules["expecttest"] = types.SimpleNamespace(TestCase=object, assert_expected_inline=None)
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

KEPT_OF_EACH_KIND = 2
NOT_RECORDED = ("prim.", "torch_nn.", "aten.lift_fresh.")  # Python's own, and a real constant becoming fake


class Unsupported(Exception):
    pass


class Encoder:
    """Values as JSON; storages numbered in order of appearance."""

    def __init__(self):
        self.numbers = {}
        self.alive = []

    def __call__(self, x):
        if x is None or isinstance(x, (bool, str)):
            return x
        if isinstance(x, torch.Tensor):
            return self.tensor(x)
        if isinstance(x, (int, torch.SymInt)):
            return int(x)
        if isinstance(x, float):
            return x if math.isfinite(x) else {"f": str(x)}
        if isinstance(x, complex):
            return {"c": [x.real, x.imag]}
        for kind in ("dtype", "device", "layout", "memory_format"):
            if isinstance(x, getattr(torch, kind)):
                return {kind: str(x).removeprefix("torch.")}
        if isinstance(x, (list, tuple)):
            return [self(item) for item in x]
        raise Unsupported

    def tensor(self, x):
        if x.layout != torch.strided or x.is_quantized or x.device.type != "cpu":
            raise Unsupported
        storage = x.untyped_storage()
        self.alive.append(storage)
        number = self.numbers.setdefault(storage._cdata, len(self.numbers) + 1)
        sizes, strides = ([int(n) for n in numbers] for numbers in (x.shape, x.stride()))
        encoded = [str(x.dtype).removeprefix("torch."), sizes, strides, int(x.storage_offset()), number]
        flags = "c" * x.is_conj() + "n" * x.is_neg()
        return {"T": encoded + [flags] if flags else encoded}


class Cases:
    """Calls by operator and kind, without repetitions."""

    def __init__(self):
        self.calls = collections.defaultdict(dict)

    def call(self, kind, operator, args, kwargs, run):
        encode = Encoder()
        try:
            given = {"a": [encode(x) for x in args], "k": {name: encode(x) for name, x in kwargs.items()}}
        except Unsupported:
            return run()
        shape = args[0].shape if args and isinstance(args[0], torch.Tensor) else None
        result = run()
        name = str(operator)
        grew = operator._schema.name.endswith("_") and shape is not None and args[0].shape != shape
        if not name.startswith(NOT_RECORDED) and not (grew and torch.Tag.inplace_view not in operator.tags):
            try:
                case = json.dumps({"op": name, **given, "r": encode(result)}, separators=(",", ":"))
                self.calls[name, kind][case] = None
            except Unsupported:
                pass
        return result

    def lines(self):
        for (name, kind), cases in sorted(self.calls.items()):
            cases = list(cases)
            step = max(1, len(cases) / KEPT_OF_EACH_KIND)
            for i in range(min(KEPT_OF_EACH_KIND, len(cases))):
                yield cases[int(i * step)] + "\n"


class Recorder(TorchDispatchMode):
    def __init__(self, cases, kind):
        super().__init__()
        self.cases, self.kind = cases, kind

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return self.cases.call(self.kind, func, args, kwargs, lambda: func(*args, **kwargs))


class RecordingInterpreter(torch.fx.Interpreter):
    def __init__(self, module, cases):
        super().__init__(module)
        self.cases = cases

    def call_function(self, target, args, kwargs):
        run = lambda: super(RecordingInterpreter, self).call_function(target, args, kwargs)  # noqa: E731
        return self.cases.call("whole", target, args, kwargs, run) if isinstance(target, torch._ops.OpOverload) else run()


def as_they_are(x):
    return x


def reversed_strides(x):
    order = list(range(x.dim()))[::-1]
    return torch.empty([x.shape[i] for i in order], dtype=x.dtype).permute(order).copy_(x)


def channels_last(x):
    if x.dim() == 3:
        return x.transpose(1, 2).contiguous().transpose(1, 2)
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return x.contiguous(memory_format=formats[x.dim()]) if x.dim() in formats else x


def with_gaps(x):
    return torch.empty(*x.shape[:-1], 2 * x.shape[-1], dtype=x.dtype)[..., ::2].copy_(x) if x.dim() else x


def samples(op, dtype, count):
    if dtype not in op.dtypes:
        return []
    try:
        found = list(op.sample_inputs("cpu", dtype, requires_grad=False))
    except Exception:
        return []
    return [found[i * len(found) // count] for i in range(count)] if len(found) > count else found


def faked(sample, mode, layout, requires_grad=False):
    def fake(x):
        if not isinstance(x, torch.Tensor):
            return x
        x = mode.from_tensor(layout(x.detach()) if x.layout == torch.strided else x)
        return x.requires_grad_() if requires_grad and x.is_floating_point() else x

    return pytree.tree_map(fake, (sample.input, sample.args, sample.kwargs))


def record(cases, kind, function, sample, layout=as_they_are, backward=False):
    mode = FakeTensorMode()
    try:
        first, args, kwargs = faked(sample, mode, layout, backward)
        with torch.set_grad_enabled(backward), mode, Recorder(cases, kind):
            results = function(first, *args, **kwargs)
            if backward:
                results = [x for x in pytree.tree_leaves(results) if isinstance(x, torch.Tensor) and x.requires_grad]
                torch.autograd.backward([x.sum().abs() if x.is_complex() else x.sum() for x in results])
    except Exception:
        pass  # data-dependent sizes, and samples that a layout makes invalid


def record_whole(cases, function, sample):
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    tensors = [x for x in leaves if isinstance(x, torch.Tensor)]

    def program(*inputs):
        given = iter(inputs)
        values = [next(given) if isinstance(x, torch.Tensor) else x for x in leaves]
        first, args, kwargs = pytree.tree_unflatten(values, spec)
        return function(first, *args, **kwargs)

    try:
        with torch.no_grad():
            module = make_fx(program, pre_dispatch=True, tracing_mode="fake")(*tensors)
            mode = FakeTensorMode()
            with mode:
                RecordingInterpreter(module, cases).run(*[mode.from_tensor(x) for x in tensors])
    except Exception:
        pass


def tensor(*sizes, dtype=torch.float32, layout=as_they_are):
    return lambda mode: mode.from_tensor(layout(torch.zeros(sizes, dtype=dtype)))


image, half, indices = tensor(2, 6, 8, 8), tensor(4, 6, dtype=torch.float16), tensor(5, dtype=torch.int64)
HAND_WRITTEN = [  # aten's unless another namespace stands before ::
    ("native_dropout", image, 0.5, True),
    ("native_dropout", tensor(4, 6, layout=reversed_strides), 0.5, True),
    ("bernoulli.p", image, 0.5),
    ("bernoulli_.float", image, 0.5),
    ("uniform_", image, 0.0, 1.0),
    ("normal_", half),
    ("random_", indices),
    ("exponential_", image),
    ("rand_like", half),
    ("randn_like", image),
    ("randint_like", indices, 10),
    ("randperm", 7),
    ("rand", [2, 3]),
    ("randint", 5, [4]),
    ("randint.low", -5, 5, [4]),
    ("multinomial", tensor(3, 5), 2),
    ("poisson", image),
    ("binomial", tensor(3), tensor(3)),
    ("_standard_gamma", half),
    ("_sample_dirichlet", tensor(3, 5)),
    ("rrelu_with_noise", image, image, 0.1, 0.3, True),
    ("__lshift__.Scalar", indices, 2),
    ("__rshift__.Tensor", indices, indices),
    ("_add_relu.Tensor", image, image),
    ("_aminmax", image),
    ("_aminmax.dim", image, 2, True),
    ("aminmax", image),
    ("median", indices),
    ("nansum", image, [1, 2], True),
    ("prod", indices),
    ("trace", tensor(3, 4, dtype=torch.int32)),
    ("relu_", image),
    ("relu.out", image, {"out": tensor(0)}),
    ("hardtanh_", image, -1.0, 1.0),
    ("where.self_out", tensor(3, dtype=torch.bool), tensor(3), tensor(4, 3), {"out": tensor(0)}),
    ("abs.out", image, {"out": image}),
    ("add.out", tensor(4, 6), half, {"out": tensor(4, 6, layout=reversed_strides)}),
    ("index_select.out", image, 1, indices, {"out": tensor(0)}),
    ("native_layer_norm", half, [6], tensor(6), tensor(6), 1e-5),
    ("native_batch_norm", image, tensor(6), tensor(6), tensor(6), tensor(6), False, 0.1, 1e-5),
    ("_native_batch_norm_legit_no_training", image, tensor(6), tensor(6), tensor(6), tensor(6), 0.1, 1e-5),
    ("_native_batch_norm_legit_functional", image, tensor(6), tensor(6), tensor(6), tensor(6), True, 0.1, 1e-5),
    ("native_group_norm", tensor(2, 6, 8, 8, layout=channels_last), tensor(6), tensor(6), 2, 6, 64, 3, 1e-5),
    ("_weight_norm_interface", tensor(4, 6), tensor(4, 1), 0),
    ("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", image, tensor(1), tensor(1, dtype=torch.int32),
     tensor(1, dtype=torch.int64), 0, 255),
    ("fake_quantize_per_tensor_affine_cachemask", image, 0.1, 0, 0, 255),
    ("fake_quantize_per_channel_affine_cachemask", image, tensor(6), tensor(6, dtype=torch.int32), 1, 0, 255),
    ("_int_mm", tensor(32, 16, dtype=torch.int8), tensor(16, 8, dtype=torch.int8)),
    ("embedding", tensor(10, 4), tensor(2, 3, dtype=torch.int64)),
    ("embedding_dense_backward", tensor(2, 3, 4), tensor(2, 3, dtype=torch.int64), 10, -1, False),
    ("col2im", tensor(2, 12, 16), [5, 5], [2, 2], [1, 1], [0, 0], [1, 1]),
    ("tril_indices", 5, 7, 2),
    ("tril_indices", 5, 3, -2),
    ("triu_indices", 5, 7, -1),
    ("triu_indices", 3, 4, 9),
    ("scaled_dot_product_attention", tensor(2, 4, 8, 16), tensor(2, 4, 9, 16), tensor(2, 4, 9, 16)),
    ("scaled_dot_product_attention", tensor(2, 4, 8, 16, layout=channels_last), tensor(2, 4, 9, 16), tensor(2, 4, 9, 16),
     tensor(8, 9, dtype=torch.bool)),
    ("scaled_dot_product_attention", tensor(2, 4, 8, 16), tensor(2, 4, 9, 16), tensor(2, 4, 9, 12)),
    ("scaled_dot_product_attention", tensor(4, 8, 16), tensor(4, 9, 16), tensor(4, 9, 16)),
    ("_to_copy", image, {"dtype": torch.bfloat16, "memory_format": torch.channels_last}),
    ("new_zeros", half, [3, 2]),
    ("scalar_tensor", 2.5),
    ("arange.start_step", 1, 10, 3),
    ("full", [2, 2], True),
    ("eye.m", 3, 4),
    ("prims::convert_element_type", tensor(2, 6, 8, 8, layout=channels_last), torch.float64),
    ("prims::iota", 5, {"start": 1, "step": 2, "dtype": torch.int32, "device": "cpu", "requires_grad": False}),
    ("prims::abs", tensor(3, dtype=torch.complex64)),
    ("prims::rsqrt", tensor(4, 6, layout=reversed_strides)),
    ("prims::add", half, half),
    ("prims::mul", half, 2.0),
    ("prims::lt", image, image),
    ("prims::isfinite", half),
    ("prims::where", tensor(4, 6, dtype=torch.bool), half, half),
    ("prims::sum", image, [1, 3]),
    ("prims::amax", image, [0], {"output_dtype": torch.float64}),
    ("prims::var", image, [2], 0.0),
    ("prims::broadcast_in_dim", tensor(6, 1), [2, 6, 8], [1, 2]),
    ("prims::squeeze", tensor(6, 1, 2), [1]),
    ("prims::transpose", image, [0, 2, 3, 1]),
    ("prims::split_dim", image, 1, 3),
    ("prims::view_of", image),
    ("prims::cat", [half, half], 1),
    ("prims::reshape", image, [12, 64]),
    ("prims::full", [2, 3], 1.5, {"dtype": torch.float16, "device": "cpu", "requires_grad": False}),
    ("prims::empty_strided", [2, 3], [1, 2], {"dtype": torch.float16, "device": "cpu", "requires_grad": False}),
]


def record_hand_written(cases):
    for name, *args in HAND_WRITTEN:
        mode = FakeTensorMode()
        kwargs = args.pop() if args and isinstance(args[-1], dict) else {}
        args, kwargs = pytree.tree_map(lambda x: x(mode) if callable(x) else x, (args, kwargs))
        space, _, name = name.rpartition("::")
        base, _, overload = name.partition(".")
        operator = getattr(getattr(getattr(torch.ops, space or "aten"), base), overload or "default")
        with torch.no_grad(), mode:
            cases.call("written", operator, args, kwargs, lambda: operator(*args, **kwargs))


def main():
    cases = Cases()
    record_hand_written(cases)
    for op in op_db:
        for dtype in (torch.float32, torch.int64, torch.complex64, torch.float16):
            for sample in samples(op, dtype, 8):
                record(cases, "forward", op.op, sample)
                if op.inplace_variant and dtype == torch.float32:
                    record(cases, "in-place", op.inplace_variant, sample)
        for sample in samples(op, torch.float32, 6):
            record_whole(cases, op.op, sample)
            for layout in (reversed_strides, channels_last, with_gaps):
                record(cases, layout.__name__, op.op, sample, layout)
            if op.supports_autograd:
                record(cases, "backward", op.op, sample, backward=True)
                record(cases, "backward in channels_last", op.op, sample, channels_last, backward=True)
    out = Path(__file__).with_name("meta_cases.jsonl")
    out.write_text("".join(cases.lines()), encoding="utf-8")
    print(f"{out}: {len(cases.calls)} kinds of calls, torch {torch.__version__}")


if __name__ == "__main__":
    main()
