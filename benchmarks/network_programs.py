# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of f16 that torch-mlir writes as linalg, and hand-written programs for
the same networks. Without PyTorch, only their names and shapes are available."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import chain_programs
import network_models as models
from launcher import BenchmarkError

FOLDER = Path(__file__).resolve().parent / "networks"


def list_layer(length, d):
    return [(1, length, d), (d,), (d,), (3 * d, d), (3 * d,), (d, d), (d,),
            (d,), (d,), (4 * d, d), (4 * d,), (d, 4 * d), (d,)]


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------

@dataclass(frozen=True)
class Network:
    """A network whose program -convert-linalg-to-tile makes from torch-mlir's
    output."""
    name: str
    function: Callable
    shapes: tuple
    result: tuple
    hand: Optional["HandWritten"] = None

    def write(self):
        return convert(export(self))


@dataclass(frozen=True)
class HandWritten:
    """A hand-written program for a network: `main` of a file in networks/, or, with
    `shapes`, an attention kernel of chain_programs.py. `shapes` has the shapes of its
    arrays, the result last."""
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
    Network("mlp", models.mlp,
            ((4096, 1024), (4096, 1024), (4096,), (1024, 4096), (1024,)),
            (4096, 1024), HandWritten("mlp_hand")),
    Network("layer_norm", models.layer_norm, ((8192, 4096), (4096,), (4096,)),
            (8192, 4096), HandWritten("layer_norm_hand")),
    Network("attention", models.attention, (HEADS,) * 3, HEADS,
            HandWritten("attention_hand", VIEWS)),
    Network("causal_attention", models.causal_attention, (HEADS,) * 3, HEADS,
            HandWritten("causal_attention_hand", VIEWS)),
    Network("convolution", models.convolution,
            ((128, 3, 64, 64), (64, 3, 3, 3), (64,), (128, 64, 3, 3), (128,),
             (10, 128), (10,)), (128, 10), HandWritten("convolution_hand")),
    Network("transformer_layer", models.make_transformer_layer(32),
            tuple(list_layer(2048, 4096)), (1, 2048, 4096),
            HandWritten("transformer_layer_hand")),
]


def list_programs():
    return [program for network in NETWORKS
            for program in (network, network.hand) if program]


def export(network):
    """Returns the network as text, in linalg on tensors. Needs torch-mlir."""
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
