"""Writes transformer-layer.pt2: one decoder layer with rotary embedding, a key/value cache and a gated MLP.

    python make_transformer_layer.py transformer-layer.pt2        (torch 2.13)

Exported to core ATen. Entries are deflated, which torch.export.load reads as well, to keep the file small; stack traces
name files without the folders of the machine they were made on.
"""

import io
import pathlib
import sys
import zipfile

import torch
from torch import nn
from torch.nn import functional as F

WIDTH, HEADS, KV_HEADS, CACHE = 32, 4, 2, 16
HEAD = WIDTH // HEADS


class RMSNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(variance + 1e-6))


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], dim=-1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(WIDTH, HEADS * HEAD, bias=False)
        self.k = nn.Linear(WIDTH, KV_HEADS * HEAD, bias=False)
        self.v = nn.Linear(WIDTH, KV_HEADS * HEAD, bias=False)
        self.o = nn.Linear(HEADS * HEAD, WIDTH, bias=False)
        self.register_buffer("k_cache", torch.zeros(1, KV_HEADS, CACHE, HEAD))
        self.register_buffer("v_cache", torch.zeros(1, KV_HEADS, CACHE, HEAD))

    def forward(self, x, cos, sin):
        batch, length, _ = x.shape
        q = self.q(x).view(batch, length, HEADS, HEAD).transpose(1, 2)
        k = self.k(x).view(batch, length, KV_HEADS, HEAD).transpose(1, 2)
        v = self.v(x).view(batch, length, KV_HEADS, HEAD).transpose(1, 2)
        q = q * cos + rotate_half(q) * sin
        k = k * cos + rotate_half(k) * sin
        self.k_cache[:, :, :length] = k
        self.v_cache[:, :, :length] = v
        keys = self.k_cache[:, :, :length].repeat_interleave(HEADS // KV_HEADS, dim=1)
        values = self.v_cache[:, :, :length].repeat_interleave(HEADS // KV_HEADS, dim=1)
        scores = q @ keys.transpose(-2, -1) / HEAD**0.5
        mask = torch.full((length, length), float("-inf")).triu(1)
        weights = F.softmax(scores + mask, dim=-1)
        return self.o((weights @ values).transpose(1, 2).reshape(batch, length, HEADS * HEAD))


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_norm, self.attention, self.output_norm = RMSNorm(), Attention(), RMSNorm()
        self.gate = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(self, x, cos, sin):
        x = x + self.attention(self.input_norm(x), cos, sin)
        y = self.output_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def main(path):
    torch.manual_seed(0)
    length = 8
    angles = torch.outer(torch.arange(length, dtype=torch.float32), 10000.0 ** -(torch.arange(0, HEAD, 2) / HEAD))
    angles = torch.cat([angles, angles], dim=-1)
    inputs = (torch.randn(1, length, WIDTH), angles.cos(), angles.sin())
    with torch.no_grad():
        exported = torch.export.export(Layer().eval(), inputs).run_decompositions()
    stored = io.BytesIO()
    torch.export.save(exported, stored)
    with zipfile.ZipFile(stored) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith(".data/serialization_id"):
                content = b"0" * len(content)
            for folder in (pathlib.Path(__file__).resolve().parent, pathlib.Path(torch.__file__).resolve().parents[1]):
                content = content.replace(str(folder).encode() + b"/", b"")
            target.writestr(zipfile.ZipInfo(entry.filename), content, zipfile.ZIP_DEFLATED)
    print(torch.export.load(path).graph_module.code)


if __name__ == "__main__":
    main(sys.argv[1])
