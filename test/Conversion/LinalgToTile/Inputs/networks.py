#!/usr/bin/env python3
# networks.py - the networks of this folder, as torch-mlir writes them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   networks.py [FOLDER]
#
# Writes NAME.mlir for each network, with weights as arguments. Needs torch and
# torch-mlir (`pip install -r requirements.txt`); the tests need neither. The versions
# in requirements.txt wrote the files of this folder. `.ci/full networks` writes them
# again.

import os
import sys

import torch
import torch.nn.functional as F
from torch_mlir import fx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../../benchmarks"))
import network_models as models


def softmax(x):
    return torch.softmax(x, -1)


def attention(q, k, v):
    weights = torch.softmax(q @ k.transpose(-1, -2) / 4.0, -1)
    return weights @ v


def embedding(indices, table):
    return F.embedding(indices, table)


def transformer(x, g0, s0, wqkv, bqkv, wo, bo, g1, s1, w1, b1, w2, b2):
    batch, length, width = x.shape
    y = F.layer_norm(x, (width,), g0, s0)
    q, k, v = (F.linear(y, wqkv, bqkv).view(batch, length, 3, 4, width // 4)
               .permute(2, 0, 3, 1, 4).unbind(0))
    weights = torch.softmax(q @ k.transpose(-1, -2) / (width // 4)**0.5, -1)
    z = (weights @ v).transpose(1, 2).reshape(batch, length, width)
    x = x + F.linear(z, wo, bo)
    y = F.layer_norm(x, (width,), g1, s1)
    return x + F.linear(F.gelu(F.linear(y, w1, b1)), w2, b2)


def join(a, b):
    return torch.cat([a, b], 1)[:, 2:7] * 2


def pad(x):
    return F.pad(x, (1, 2))


def means(x):
    return x.mean(1), x.sum(), x.amax(0)


def f32(*shapes):
    return [torch.randn(*shape) for shape in shapes]


def f16(*shapes):
    return [array.half() for array in f32(*shapes)]


def bf16(*shapes):
    return [array.bfloat16() for array in f32(*shapes)]


HEADS = [(2, 3, 19, 16), (2, 3, 21, 16), (2, 3, 21, 16)]
LONG = [(2, 3, 70, 16), (2, 3, 201, 16), (2, 3, 201, 16)]


def list_layer(length, width):
    return [(2, length, width), (width,), (width,), (3 * width, width),
            (3 * width,), (width, width), (width,), (width,), (width,),
            (2 * width, width), (2 * width,), (width, 2 * width), (width,)]


MLP = [(9, 17), (33, 17), (33,), (5, 33), (5,)]
IMAGES = [(2, 3, 12, 12), (8, 3, 3, 3), (8,), (16, 8, 3, 3), (16,), (10, 16),
          (10,)]
# Arguments of convolutions with few channels, and with many.
CHANNELS = [(2, 3, 12, 14), (24, 3, 3, 3), (24,), (16, 24, 3, 3), (16,),
            (10, 16), (10,)]
ROWS = torch.export.Dim("rows", min=2)

NETWORKS = [
    ("mlp", models.mlp, f32(*MLP), None),
    ("mlp-any-rows", models.mlp, f32(*MLP),
     ({0: ROWS}, None, None, None, None)),
    ("layer-norm", models.layer_norm, f32((3, 7, 33), (33,), (33,)), None),
    ("softmax", softmax, f32((3, 7, 33)), None),
    ("attention", attention, f32(*HEADS), None),
    ("long-attention", attention, f32(*LONG), None),
    ("scaled-attention", models.attention, f32(*LONG), None),
    ("causal-attention", models.causal_attention, f32(*[LONG[1]] * 3), None),
    ("convolution", models.convolution, f32(*IMAGES), None),
    ("embedding", embedding, [torch.randint(0, 11, (2, 5)), *f32((11, 7))],
     None),
    ("transformer", transformer, f32(*list_layer(9, 32)), None),
    ("mlp-f16", models.mlp,
     f16((70, 33), (90, 33), (90,), (21, 90), (21,)), None),
    ("layer-norm-f16", models.layer_norm, f16((3, 7, 33), (33,), (33,)), None),
    ("attention-bf16", models.attention, bf16(*LONG), None),
    ("causal-attention-f16", models.causal_attention,
     f16((2, 70, 80), (2, 201, 80), (2, 201, 80)), None),
    ("convolution-f16", models.convolution, f16(*CHANNELS), None),
    ("transformer-f16", models.make_transformer_layer(4),
     f16(*list_layer(70, 64)), None),
    ("join", join, f32((3, 4), (3, 5)), None),
    ("pad", pad, f32((3, 4)), None),
    ("means", means, f32((3, 4, 5)), None),
]


class Network(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.forward = function


def main(folder="."):
    for name, function, arguments, sizes in NETWORKS:
        module = fx.export_and_import(
            Network(function).eval(), *arguments, dynamic_shapes=sizes,
            output_type="linalg-on-tensors", func_name="main")
        with open("%s/%s.mlir" % (folder, name), "w") as file:
            lines = ["// By networks.py.", *str(module).splitlines()]
            file.writelines(line.rstrip() + "\n" for line in lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
