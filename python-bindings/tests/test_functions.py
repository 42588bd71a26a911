# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that consist of several operations, against NumPy in float64: reductions
along several axes, reductions that consist of others, activations, and functions that
move elements. Also element types compared with types of other libraries."""

import math

import numpy as np
import pytest

import tile_mlir as tile
from checking import check, make

MACHINES = ["emulator", "cpu"]


# ----------------------------------------------------------------------------
# Reductions
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std"])
@pytest.mark.parametrize("machine, axis, keepdims", [
    ("emulator", (0, 2), False), ("emulator", (-1, 1), True), ("cpu", (0, 1), False),
    ("cpu", [1], False), ("emulator", (2, 0, 1), False), ("cpu", (), False)])
def test_reductions_along_several_axes(rng, name, machine, axis, keepdims):
    x = make(rng, np.float32, (3, 5, 7))
    check(lambda xp, x: getattr(xp, name)(
        x, axis=axis if xp is tile else tuple(axis), keepdims=keepdims), x,
        machine=machine)


def test_truth_along_several_axes(rng):
    x = rng.random((3, 5, 7)) < 0.1
    check(lambda xp, x: xp.any(x, axis=(0, 2)), x, dtype=np.int32)
    check(lambda xp, x: xp.all(~x, axis=(0, 2)), x, dtype=np.int32)
    check(lambda xp, x: xp.max(x, axis=(1, 2)), x.view(np.uint8) * np.uint8(200),
          dtype=np.uint8)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype, out", [
    (np.uint8, np.uint32), (np.int16, np.int32), (np.int8, np.int32),
    (np.int64, np.int64)])
def test_sums_of_narrow_integers(rng, machine, dtype, out):
    """Sums of 8-bit integers do not wrap around modulo 256."""
    x = make(rng, dtype, (5, 33)) + dtype(70)
    for function in (lambda xp, x: xp.sum(x, axis=1), lambda xp, x: xp.cumsum(x, axis=0),
                     lambda xp, x: xp.prod(x[:3], axis=0),
                     lambda xp, x: xp.cumprod(x[1:4], axis=0)):
        check(function, x, dtype=out, machine=machine)


def test_sum_of_f16_along_several_axes_is_rounded_once(rng):
    x = make(rng, np.float16, (33, 5, 31)) + np.float16(2)
    check(lambda xp, x: xp.sum(x, axis=(0, 2)), x, dtype=np.float16, tolerance=5e-4)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype, out, tolerance", [
    (np.float32, np.float32, 3e-6), (np.float64, np.float64, 1e-14),
    (np.float16, np.float16, 6e-4), (np.int8, np.float32, 3e-6),
    (np.complex64, np.float32, 3e-6)])
def test_variance(rng, machine, dtype, out, tolerance):
    """Checks also f16 values whose squares are beyond f16, and complex values."""
    x = make(rng, dtype)
    if dtype == np.float16:
        x *= np.float16(2000)
    check(lambda xp, x: xp.std(x, axis=1), x, dtype=out, tolerance=tolerance,
          machine=machine)
    check(lambda xp, x: xp.var(x / 5000), x, dtype=out, tolerance=tolerance,
          machine=machine, expected=np.var(x.astype(np.complex128) / 5000).real)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype, tolerance", [
    (np.float32, 1e-6), (np.float64, 1e-14), (np.float16, 6e-4)])
def test_logarithms_of_softmax(rng, machine, dtype, tolerance):
    """Checks also values whose exponentials overflow."""
    x = 200 * make(rng, dtype)
    wide = x.astype(np.float64)
    top = wide.max(axis=1, keepdims=True)
    total = np.log(np.exp(wide - top).sum(axis=1, keepdims=True)) + top
    check(lambda xp, x: tile.log_softmax(x, axis=1), x, dtype=dtype,
          tolerance=tolerance, machine=machine, expected=wide - total)
    check(lambda xp, x: tile.logsumexp(x, axis=1), x, dtype=dtype,
          tolerance=tolerance, machine=machine, expected=total[:, 0])
    whole = np.log(np.exp(wide - wide.max()).sum()) + wide.max()
    check(lambda xp, x: tile.logsumexp(x, keepdims=True), x, dtype=dtype,
          tolerance=tolerance, machine=machine, expected=np.full((1, 1), whole))


def test_logsumexp_of_infinities():
    x = np.array([[-np.inf, -np.inf], [np.inf, 3], [np.nan, 1]], np.float32)
    check(lambda xp, x: tile.logsumexp(x, axis=1), x,
          expected=np.array([-np.inf, np.inf, np.nan]))


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, np.float64])
@pytest.mark.parametrize("axis", [0, -1])
def test_argsort(rng, dtype, axis):
    """Checks that the order is stable in both directions."""
    x = (3 * abs(make(rng, dtype, (9, 21)))).astype(dtype)
    x[0] = x[4]
    expected = np.argsort(x, axis, kind="stable")
    check(lambda xp, x: tile.argsort(x, axis), x, dtype=np.int32, expected=expected)
    down = np.argsort(-x.astype(np.float64), axis, kind="stable")
    check(lambda xp, x: tile.argsort(x, axis, descending=True), x, dtype=np.int32,
          expected=down)


# ----------------------------------------------------------------------------
# Activations, and NaN
# ----------------------------------------------------------------------------

ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(x, 0),
    "gelu": lambda x: 0.5 * x * (1 + np.vectorize(math.erf)(x * np.sqrt(0.5)))}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("dtype, tolerance", [
    (np.float32, 3e-7), (np.float64, 1e-15), (np.float16, 1e-3)])
def test_activations(rng, machine, name, dtype, tolerance):
    x = 4 * make(rng, dtype)
    x[0, :2] = 90, -90
    check(lambda xp, x: getattr(tile, name)(x) if xp is tile else ACTIVATIONS[name](x),
          x, dtype=dtype, tolerance=tolerance, machine=machine)


def test_gelu_by_tanh(rng):
    x = 2 * make(rng, np.float32)
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x.astype(np.float64) ** 3)
    check(lambda xp, x: tile.gelu(x, approximate=True), x,
          expected=0.5 * x * (1 + np.tanh(inner)), tolerance=1e-6)


def test_activations_of_integers_and_scalars(rng):
    n = make(rng, np.int16)
    check(lambda xp, x: tile.softplus(x), n, expected=np.logaddexp(n, 0.0))
    x = make(rng, np.float32, (1, 7))
    check(lambda xp, x: tile.silu(x[0, 3]) + tile.gelu(x[0, 2]), x, expected=np.array(
        [ACTIVATIONS["silu"](x[0, 3].astype(float)) +
         ACTIVATIONS["gelu"](x[0, 2].astype(float))]), tolerance=1e-6)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["isnan", "isinf", "isfinite"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.complex64,
                                   np.int32])
def test_what_is_no_number(rng, machine, name, dtype):
    x = make(rng, dtype)
    if x.dtype.kind in "fc":
        x[0, :3] = np.inf, -np.inf, np.nan
    if x.dtype.kind == "c":
        x[1, :2] = complex(1, np.inf), complex(np.nan, -np.inf)
    check(lambda xp, x: getattr(xp, name)(x), x, dtype=np.int32, machine=machine)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint16])
def test_sign(rng, dtype):
    x = make(rng, dtype)
    x[0, 0] = 0
    if x.dtype.kind == "f":
        x[0, 1:4] = np.nan, np.inf, -np.inf
    check(lambda xp, x: xp.sign(x), x, dtype=dtype, tolerance=0)


def test_bounds_of_clip(rng):
    x = make(rng, np.float32)
    check(lambda xp, x: xp.clip(x, None, 0.5), x)
    check(lambda xp, x: xp.clip(x, -0.25, None) + tile.clip(x, 0.125) if xp is tile else
          np.clip(x, -0.25, None) + np.clip(x, 0.125, None), x)


@pytest.mark.parametrize("name", [
    "divide", "floor_divide", "remainder", "equal", "less", "greater_equal"])
def test_operators_by_name(rng, name):
    x, y = make(rng, np.float32), make(rng, np.float32)
    y[1] = x[1]
    check(lambda xp, x, y: getattr(xp, name)(x, y), x, y)


# ----------------------------------------------------------------------------
# Moving elements
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("machine, dtype", [
    ("emulator", np.float32), ("emulator", np.complex64), ("cpu", np.uint8)])
@pytest.mark.parametrize("function", [
    lambda xp, x: xp.flip(x), lambda xp, x: xp.flip(x, 1),
    lambda xp, x: xp.flip(x, (0, -1)), lambda xp, x: x[::-1],
    lambda xp, x: x[3:0:-2, None, ::-3], lambda xp, x: x[4:1:-1, 5],
    lambda xp, x: xp.roll(x, 3, 1), lambda xp, x: xp.roll(x, -28, axis=0),
    lambda xp, x: xp.roll(x, 0, 0), lambda xp, x: xp.pad(x, 2),
    lambda xp, x: xp.pad(x, (1, 0)), lambda xp, x: xp.pad(x, ((0, 3), (2, 1))),
    lambda xp, x: xp.tril(x), lambda xp, x: xp.triu(x, 2),
    lambda xp, x: xp.tril(x, -1) + xp.triu(x, k=-2),
    lambda xp, x: x + xp.ones_like(x) * xp.full_like(x, 3) - xp.zeros_like(x)])
def test_elements_are_moved(rng, machine, dtype, function):
    x = make(rng, dtype)
    check(function, x, dtype=dtype, tolerance=1e-6, machine=machine)


@pytest.mark.parametrize("bounds", [(7,), (3, 9), (-2, 9, 3), (9, -4, -4), (5, 6, 9)])
def test_ranges(rng, bounds):
    count = len(range(*bounds))
    x = make(rng, np.int32, (count,))
    check(lambda xp, x: x + xp.arange(*bounds), x, dtype=np.int32)
    check(lambda xp, x: xp.arange(*bounds, dtype=np.float32) + x * 0.0, x)


def test_padding_by_a_value(rng):
    x = make(rng, np.float16, (3, 4, 5))
    check(lambda xp, x: tile.pad(x, ((1, 0), (0, 0), (2, 3)), -1.5) if xp is tile else
          np.pad(x, ((1, 0), (0, 0), (2, 3)), constant_values=-1.5), x,
          dtype=np.float16, tolerance=0)


@tile.kernel
def roll_rows(x, out, shift):
    t = tile.load(x, (0, 0), (5, 13))
    tile.store(out, (0, 0), tile.roll(t, shift, 0))


@pytest.mark.parametrize("shift", [0, 2, -1, 104, 2 ** 40 + 1])
def test_shift_of_the_program(rng, shift):
    x = make(rng, np.float32)
    out = np.full_like(x, np.nan)
    roll_rows[1](x, out, shift)
    np.testing.assert_array_equal(out, np.roll(x, shift, 0))


# ----------------------------------------------------------------------------
# Types
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("name, dtype", [
    ("float32", np.float32), ("float16", np.dtype("float16")), ("uint8", np.uint8),
    ("int64", "int64"), ("bool", bool), ("complex64", np.complex64)])
def test_types_are_equal_to_what_others_call_them(name, dtype):
    """A kernel may compare `x.dtype == np.float32`, with either operand first."""
    found = tile.element(name)
    others = set(tile.element(n) for n in ("float64", "int8")) - {found}
    assert found == dtype and dtype == found
    assert not found != dtype
    assert all(other != dtype and dtype != other for other in others)
    assert found != None and found != "no type" and found != 3  # noqa: E711
    assert hash(found) == hash(tile.element(dtype))
