# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Races and accesses outside of arrays that were made on purpose in kernels. Each
kernel is a function with a keyword `wrong`. If it is True, the emulator must report the
mistake at its line and column, and show the line. If it is False, the emulator must
report nothing under several schedules, and the result must be as expected.

Lines that a report may name end with "# here: TEXT"; TEXT starts at the column."""

import inspect
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
import pytest

import tile_mlir as tile


@dataclass
class Case:
    """A kernel with `make`, which makes its arguments from a random generator, the
    output last, and `expect`, which computes the output of the correct kernel.
    `helpers` are other functions with marks."""

    kernel: tile.Kernel
    kind: str
    blocks: int
    make: Callable[[np.random.Generator], list]
    expect: Callable[..., np.ndarray]
    helpers: list = field(default_factory=list)


def get_floats(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def get_nans(*shape):
    return np.full(shape, np.nan, np.float32)


# ----------------------------------------------------------------------------
# Races between blocks
# ----------------------------------------------------------------------------


@tile.kernel
def sum_of_blocks(x, out, *, wrong):
    """Stores each block's sum at the block's index, or, if wrong, at index 0."""
    block = tile.program_id(0)
    total = tile.load(x, block * 31, 31).sum()
    index = 0 if wrong else block
    tile.store(out, index, total)  # here: tile.store


@tile.kernel
def histogram(x, out, *, wrong):
    """Adds up the counts of all blocks, atomically unless wrong."""
    counts = tile.histogram(tile.load(x, tile.program_id(0) * 50, 50), 7)
    if wrong:
        before = tile.load(out, 0, 7)  # here: tile.load
        tile.store(out, 0, before + counts)  # here: tile.store
    else:
        tile.atomic_add(out, 0, counts)


@tile.kernel
def scatter_of_blocks(x, indices, out, *, wrong):
    """Scatters elements to indices that occur in several blocks."""
    first = tile.program_id(0) * 9
    to = tile.load(indices, first, 9)
    value = tile.load(x, first, 9)
    if wrong:
        tile.scatter(out, 0, to, value)  # here: tile.scatter
    else:
        tile.scatter(out, 0, to, value, atomic="add")


@tile.kernel
def shift(x, out, *, wrong):
    """Replaces each element by the next one; if wrong, blocks write the array that
    other blocks read."""
    first = tile.program_id(0) * 13
    source = out if wrong else x
    t = tile.load(source, first + 1, 13)  # here: tile.load
    tile.store(out, first, t)  # here: tile.store


@tile.kernel
def transpose(x, out, *, wrong):
    """Transposes a matrix; if wrong, in place, so that blocks read rows that other
    blocks write as columns."""
    i = tile.program_id(0) * 5
    t = tile.load(out if wrong else x, (i, 0), (5, 20))  # here: tile.load
    tile.store(out, (0, i), t.T)  # here: tile.store


@tile.kernel
def split_matmul(a, b, out, *, wrong):
    """Multiplies matrices; each block adds the matmul of a part of k."""
    p = tile.program_id(0) * 16
    part = tile.load(a, (0, p), (18, 16)) @ tile.load(b, (p, 0), (16, 10))
    if wrong:
        whole = tile.load(out, (0, 0), (18, 10)) + part  # here: tile.load
        tile.store(out, (0, 0), whole)  # here: tile.store
    else:
        tile.atomic_add(out, (0, 0), part)


@tile.kernel
def message(x, flag, out, *, wrong):
    """One block waits for a flag, and reads the values that the other block has
    written."""
    order = ("relaxed", "relaxed") if wrong else ("release", "acquire")
    if tile.program_id(0) == 0:
        tile.store(out, 0, tile.load(x, 0, 6))  # here: tile.store
        tile.atomic_store(flag, 0, 1, order=order[0])
    else:
        while tile.atomic_load(flag, 0, (), order=order[1]) == 0:
            pass
        t = tile.load(out, 0, 6)  # here: tile.load
        tile.store(out, 6, t * 2)


@tile.kernel
def flag_of_blocks(x, out, *, wrong):
    """Counts by an atomic operation; if wrong, after a store that is not atomic."""
    if wrong:
        tile.store(out, 0, 1.0)  # here: tile.store
    count = tile.atomic_add(out, 0, tile.load(x, 0, ()))  # here: tile.atomic_add


@tile.kernel(block=64)
def neighbours(x, out, *, wrong):
    """Each thread writes an element; if wrong, two threads write the same element."""
    values = tile.load(x, 0, 64)

    def write(thread, value):
        index = thread // 2 if wrong else thread
        tile.store_element(out, index, value)  # here: tile.store_element

    tile.per_thread(write, values)


def add_to(out, offset, t):
    t = t + tile.load(out, offset, 8)  # here: tile.load
    tile.store(out, offset, t)  # here: tile.store


@tile.function
def add_rows(x, out, wrong):
    """Adds to each block's own rows, or, if wrong, to the same rows in all blocks."""
    for i in tile.range(3):
        offset = i * 8 if wrong else (tile.program_id(0) * 3 + i) * 8
        add_to(out, offset, tile.load(x, i * 8, 8))  # calls: add_to


@tile.kernel
def sums_by_helpers(x, out, *, wrong):
    add_rows(x, out, wrong)  # calls: add_rows


# ----------------------------------------------------------------------------
# Outside of arrays
# ----------------------------------------------------------------------------


@tile.kernel
def copy_of_blocks(x, out, *, wrong):
    """The last block has fewer elements than a tile; if wrong, `in_bounds` promises
    that it has all."""
    first = tile.program_id(0) * 16
    t = tile.load(x, first, 16, in_bounds=wrong)  # here: tile.load
    tile.store(out, first, t)


@tile.kernel
def sum_of_rows(x, out, *, wrong):
    """The output has as many elements as the array has rows; the last block reaches
    beyond both."""
    first = tile.program_id(0) * 4
    sums = tile.load(x, (first, 0), (4, 11)).sum(axis=1)
    tile.store(out, first, sums, in_bounds=wrong)  # here: tile.store


@tile.kernel
def lookup(table, indices, out, *, wrong):
    """Reads at an index outside of the table, which gives zero, or, if wrong, breaks
    the promise `in_bounds`."""
    to = tile.load(indices, 0, 12)
    t = tile.gather(table, 0, to, 12, in_bounds=wrong)  # here: tile.gather
    tile.store(out, 0, t)


@tile.kernel
def inverse_permutation(indices, out, *, wrong):
    """Writes at an index outside of the output, which has no effect, or, if wrong,
    breaks the promise `in_bounds`."""
    for i in tile.range(0, 12, 3):
        to = tile.load(indices, i, 3)
        tile.scatter(out, 0, to, tile.arange(3) + i,  # here: tile.scatter
                     in_bounds=wrong)


@tile.kernel
def element_behind(x, out, *, wrong):
    """Loads one element of an array without a bounds check."""
    n = x.shape[0]
    value = tile.load_element(x, n if wrong else n - 1)  # here: tile.load_element
    tile.store(out, 0, value)


@tile.kernel
def element_of_a_tile(x, k, out, *, wrong):
    """Reads an element of a tile at an index that is known when the kernel runs."""
    t = tile.load(x, 0, 8)
    index = k if wrong else k % 8
    tile.store(out, 0, t[index])  # here: t[index]


def test_blocks_are_numbered_as_in_the_program():
    @tile.kernel
    def late(x, out):
        i, j = tile.program_id(0), tile.program_id(1)
        first = tile.where((i == 1) & (j == 4), 90, 0)
        tile.store(out, (j, i), tile.load(x, first, 16, in_bounds=True).sum())

    with pytest.raises(tile.EmulatorError, match=r"of block \(1, 4, 0\)"):
        late[3, 5](np.zeros(100, np.float32), np.zeros((5, 3), np.float32))


def test_findings_of_the_same_lines_are_shown_once():
    @tile.kernel
    def spread(x, to, out):
        first = tile.program_id(0) * 256
        tile.scatter(out, 0, tile.load(to, first, 256), tile.load(x, first, 256))

    rng = np.random.default_rng(1)
    with pytest.raises(tile.EmulatorError) as caught:
        spread[5](rng.standard_normal(1280), rng.integers(0, 99, 1280, np.int32),
                  np.zeros(99))
    more = len(caught.value.findings) - 1
    assert more > 10
    text = str(caught.value)
    assert text.count("error: race") == 1 and text.count("tile.scatter") == 1
    assert f"and {more} more between these lines\n" in text


# ----------------------------------------------------------------------------
# Results that depend on the order
# ----------------------------------------------------------------------------


@tile.kernel
def last_block(x, out, *, wrong):
    """Blocks write one element atomically, which is no race. If wrong, the last block
    to write decides the result, which may differ."""
    block = tile.program_id(0)
    value = tile.load(x, block, ())
    kind = "exchange" if wrong else "max"
    tile.atomic(kind, out, 0, value)


# ----------------------------------------------------------------------------
# The table
# ----------------------------------------------------------------------------


def add_up(indices, values, size):
    sums = np.zeros(size)
    np.add.at(sums, indices, values.astype(np.float64))
    return sums


def look_up(table, indices, out):
    known = indices < len(table)
    return np.where(known, table[np.where(known, indices, 0)], 0)


def invert(indices, out):
    expected = out.copy()
    known = indices < len(out)
    expected[indices[known]] = np.flatnonzero(known)
    return expected


def make_square(rng):
    x = get_floats(rng, 20, 20)
    return [x, x.copy()]


CASES = [
    Case(sum_of_blocks, "race", 3,
         lambda rng: [get_floats(rng, 93), get_nans(3)],
         lambda x, out: x.reshape(3, 31).sum(axis=1)),
    Case(histogram, "race", 3,
         lambda rng: [rng.integers(0, 7, 150, np.int32), np.zeros(7, np.int32)],
         lambda x, out: np.bincount(x, minlength=7)),
    Case(scatter_of_blocks, "race", 3,
         lambda rng: [get_floats(rng, 27), rng.integers(0, 6, 27, np.int32),
                      np.zeros(6, np.float32)],
         lambda x, indices, out: add_up(indices, x, 6)),
    Case(shift, "race", 3,
         lambda rng: [x := get_floats(rng, 40), x.copy()],
         lambda x, out: np.append(x[1:], x[-1])),
    Case(transpose, "race", 4, make_square, lambda x, out: x.T),
    Case(split_matmul, "race", 3,
         lambda rng: [get_floats(rng, 18, 48), get_floats(rng, 48, 10),
                      np.zeros((18, 10), np.float32)],
         lambda a, b, out: a @ b),
    Case(message, "race", 2,
         lambda rng: [get_floats(rng, 6), np.zeros(1, np.int32), get_nans(12)],
         lambda x, flag, out: np.append(x, 2 * x)),
    Case(flag_of_blocks, "race", 3,
         lambda rng: [get_floats(rng, 1), np.zeros(1, np.float32)],
         lambda x, out: 3 * x),
    Case(neighbours, "race", 1,
         lambda rng: [get_floats(rng, 64), get_nans(64)],
         lambda x, out: x),
    Case(sums_by_helpers, "race", 2,
         lambda rng: [get_floats(rng, 24), np.ones(48, np.float32)],
         lambda x, out: np.append(x, x) + 1, helpers=[add_to]),
    Case(copy_of_blocks, "out of bounds", 3,
         lambda rng: [get_floats(rng, 41), get_nans(41)],
         lambda x, out: x),
    Case(sum_of_rows, "out of bounds", 3,
         lambda rng: [get_floats(rng, 9, 11), get_nans(9)],
         lambda x, out: x.sum(axis=1)),
    Case(lookup, "out of bounds", 1,
         lambda rng: [get_floats(rng, 5), np.arange(12, dtype=np.int32) % 8,
                      get_nans(12)], look_up),
    Case(inverse_permutation, "out of bounds", 1,
         lambda rng: [1 + rng.permutation(12).astype(np.int32),
                      np.full(12, 77, np.int32)], invert),
    Case(element_behind, "out of bounds", 1,
         lambda rng: [get_floats(rng, 9), get_nans(1)],
         lambda x, out: x[-1:]),
    Case(element_of_a_tile, "assertion failed", 1,
         lambda rng: [get_floats(rng, 8), 9, get_nans(1)],
         lambda x, k, out: x[1:2]),
]


def find_marks(functions, word="here"):
    """Returns the line and the column of each marked text, in order."""
    marks = []
    for function in functions:
        lines, first = inspect.getsourcelines(inspect.unwrap(function))
        for offset, line in enumerate(lines):
            code, mark, text = line.partition(f"  # {word}: ")
            if mark:
                marks.append((first + offset, code.index(text.strip()) + 1))
    return marks


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel.__name__)
def test_finding(case, rng):
    with pytest.raises(tile.EmulatorError) as caught:
        case.kernel[case.blocks](*case.make(rng), wrong=True)
    finding = caught.value.findings[0]
    assert finding.kind == case.kind
    assert finding.file == __file__
    assert (finding.line, finding.column) in find_marks([case.kernel, *case.helpers])
    assert f"{__file__}:{finding.line}:{finding.column}: " in str(caught.value)
    assert "# here" in str(caught.value)


def test_calls_that_led_there(rng):
    [case] = [case for case in CASES if case.kernel is sums_by_helpers]
    with pytest.raises(tile.EmulatorError) as caught:
        sums_by_helpers[case.blocks](*case.make(rng), wrong=True)
    for finding in caught.value.findings:
        calls = [(call.line, call.column) for call in finding.calls]
        assert calls == find_marks([add_rows, sums_by_helpers], "calls")
    assert "called from" in str(caught.value)
    assert "# calls: add_rows" in str(caught.value)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel.__name__)
def test_right_kernel(case, rng):
    arguments = case.make(rng)
    wide = [a.astype(np.float64) if isinstance(a, np.ndarray) and a.dtype.kind == "f"
            else a for a in arguments]
    expected = case.expect(*wide)
    with tile.emulator(schedules=3, tolerance=1e-5):
        case.kernel[case.blocks](*arguments, wrong=False)
    np.testing.assert_allclose(arguments[-1], expected, rtol=1e-5, atol=1e-5)


@tile.kernel
def rows_of_their_own(out):
    tile.store(out, (0, 0), tile.iota((4, 4), 0, tile.f32))  # here: tile.store


def test_output_that_overlaps_itself():
    values = np.zeros(7, np.float32)
    out = np.lib.stride_tricks.as_strided(values, (4, 4), (4, 4))
    with pytest.raises(tile.EmulatorError) as caught:
        rows_of_their_own[1](out)
    [finding] = caught.value.findings
    assert finding.kind == "race"
    assert (finding.line, finding.column) in find_marks([rows_of_their_own])


def test_what_depends_on_the_order(rng):
    """One schedule finds no error, since no access is a race; several schedules find
    results that differ."""
    x = get_floats(rng, 5)
    last_block[5](x, np.full(1, -9, np.float32), wrong=True)
    with pytest.raises(tile.EmulatorError, match="differ"), \
            tile.emulator(schedules=8):
        last_block[5](x, np.full(1, -9, np.float32), wrong=True)
    out = np.full(1, -9, np.float32)
    with tile.emulator(schedules=8):
        last_block[5](x, out, wrong=False)
    assert out[0] == x.max()
