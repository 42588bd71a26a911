# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimated times of calls, `Kernel.estimate`. benchmarks/rank_plans.py compares them with
measured times."""

import numpy as np
import pytest

import tile_mlir as tile


@tile.kernel(grid=lambda c, m, n: (tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
def gemm(a, b, c, *, m, n, k):
    i, j = tile.program_id(0) * m, tile.program_id(1) * n
    acc = tile.zeros((m, n), tile.f64 if a.dtype == tile.f64 else tile.f32)
    for p in range(0, a.shape[1], k):
        acc += tile.load(a, (i, p), (m, k)) @ tile.load(b, (p, j), (k, n))
    tile.store(c, (i, j), acc)


def make(*shape):
    return np.empty(shape, np.float16)


def estimate_gemm(*sizes, arch="sm_90a", **tiles):
    m, n, k = sizes
    return gemm.estimate(make(m, k), make(k, n), make(m, n), arch=arch,
                         **{"m": 128, "n": 256, "k": 64, **tiles})


def get_loop(estimate):
    loop, = (section for section in estimate.sections if section.stages)
    return loop


def test_facts_of_a_gemm():
    found = estimate_gemm(3000, 5000, 7000)
    assert found.entry == "gemm" and found.part == "H100 SXM5 80 GB"
    assert found.blocks == 24 * 20
    assert (found.threads, found.blocks_per_processor) == (256, 1)
    assert found.memory_bytes == 2 * (3000 * 7000 + 7000 * 5000 + 3000 * 5000)
    loop = get_loop(found)
    assert loop.executions == loop.most == 110  # cdiv(7000, 64)
    assert loop.copied_bytes == 2 * (128 * 64 + 64 * 256)
    # 1024 f16 multiply-adds a cycle on each tensor core (NVIDIA H100 whitepaper).
    assert loop.mma_cycles == pytest.approx(128 * 256 * 64 / (4 * 512), rel=0.01)
    rest, = (section for section in found.sections if not section.stages)
    assert (rest.executions, rest.stored_bytes) == (1, 2 * 128 * 256)


def test_rows_that_are_not_aligned_take_the_generic_variant():
    assert estimate_gemm(300, 301, 303).entry == "gemm__general"


def test_edges_of_small_arrays_are_not_copied():
    loop = get_loop(estimate_gemm(70, 4096, 4096))
    assert loop.copied_bytes == 2 * (70 * 64 + 64 * 256)


def test_estimates_order_sizes_and_tiles():
    times = [estimate_gemm(n, n, n).microseconds for n in (1000, 2000, 4000, 8000)]
    assert times == sorted(times)
    # Eight blocks of 128x256 use eight multiprocessors; of 64x64, 64.
    assert estimate_gemm(512, 512, 4096, m=64, n=64).microseconds < \
        estimate_gemm(512, 512, 4096).microseconds


@tile.kernel(grid=lambda y, m: tile.cdiv(y.shape[0], m))
def sum_below(x, y, *, m, n):
    """Adds up the columns up to the last row of the tile, in parts of n columns."""
    i = tile.program_id(0) * m
    total = tile.zeros((m, 1))
    for j in range(0, tile.minimum(i + m, x.shape[1]), n):
        total += tile.load(x, (i, j), (m, n)).astype(tile.f32).sum(1, keepdims=True)
    tile.store(y, (i, 0), total)


def test_bounds_that_depend_on_the_block():
    found = sum_below.estimate(make(1024, 1024), np.empty((1024, 1), np.float32), m=16,
                               n=32, arch="sm_90a")
    loop = max(found.sections, key=lambda section: section.executions)
    # Blocks have 1, 1, 2, 2, ..., 32 iterations.
    assert loop.most == 32
    assert loop.executions == pytest.approx(16.5, rel=0.1)
    assert (loop.loads, loop.loaded_bytes) == (1, 2 * 16 * 32)


@tile.kernel(grid=1)
def take_branch(x, y, flag, *, n):
    row = tile.load(x, 0, n)
    if flag > 0:
        row = tile.sort(row)
    tile.store(y, 0, row)


def test_conditions_on_scalars_are_known():
    x, y = make(1024), make(1024)
    sorting = take_branch.estimate(x, y, 1, n=1024, arch="sm_90a")
    storing = take_branch.estimate(x, y, 0, n=1024, arch="sm_90a")
    assert sorting.sections[0].slots > 10 * storing.sections[0].slots


def test_a_call_is_estimated_for_the_emulator_of_the_thread():
    a = make(256, 256)
    with tile.emulator("sm_90a"):
        assert gemm.estimate(a, a, a, m=64, n=64, k=64) == \
            gemm.estimate(a, a, a, m=64, n=64, k=64, arch="sm_90a")


def test_an_estimate_is_no_call():
    x = np.ones((64, 64), np.float16)
    y = np.full((64, 64), 7, np.float32)
    sum_below.estimate(x, y, m=16, n=32, arch="sm_90a")
    assert (y == 7).all()
    with pytest.raises(tile.TileError, match="expected a call of the kernel 'sum_below'"):
        sum_below.report()


@pytest.mark.parametrize("arch, part", [
    ("sm_80", "A100 SXM 80 GB"), ("sm_86", "A40"), ("sm_87", "A40"), ("sm_89", "L40"),
    ("sm_90", "H100 SXM5 80 GB"), ("sm_100a", "B200 HGX 180 GB"),
    ("sm_103", "B200 HGX 180 GB"), ("sm_120", "RTX PRO 6000 Blackwell"),
    ("sm_121a", "RTX PRO 6000 Blackwell")])
def test_each_architecture_names_the_gpu_of_its_rates(arch, part):
    found = estimate_gemm(1000, 1000, 1000, m=64, n=64, arch=arch)
    assert found.part == part and 0 < found.microseconds < 1e6
    a = np.empty((512, 512))
    found = gemm.estimate(a, a, a, m=32, n=32, k=32, arch=arch)
    assert 0 < found.microseconds < 1e6


def test_errors():
    with pytest.raises(tile.ArgumentError, match="expected an architecture"):
        estimate_gemm(64, 64, 64, arch="sm_1")
    with pytest.raises(tile.CompileError, match="expected a tile of at most 262144"):
        estimate_gemm(512, 512, 512, m=512, n=512, k=512)
    with pytest.raises(tile.CompileError, match="expected at most 232448 bytes of tiles "
                                                "in shared memory on sm_90a, got 393216"):
        estimate_gemm(512, 512, 512, m=128, n=256, k=512)
    with pytest.raises(tile.ArgumentError, match="expected an array or a number"):
        gemm.estimate(tile.ir.ArrayType((None, None), tile.f16), make(4, 4), make(4, 4),
                      m=16, n=16, k=16)
    with pytest.raises(tile.TileError, match="expected a grid"):
        estimate_gemm(0, 64, 64)


@tile.kernel(grid=1)
def double_until(x, y, *, n):
    row = tile.load(x, 0, n).astype(tile.f32)
    while row.max() < 100:
        row = tile.exp(row)
    tile.store(y, 0, row)


def test_a_loop_with_a_condition_counts_one_iteration():
    found = double_until.estimate(make(1024), make(1024), n=1024, arch="sm_90a")
    assert found.sections[0].shuffles >= 1  # of the maximum
    assert found.sections[0].slots > 32 * 8 * 4
