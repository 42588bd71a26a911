# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and scalars of the types that ml_dtypes adds to NumPy: needs ml_dtypes."""

import functools

import numpy as np
import pytest

ml_dtypes = pytest.importorskip("ml_dtypes")

import tile_mlir as tile  # noqa: E402

TYPES = {"bf16": ml_dtypes.bfloat16, "f8e4m3": ml_dtypes.float8_e4m3fn,
         "f8e5m2": ml_dtypes.float8_e5m2}


@pytest.fixture(params=TYPES.values(), ids=TYPES)
def dtype(request):
    return request.param


def make(rng, dtype, *shape):
    return rng.standard_normal(shape).astype(dtype)


@tile.kernel(grid=lambda x, s, y: tile.cdiv(x.shape[0], 4))
def scale(x, s, y):
    first = tile.program_id(0) * 4
    y[first, 0] = 7
    tile.store(y, (first, 0), tile.load(x, (first, 0), (4, 16)).astype(tile.f32) * s)


def test_arrays_and_numbers(rng, machine, dtype):
    """Checks arrays with strides, and scalars, which take the type of the array."""
    x = make(rng, dtype, 11, 26)[:, ::2]
    for s in (dtype(1.5), 1.5, np.float32(1.5)):
        y = np.full((11, 13), np.nan, dtype)
        scale(x, s, y)
        np.testing.assert_array_equal(y.astype(np.float32),
                                      (x.astype(np.float32) * 1.5).astype(dtype))


def test_types_by_name(dtype):
    found = tile.element(dtype)
    assert found == tile.element(np.dtype(dtype).name) == dtype
    assert tile.elements.get_dtype(found) == dtype
    assert tile.empty_like(np.zeros(3, dtype)).dtype == dtype
    assert tile.empty_like(np.zeros(3), dtype=found).dtype == dtype


@tile.kernel
def multiply(a, b, c):
    tile.store(c, (0, 0), tile.load(a, (0, 0), (16, 32)) @ tile.load(b, (0, 0), (32, 8)))


def test_matmul(rng, machine, dtype):
    a, b = make(rng, dtype, 13, 27), make(rng, dtype, 27, 5)
    c = np.full((13, 5), np.nan, np.float32)
    multiply[1](a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64),
                               rtol=1e-5, atol=1e-5)


# ----------------------------------------------------------------------------
# Arithmetic in f32
# ----------------------------------------------------------------------------

# Functions in which each operation is rounded once, as in ml_dtypes.
EXACT = {
    "sum": lambda xp, a, b: a + b, "difference": lambda xp, a, b: a - b * a,
    "number": lambda xp, a, b: 2 * a - 1, "quotient": lambda xp, a, b: a / b,
    "negative": lambda xp, a, b: -abs(a), "greater": lambda xp, a, b: xp.maximum(a, b),
    "root": lambda xp, a, b: xp.sqrt(abs(a)), "floor": lambda xp, a, b: xp.floor(a),
    "sign": lambda xp, a, b: xp.copysign(a, b),
    "choice": lambda xp, a, b: xp.where((a < b) & (a != 0) & ~(a >= b), a, b),
    "scalar": lambda xp, a, b: a + b[1, 2] * b[0, 0],
    "truth": lambda xp, a, b: xp.where(xp.isfinite(a) & ~xp.isnan(b), a, b)}


@tile.kernel
def combine(a, b, out, *, functions):
    a, b = (tile.load(x, (0, 0), (5, 7)) for x in (a, b))
    for n, function in enumerate(functions):
        tile.store(out, (n, 0, 0), function(a, b).astype(a.dtype))


def run(functions, a, b):
    """Returns the result of each of the functions, by their names, as f32."""
    out = np.full((len(functions), *a.shape), 77, a.dtype)
    combine[1](a, b, out, functions=tuple(functions.values()))
    return dict(zip(functions, out.astype(np.float32)))


CASES = [("emulator", "f8e4m3"), ("cpu", "f8e5m2"), ("emulator", "bf16")]


@pytest.mark.parametrize("machine, name", CASES, indirect=["machine"])
def test_arithmetic(rng, machine, name):
    dtype = TYPES[name]
    a, b = make(rng, dtype, 5, 7), make(rng, dtype, 5, 7)
    found = run({name: functools.partial(function, tile)
                 for name, function in EXACT.items()}, a, b)
    for name, function in EXACT.items():
        expected = function(np, a, b)
        assert expected.dtype == dtype
        np.testing.assert_array_equal(found[name], expected.astype(np.float32), name)


# Functions that are computed in f32 and rounded once at the end.
IN_F32 = {
    "remainder": (lambda a, b: a % b, np.remainder),
    "floor of the quotient": (lambda a, b: a // b, np.floor_divide),
    "power": (lambda a, b: abs(a) ** b, lambda a, b: abs(a) ** b),
    "fma": (lambda a, b: tile.fma(a, b, a), lambda a, b: a * b + a),
    "exp": (lambda a, b: tile.exp(a), lambda a, b: np.exp(a)),
    "atan2": (tile.atan2, np.arctan2),
    "sum": (lambda a, b: tile.broadcast_to(a.sum(1, keepdims=True), (5, 7)),
            lambda a, b: a.sum(1, keepdims=True) + 0 * b),
    "mean": (lambda a, b: a.mean(0) + 0 * b, lambda a, b: a.mean(0) + 0 * b),
    "greatest": (lambda a, b: tile.where(b == b, a.max(), b),
                 lambda a, b: a.max() + 0 * b),
    "first": (lambda a, b: a.argmin(1, keepdims=True) + 0 * b,
              lambda a, b: a.argmin(1, keepdims=True) + 0 * b),
    "order": (lambda a, b: tile.sort(a, 1), lambda a, b: np.sort(a, 1)),
    "sums": (lambda a, b: tile.cumsum(a, 1), lambda a, b: np.cumsum(a, 1)),
    "softmax": (lambda a, b: tile.softmax(a, 1),
                lambda a, b: np.exp(a) / np.exp(a).sum(1, keepdims=True)),
    "least so far": (lambda a, b: -tile.cummax(a, 1),
                     lambda a, b: -np.maximum.accumulate(a, 1)),
    "function": (lambda a, b: tile.map(lambda x, y: x * y, a, b), lambda a, b: a * b),
    "reduction": (lambda a, b: tile.reduce(tile.maximum, a, -30, 0) + 0 * b,
                  lambda a, b: a.max(0) + 0 * b),
    "matmul of vectors": (lambda a, b: (a @ b[0])[:, None] + 0 * b,
                          lambda a, b: (a @ b[0])[:, None] + 0 * b)}


@pytest.mark.parametrize("machine, name", CASES, indirect=["machine"])
def test_functions(rng, machine, name):
    dtype = TYPES[name]
    a, b = make(rng, dtype, 5, 7), make(rng, dtype, 5, 7)
    found = run({name: function for name, (function, _) in IN_F32.items()}, a, b)
    unit = float(ml_dtypes.finfo(dtype).eps)
    for name, (_, reference) in IN_F32.items():
        expected = reference(a.astype(np.float32), b.astype(np.float32))
        np.testing.assert_allclose(found[name], expected, 2 * unit, unit / 4, False, name)
