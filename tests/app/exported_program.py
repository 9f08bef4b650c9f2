"""Running exported programs, for the scripts beside this one."""

import copy

import torch


def run(program):
    """What two calls return, and what becomes of inputs and buffers."""
    args, kwargs = copy.deepcopy(program.example_inputs)
    module = program.module()
    torch.manual_seed(0)
    with torch.no_grad():
        results = [module(*args, **kwargs) for _ in range(2)]
    return torch.utils._pytree.tree_leaves((results, args, kwargs, dict(module.named_buffers())))
