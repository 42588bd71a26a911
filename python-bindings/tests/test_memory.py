# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and writing arrays: boxes at the edges, by indices, atomically, and
messages between blocks."""

import sys

import numpy as np
import pytest

import tile_mlir as tile


@tile.kernel
def boxes(x, out, *, storage):
    t = tile.load(x, (3, -2), (4, 8), pad=7.0, storage=storage)
    tile.store(out, (0, 0), t)
    mask = tile.iota((4, 8), 1) % 2 == 0
    tile.store(out, (4, 0), tile.load(x, (0, 0), (4, 8), pad=-1.0, mask=mask))
    column = tile.load(x, (0, 1), 5, dims=(0,))
    tile.store(out, (8, 2), column, dims=(1,), mask=tile.arange(5) != 3)


@pytest.mark.parametrize("storage", [None, "shared", "register"])
def test_boxes(rng, machine, storage):
    x = rng.standard_normal((5, 6)).astype(np.float32)
    out = np.full((9, 8), np.inf, np.float32)
    boxes[1](x, out, storage=storage)
    expected = np.full((9, 8), np.inf, np.float32)
    expected[:4] = 7
    expected[:2, 2:] = x[3:]
    expected[4:8] = -1
    expected[4:8, :6:2] = x[:4, ::2]
    expected[8, 2:7] = np.where(np.arange(5) != 3, x[:, 1], np.inf)
    np.testing.assert_array_equal(out, expected)


@tile.kernel
def masks(x, out, counts):
    row, column = tile.arange(3), tile.arange(5)
    tile.store(out, (0, 0), x[0], mask=row[:, None] < 2)            # 3 x 1
    tile.store(out, (3, 0), tile.load(x, 0, 5), mask=row[:, None] != 1)
    tile.store(out, (6, 0), tile.load(x, 0, 3)[:, None], mask=column % 2 == 0)
    tile.store(out, (9, 0), tile.load(x, 0, 5), mask=x[0] > 0)
    tile.store(out, (10, 0), tile.load(x, 0, 5, mask=x[0] < 0, pad=4))
    tile.scatter(out, (11, 0), row[:, None], 2.0, mask=column[None] > 1)
    tile.atomic("add", counts, 0, 1, mask=column > 1)
    tile.atomic("compare_exchange", counts, 0, 7, expected=column // 3)


def test_values_and_masks_are_broadcast_together(rng, machine):
    x = abs(rng.standard_normal(5)).astype(np.float32)
    out, counts = np.full((14, 5), np.inf, np.float32), np.zeros(5, np.int32)
    expected = out.copy()
    expected[0:2, 0] = x[0]
    expected[[3, 5]] = x
    expected[6:9, ::2] = x[:3, None]
    expected[9], expected[10] = x, 4
    expected[11:14, 2:] = 2
    masks[1](x, out, counts)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(counts, [7, 7, 1, 7, 7])


def test_declared_storage_is_in_the_program():
    array = tile.ir.ArrayType((None, None), tile.f32)
    text = boxes.trace(array, array, storage="shared")
    assert "!tile.tile<4x8xf32, #tile.shared>" in text


@tile.kernel
def indices(x, at, out):
    rows = tile.load(at, 0, 4)
    t = tile.gather(x, (0, 1), rows, (4, 3), pad=9.0)
    tile.scatter(out, (1, 0), rows, t)
    diagonal = tile.gather(x, (0, 0), (rows, rows), 4, axes=(0, 1), pad=5.0)
    tile.scatter(out, (0, 3), rows, diagonal, dims=(0,),
                 mask=tile.arange(4) > 0)


def test_gather_and_scatter(rng, machine):
    x = rng.standard_normal((5, 5)).astype(np.float32)
    at = np.array([4, 0, 6, 2], np.int32)
    out = np.zeros((6, 4), np.float32)
    indices[1](x, at, out)
    expected = np.zeros((6, 4), np.float32)
    for row, index in enumerate(at):
        if index + 1 < 6:
            expected[index + 1, :3] = x[index, 1:4]
        if 0 < row and index < 6:
            expected[index, 3] = x[index, index]
    np.testing.assert_array_equal(out, expected)


@tile.kernel
def unsigned_indices(x, at, out):
    rows = tile.load(at, 0, 4)
    tile.scatter(out, 0, rows, tile.gather(x, 0, rows, 4))


def test_unsigned_indices(rng, machine):
    x = rng.standard_normal(256).astype(np.float32)
    at, out = np.array([4, 200, 255, 130], np.uint8), np.zeros_like(x)
    unsigned_indices[1](x, at, out)
    np.testing.assert_array_equal(out, np.where(np.isin(np.arange(256), at),
                                                x, 0))


# ----------------------------------------------------------------------------
# Atomic accesses
# ----------------------------------------------------------------------------

UPDATES = {"add": np.add, "min": np.minimum, "max": np.maximum,
           "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


@tile.kernel
def update(x, total, old, *, kind):
    first = tile.program_id(0) * 8
    before = tile.atomic(kind, total, 0, tile.load(x, first, 8))
    tile.store(old, first, before)


@pytest.mark.parametrize("kind", UPDATES)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_updates(rng, machine, kind, dtype):
    x = rng.integers(0, 2 ** 32, 32, np.uint32).view(dtype)
    total = rng.integers(0, 2 ** 32, 8, np.uint32).view(dtype)
    expected = UPDATES[kind].reduce([total, *x.reshape(4, 8)], dtype=dtype)
    old = np.zeros_like(x)
    update[4](x, total, old, kind=kind)
    np.testing.assert_array_equal(total, expected)


@tile.kernel
def exchange(x, out):
    t = tile.load(x, 0, 4)
    before = tile.atomic("compare_exchange", x, 0, t * 10,
                         expected=tile.where(tile.arange(4) < 2, t, -1))
    tile.store(out, 0, before)
    tile.store(out, 4, tile.atomic("exchange", x, 2, -5, mask=None))


def test_exchanges(machine):
    x, out = np.array([1, 2, 3, 4], np.int32), np.zeros(8, np.int32)
    exchange[1](x, out)
    np.testing.assert_array_equal(x, [10, 20, -5, 4])
    np.testing.assert_array_equal(out, [1, 2, 3, 4, 3, 0, 0, 0])


@tile.kernel
def count(bins, counts, old):
    t = tile.load(bins, 0, 16)
    before = tile.scatter(counts, 0, t, 1, atomic="add", old=True)
    tile.store(old, 0, before)


def test_atomic_scatter_gives_what_was_there(rng, machine):
    bins = rng.integers(0, 5, 16).astype(np.int32)
    counts, old = np.full(5, 100, np.int32), np.zeros(16, np.int32)
    count[1](bins, counts, old)
    np.testing.assert_array_equal(counts, 100 + np.bincount(bins, minlength=5))
    for index in range(5):
        np.testing.assert_array_equal(
            np.sort(old[bins == index]), 100 + np.arange(np.sum(bins == index)))


@tile.kernel
def put_kinds(x, out, *, kind):
    t = tile.load(x, 0, 8)
    mask = tile.arange(8) < 7
    tile.store(out, 0, tile.put(t, tile.arange(8) // 4, 200, 0, mask=mask,
                                kind=kind))


def test_put_of_unsigned_numbers(machine):
    """Checks `put` with the kind "max": it compares unsigned values, and updates
    elements only where the mask holds."""
    x = np.array([100, 250, 1, 2, 3, 4, 5, 6], np.uint8)
    out = np.zeros_like(x)
    put_kinds[1](x, out, kind="max")
    np.testing.assert_array_equal(out, [200, 250, 1, 2, 3, 4, 5, 6])


@tile.kernel
def relay(flags, data, *, order):
    """Each block waits for the value that the next block writes, and adds to it; the
    last block of the grid starts."""
    me, last = tile.program_id(0), tile.num_programs(0) - 1
    before = tile.full((1,), 4)
    if me < last:
        while tile.atomic_load(flags, me + 1, 1, order=order)[0] == 0:
            pass
        if order is None:
            tile.fence("acquire")
        before = tile.load(data, me + 1, 1)
    tile.store(data, me, before + 1)
    if order is None:
        tile.fence("release")
    tile.atomic_store(flags, me, 1, order=order and "release")


@pytest.mark.parametrize("order", ["acquire", None])
def test_blocks_tell_one_another(order):
    flags, data = np.zeros(4, np.int32), np.zeros(4, np.int32)
    with tile.emulator(schedules=3):
        relay[4](flags, data, order=order)
    np.testing.assert_array_equal(data, [8, 7, 6, 5])
    np.testing.assert_array_equal(flags, 1)


@tile.kernel
def untold(flags, data):
    me = tile.program_id(0)
    if me == 0:
        while tile.atomic_load(flags, 1, 1)[0] == 0:
            pass
        tile.store(data, 0, tile.load(data, 1, 1))
    else:
        tile.store(data, 1, tile.full((1,), 5))
        tile.atomic_store(flags, 1, tile.full((1,), 1))


def test_relaxed_accesses_are_a_race():
    with pytest.raises(tile.EmulatorError) as caught:
        untold[2](np.zeros(2, np.int32), np.zeros(2, np.int32))
    assert caught.value.findings[0].kind == "race"


# ----------------------------------------------------------------------------
# New arrays
# ----------------------------------------------------------------------------


def test_empty_like(rng):
    x = rng.standard_normal((4, 6)).astype(np.float16).T  # column-major
    for made, shape, dtype in [
            (tile.empty_like(x), (6, 4), np.float16),
            (tile.empty_like(x, 5), (5,), np.float16),
            (tile.empty_like(x, (2, 3), tile.i32), (2, 3), np.int32),
            (tile.empty_like(x, dtype=np.complex64), (6, 4), np.complex64)]:
        assert type(made) is np.ndarray and made.flags.c_contiguous
        assert (made.shape, made.dtype) == (shape, dtype)


def test_empty_like_of_torch(monkeypatch):
    """Checks that a new tensor is made by torch.empty, on the tensor's device."""
    tensor = type("Parameter", (type("Tensor", (), {"__module__": "torch"}),), {
        "shape": (3, 5), "dtype": "bfloat16", "device": "cuda:1"})()
    calls = []
    torch = type(sys)("torch")
    torch.bfloat16, torch.int64 = "torch's bfloat16", "torch's int64"
    torch.empty = lambda shape, **rest: calls.append((shape, rest))
    monkeypatch.setitem(sys.modules, "torch", torch)
    tile.empty_like(tensor)
    tile.empty_like(tensor, (7,), tile.i64)
    assert calls == [
        ((3, 5), {"dtype": "torch's bfloat16", "device": "cuda:1"}),
        ((7,), {"dtype": "torch's int64", "device": "cuda:1"})]


def test_empty_like_refuses(rng):
    with pytest.raises(tile.ArgumentError, match="of NumPy, PyTorch or CuPy, got "
                       "memoryview"):
        tile.empty_like(memoryview(b"abc"), 3, tile.f32)
    with pytest.raises(tile.ArgumentError, match="expected an element type"):
        tile.empty_like(rng.standard_normal(3), dtype="text")
    with pytest.raises(tile.ArgumentError, match="type that arrays have, got "
                       "tile.index"):
        tile.empty_like(rng.standard_normal(3), dtype=tile.index)


@tile.kernel
def add_arrays(table, a, b, out):
    """Adds one to the matrix of each row of the table, and stores its columns in out. The
    emulator knows the memory of the arguments only."""
    i = tile.program_id(0)
    address, rows, columns = (tile.load(table, (i, at), ()) for at in range(3))
    matrix = tile.array_at(address, (rows, columns), tile.f32)
    box = tile.load(matrix, (0, 0), (8, 8))
    tile.store(out, (i, 0, 0), box.T)
    tile.store(matrix, (0, 0), box + 1)
    _ = a, b


def test_arrays_at_addresses_of_a_table(rng, machine):
    a, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((3, 7), (6, 5)))
    table = np.array([[x.ctypes.data, *x.shape] for x in (a, b)], np.int64)
    before, out = (a.copy(), b.copy()), np.full((2, 8, 8), np.inf, np.float32)
    add_arrays[2](table, a, b, out)
    for x, old, columns in zip((a, b), before, out):
        np.testing.assert_array_equal(x, old + 1)
        padded = np.zeros((8, 8), np.float32)
        padded[:x.shape[0], :x.shape[1]] = old
        np.testing.assert_array_equal(columns, padded.T)
