# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts: their parts, their values against a computation in Python, their pictures,
and new layouts made of them; also layouts that the compiler writes."""

import io
import itertools
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import tile_mlir as tile

MMA = "#tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>"
SWIZZLED = "#tile.shared<(8,8):(64,1), swizzle = <3, 4, 3>>"


def flatten(value):
    if isinstance(value, int):
        return [value]
    return [leaf for part in value for leaf in flatten(part)]


def compute(shape, stride, index):
    """Returns the value of a layout at an index, which is split into one coordinate for
    each extent, the leftmost fastest."""
    value = 0
    for extent, step in zip(flatten(shape), flatten(stride)):
        index, digit = divmod(index, extent)
        value += digit * step
    return value


PLAIN = [((4, 8), (8, 1)), ((4, (2, 4)), (2, (1, 8))), (24, 3), ((3, 5, 7), (1, 3, 15)),
         ((32, 32), (33, 1)), ((5, 3), (0, -2))]


@pytest.mark.parametrize("shape, stride", PLAIN)
def test_values_of_strides(shape, stride):
    found = tile.layout(f"{shape}:{stride}")
    assert (found.shape, found.stride, found.kind) == (shape, stride, "plain")
    assert found.size == np.prod(flatten(shape))
    values = [found(index) for index in range(found.size)]
    assert values == [compute(shape, stride, n) for n in range(found.size)]
    assert found.cosize == max(values) - min(values) + 1
    assert found.is_injective == (len(set(values)) == len(values))
    assert found.rank == (len(shape) if isinstance(shape, tuple) else 1)


def test_coordinates():
    found = tile.layout("(4,(2,4)):(2,(1,8))")
    for i, j, k in itertools.product(range(4), range(2), range(4)):
        expected = 2 * i + j + 8 * k
        assert found(i, (j, k)) == found(i, j + 2 * k) == found((i, (j, k))) == expected
        assert found(np.int64(i), np.int32(j + 2 * k)) == expected


def test_a_swizzle():
    found = tile.layout("S<3,2,3> o (8,8):(32,4)")
    assert found.kind == "composed"
    assert (found.shape, found.stride, found.size) == ((8, 8), (32, 4), 64)
    for i, j in itertools.product(range(8), range(8)):
        assert found(i, j) == 32 * i + 4 * (i ^ j)


def test_a_layout_behind_another_one():
    found = tile.layout("(4,2):(1,10) o 3 o 5:1")
    assert [found(n) for n in range(5)] == [3, 10, 11, 12, 13]
    assert (found.kind, found.shape) == ("composed", 5)


def test_registers_of_a_matmul():
    """Checks the accumulator of mma.m16n8k16 against the PTX ISA."""
    found = tile.layout(MMA)
    assert (found.kind, found.box, found.size) == ("register", (16, 8), 128)
    assert found.shape == ((4, 8), 1, (2, 2))
    for lane, value in itertools.product(range(32), range(4)):
        row = lane // 4 + 8 * (value // 2)
        assert found(lane, 0, value) == (row, lane % 4 * 2 + value % 2)
        assert found(lane + 32 * value) == found(lane, 0, value)


def test_registers_of_a_vector():
    found = tile.layout("#tile.register<(32,2,1):(1,32,0), box = [64]>")
    assert found(5, 1, 0) == (37,)


@pytest.mark.parametrize("element_bytes", [1, 2, 4, 8, 16])
def test_swizzled_shared_memory(element_bytes):
    """The three bits of a byte offset from bit 7 on are xored with those from bit 4
    on."""
    columns = 128 // element_bytes
    found = tile.layout(f"#tile.shared<(8,{columns}):({columns},1), "
                        "swizzle = <3, 4, 3>>", element_bytes=element_bytes)
    assert (found.kind, found.shape) == ("shared", (8, columns))
    for i, j in itertools.product(range(8), range(columns)):
        offset = 128 * i + element_bytes * j
        assert found(i, j) * element_bytes == offset ^ (offset >> 7 & 7) << 4


def test_shared_memory_without_a_swizzle():
    found = tile.layout("#tile.shared<(3,5):(8,1), align = 16>")
    assert (found(2, 3), found.stride, found.size) == (19, (8, 1), 15)


# ----------------------------------------------------------------------------
# Layouts that the compiler writes
# ----------------------------------------------------------------------------


@tile.kernel
def matmul(a, b, out):
    tile.store(out, (0, 0), tile.load(a, (0, 0), (48, 32)) @
               tile.load(b, (0, 0), (32, 24)))


def test_layouts_of_a_report():
    """Each layout of a report can be parsed. Each element of a tile in registers has a
    thread that holds it, and no two elements of a tile in shared memory have the same
    address."""
    half = tile.ir.ArrayType((None, None), tile.f16)
    single = tile.ir.ArrayType((None, None), tile.f32)
    report = matmul.specialize(half, half, single).report()
    tiles = [t for kernel in report.json["kernels"] for t in kernel["tiles"]]
    assert {t["storage"] for t in tiles} == {"register", "shared"}
    for one in tiles:
        is_shared = one["storage"] == "shared"
        found = tile.layout(one["layout"],
                            element_bytes=one["elementBytes"] if is_shared else None)
        values = [found(n) for n in range(found.size)]
        if is_shared:
            assert len(set(values)) == found.size
        else:
            assert len(set(values)) == np.prod(found.box)
        assert len(read_table(found.draw())) > 0


# ----------------------------------------------------------------------------
# Pictures
# ----------------------------------------------------------------------------


def read_table(text):
    """Returns the cells of each row of a drawing."""
    return [row.partition("|")[2].split() for row in text.splitlines() if "|" in row]


def test_a_table():
    cells = read_table(tile.layout("(4,8):(8,1)").draw())
    assert cells == [[str(8 * i + j) for j in range(8)] for i in range(4)]


def test_a_table_of_registers():
    cells = read_table(tile.layout(MMA).draw())
    assert cells == [[f"T{i % 8 * 4 + j // 2}V{i // 8 * 2 + j % 2}" for j in range(8)]
                     for i in range(16)]


def test_banks():
    plain = tile.layout("#tile.shared<(8,8):(64,1)>", element_bytes=2)
    swizzled = tile.layout(SWIZZLED, element_bytes=2)
    rows = "8 lanes along mode 0, 16 bytes each: {}, 1 without conflicts"
    assert rows.format("8 wavefronts") in plain.draw(access_bytes=16)
    assert rows.format("1 wavefront") in swizzled.draw(access_bytes=16)


def test_who_holds_a_tile():
    found = tile.layout("((4,8),(2,2)):((32,1),(16,8))")
    cells = read_table(found.draw(tile=(16, 8)))
    assert len(cells) == 16 and cells[9][3] == "T5V3"


def test_svg():
    text = tile.layout("(4,8):(8,1)").svg()
    assert text.startswith("<svg ") and text.rstrip().endswith("</svg>")
    assert text.count("<rect ") == 33  # 32 cells, and the background
    assert set(map(str, range(32))) <= set(re.findall(r">(\d+)</text>", text))


class Images(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.tags = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "img":
            self.found.append(dict(attributes))


def test_in_a_notebook():
    page = Images(tile.layout("S<3,2,3> o (8,8):(32,4)")._repr_html_())
    [image] = page.found
    assert image["alt"] == "S<3,2,3> o 0 o (8,8):(32,4)"
    assert image["src"].startswith("data:image/svg+xml;base64,")
    assert "script" not in page.tags


def test_a_large_one_in_a_notebook():
    text = tile.layout("(1024,1024):(1024,1)")._repr_html_()
    assert "(1024,1024):(1024,1)" in text and not Images(text).found


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_colors_in_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    found = tile.layout(MMA)
    for file, has_colors in ((Terminal(), True), (io.StringIO(), False)):
        found.show(file)
        assert ("\033[" in file.getvalue()) == has_colors
    monkeypatch.setenv("NO_COLOR", "1")
    file = Terminal()
    found.show(file)
    assert file.getvalue() == found.draw()


# ----------------------------------------------------------------------------
# Other layouts
# ----------------------------------------------------------------------------


def test_composition():
    """R(c) = A(B(c)), also mode by mode."""
    a, b = tile.layout("20:2"), tile.layout("(5,4):(4,1)")
    assert a.compose(b) == a.compose("(5,4):(4,1)") == tile.layout("(5,4):(8,2)")
    for n in range(20):
        assert a.compose(b)(n) == a(b(n))
    found = tile.layout("(12,(4,8)):(59,(13,1))").compose(["3:4", "8:2"])
    assert str(found) == "(3,(2,4)):(236,(26,1))"
    assert str(tile.layout("(4,8):(8,1)").compose((2, 4))) == "(2,4):(8,1)"


def test_what_is_made_of_a_layout():
    a = tile.layout("(4,8):(8,1)")
    assert str(a.left_inverse()) == str(a.right_inverse()) == "(8,4):(4,1)"
    assert [a.left_inverse()(a(n)) for n in range(32)] == list(range(32))
    assert str(tile.layout("(2,4):(1,2)").coalesce()) == "8:1"
    assert str(tile.layout("(2,(1,6)):(1,(6,2))").coalesce(by_mode=True)) == \
        "(2,6):(1,2)"
    assert a.mode(1) == tile.layout("8:1")
    together = {x + y for x in map(tile.layout("4:2"), range(4)) for y in
                map(tile.layout("4:2").complement(16), range(4))}
    assert together == set(range(16))


def test_dividing_and_repeating():
    assert str(tile.layout("10:3").divide(4)) == "(4,3):(3,12)"
    a = tile.layout("(8,128):(128,1)")
    assert a.divide((8, 16), "zipped")((3, 5), (0, 2)) == a(3, 5 + 16 * 2)
    assert str(tile.layout("4:2").product(4)) == "(4,(2,2)):(2,(1,8))"
    assert str(tile.layout("(2,3):(3,1)").product("(2,2):(1,2)", "blocked")) == \
        "((2,2),(3,2)):((3,6),(1,12))"


def test_elements_stay():
    found = tile.layout("(8,8):(8,1)", element_bytes=4)
    assert found.mode(0).element_bytes == 4
    assert repr(found) == "tile.layout('(8,8):(8,1)', element_bytes=4)"
    assert eval(repr(found)) == found and hash(eval(repr(found))) == hash(found)


# ----------------------------------------------------------------------------
# Wrong uses
# ----------------------------------------------------------------------------

PLAIN_ONE = "(4,8):(8,1)"
WRONG = [
    (lambda: tile.layout("(4,8):(8"), "column 9: expected"),
    (lambda: tile.layout(""), "expected a layout, got the end"),
    (lambda: tile.layout(7), "expected an expression of layouts, 'shape:stride', got 7"),
    (lambda: tile.layout("4:1\0"), "expected an expression of layouts"),
    (lambda: tile.layout("(4,8)"), "expected a layout, 'shape:stride', got (4,8)"),
    (lambda: tile.layout("size(4:1)"), "expected a layout, 'shape:stride', got 4"),
    (lambda: tile.layout("injective(4:1)"), "'shape:stride', got true"),
    (lambda: tile.layout("S<3,4,3>"), "'shape:stride', got S<3,4,3>"),
    (lambda: tile.layout("<3:4, 8:2>"), "'shape:stride', got <3:4,8:2>"),
    (lambda: tile.layout("(4,6,8):(2,3,5) o 6:3"), "composition is not a layout"),
    (lambda: tile.layout(PLAIN_ONE, element_bytes=3),
     "expected element_bytes of 1, 2, 4, 8, 16, got 3"),
    (lambda: tile.layout(MMA, element_bytes=4),
     "expected element_bytes of a layout of shared memory"),
    (lambda: tile.layout(PLAIN_ONE)(), "expected a coordinate or a number"),
    (lambda: tile.layout(PLAIN_ONE)(1, 2, 3), "coordinate: expected"),
    (lambda: tile.layout(PLAIN_ONE)(4, 0), "coordinate: expected"),
    (lambda: tile.layout(PLAIN_ONE)(1.5, 0),
     "expected an integer or a tuple of integers, got 1.5"),
    (lambda: tile.layout(SWIZZLED)(1, 2), "expected the bytes of an element"),
    (lambda: tile.layout(SWIZZLED).draw(), "expected the bytes of an element"),
    (lambda: tile.layout("#tile.shared<8:1, swizzle = <1, 2, 1>>",
                         element_bytes=8)(1), "expected elements of at most 4 bytes"),
    (lambda: tile.layout(PLAIN_ONE).draw(access_bytes=16),
     "expected the bytes of an element"),
    (lambda: tile.layout(PLAIN_ONE, element_bytes=2).draw(access_bytes=5),
     "expected access_bytes of 1, 2, 4, 8, 16, got 5"),
    (lambda: tile.layout(MMA).draw(tile=(16, 8)),
     "expected a layout of a shape and strides for a tile"),
    (lambda: tile.layout(PLAIN_ONE).draw(tile=(2, 2)), "expected elements of the tile"),
    (lambda: tile.layout("(1024,1024):(1,0)").draw(), "cells to draw"),
    (lambda: tile.layout(MMA).cosize, "expected a layout of a shape and strides"),
    (lambda: tile.layout(PLAIN_ONE).box, "expected a layout '#tile.register<...>'"),
    (lambda: tile.layout(PLAIN_ONE).mode(2), "expected a mode from 0 to 1"),
    (lambda: tile.layout(PLAIN_ONE).divide(2, "raked"),
     "expected a form of logical, zipped, tiled, flat, got 'raked'"),
    (lambda: tile.layout("(2,2):(2,3)").left_inverse(), "no left inverse"),
]


@pytest.mark.parametrize("call, text", WRONG)
def test_wrong_use(call, text):
    with pytest.raises(tile.ArgumentError) as caught:
        call()
    assert text in str(caught.value)
