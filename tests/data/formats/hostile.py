# Graph "root\nimport os" of "evil\n\"name\ufffd.txt", written by Reinplace Inspector.

import torch

# What the graph reads from its module. The file holds no values: set them before calling forward.
attributes = {
    "w\"]; import os #\n": None,
}


def forward(lambda__1, torch_1, x_______import_os__os_system__true____, lambda_):
    slice_1 = attributes["w\"]; import os #\n"]
    forward_1 = torch.ops.aten.cat.default([lambda__1, torch_1, x_______import_os__os_system__true____, lambda_, slice_1], **{"dim\"": "\"\"\"\n\\"});  lambda__1 = torch_1 = x_______import_os__os_system__true____ = lambda_ = slice_1 = None
    return forward_1
