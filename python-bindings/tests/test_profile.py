# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counters of kernels by lines of Python, against counts by hand: a sector is
32 bytes of an array, a wavefront a pass over the 32 banks of shared memory."""

import io
import threading
from html.parser import HTMLParser

import numpy as np
import pytest

import tile_mlir as tile
from checking import find_line


def align(array):
    """Returns a copy whose address is a multiple of 128 bytes."""
    room = np.empty(array.nbytes + 128, np.uint8)
    skipped = -room.ctypes.data % 128
    copy = room[skipped:skipped + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def get_line(counted, kernel, mark):
    expected = find_line(kernel, mark)
    [line] = [line for line in counted.lines if line.line == expected]
    assert line.file == __file__ and mark in line.source
    return line


@tile.kernel(grid=lambda x, n: tile.cdiv(x.shape[0], n))
def copy(x, y, *, n=1024):
    first = tile.program_id(0) * n
    t = tile.load(x, first, n)
    tile.store(y, first, t)


@tile.kernel(grid=1)
def copy_column(x, y):
    t = tile.load(x, (0, 1), (256, 1))
    tile.store(y, (0, 0), t)


def test_coalesced(rng):
    """Two blocks copy 1024 f32 each: 8192 bytes or 256 sectors, which are read and
    written by requests of 32 lanes with 16 bytes each, that is 16 sectors a request."""
    x = align(rng.standard_normal(2048).astype(np.float32))
    y = align(np.full_like(x, np.nan))
    with tile.profile() as counted:
        copy(x, y)
    np.testing.assert_array_equal(y, x)
    for mark in ("tile.load(", "tile.store("):
        line = get_line(counted, copy, mark)
        assert (line.sectors, line.requests, line.bytes) == (256, 16, 8192)
        assert (line.wavefronts, line.conflicts) == (0, 0)
        [access] = [i for i in line.by_instruction if i.sectors]
        assert access.threads == 2048 // 4
        assert access.name == {"tile.load(": "ld.global.b128",
                               "tile.store(": "st.global.b128"}[mark]
    assert counted.total.sectors == 512


def test_a_part_of_a_block():
    """Two blocks of 2048 elements together copy 1030 elements: 4120 bytes or 129
    sectors, and one sector more if the array starts in the middle of a sector."""
    room = align(np.arange(2048, dtype=np.float32))
    for skipped, sectors in ((0, 129), (4, 129), (5, 130)):
        with tile.profile() as counted:
            copy(room[skipped:skipped + 1030], align(np.full_like(room, np.nan)))
        assert get_line(counted, copy, "tile.load(").sectors >= sectors


def test_strided(rng):
    """Each of 256 elements of a column is in a row of at least 32 bytes, and takes a
    sector; the 1024 bytes of the result take 32 sectors."""
    for columns in (8, 13):
        x = align(rng.standard_normal((256, columns)).astype(np.float32))
        y = align(np.full((256, 1), np.nan, np.float32))
        with tile.profile() as counted:
            copy_column(x, y)
        np.testing.assert_array_equal(y, x[:, 1:2])
        load = get_line(counted, copy_column, "tile.load(")
        assert (load.sectors, load.requests) == (256, 8)
        store = get_line(counted, copy_column, "tile.store(")
        assert (store.sectors, store.requests) == (32, 8)
        assert counted.lines[0] == load  # the most expensive line comes first


@tile.kernel(grid=1)
def repeat(x, y, count):
    t = tile.load(x, 0, 1024)
    for i in range(count):
        t = t + tile.load(x, i * 1024, 1024)
    tile.store(y, 0, t)


def test_a_loop(rng):
    x = align(rng.standard_normal(5 * 1024).astype(np.float32))
    with tile.profile() as counted:
        repeat(x, np.full(1024, np.nan, np.float32), 5)
    assert get_line(counted, repeat, "i * 1024").sectors == 5 * 128
    assert get_line(counted, repeat, "t = tile.load(x, 0").sectors == 128


@tile.kernel(grid=1)
def rows_of_shared(x, indices, y):
    t = tile.load(x, 0, 2048, storage="shared")
    taken = tile.take(t, tile.load(indices, 0, 32), 0)
    tile.store(y, 0, taken)


@pytest.mark.parametrize("stride, wavefronts", [(1, 1), (2, 2), (32, 32), (33, 1), (0, 1)])
def test_conflicts_of_banks(rng, stride, wavefronts):
    """32 lanes read words that are `stride` apart. Each bank that is accessed has
    gcd(stride, 32) of these words, so as many wavefronts are needed. A word that all
    lanes read counts once."""
    x = rng.standard_normal(2048).astype(np.float32)
    indices = (np.arange(32) * stride).astype(np.int32)
    y = np.full(32, np.nan, np.float32)
    with tile.profile() as counted:
        rows_of_shared(x, indices, y)
    np.testing.assert_array_equal(y, x[indices])
    line = get_line(counted, rows_of_shared, "tile.take(")
    [access] = [i for i in line.by_instruction if i.wavefronts]
    assert access.name == "ld.shared.b32"
    assert access.wavefronts == wavefronts * access.instructions
    assert access.conflicts == (wavefronts - 1) * access.instructions
    assert access.minimal_wavefronts == access.instructions


# ----------------------------------------------------------------------------
# Counters
# ----------------------------------------------------------------------------

X = align(np.arange(2048, dtype=np.float32))
Y = align(np.full_like(X, np.nan))


def test_launches():
    with tile.profile() as counted:
        copy(X, Y)
        with tile.emulator("sm_90a"):
            copy(X, Y, n=512)
    assert [(one.kernel, one.arch, one.blocks, one.sectors)
            for one in counted.launches] == [
        ("copy", "sm_80", (2, 1, 1), 512), ("copy", "sm_90a", (4, 1, 1), 512)]
    assert get_line(counted, copy, "tile.load(").sectors == 512
    assert counted.total.sectors == 1024


def test_of_several_schedules_the_last():
    with tile.profile() as counted, tile.emulator(schedules=3):
        copy(X, Y)
    assert len(counted.launches) == 1 and counted.total.sectors == 512


def test_within_another():
    with tile.profile() as outer:
        with tile.profile() as inner:
            copy(X, Y)
        copy(X, Y)
    assert (len(outer.launches), len(inner.launches)) == (2, 1)
    copy(X, Y)
    assert len(outer.launches) == 2


def test_other_threads_and_machines_are_not_counted():
    y = np.full_like(X, np.nan)
    with tile.profile() as counted:
        thread = threading.Thread(target=lambda: copy(X, y))
        thread.start()
        thread.join()
        with tile.cpu():
            copy(X, y)
    assert (y == X).all()
    assert counted.launches == counted.lines == []
    assert "no kernel has run on the emulator" in str(counted)
    assert "no kernel has run on the emulator" in counted._repr_html_()


@tile.kernel(grid=2)
def race(x):
    tile.store(x, 0, tile.load(x, 0, 64))


def test_a_kernel_that_fails():
    with tile.profile() as counted:
        with pytest.raises(tile.EmulatorError):
            race(np.zeros(64, np.float32))
        copy(X, Y)
    assert [one.kernel for one in counted.launches] == ["copy"]


def test_barriers(rng):
    """Checks the barriers of a kernel without an exchange between warps, and of one
    with such an exchange."""
    with tile.profile() as counted:
        copy(X, Y)
        rows_of_shared(X, np.arange(32, dtype=np.int32), np.empty(32, np.float32))
    assert counted.launches[0].barriers == 0 < counted.launches[1].barriers


@tile.function
def load_twice(x):
    return 2 * tile.load(x, 0, 64)


@tile.kernel(grid=1)
def calls(x, y):
    tile.store(y, 0, load_twice(x))


def test_lines_of_helpers():
    """Accesses count at the lines of the helper that makes them."""
    with tile.profile() as counted:
        calls(X, Y)
    assert get_line(counted, load_twice, "tile.load(").sectors == 8
    assert get_line(counted, calls, "tile.store(").sectors == 8


# ----------------------------------------------------------------------------
# How a profile is shown
# ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def counted():
    with tile.profile() as counted:
        copy_column(align(np.ones((256, 8), np.float32)),
                    align(np.empty((256, 1), np.float32)))
    return counted


def test_table(counted):
    head, columns, *rows, total = str(counted).splitlines()
    assert head == ("copy_column on the emulator of sm_80, launches: 1, grid: "
                    "1 x 1 x 1, barriers: 0")
    assert columns.split("  ")[-1] == "line"
    load = rows[0].split()
    assert load[3:7] == ["256", "32.00", "8192",
                         f"test_profile.py:{find_line(copy_column, 'tile.load(')}"]
    assert rows[0].endswith("t = tile.load(x, (0, 1), (256, 1))")
    assert total.split()[3] == "288" and total.split()[-1] == "all"
    assert not any(row != row.rstrip() for row in rows)


def test_show(counted, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    file = io.StringIO()
    counted.show(file)
    assert file.getvalue() == f"{counted}\n"
    file.isatty = lambda: True
    counted.show(file)
    assert "\033[1mcopy_column" in file.getvalue()


class Cells(HTMLParser):
    """Collects the texts of a page's cells, and its tags."""

    def __init__(self, text):
        super().__init__()
        self.cells, self.tags, self.is_inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "td":
            self.cells.append("")
            self.is_inside = True

    def handle_endtag(self, tag):
        self.is_inside &= tag != "td"

    def handle_data(self, data):
        if self.is_inside:
            self.cells[-1] += data


def test_html(counted):
    page = Cells(counted._repr_html_())
    assert "256" in page.cells and "288" in page.cells
    assert "t = tile.load(x, (0, 1), (256, 1))" in page.cells
    assert "script" not in page.tags
