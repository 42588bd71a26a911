# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuned kernels for the tests of tuning, and timers that report given times of
candidates."""

import concurrent.futures
import math
import multiprocessing
from dataclasses import dataclass, field

import numpy as np

import tile_mlir as tile
from tile_mlir.tuning.timing import Target

H100 = Target("sm_90a", "NVIDIA H100")
A100 = Target("sm_80", "NVIDIA A100")


def take(candidate):
    """Returns the seconds that a candidate takes: the least for n = 32, and more the
    more n differs from it."""
    factor = 1 + abs(math.log2(candidate["n"] / 32))
    return 1e-4 * factor * (1.3 if candidate.get("tiling") else 1)


@dataclass
class FakeTimer:
    """A timer with its own clock, which measurements advance, and with noise. If `runs`
    is set, it makes the launches that it times; otherwise it launches nothing."""

    take: object = take
    target: Target = H100
    noise: float = 0.03
    runs: bool = False
    now: float = 100.0
    measured: list = field(default_factory=list)

    def find_target(self):
        return self.target

    def measure(self, candidate, launch, count):
        self.measured.append((dict(candidate), count))
        rng = np.random.default_rng(len(self.measured))
        for _ in range(count if self.runs else 0):
            launch.restore()
            launch.run()
        seconds = self.take(candidate) * (
            1 + self.noise * abs(rng.standard_normal(count)))
        self.now += float(seconds.sum())
        return list(seconds)

    def get_time(self):
        return self.now

    def pause(self, seconds):
        self.now += seconds

    def count_bursts(self, **values):
        return sum(candidate == values for candidate, _ in self.measured)


def scale_function(x, y, s, *, n=16, add=0):
    first = tile.program_id(0) * n
    tile.store(y, first, tile.load(x, first, n) * s + add)


SIZES = {"n": [8, 16, 32, 64, 128]}


def make_scale(space=SIZES, **options):
    kernel = tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
    options.setdefault("timer", FakeTimer())
    return tile.autotune(space, **options)(kernel(scale_function))


def make_arrays(rng, size=201):
    x = rng.standard_normal(size).astype(np.float32)
    return x, np.full_like(x, np.nan)


def check_scale(scale, rng, size=201, **constants):
    x, y = make_arrays(rng, size)
    before = x.copy()
    scale(x, y, 1.5, **constants)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(
        y, x.astype(np.float64) * 1.5 + constants.get("add", 0), rtol=1e-6,
        atol=1e-6)
    return x, y


def multiply_function(a, b, c, *, m, n, k):
    acc = tile.zeros((m, n))
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


def take_multiply(candidate):
    return 1e-3 / candidate["m"] / (2 if candidate["tiling"] else 1)


def make_multiply(**options):
    kernel = tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m),
                                               tile.cdiv(c.shape[1], n)))
    return tile.autotune(
        {"m": [32, 64], "n": [32], "k": [32],
         "tiling": [None, "warps=1,1", "sub=3,5"]}, **options)(
             kernel(multiply_function))


def make_matrices(rng):
    a = rng.standard_normal((65, 40)).astype(np.float16)
    b = rng.standard_normal((40, 33)).astype(np.float16)
    return a, b, np.full((65, 33), np.nan, np.float32)


def make_pool(count):
    return concurrent.futures.ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"))
