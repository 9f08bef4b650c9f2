"""Runs the modules that `reinplace rewrite` writes and compares them, bit for bit, with the programs they came from.

usage: written_python.py REINPLACE FILE.pt2...

For each file: load() must give the lifted tensors of torch.export.load, sharing storages as they do; forward() on random
inputs must return what the exported graph returns and leave the same values in its inputs.
"""

import importlib.util
import subprocess
import sys
import tempfile

import torch


def written_module(program, file, folder):
    out = f"{folder}/written.py"
    subprocess.run([program, "rewrite", "--policy", "none", file, "-o", out], check=True)
    spec = importlib.util.spec_from_file_location("written", out)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def random_like(value):
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype).normal_()
    return value.clone() if isinstance(value, torch.Tensor) else value


def copied(values):
    return [v.clone() if isinstance(v, torch.Tensor) else v for v in values]


def require_same(what, expected, actual):
    if not isinstance(expected, torch.Tensor):
        assert expected == actual, f"{what}: {expected} and {actual}"
        return
    assert expected.dtype == actual.dtype and expected.stride() == actual.stride(), f"{what}: another layout"
    assert torch.equal(expected.isnan(), actual.isnan()), f"{what}: another value"
    assert torch.equal(torch.nan_to_num(expected), torch.nan_to_num(actual)), f"{what}: another value"


def lifted_tensors(program):
    signature = program.graph_signature
    held = {**program.state_dict, **program.constants}
    return [held[spec.target] for spec in signature.input_specs if spec.target is not None]


def sharing(tensors):
    return [[a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() for b in tensors] for a in tensors if a.numel()]


def check(program, file, folder):
    module = written_module(program, file, folder)
    exported = torch.export.load(file)
    lifted = lifted_tensors(exported)
    loaded = module.load()
    assert len(lifted) == len(loaded), "load() gives another number of tensors"
    for number, (expected, actual) in enumerate(zip(lifted, loaded)):
        require_same(f"lifted tensor {number}", expected.detach(), actual)
    assert sharing(lifted) == sharing(loaded), "load() shares other storages"

    args, kwargs = exported.example_inputs
    flat, _ = torch.utils._pytree.tree_flatten((args, kwargs))
    for _ in range(2):
        inputs = [random_like(value) for value in flat]
        values = [tensor.detach() for tensor in lifted] + inputs
        one, two = copied(values), copied(values)
        torch.manual_seed(0)
        expected = exported.graph_module(*one)
        torch.manual_seed(0)
        actual = module.forward(*two)
        assert len(expected) == len(actual)
        for number, pair in enumerate(zip(expected, actual)):
            require_same(f"output {number}", *pair)
        for number, pair in enumerate(zip(one, two)):
            require_same(f"input {number} after the call", *pair)


def main(program, *files):
    failures = 0
    for file in files:
        try:
            with tempfile.TemporaryDirectory() as folder, torch.no_grad():
                check(program, file, folder)
            print("equal", file)
        except Exception as error:
            failures += 1
            print("FAILED", file, type(error).__name__, error)
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
