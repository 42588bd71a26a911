# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peers of memory_programs.py, to which times are compared: PyTorch's compiler, and
Triton with one row per program, or several short rows."""

from dataclasses import dataclass
from typing import Callable

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None


@dataclass
class Peer:
    """A peer. `prepare` takes the input arrays and an array for the result, and returns
    the call to time."""
    name: str
    prepare: Callable


def get_versions():
    return [f"Triton {triton.__version__}"] if triton else []


if triton:
    @triton.jit
    def scale_kernel(x, y, COLUMNS: tl.constexpr, ROWS: tl.constexpr):
        row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
        at = row[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
        v = tl.load(x + at)
        tl.store(y + at, v / tl.max(tl.abs(v), 1)[:, None])

    @triton.jit
    def softmax_kernel(x, y, COLUMNS: tl.constexpr):
        at = (tl.program_id(0).to(tl.int64) * COLUMNS
              + tl.arange(0, COLUMNS))
        v = tl.load(x + at).to(tl.float32)
        e = tl.exp(v - tl.max(v, 0))
        tl.store(y + at, (e / tl.sum(e, 0)).to(y.dtype.element_ty))

    @triton.jit
    def layer_norm_kernel(x, y, COLUMNS: tl.constexpr):
        at = (tl.program_id(0).to(tl.int64) * COLUMNS
              + tl.arange(0, COLUMNS))
        v = tl.load(x + at).to(tl.float32)
        d = v - tl.sum(v, 0) / COLUMNS
        scale = tl.rsqrt(tl.sum(d * d, 0) / COLUMNS + 1e-5)
        tl.store(y + at, (d * scale).to(y.dtype.element_ty))

    @triton.jit
    def row_scan_kernel(x, y, COLUMNS: tl.constexpr):
        at = (tl.program_id(0).to(tl.int64) * COLUMNS
              + tl.arange(0, COLUMNS))
        tl.store(y + at, tl.cumsum(tl.load(x + at), 0))

    @triton.jit
    def axpby_kernel(x, y, z, a, b, c, LENGTH: tl.constexpr):
        at = tl.program_id(0).to(tl.int64) * LENGTH + tl.arange(0, LENGTH)
        v = a * tl.load(x + at).to(tl.float32)
        v += b * tl.load(y + at).to(tl.float32)
        tl.store(z + at, (v + c).to(z.dtype.element_ty))

    @triton.jit
    def sum_of_squares_kernel(x, total, LENGTH: tl.constexpr,
                              STEPS: tl.constexpr):
        first = tl.program_id(0).to(tl.int64) * LENGTH * STEPS
        sums = tl.zeros((LENGTH,), x.dtype.element_ty)
        for step in range(STEPS):
            v = tl.load(x + first + step * LENGTH + tl.arange(0, LENGTH))
            sums += v * v
        tl.atomic_add(total, tl.sum(sums, 0))


def prepare_launch(launch):
    """Returns a call of `launch` that keeps the arrays to which a graph writes."""
    def prepare(inputs, output):
        def call():
            launch(inputs, output)
            return output
        return call
    return prepare


def launch_rows(kernel, warps):
    def launch(inputs, output):
        rows, columns = output.shape
        kernel[(rows,)](*inputs, output, columns, num_warps=warps)
    return prepare_launch(launch)


def launch_scale(inputs, output):
    rows, columns = output.shape
    scale_kernel[(rows // 4,)](*inputs, output, columns, 4, num_warps=4)


def launch_sum(inputs, output):
    sum_of_squares_kernel[(inputs[0].numel() // 16384,)](*inputs, output, 2048,
                                                         8, num_warps=8)


def find_triton_peers(program, scalars):
    """Returns Triton's peers of a program. Extents must be multiples of a block's
    extents."""
    def launch_axpby(inputs, output):
        axpby_kernel[(output.numel() // 1024,)](*inputs, output, *scalars, 1024,
                                                num_warps=4)

    columns = program.columns
    warps = {1024: [4], 4096: [8, 16]}.get(columns, [8, 32])
    rows = {"softmax": softmax_kernel, "online_softmax": softmax_kernel,
            "row_scan": row_scan_kernel, "layer_norm": layer_norm_kernel}
    if program.kind in rows:
        return [Peer(f"Triton {count} warps",
                     launch_rows(rows[program.kind], count))
                for count in warps]
    launch = {"reduce_scale": launch_scale, "axpby": launch_axpby,
              "sum_of_squares": launch_sum}.get(program.kind)
    return [Peer("Triton", prepare_launch(launch))] if launch else []


def get_expression(torch, program, scalars):
    """Returns the computation as a PyTorch function."""
    a, b, c = scalars
    columns = [program.columns]
    return {
        "reduce_scale": lambda x: x / x.abs().amax(1, keepdim=True),
        "softmax": lambda x: torch.softmax(x, 1),
        "online_softmax": lambda x: torch.softmax(x, 1),
        "row_scan": lambda x: x.cumsum(1),
        "layer_norm":
            lambda x: torch.nn.functional.layer_norm(x, columns, eps=1e-5),
        "axpby": lambda x, y: (a * x.float() + b * y.float() + c).half(),
        "sum_of_squares": lambda x: (x * x).sum(),
    }.get(program.kind)


def find_peers(torch, program, scalars):
    """Returns the peers of a program."""
    expression = get_expression(torch, program, scalars)
    if not expression:
        return []
    torch._dynamo.reset()
    compiled = torch.compile(expression, dynamic=False)
    peers = [Peer("torch.compile",
                  lambda inputs, output: lambda: compiled(*inputs))]
    if program.kind == "sum_of_squares":
        peers.append(Peer("torch vector_norm", lambda inputs, output: lambda:
                          torch.linalg.vector_norm(inputs[0])))
    return peers + (find_triton_peers(program, scalars) if triton else [])
