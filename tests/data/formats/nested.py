# Graph "root" of "model.txt", written by Reinplace Inspector.

import torch


def forward(p, x):
    true_graph_0_1 = true_graph_0
    false_graph_0_1 = false_graph_0
    cond = torch.ops.higher_order.cond(p, true_graph_0_1, false_graph_0_1, (x,));  p = true_graph_0_1 = false_graph_0_1 = x = None
    getitem = cond[0];  cond = None
    return (getitem,)


def true_graph_0(arg0_1):
    add = torch.ops.aten.add.Tensor(arg0_1, 1);  arg0_1 = None
    return (add,)


def false_graph_0(arg0_1):
    add = torch.ops.aten.sub.Tensor(arg0_1, 1);  arg0_1 = None
    return (add,)
