#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the gradients of attention in f16, on a GPU, and compares their errors.

  python3 attention_gradients.py [S,D,MASK[,M,N]...]

S is the length of the sequences, D the columns of a head, MASK is "full" or "causal", M and
N are the rows of the tiles of Q and K for the derived gradients, if they are given. Needs
PyTorch and the package tile_mlir. Prints a row of a CSV file for each case, times in
microseconds of the forward pass, the derived gradients (with the forward pass, which they
compute again), the same with the saved results of the forward pass, the hand-written ones
(flash_attention_backward.py), and those of FlashAttention-2 and cuDNN in PyTorch; then the
errors of the derived ones, without and with saved results, the hand-written and cuDNN's
against float64, in norm, each the largest of those of Q, K and V. All are timed in turns,
in bursts. The arrays have 16384 rows of 2048 columns in all.
"""

import sys
from pathlib import Path

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

import tile_mlir as tile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python-bindings/programs"))
from flash_attention import attention, attention_kernel
from flash_attention_backward import attention_backward
from bursts import time_in_turns

ROWS, COLUMNS = 16384, 2048
CASES = [f"{s},{d},{mask}" for s in (1024, 4096) for d in (64, 128)
         for mask in ("full", "causal")]


def find_errors(arrays, dout, causal, gradients):
    """Returns the error of each of several triples of gradients, by the first head."""
    q, k, v = (x[:1, :1].double().requires_grad_() for x in arrays)
    scores = q @ k.transpose(2, 3) * q.shape[3] ** -0.5
    if causal:
        scores = scores.masked_fill(
            torch.ones_like(scores, dtype=torch.bool).triu(1), -torch.inf)
    out = torch.softmax(scores, 3) @ v
    expected = torch.autograd.grad(out, (q, k, v), dout[:1, :1].double())
    return [max(((one[:1, :1].double() - right).norm() / right.norm()).item()
                for one, right in zip(triple, expected)) for triple in gradients]


def make_backward(arrays, dout, causal, backend):
    """Returns a function that runs the backward pass of PyTorch's attention."""
    arrays = [x.detach().requires_grad_() for x in arrays]
    with sdpa_kernel(backend):
        out = torch.nn.functional.scaled_dot_product_attention(*arrays, is_causal=causal)
    return lambda: torch.autograd.grad(out, arrays, dout, retain_graph=True)


def measure(length, columns, mask, *tiles):
    causal = mask == "causal"
    heads = COLUMNS // columns
    shape = ROWS // length, heads, length, columns
    *arrays, dout = (torch.randn(shape, device="cuda", dtype=torch.float16)
                     for _ in range(4))
    out, lse = attention(*arrays, causal)
    scale = columns ** -0.5
    roles = {"wrt": ("q", "k", "v"), "outputs": ("o",)}
    derivatives = [tile.vjp(attention_kernel, **roles),
                   tile.vjp(attention_kernel, **roles, saved=("o", "lse"))]
    given = [[torch.full_like(x, float("nan")) for x in arrays] for _ in range(2)]
    words = dict(zip("mn", tiles), d=columns, causal=causal)

    def derived():
        derivatives[0](*arrays, dout, lse, scale, gradients=given[0], **words)
        return given[0]

    def derived_from_saved():
        derivatives[1](*arrays, dout, lse, scale, gradients=given[1], saved=(out, lse),
                       **words)
        return given[1]

    peers = [make_backward(arrays, dout, causal, backend)
             for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION)]
    calls = [lambda: attention(*arrays, causal), derived, derived_from_saved,
             lambda: attention_backward(*arrays, out, lse, dout, causal), *peers]
    results = [call() for call in calls]
    times = time_in_turns(calls)
    errors = find_errors(arrays, dout, causal, [results[index] for index in (1, 2, 3, 5)])
    print(",".join([str(length), str(columns), " ".join([mask, *map(str, tiles)]),
                    *(f"{us:.0f}" for us in times),
                    *(f"{error:.1e}" for error in errors)]), flush=True)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    print("length,columns,mask,forward,derived,derived_from_saved,hand_written,flash,"
          "cudnn,error_derived,error_from_saved,error_hand_written,error_cudnn")
    for case in sys.argv[1:] or CASES:
        length, columns, mask, *tiles = case.split(",")
        try:
            measure(int(length), int(columns), mask, *map(int, tiles))
        except (tile.TileError, RuntimeError) as error:
            print(f"{case},{type(error).__name__}: {str(error)[:300]}", flush=True)
        torch.cuda.empty_cache()


main()
