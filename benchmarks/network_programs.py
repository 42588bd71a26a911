# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of f16 as PyTorch computes them, which torch-mlir writes as linalg, and
programs of the same that are written by hand.

Without PyTorch this has their names and shapes alone.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import chain_programs
from launcher import BenchmarkError

FOLDER = Path(__file__).resolve().parent / "networks"


def import_functional():
    import torch.nn.functional
    return torch.nn.functional


# ---------------------------------------------------------------------------
# What they compute
# ---------------------------------------------------------------------------

def mlp(x, w0, b0, w1, b1):
    f = import_functional()
    return f.linear(f.relu(f.linear(x, w0, b0)), w1, b1)


def layer_norm(x, scale, shift):
    return import_functional().layer_norm(x, (x.shape[-1],), scale, shift)


def attention(q, k, v):
    return import_functional().scaled_dot_product_attention(q, k, v)


def causal_attention(q, k, v):
    return import_functional().scaled_dot_product_attention(
        q, k, v, is_causal=True)


def convolution(x, w0, b0, w1, b1, w2, b2):
    f = import_functional()
    x = f.max_pool2d(f.relu(f.conv2d(x, w0, b0, padding=1)), 2)
    x = f.relu(f.conv2d(x, w1, b1, stride=2))
    return f.linear(f.adaptive_avg_pool2d(x, 1).flatten(1), w2, b2)


def transformer_layer(x, g0, s0, wqkv, bqkv, wo, bo, g1, s1, w1, b1, w2, b2):
    """Of 32 heads."""
    f = import_functional()
    batch, length, width = x.shape
    y = f.layer_norm(x, (width,), g0, s0)
    q, k, v = (f.linear(y, wqkv, bqkv).view(batch, length, 3, 32, width // 32)
               .permute(2, 0, 3, 1, 4).unbind(0))
    z = f.scaled_dot_product_attention(q, k, v, is_causal=True)
    z = z.transpose(1, 2).reshape(batch, length, width)
    x = x + f.linear(z, wo, bo)
    y = f.layer_norm(x, (width,), g1, s1)
    return x + f.linear(f.gelu(f.linear(y, w1, b1)), w2, b2)


def list_layer(length, d):
    return [(1, length, d), (d,), (d,), (3 * d, d), (3 * d,), (d, d), (d,),
            (d,), (d,), (4 * d, d), (4 * d,), (d, 4 * d), (d,)]


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------

@dataclass(frozen=True)
class Network:
    """A program that -convert-linalg-to-tile writes, of what torch-mlir does."""
    name: str
    function: Callable
    shapes: tuple
    result: tuple
    hand: Optional["HandWritten"] = None

    def write(self):
        return convert(export(self))


@dataclass(frozen=True)
class HandWritten:
    """The same by hand, of `main` in networks/, or one kernel of attention.
    Arrays are seen with these shapes, the result's last."""
    name: str
    shapes: Optional[tuple] = None

    def write(self):
        stem = self.name.removesuffix("_hand")
        if self.shapes is None:
            return (FOLDER / f"{stem}.mlir").read_text()
        causal = "_causal" if "causal" in stem else ""
        text = chain_programs.parse(f"attention_f16_d128{causal}_128x128").write()
        types = re.findall(r"%\w+: (memref<[^>]*>)", text)[:4]
        names = [f"%a{i}" for i in range(4)]
        arguments = ", ".join(map(": ".join, zip(names, types)))
        return (f"{text}\nfunc.func @main({arguments}) {{\n"
                f"  tile.launch @attention({', '.join(names)}) : "
                f"{', '.join(types)}\n  return\n}}\n")


HEADS = (2, 32, 2048, 128)
VIEWS = ((64, 2048, 128),) * 4
NETWORKS = [
    Network("mlp", mlp,
            ((4096, 1024), (4096, 1024), (4096,), (1024, 4096), (1024,)),
            (4096, 1024), HandWritten("mlp_hand")),
    Network("layer_norm", layer_norm, ((8192, 4096), (4096,), (4096,)),
            (8192, 4096), HandWritten("layer_norm_hand")),
    Network("attention", attention, (HEADS,) * 3, HEADS,
            HandWritten("attention_hand", VIEWS)),
    Network("causal_attention", causal_attention, (HEADS,) * 3, HEADS,
            HandWritten("causal_attention_hand", VIEWS)),
    Network("convolution", convolution,
            ((128, 3, 64, 64), (64, 3, 3, 3), (64,), (128, 64, 3, 3), (128,),
             (10, 128), (10,)), (128, 10), HandWritten("convolution_hand")),
    Network("transformer_layer", transformer_layer,
            tuple(list_layer(2048, 4096)), (1, 2048, 4096)),
]


def list_programs():
    return [program for network in NETWORKS
            for program in (network, network.hand) if program]


def export(network):
    """The text of linalg on tensors. Needs torch-mlir."""
    import torch
    from torch_mlir import fx

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.forward = network.function

    arguments = [torch.randn(*shape, dtype=torch.float16)
                 for shape in network.shapes]
    return str(fx.export_and_import(
        Module().eval(), *arguments, output_type="linalg-on-tensors",
        func_name="main"))


def convert(linalg, arch="sm_90a"):
    if not shutil.which("tile-opt"):
        raise BenchmarkError("expected tile-opt in PATH")
    done = subprocess.run(
        ["tile-opt", f"-convert-linalg-to-tile=arch={arch}"], input=linalg,
        capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"tile-opt: {done.stderr}")
    return done.stdout
