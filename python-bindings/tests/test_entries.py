# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with `tile.auto` for arrays whose sizes are known only at run time."""

import json
import math
import re

import numpy as np
import pytest

import tile_mlir as tile
from tile_mlir import library
from tile_mlir.launching.arguments import describe, pack_all

from test_auto import double, gemm, sum_parts, without_grid


def make(*shape, seed=1, dtype=np.float16):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def array(rank, dtype=tile.f16):
    return tile.ir.ArrayType((None,) * rank, dtype)


GEMM = array(2), array(2), array(2, tile.f32)


def evaluate(expression, arguments):
    """Evaluates an expression of the metadata (docs/ABI.md)."""
    if not isinstance(expression, list):
        return expression
    operator, *rest = expression
    if operator == "size":
        return arguments[rest[0]].shape[rest[1]]
    if operator == "arg":
        return arguments[rest[0]]
    a, b = (evaluate(one, arguments) for one in rest)
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
            "ceildiv": lambda: -(-a // b), "floordiv": lambda: a // b,
            "max": lambda: max(a, b), "<": lambda: int(a < b),
            "<=": lambda: int(a <= b)}[operator]()


def get_grids(metadata, arguments):
    """Returns the grid of each launch of a function that runs blocks, by the names of
    the kernels."""
    [function] = metadata["functions"]
    grids = {launch["kernel"]: tuple(evaluate(n, arguments) for n in launch["grid"])
             for launch in function["launches"]}
    return {name: grid for name, grid in grids.items() if math.prod(grid)}


def get_values(kernel):
    return {name: int(value) for name, value in re.findall(r"_([a-z])(\d+)", kernel)}


def run(kernel, types, arguments, machine, **options):
    """Runs the program for types on arrays."""
    program, _ = kernel.definition.find_program(types, {}, "sm_90a", **options)
    result = program.compile_for(machine)
    packed = pack_all([describe("", one) for one in arguments], types)
    library.run(result, program.name, [argument for argument, _ in packed],
                library.RunOptions())


MACHINES = {"emulator": lambda: tile.emulator("sm_90a"), "cpu": tile.cpu}
# Calls of which each entry of the program that is chosen for SAMPLES gets one.
SIZES = [(70, 90, 45), (1, 8, 333), (321, 517, 70), (900, 700, 24)]
SAMPLES = [(np.empty((n, n), np.float16), np.empty((n, n), np.float16),
            np.empty((n, n), np.float32)) for n in (64, 256, 512, 1024)]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("sizes", SIZES)
def test_gemm(machine, sizes):
    m, n, k = sizes
    a, b = make(m, k), make(k, n, seed=2)
    c = np.full((m, n), np.nan, np.float32)
    with MACHINES[machine]() as chosen:
        run(gemm, GEMM, (a, b, c), chosen, samples=SAMPLES)
    assert np.abs(c - a.astype(np.float64) @ b.astype(np.float64)).max() < 1e-3 * k


def test_one_entry_is_taken():
    made = gemm.compile(*GEMM, arch="sm_90a", outputs=("metadata",), samples=SAMPLES)
    metadata = json.loads(made["metadata"])
    names = [kernel["name"] for kernel in metadata["kernels"]]
    taken = set()
    for m, n, k in (*SIZES, (256, 256, 256), (16, 4096, 64), (4096, 4096, 4096), (8192, 1, 1)):
        arrays = np.empty((m, k)), np.empty((k, n)), np.empty((m, n))
        [(name, grid)] = get_grids(metadata, arrays).items()
        values = get_values(name)
        assert grid == (math.ceil(m / values["m"]), math.ceil(n / values["n"]), 1)
        taken.add(name)
    assert taken == set(names) and 2 <= len(names) <= 4
    assert get_grids(metadata, (np.empty((0, 5)),) * 3) == {}


def test_many_blocks_get_large_tiles():
    made = gemm.compile(*GEMM, arch="sm_90a", outputs=("metadata",))
    metadata = json.loads(made["metadata"])
    areas = []
    for n in (64, 512, 1024, 4096):
        [name] = get_grids(metadata, (np.empty((n, n)),) * 3)
        areas.append(get_values(name)["m"] * get_values(name)["n"])
    assert areas == sorted(areas) and areas[0] <= 32 * 64 and areas[-1] >= 128 * 128


def test_the_program_depends_on_nothing_else():
    first = gemm.trace(*GEMM)
    gemm.definition._choices.clear()
    gemm.definition._programs.clear()
    gemm.choose(*(np.empty((40, 40), np.float16),) * 3)
    assert gemm.trace(*GEMM) == first


def test_a_sample_alone_gives_its_choice():
    sample = *(np.empty((300, 300), np.float16),) * 2, np.empty((300, 300), np.float32)
    text = gemm.trace(*GEMM, samples=[sample])
    values = gemm.choose(*sample).values
    assert re.findall('tile.kernel.*sym_name = "([^"]*)"', text) == [
        "gemm_" + "_".join(f"{name}{value}" for name, value in values.items())]


@pytest.mark.parametrize("machine", MACHINES)
def test_the_grid_may_take_lengths_and_numbers(machine):
    x, y = make(1000, dtype=np.float32), np.full(1000, np.nan, np.float32)
    with MACHINES[machine]() as chosen:
        run(double, (array(1, tile.f32),) * 2, (x, y), chosen)
    assert (y == 2 * x).all()


@tile.kernel(grid=lambda x, count, m: (max(count // m, 1), 2))
def count_blocks(x, count, *, m=tile.auto):
    i = tile.program_id(0) * m
    tile.store(x, (tile.program_id(1), i), tile.full((1, m), 1.0))


def test_integers_have_values_in_samples():
    metadata = json.loads(count_blocks.compile(
        array(2, tile.f32), tile.index, arch="sm_90a", outputs=("metadata",))["metadata"])
    [(name, grid)] = get_grids(metadata, (np.empty((2, 700)), 700)).items()
    assert grid == (700 // get_values(name)["m"], 2, 1)


def test_a_report_has_the_choice():
    x = np.zeros((64, 64), np.float16)
    made = gemm.specialize(x, x, x, arch="sm_90a").report()
    found = gemm.choose(x, x, x, arch="sm_90a")
    m, n, k = found.values.values()
    assert f"chosen by the estimated time: m={m}, n={n}, k={k}, " in str(made)
    assert made.json["choice"]["values"] == {"m": m, "n": n, "k": k}
    assert len(made.json["choice"]["rivals"]) == len(found.rivals)
    assert "<th>estimated time</th>" in re.sub(' class="[a-z]*"', "", made._repr_html_())
    gemm(x, x, np.empty((64, 64), np.float32))
    assert "chosen by the estimated time" in str(gemm.report())
    gemm(x, x, np.empty((64, 64), np.float32), m=16, n=16, k=16)
    assert "chosen by the estimated time" not in str(gemm.report())


@tile.kernel(grid=lambda x, m: (1, tile.cdiv(x.shape[0], m)))
def rows(x, *, m=tile.auto):
    i = tile.program_id(1) * m
    tile.store(x, (i, 0), 2 * tile.load(x, (i, 0), (m, 64)))


def test_values_whose_grid_is_too_large_for_a_sample():
    types = tile.ir.ArrayType((None, 64), tile.f32)
    samples = [(np.empty((n, 64), np.float32),) for n in (64, 1_000_000)]
    for given in (None, samples):
        made = rows.compile(types, arch="sm_90a", outputs=("metadata",), samples=given)
        [(_, grid)] = get_grids(json.loads(made["metadata"]), samples[1]).items()
        assert grid[1] <= 65535


def compile_with_grid(grid, *types):
    @tile.kernel(grid=grid)
    def scale(x, y, count=1, *, m=tile.auto):
        i = tile.program_id(0) * m
        tile.store(y, i, 2 * tile.load(x, i, m))

    made = scale.compile(*types, arch="sm_90a", outputs=("metadata",))
    return json.loads(made["metadata"])


def test_grids_of_several_forms():
    vector, x = array(1, tile.f32), np.empty(1000, np.float32)
    for grid, *types in (
            (lambda x, y, m: tile.cdiv(len(y), m), vector, x),
            (lambda x, y, m: tile.cdiv(len(x), m), x, vector),
            (lambda x, m: tile.cdiv(x.size, m * x.ndim), vector, vector),
            (lambda x, m: (tile.cdiv(x.shape[0], m), np.int64(1)), vector, vector),
            (lambda count, m: tile.cdiv(count, m), vector, vector, tile.i32),
            (np.array([3, 1]), vector, vector)):
        metadata = compile_with_grid(grid, *types)
        [(name, blocks)] = get_grids(metadata, (x, x, 1000)).items()
        m = int(re.findall(r"_m(\d+)", name)[0])
        assert blocks == ((3, 1, 1) if isinstance(grid, np.ndarray) else
                          (math.ceil(1000 / m), 1, 1))


def test_a_grid_that_launchers_cannot_compute():
    vector = array(1, tile.f32)
    with pytest.raises(tile.LaunchError, match="expected a grid of the kernel 'scale' that "
                       "launchers can compute, by"):
        compile_with_grid(lambda x, m: tile.cdiv(len(x), m) & 0xffff, vector, vector)


def test_each_phase_has_a_program():
    made = double.specialize(array(1, tile.f32), array(1, tile.f32), arch="sm_90a")
    assert "llvm.func" in made.ir["convert-tile-kernel-to-nvvm"]
    assert "double_m" in made.report()._repr_html_()


def test_errors():
    x = np.zeros((8, 8), np.float16)
    with pytest.raises(tile.LaunchError, match="expected a grid of the kernel "
                       "'without_grid' that follows from n=tile.auto"):
        without_grid.compile(array(1), n=tile.auto)
    with pytest.raises(tile.ArgumentError, match="expected 'samples' only if a keyword is "
                       "tile.auto and an argument is a type"):
        gemm.compile(x, x, x, samples=SAMPLES)
    with pytest.raises(tile.ArgumentError, match="expected 'samples' only if"):
        gemm.compile(*GEMM, m=16, n=16, k=16, samples=SAMPLES)
    with pytest.raises(tile.ArgumentError, match="expected at least one call as a sample"):
        gemm.compile(*GEMM, samples=[])
    y = x.astype(np.float32)
    with pytest.raises(tile.ArgumentError, match="expected an array or a number for 'b'"):
        gemm.compile(*GEMM, samples=[(x, array(2), y)])
    with pytest.raises(tile.ArgumentError, match="missing a required argument"):
        gemm.compile(*GEMM, samples=[(x, x)])
    for wrong, text in ((x[0], "array of [?] f16"), (y, "array of [?]x[?] f32"),
                        (x[:, ::2], "array of [?]x[?] f16"), (3, "tile.index")):
        with pytest.raises(tile.ArgumentError, match="expected the type array of [?]x[?] f16 "
                           f"for 'a' in sample 1, got the type {text}"):
            gemm.compile(*GEMM, samples=[(x, x, y), (wrong, x, y)])
    with pytest.raises(tile.ArgumentError, match="expected the type array of [?]x[?] f32 for "
                       "'c' in sample 0, got None"):
        gemm.compile(*GEMM, samples=[(x, x, None)])
    with pytest.raises(tile.ArgumentError, match="expected a tuple of positional arguments "
                       "as sample 0, got an array of NumPy"):
        gemm.compile(*GEMM, samples=[x])
    with pytest.raises(tile.ArgumentError, match="expected arrays of at most 268435456 "
                       "elements if unknown sizes are 64, got array of "):
        gemm.compile(array(5), array(2), array(2))
    with pytest.raises(tile.TileError, match="expected a grid of one to three integers"):
        tile.kernel(grid=lambda x, n: x.shape[0] / n)(sum_parts.definition.function).compile(
            array(1), array(1), tile.index, n=tile.auto)
    with pytest.raises(tile.CompileError, match="expected a Python value as a condition"):
        tile.kernel(grid=lambda x, n: 1 if x.shape[0] < n else 2)(
            sum_parts.definition.function).compile(array(1), array(1), tile.index,
                                                   n=tile.auto)
