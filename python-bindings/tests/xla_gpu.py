# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of launch/xla.c that XLA calls, on a GPU, on PyTorch tensors and
without JAX: needs PyTorch and a GPU.

  python3 xla_gpu.py
"""

import ctypes
import sys

import numpy as np
import torch

import tile_mlir as tile
from kernels import make_scale
from tile_mlir.interoperation import jax_calls, jax_library, jax_runs
from tile_mlir.launching import runtime
from tile_mlir.launching.grids import get_blocks
from xla_frames import Xla


scale = make_scale(n=1000)


@tile.kernel(grid=lambda x, total, *, n: tile.cdiv(x.shape[0], n))
def sum_in_order(x, total, *, n=100):
    """Sums in the order of the blocks, which needs a workspace."""
    part = tile.load(x, tile.program_id(0) * n, n).sum(axis=0, keepdims=True)
    tile.atomic_add(total, 0, part, ordered=True)


def check(name, found, expected, tolerance):
    error = (found.double() - expected).abs().max() / expected.abs().max()
    print(f"{name}: {error.item():.2e}")
    if not error.item() <= tolerance:
        sys.exit(f"expected at most {tolerance:.2e}")


class Memory:
    """Allocates memory for workspaces in place of XLA, filled with bytes of 77."""

    def __init__(self):
        self.kept = []

    def __call__(self, size):
        self.kept.append(torch.full((size,), 77, dtype=torch.uint8, device="cuda"))
        return self.kept[-1].data_ptr()


def make_attributes(kernel, parameters):
    call = kernel.definition.bind([p.value for p in parameters], {})
    blocks = get_blocks(kernel.definition.grid, call.by_name)
    program = kernel.definition.get_program(call.key)
    return {"program": program.text, "kernel": kernel.__name__,
            **jax_runs.describe_arguments(
                jax_calls.make_arguments(parameters, call.key.types),
                sum(p.operand is not None for p in parameters)),
            **jax_runs.describe_machine(tile.Machine()), "tiling": "",
            "grid": np.array(blocks, np.int64)}


def call(kernel, parameters, stream):
    operands = [p.value for p in parameters if p.operand is not None]
    results = [p.value for p in parameters if p.result is not None]
    handler = jax_library.get_handlers().tile_xla_execute_cuda
    handler.restype = ctypes.c_void_p
    memory = Memory()
    torch.cuda.synchronize()
    Xla(stream=stream.cuda_stream, allocate=memory).call(
        handler, operands, results, **make_attributes(kernel, parameters))
    stream.synchronize()
    return memory


def check_scale(stream):
    for size in (12345, 1, 1000, 999):
        x = torch.randn(size, device="cuda")
        y = torch.full_like(x, float("nan"))
        call(scale, [jax_calls._Parameter("x", x, operand=0),
                     jax_calls._Parameter("y", y, result=0),
                     jax_calls._Parameter("s", 2.5)], stream)
        check(f"scale of {size}", y, x.double() * 2.5, 1e-6)


def check_workspaces(stream):
    x = torch.randn(12345, device="cuda")
    found = []
    for _ in range(5):
        total = torch.zeros(1, device="cuda")
        memory = call(sum_in_order, [
            jax_calls._Parameter("x", x, operand=0),
            jax_calls._Parameter("total", total, operand=1, result=0)], stream)
        assert memory.kept, "expected a kernel with a workspace"
        check("sum in order", total, x.double().sum(), 1e-3)
        found.append(total.cpu().numpy())
    assert all(np.array_equal(found[0], other) for other in found)


def check_cache(stream):
    """Checks that a program compiled by Python is not compiled again."""
    x = torch.randn(777, device="cuda").half()
    y = torch.full_like(x, float("nan"))
    parameters = [jax_calls._Parameter("x", x, operand=0),
                  jax_calls._Parameter("y", y, result=0),
                  jax_calls._Parameter("s", 0.5)]
    text = make_attributes(scale, parameters)["program"]
    jax_library._add_binary(text, "<scale>", None, runtime.get_device(0).arch)
    call(scale, parameters, stream)
    check("scale of the cache", y, x.double() * 0.5, 1e-3)


if __name__ == "__main__":
    torch.manual_seed(7)
    check_scale(torch.cuda.Stream())
    check_workspaces(torch.cuda.Stream())
    check_cache(torch.cuda.Stream())
    print("all right")
