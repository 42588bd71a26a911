# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels within JAX programs on a GPU: needs JAX with CUDA.

  python3 jax_gpu.py
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

import tile_mlir as tile
from kernels import make_gemm


gemm = make_gemm(m=128, n=128, k=32)


@tile.kernel(grid=lambda x, s, *, n: tile.cdiv(x.shape[0], n))
def scale_in_place(x, s, *, n=1000):
    first = tile.program_id(0) * n
    tile.store(x, first, tile.load(x, first, n) * s)


@tile.kernel(grid=1)
def spread(x, y, *, n=33):
    tile.store(y, 0, tile.load(x, 0, n) - tile.load(x, 0, n).mean())


def check(name, found, expected, tolerance):
    assert next(iter(found.devices())).platform == "gpu", found.devices()
    error = abs(np.asarray(found, np.float64) - expected).max()
    error /= abs(expected).max()
    print(f"{name}: {error:.2e}")
    if not error <= tolerance:
        sys.exit(f"expected at most {tolerance:.2e}")


def matmul(a, b):
    shape = jax.ShapeDtypeStruct((a.shape[0], b.shape[1]), jnp.float32)
    return tile.jax_call(gemm, shape)(a, b)


def widen(x):
    return np.asarray(x, np.float64)


def check_matmuls(keys):
    for dtype in jnp.float16, jnp.bfloat16, jnp.float32:
        a = jax.random.normal(next(keys), (1003, 517), dtype)
        b = jax.random.normal(next(keys), (517, 700), dtype)
        expected = widen(a.astype(jnp.float32)) @ widen(b.astype(jnp.float32))
        check(f"outside of jit, {dtype.__name__}", matmul(a, b), expected, 1e-5)
        between = jax.jit(lambda a, b: matmul(a * 2, b) + 1)
        check(f"within jit, {dtype.__name__}", between(a, b), 2 * expected + 1, 1e-5)


def check_batch(keys):
    x = jax.random.normal(next(keys), (7, 33))
    rows = jax.jit(jax.vmap(lambda row: tile.jax_call(
        spread, jax.ShapeDtypeStruct(row.shape, row.dtype))(row)))
    wide = widen(x)
    check("vmap", rows(x), wide - wide.mean(axis=1, keepdims=True), 1e-6)


def check_in_place(keys):
    x = jax.random.normal(next(keys), (4567,))

    @jax.jit
    def steps(x):
        def step(_, x):
            return tile.jax_call(
                scale_in_place, jax.ShapeDtypeStruct(x.shape, x.dtype),
                input_output_aliases={0: 0})(x, 1.5)

        return jax.lax.fori_loop(0, 5, step, x)

    expected = widen(x) * 1.5 ** 5
    check("in place, in a loop", steps(x), expected, 1e-6)
    check("what was given is as it was", x, widen(x), 0)


def main():
    keys = iter(jax.random.split(jax.random.key(1), 20))
    check_matmuls(keys)
    check_batch(keys)
    check_in_place(keys)
    print("all right")


if __name__ == "__main__":
    main()
