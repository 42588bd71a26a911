# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of cuTile Python on the machines of the host."""

import sys
from pathlib import Path

import numpy as np
import pytest

ct = pytest.importorskip("cuda.tile")

import tile_mlir as tile  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test/Import/Inputs"))
import cutile_kernels as kernels  # noqa: E402
from test_documentation import read_blocks, run  # noqa: E402

pytestmark = pytest.mark.usefixtures("machine")


def blank(*shape, dtype=np.float32):
    """Returns an array whose elements are wrong unless they are written."""
    value = np.nan if np.dtype(dtype).kind == "f" else 77
    return np.full(shape, value, dtype)


# ----------------------------------------------------------------------------
# Results
# ----------------------------------------------------------------------------


def test_constants_are_positional_or_named(rng):
    add = tile.from_cutile(kernels.add)
    x, y = rng.standard_normal((2, 1000), np.float32)
    for call in (lambda z: add[8](x, y, z, 128), lambda z: add[(8, 1, 1)](x, y, z, n=128),
                 lambda z: add[lambda x, n: tile.cdiv(len(x), n)](x, y, z, 64)):
        z = blank(1000)
        call(z)
        np.testing.assert_array_equal(z, x + y)


@pytest.mark.parametrize("m,n,k", [(70, 90, 50), (1, 1, 1), (64, 129, 33)])
def test_matmul(rng, m, n, k):
    matmul = tile.from_cutile(kernels.matmul, grid=lambda c, m, n: (
        tile.cdiv(c.shape[0], m), tile.cdiv(c.shape[1], n)))
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    c = blank(m, n)
    matmul(a, b, c, 64, 64, 32)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b.astype(np.float64),
                               atol=1e-4)


def test_softmax_of_rows_of_a_larger_array(rng):
    """Rows are further apart than they are long."""
    x = rng.standard_normal((5, 700)).astype(np.float16)[:, 30:630]
    y = blank(5, 640, dtype=np.float16)[:, :600]
    tile.from_cutile(kernels.softmax)[5](x, y, 1024)
    wide = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(y, wide / wide.sum(1, keepdims=True), atol=1e-3)


@ct.kernel
def transposes(xs, ys, sums, n: ct.Constant[int]):
    """Twice the transposes of a list's matrices, and the sums of their rows' tiles."""
    i, j = ct.bid(0), ct.bid(1)
    x, y = xs[i], ys[i]
    t = ct.load(x, index=(j, 0), shape=(n, n))
    ct.store(y, index=(0, j), tile=ct.transpose(t) * 2)
    ct.store(sums, index=(i, j), tile=ct.reshape(ct.sum(t), (1, 1)))


def test_lists_of_arrays(rng):
    kernel = tile.from_cutile(transposes)
    shapes = (5, 7), (13, 3), (8, 8)
    for count in (2, 3, 1):
        xs = [rng.standard_normal(shape, np.float32) for shape in shapes[:count]]
        # Rows of the first result are further apart than they are long.
        ys = [blank(7, 9)[:, :5], *(blank(*x.T.shape) for x in xs[1:])]
        sums = blank(count, 2)
        kernel[(count, 2)](xs, ys=ys, sums=sums, n=8)
        for x, y, sum_ in zip(xs, ys, sums):
            np.testing.assert_array_equal(y, 2 * x.T)
            np.testing.assert_allclose(sum_, [x[:8].sum(), x[8:].sum()], atol=1e-5)


@ct.kernel
def overwritten(ys):
    """All programs store to the first array of a list."""
    y = ys[0]
    ct.store(y, index=(0, 0), tile=ct.full((4, 4), ct.bid(0), ct.float32))


def test_a_list_is_checked(rng):
    xs, ys = ([rng.standard_normal((4, 4), np.float32)] for _ in range(2))
    kernel = tile.from_cutile(transposes)
    report = tile.check(kernel, (xs, ys, blank(1, 1), 4), grid=(1, 1))
    assert "nothing found" in str(report)
    with pytest.raises(tile.EmulatorError, match="race") as found:
        tile.check(tile.from_cutile(overwritten), (ys,), grid=2)
    assert "'ys[0]'" in str(found.value)


def test_results_are_rounded_down(rng):
    x, y = rng.standard_normal((2, 16), np.float32)
    found = blank(16)
    tile.from_cutile(rounded_down)[1](x, y, found)
    exact = x.astype(np.float64) * y.astype(np.float64)
    nearest = (x * y).astype(np.float64)
    right = np.where(nearest > exact, np.nextafter(x * y, np.float32(-np.inf)), x * y)
    np.testing.assert_array_equal(found, right)


@ct.kernel
def rounded_down(x, y, z):
    s = ct.load(x, index=(0,), shape=(16,))
    t = ct.load(y, index=(0,), shape=(16,))
    ct.store(z, index=(0,), tile=ct.mul(s, t, rounding_mode=ct.RoundingMode.RM))


def test_gathers_take_addresses(rng):
    x = rng.standard_normal(1000, np.float32)[::3]
    rows = rng.integers(0, len(x), 200).astype(np.int32)
    y = blank(200)
    tile.from_cutile(kernels.take)[4](x, rows, y, 64)
    np.testing.assert_array_equal(y, 2 * x[rows])


def test_slices_begin_at_values_of_an_array(rng):
    x = rng.standard_normal((37, 45), np.float32)
    starts = np.array([0, 13, 13, 30, 37], np.int32)
    y = blank(37, 34)
    tile.from_cutile(kernels.chunks)[4](x, starts, y, 8, 32)
    np.testing.assert_array_equal(y[:, :32], 2 * x[:, 1:33])
    assert np.isnan(y[:, 32:]).all()


def test_rows_by_indices(rng):
    x = rng.standard_normal((37, 45), np.float32)
    rows = rng.integers(0, 37, 48).astype(np.int32)
    y = blank(32, 48)
    tile.from_cutile(kernels.pick_rows)[3](x, rows, y, 16, 32)
    np.testing.assert_array_equal(y, x[rows, 2:34].T)


@ct.kernel
def corner(x, y, unused, scale, shift: ct.Constant[int], n: ct.Constant[int]):
    i = ct.bid(0)
    row = ct.gather(x, (i, ct.arange(n, dtype=ct.int32)))
    row = ct.reshape(row, (1, n)) * scale + x.shape[1] + shift
    ct.store(y, index=(i, 0), tile=row)


def test_extents_and_strides_are_arguments(rng):
    x = rng.standard_normal((5, 30), np.float32)[:, :13]
    y = blank(5, 16)
    tile.from_cutile(corner)[5](x, y, np.zeros(3, np.int8), 2.5, 3, 16)
    expected = np.zeros((5, 16))
    expected[:, :13] = x * 2.5
    np.testing.assert_allclose(y, expected + 13 + 3, rtol=1e-6)


@pytest.mark.parametrize("m,n", [(16, 32), (37, 45), (3, 70)])
def test_gathers_of_boxes_are_loads(rng, m, n):
    x = rng.standard_normal((m, 2 * n), np.float32)[:, :n]
    y, z = blank(n, m), blank(m + 3, n + 2)
    kernel = tile.from_cutile(kernels.rows_and_columns)
    text = kernel.trace(x, y, z, 16, 32)
    assert text.count("tile.load") == 1 and text.count("tile.store") == 2
    assert "tile.gather" not in text and "tile.scatter" not in text
    kernel[tile.cdiv(m + 3, 16), tile.cdiv(n + 2, 32)](x, y, z, 16, 32)
    np.testing.assert_array_equal(y, x.T)
    padded = np.full(z.shape, 5, np.float32)
    padded[:m, :n] = x
    np.testing.assert_array_equal(z, 2 * padded)


@ct.kernel
def no_boxes(x, y, n: ct.Constant[int]):
    """Copies every second element, and each element of a row twice."""
    i = ct.arange(n, dtype=ct.int32)
    ct.scatter(y, (0, i), ct.gather(x, (0, 2 * i)))
    rows = ct.expand_dims(i, 1) + ct.full((1, 2), 0, dtype=ct.int32)
    ct.scatter(y, (ct.full((n, 2), 1, dtype=ct.int32), rows), ct.gather(x, (1, rows)))


def test_other_gathers_stay(rng):
    x, y = rng.standard_normal((2, 20), np.float32), blank(2, 16)
    kernel = tile.from_cutile(no_boxes)
    text = kernel.trace(x, y, 8)
    assert text.count("tile.gather") == 2 and "tile.load" not in text
    kernel[1](x, y, 8)
    np.testing.assert_array_equal(y[0, :8], x[0, :16:2])
    np.testing.assert_array_equal(y[1, :8], x[1, :8])
    assert np.isnan(y[:, 8:]).all()


@ct.kernel
def unchecked(x, y, n: ct.Constant[int]):
    i = ct.bid(0) * n + ct.arange(n, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, i, check_bounds=False) * 3, check_bounds=False)


def test_gathers_without_checks(rng):
    x, y = rng.standard_normal(64, np.float32), blank(64)
    kernel = tile.from_cutile(unchecked)
    assert kernel.trace(x, y, 16).count("in_bounds") == 2
    kernel[4](x, y, 16)
    np.testing.assert_array_equal(y, x * np.float32(3))
    with pytest.raises(tile.EmulatorError), tile.emulator():
        kernel[5](x, y, 16)


@ct.kernel
def wrapped(x, y, n: ct.Constant[int]):
    i = ct.arange(n, dtype=ct.int8) + ct.full((n,), 100, dtype=ct.int8)
    ct.scatter(y, ct.arange(n, dtype=ct.int32), ct.gather(x, i))


def test_narrow_indices_wrap():
    """Indices beyond 127 are negative, for which a gather has zeros."""
    x, y = np.arange(1, 1001, dtype=np.float32), blank(64)
    tile.from_cutile(wrapped)[1](x, y, 64)
    np.testing.assert_array_equal(y, [*range(101, 129), *([0] * 36)])


@ct.kernel
def twice(arg1, arg0, z, n: ct.Constant[int]):
    """Reads an array by a view and by addresses."""
    i = ct.arange(n, dtype=ct.int32)
    t = ct.load(arg1, index=(0,), shape=(n,)) + ct.gather(arg1, 2 * i)
    ct.store(z, index=(0,), tile=t - ct.load(arg0, index=(0,), shape=(n,)))


def test_two_forms_of_an_array(rng):
    x, y = rng.standard_normal((2, 32), np.float32)
    z = blank(16)
    tile.from_cutile(twice)[1](x, y, z, 16)
    np.testing.assert_array_equal(z, x[:16] + x[::2] - y[:16])


def test_loops_with_branches(rng):
    x = rng.integers(-50, 50, (21, 32)).astype(np.int32)
    y = blank(4, 32, dtype=np.int32)
    tile.from_cutile(kernels.sum_even)[4](x, y, 7, 32)
    expected = np.stack([part[part[:, 0] % 2 == 0].sum(0) for part in np.split(x, 3)])
    np.testing.assert_array_equal(y[:3], expected)
    np.testing.assert_array_equal(y[3], 77)  # the last program returns early


@ct.kernel
def scaled(x, s, y, n: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, index=(i,), shape=(n,))
    ct.store(y, index=(i,), tile=t * ct.astype(s, x.dtype))


@pytest.mark.parametrize("dtype,scale", [
    (np.int8, -3), (np.int32, -(1 << 31)), (np.uint8, 2), (np.int64, 1 << 30),
    (np.float16, 0.5), (np.float32, -2.5), (np.float64, 3.0)])
def test_types(rng, dtype, scale):
    x = rng.integers(0, 40, 10).astype(dtype)
    y = blank(10, dtype=dtype)
    tile.from_cutile(scaled)[3](x, scale, y, 4)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(y, (x.astype(np.int64) * int(scale)).astype(dtype)
                                      if x.dtype.kind in "iu" else x * dtype(scale))


def test_no_elements():
    x = np.zeros(0, np.float32)
    tile.from_cutile(scaled, grid=lambda x, n: tile.cdiv(len(x), n))(x, 2.0, x.copy(), 4)


@ct.kernel
def wide(x: ct.IndexedWithInt64, s: ct.ScalarInt64, y, n: ct.Constant[int]):
    ct.store(y, index=(0,), tile=ct.load(x, index=(0,), shape=(n,)) + s + x.shape[0])


def test_integers_of_64_bits():
    x, y = np.arange(5), np.zeros(5, np.int64)
    tile.from_cutile(wide)[1](x, 1 << 40, y, 8)
    np.testing.assert_array_equal(y, x + (1 << 40) + 5)


# ----------------------------------------------------------------------------
# Other uses
# ----------------------------------------------------------------------------


def test_check_finds_a_race():
    x = np.zeros(1, np.int32)

    @ct.kernel
    def race(x):
        ct.store(x, index=(0,), tile=ct.full((1,), ct.bid(0), dtype=ct.int32))

    with pytest.raises(tile.EmulatorError, match="race") as found:
        tile.check(tile.from_cutile(race), (x,), grid=4)
    assert found.value.findings[0].file == __file__


def test_check_says_what_was_run(rng):
    x, y = rng.standard_normal((2, 100), np.float32)
    checked = tile.check(tile.from_cutile(kernels.add), (x, y, blank(100), 32), grid=4)
    assert str(checked).startswith("add: nothing found on the emulator of sm_80, grid 4")


def test_the_page(tmp_path, capsys):
    page = ROOT / "docs/CudaTile.md"
    path = tmp_path / "page.py"
    path.write_text("\n".join(read_blocks(page)))
    run(path)
    text = capsys.readouterr().out
    assert text and text in page.read_text()


def test_inspection():
    array = tile.ir.ArrayType((None,), tile.f32)
    add = tile.from_cutile(kernels.add)
    assert '"x"' in add.trace(array, array, array, 128)
    found = add.compile(array, array, array, 64, arch="sm_80", outputs=("ptx",))
    assert b".entry add" in found["ptx"]


@ct.kernel
def weighted(x, w, y, n: ct.Constant[int]):
    i = ct.bid(0)
    a = ct.load(x, index=(i,), shape=(n,))
    ct.store(y, index=(i,), tile=a * a * ct.load(w, index=(i,), shape=(n,)))


def test_gradients(rng):
    x, w, cotangent = rng.standard_normal((3, 10), np.float32)
    kernel = tile.from_cutile(weighted, grid=lambda x, n: tile.cdiv(len(x), n))
    dx, dw = tile.vjp(kernel)(x, w, cotangent, n=4)
    np.testing.assert_allclose(dx, 2 * x * w * cotangent, rtol=1e-6)
    np.testing.assert_allclose(dw, x * x * cotangent, rtol=1e-6)


# ----------------------------------------------------------------------------
# Plans of launches
# ----------------------------------------------------------------------------


def test_plans_know_where_arrays_come_from(rng):
    """A later call on a GPU runs without Python code if the arrays of the program are
    positional arguments of the call."""
    x, y = rng.standard_normal((2, 1000), np.float32)
    rows = rng.integers(0, len(x), 200).astype(np.int32)

    def find_slots(kernel, *given, **constants):
        call = tile.from_cutile(kernel).definition.bind(given, constants)
        return list(call.names), call.find_slots(given)

    assert find_slots(kernels.add, x, y, y, 128) == (["x", "y", "z"], [0, 1, 2])
    assert find_slots(kernels.add, x, y, y, n=128) == (["x", "y", "z"], [0, 1, 2])
    assert find_slots(kernels.add, x, y, z=y, n=128)[1] is None
    # The extent and the stride of x are arguments, too.
    assert find_slots(kernels.take, x[::3], rows, y, 64) == (
        ["x", "x.shape[0]", "x.strides[0]", "rows", "y"], [0, None, None, 1, 2])
    assert find_slots(transposes, [x[None]], [y[None]], y[None], 8)[1] is None


# ----------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("wrong,message", [
    (lambda x, z: (None, x, z, 8), "expected an array or a number for 'x', got None"),
    (lambda x, z: (x[::-1], x, z, 8), "expected no negative strides of 'x', which cuTile "
     r"does not support, got \(-1,\)"),
    (lambda x, z: (x.astype(complex), x, z, 8), "expected elements of a type of cuTile for "
     "'x', got tile.complex128"),
    (lambda x, z: (x, z, z, 8), "expected 'z', which the kernel writes, to share no memory "
     "with 'y'"),
    (lambda x, z: (x, x, z), "missing a required argument: 'n'"),
], ids=["none", "strides", "elements", "overlap", "constant"])
def test_wrong_arguments(wrong, message):
    x, z = np.zeros(8, np.float32), np.zeros(8, np.float32)
    with pytest.raises(tile.ArgumentError, match=message):
        tile.from_cutile(kernels.add)[1](*wrong(x, z))


def test_integers_that_do_not_fit():
    x = np.zeros(8, np.int64)
    with pytest.raises(tile.ArgumentError, match="expected an integer of 32 bits for 's', got "
                       "1099511627776; the annotation ct.ScalarInt64 makes it one of 64"):
        tile.from_cutile(scaled)[1](x, 1 << 40, x.copy(), 8)


@ct.kernel
def of_tuple(x: tuple[ct.Array, ct.Array]):
    pass


@pytest.mark.parametrize("wrong,message", [
    (print, "expected a function with cuTile's @ct.kernel, got builtin_function_or_method"),
    (tile.kernel(lambda x: None), "expected a function with cuTile's @ct.kernel, got Kernel"),
    (of_tuple, "expected arrays, lists of arrays, scalars and constants as parameters of "
     "'of_tuple', got a tuple for 'x'"),
], ids=["function", "kernel", "tuple"])
def test_wrong_kernels(wrong, message):
    with pytest.raises(tile.ArgumentError, match=message):
        tile.from_cutile(wrong)


def test_no_grid():
    x = np.zeros(8, np.float32)
    with pytest.raises(tile.LaunchError, match=r"expected a grid of the kernel 'add', as "
                       r"add\[blocks\]\(...\) or tile.from_cutile\(..., grid=...\), got none"):
        tile.from_cutile(kernels.add)(x, x, x.copy(), 8)


@pytest.mark.parametrize("wrong,message", [
    (lambda x: [], "expected at least one array in the list 'xs', got none"),
    (lambda x: [x, 3.0], r"expected an array as 'xs\[1\]', got float"),
    (lambda x: [x, x[0]], "expected arrays of one type, rank and device in the list 'xs', got "
     "array of .x. f32 on the host, and array of . f32 on the host at index 1"),
    (lambda x: [x, x.astype(np.float16)], "of one type, rank and device .* f16 on the host at "
     "index 1"),
    (lambda x: [x[0, 0]], "expected an array as 'xs\\[0\\]', got float32|expected arrays of "
     "at least one dimension"),
    (lambda x: [x[:, ::-1]], r"expected no negative strides of 'xs\[0\]'"),
    (lambda x: x, "Arrays are not directly subscriptable"),
], ids=["empty", "number", "ranks", "types", "scalar", "strides", "array"])
def test_wrong_lists(wrong, message):
    x = np.zeros((4, 4), np.float32)
    ys, sums = [np.zeros((4, 4), np.float32)], np.zeros((1, 1), np.float32)
    with pytest.raises(Exception, match=message):
        tile.from_cutile(transposes)[1](wrong(x), ys, sums, 4)


def test_lists_that_overlap():
    x, sums = np.zeros((4, 4), np.float32), np.zeros((1, 1), np.float32)
    with pytest.raises(tile.ArgumentError, match=r"expected 'xs\[0\]', which the kernel "
                       r"writes, to share no memory with 'ys\[0\]'"):
        tile.from_cutile(transposes)[1]([x], [x], sums, 4)


@ct.kernel
def of_nine_dimensions(x, y):
    t = ct.load(x, index=(0,), shape=(16,))
    t = ct.reshape(t, (2, 2, 2, 2, 1, 1, 1, 1, 1))
    ct.store(y, index=(0,), tile=ct.reshape(t, (16,)))


def test_refused_programs_name_the_line():
    x, y = np.zeros(20, np.float32), np.zeros(16, np.float32)
    with pytest.raises(tile.CompileError, match="at most 8 dimensions") as found:
        tile.from_cutile(of_nine_dimensions)[1](x, y)
    [diagnostic] = found.value.diagnostics
    assert diagnostic.file == __file__
    assert "ct.reshape(t, (2," in Path(diagnostic.file).read_text().splitlines()[
        diagnostic.line - 1]


def test_errors_of_cutile_are_raised_as_they_are():
    x = np.zeros(100, np.float32)
    with pytest.raises(ct.TileTypeError, match="not a power of two"):
        tile.from_cutile(kernels.add)[1](x, x, x.copy(), 100)


@ct.kernel
def divided(x, y, n: ct.Constant[int]):
    t = ct.load(x, index=(0,), shape=(n,)) / x.shape[0]
    ct.store(y, index=(0,), tile=ct.astype(t, x.dtype))


def test_derivatives_need_the_parameters_of_the_call():
    x = np.ones(8, np.float32)
    with pytest.raises(tile.ArgumentError, match="expected a program with the parameters of "
                       "'divided' for a derivative, x, y, got one of cuTile with x, "
                       r"x.shape\[0\], y"):
        tile.vjp(tile.from_cutile(divided, grid=1))(x, x, n=8)
    with pytest.raises(tile.ArgumentError, match="expected a kernel with @tile.kernel, to which "
                       "a derivative can be given"):
        tile.custom_adjoint(tile.from_cutile(weighted))(tile.kernel(
            lambda x, w, y__cotangent, x__gradient, w__gradient, *, n: None))
