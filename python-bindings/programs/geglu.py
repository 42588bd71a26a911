# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes gelu(a) * b with the approximation of gelu by tanh, and its gradients, which
replace a and b (Shazeer, "GLU Variants Improve Transformer", 2020). Arrays are
contiguous, of any shape, and have elements of f16, bf16 or f32."""

import tile_mlir as tile

ROOT = 0.7978845608028654  # the square root of 2 / pi


@tile.function
def compute_gelu(a):
    """Returns gelu(a) and its derivative."""
    t = tile.tanh(ROOT * (a + 0.044715 * a**3))
    slope = 0.5 * a * (1 - t * t) * ROOT * (1 + 3 * 0.044715 * a * a)
    return 0.5 * a * (1 + t), 0.5 * (1 + t) + slope


@tile.kernel(grid=lambda a, n: tile.cdiv(a.shape[0], n))
def forward_kernel(a, b, c, *, n=1024):
    at = tile.program_id(0) * n
    gelu, _ = compute_gelu(tile.load(a, at, n).astype(tile.f32))
    tile.store(c, at, gelu * tile.load(b, at, n))


@tile.kernel(grid=lambda a, n: tile.cdiv(a.shape[0], n))
def backward_kernel(dc, a, b, *, n=1024):
    at = tile.program_id(0) * n
    gelu, slope = compute_gelu(tile.load(a, at, n).astype(tile.f32))
    down = tile.load(dc, at, n)
    tile.store(a, at, slope * tile.load(b, at, n) * down)
    tile.store(b, at, gelu * down)


def geglu(a, b):
    c = tile.empty_like(a)
    forward_kernel(*(x.reshape(-1) for x in (a, b, c)))
    return c


def geglu_backward(dc, a, b):
    """Replaces a and b by their gradients."""
    backward_kernel(*(x.reshape(-1) for x in (dc, a, b)))
