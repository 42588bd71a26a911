# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python ints and floats with tiles of other types on a GPU, on PyTorch tensors.

  python3 numbers_gpu.py
  python3 numbers_gpu.py --on emulator     arrays of NumPy, on the emulator
"""

import argparse

import numpy as np

import tile_mlir as tile
from number_kernels import (check_comparisons, check_order, compare_with_scalar,
                            list_limits, list_numbers)


def run_on_gpu(kernel, *arguments):
    """Runs a kernel on copies of the arrays, and copies the results back to them."""
    import torch
    given = [torch.from_numpy(a).cuda() if isinstance(a, np.ndarray) else a
             for a in arguments]
    kernel[1](*given)
    for array, tensor in zip(arguments, given):
        if isinstance(array, np.ndarray):
            array[...] = tensor.cpu().numpy()


def run_on_emulator(kernel, *arguments):
    with tile.emulator():
        kernel[1](*arguments)


def check_scalars(run):
    """Checks an index, and scalars of other types, with tiles of integers."""
    for dtype in np.int8, np.uint8, np.int32, np.int64:
        for n in {*list_numbers(dtype), -2 ** 40, 2 ** 40}:
            if -2 ** 63 <= n < 2 ** 63:
                check_comparisons(run, compare_with_scalar, list_limits(dtype), n)
        for n in 0.5, -0.5, 2.0 ** 31, -1e30, np.inf, np.nan:
            check_comparisons(run, compare_with_scalar, list_limits(dtype),
                              np.float32(n))


@tile.kernel
def widen(x, n, out):
    t = tile.load(x, 0, 4)
    tile.store(out, (0, 0), (t + n)[None])
    tile.store(out, (1, 0), tile.iota(4, 0, start=n)[None])
    tile.store(out, (2, 0), tile.full((1, 4), n))
    tile.store(out, (3, 0), tile.where(t > 1, n, t)[None])


def check_widening(run):
    x, n = np.array([1, -2, 3, 127], np.int8), 2 ** 40 + 3
    out = np.full((4, 4), -1, np.int64)
    run(widen, x, n, out)
    wide = x.astype(np.int64)
    np.testing.assert_array_equal(
        out, [wide + n, n + np.arange(4), [n] * 4, np.where(wide > 1, n, wide)])


@tile.kernel
def combine(x, z, out):
    c = tile.load(x, 0, ())
    for at, result in enumerate([c + z, c * z, c / z, -c, 2 * c, tile.exp(z),
                                 c ** 3, tile.make_complex(abs(c), 1.0)]):
        tile.store(out, at, result)


def check_complex_scalars(run):
    c, z = np.complex64(1.5 - 2j), np.complex64(-0.25 + 3j)
    out = np.full(8, np.nan, np.complex64)
    run(combine, np.array([c]), z, out)
    np.testing.assert_allclose(out, [c + z, c * z, c / z, -c, 2 * c, np.exp(z), c ** 3,
                                     abs(c) + 1j], rtol=1e-5)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--on", choices=("gpu", "emulator"), default="gpu")
    run = run_on_gpu if parser.parse_args().on == "gpu" else run_on_emulator
    check_scalars(run)
    check_widening(run)
    check_order(run, np.random.default_rng(7).integers(0, 2, (3, 21)).astype(bool))
    check_complex_scalars(run)
    print("all right")


if __name__ == "__main__":
    main()
