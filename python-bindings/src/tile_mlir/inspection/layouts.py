# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts: functions from coordinates to indices, in the language of docs/Layout.md,
which the compiler's reports use too.

    a = tile.layout("(4,8):(8,1)")
    a(1, 3)                      # 11
    print(a.draw())
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import Any, Optional, TextIO, Union

from .. import library
from ..errors import ArgumentError
from . import pages, terminal

# "(4,(2,4))", or one integer.
Tuple = Union[int, tuple["Tuple", ...]]
# A layout that another one is composed with or divided by: a layout or its text, a
# shape, or a list of these, one for each mode.
Tiler = Union["Layout", str, Tuple, list["Tiler"]]

_BYTES = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Layout:
    """A layout: a shape and strides, "(4,8):(8,1)"; a layout followed by a swizzle or
    by another layout, "S<3,4,3> o 0 o (8,128):(128,1)"; or a layout of the compiler,
    "#tile.register<...>" from lane, warp and value of a thread to an element of a tile,
    "#tile.shared<...>" from an element to its position in shared memory. `text` is how
    it is written.

    `element_bytes` is the size of an element in shared memory, 1, 2, 4, 8 or 16. If it
    is given, banks are drawn, and swizzles of "#tile.shared", which apply to byte
    addresses, can be evaluated."""

    text: str
    element_bytes: Optional[int] = None

    # ------------------------------------------------------------------------
    # Properties
    # ------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """"plain", "composed", "register" or "shared"."""
        if self.text.startswith("#tile."):
            return self.text.removeprefix("#tile.").partition("<")[0]
        return "composed" if " o " in self.text else "plain"

    @property
    def _inner(self) -> str:
        """The part of the text that has the shape and the strides."""
        if self.kind in ("register", "shared"):
            return self.text.partition("<")[2].partition(", ")[0].removesuffix(">")
        return self.text.rpartition(" o ")[2]

    @property
    def shape(self) -> Tuple:
        """The extents of the layout's domain, nested as in `text`."""
        return _read_tuple(self._inner.partition(":")[0])

    @property
    def stride(self) -> Tuple:
        """The strides, nested like the shape. For a layout that is followed by a
        swizzle or another layout, and for a layout of the compiler, the strides of the
        inner layout."""
        return _read_tuple(self._inner.partition(":")[2])

    @property
    def rank(self) -> int:
        """The count of modes."""
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    @property
    def size(self) -> int:
        """The count of coordinates in the layout's domain."""
        return int(library.evaluate_layout(f"size({self._inner})"))

    @property
    def cosize(self) -> int:
        """The span of its values; only for a layout of a shape and strides."""
        self._require_plain("a cosize")
        return int(library.evaluate_layout(f"cosize({self.text})"))

    @property
    def box(self) -> tuple[int, ...]:
        """The box of elements that "#tile.register" maps threads to."""
        found = re.search(r"box = \[([\d, ]*)\]", self.text)
        if found is None:
            raise ArgumentError(f"expected a layout '#tile.register<...>', which "
                                f"has a box, got {self.text}")
        return tuple(int(n) for n in re.findall(r"\d+", found.group(1)))

    @property
    def is_injective(self) -> bool:
        """Whether no two coordinates have the same value; only for a layout of a shape
        and strides."""
        self._require_plain("an answer")
        return library.evaluate_layout(f"injective({self.text})") == "true"

    def _require_plain(self, what: str) -> None:
        if self.kind != "plain":
            raise ArgumentError(f"expected a layout of a shape and strides, which "
                                f"has {what}, got {self.text}")

    # ------------------------------------------------------------------------
    # Values
    # ------------------------------------------------------------------------

    def __call__(self, *coordinate: Tuple) -> Union[int, tuple[int, ...]]:
        """Returns the value at a coordinate. The coordinate is one integer or tuple for
        each mode, or one integer for all modes, which counts coordinates with the
        leftmost mode fastest. The value of a "#tile.register" is the coordinate of an
        element in the box."""
        if not coordinate:
            raise ArgumentError("expected a coordinate or a number, got nothing")
        at = coordinate[0] if len(coordinate) == 1 else coordinate
        found = library.evaluate_layout(self._get_evaluated(), _write_tuple(at))
        value = _read_tuple(found)
        if self.kind == "register" and isinstance(value, int):
            value = (value,)
        return value  # type: ignore[return-value]  # of a box: it is flat

    def _get_evaluated(self) -> str:
        """Returns the text to evaluate. For "#tile.shared" the swizzle of byte
        addresses is replaced by a swizzle of element indices."""
        if self.kind != "shared":
            return self.text
        found = re.search(r"swizzle = <(\d+), (\d+), (\d+)>", self.text)
        if found is None:
            return self._inner
        bits, base, shift = map(int, found.groups())
        base -= self._require_element_bytes().bit_length() - 1
        if base < 0:
            raise ArgumentError(
                f"expected elements of at most {2 ** int(found.group(2))} bytes, "
                f"which the swizzle of {self.text} moves as a whole, got "
                f"{self.element_bytes}")
        return f"S<{bits},{base},{shift}> o 0 o {self._inner}"

    def _require_element_bytes(self) -> int:
        if self.element_bytes is None:
            raise ArgumentError(
                f"expected the bytes of an element, tile.layout(..., "
                f"element_bytes=2), as the swizzle of {self.text} is of bytes, got "
                "none")
        return self.element_bytes

    # ------------------------------------------------------------------------
    # Pictures
    # ------------------------------------------------------------------------

    def draw(self, *, access_bytes: Optional[int] = None,
             tile: Optional[Tuple] = None) -> str:
        """Returns a drawing of the layout as a table, with mode 0 down and mode 1 to
        the right. For "#tile.register" it has the rows and columns of the box, and in
        each cell the threads and values that hold the element. `access_bytes`, for a
        layout with `element_bytes`, is the count of bytes that a lane reads at once;
        with it the wavefronts of rows and columns are shown. `tile` is a shape: the
        layout takes (thread, value) to the elements of such a tile, leftmost mode
        fastest, and the drawing shows the thread and value of each element. A table has
        at most 16384 cells."""
        return self._draw("text", access_bytes, tile)

    def svg(self, *, access_bytes: Optional[int] = None,
            tile: Optional[Tuple] = None) -> str:
        """Draws the same picture in colours."""
        return self._draw("svg", access_bytes, tile)

    def show(self, file: Optional[TextIO] = None, *,
             access_bytes: Optional[int] = None,
             tile: Optional[Tuple] = None) -> None:
        """Prints the table, to the standard output if no file is given; in
        colours in a terminal."""
        drawing = "colors" if terminal.has_colors(file) else "text"
        terminal.show(self._draw(drawing, access_bytes, tile).rstrip("\n"), {},
                      file)

    def _draw(self, drawing: str, access_bytes: Optional[int],
              tile: Optional[Tuple]) -> str:
        self._check_drawing(access_bytes, tile)
        return library.draw_layout(
            self.text, drawing, self.element_bytes or 0, access_bytes or 0,
            None if tile is None else _write_tuple(tile))

    def _check_drawing(self, access_bytes: Optional[int], tile: Optional[Tuple]
                       ) -> None:
        if access_bytes is not None:
            _check_bytes("access_bytes", access_bytes)
            self._require_element_bytes()
        if self.kind == "shared" and "swizzle" in self.text:
            self._require_element_bytes()
        if tile is not None and self.kind != "plain":
            raise ArgumentError(f"expected a layout of a shape and strides for a "
                                f"tile, got {self.text}")

    def _repr_html_(self) -> str:
        """Shows the layout in a notebook: the picture, or only the text of a large
        one."""
        try:
            return pages.fragment(pages.picture(self.svg(), self.text))
        except ArgumentError:
            return pages.fragment(pages.program(self.text))

    # ------------------------------------------------------------------------
    # Other layouts
    # ------------------------------------------------------------------------

    def compose(self, other: Tiler) -> Layout:
        """Returns this layout composed with another one, R(c) = self(other(c)); if
        `other` is a list, each mode is composed with one element of it."""
        return self._make(f"({self.text}) o {_write(other)}")

    def coalesce(self, *, by_mode: bool = False) -> Layout:
        """Returns the layout with the fewest modes that is the same function. With
        `by_mode` it simplifies each mode by itself instead."""
        return self._apply("coalesce_by_mode" if by_mode else "coalesce")

    def complement(self, size: int) -> Layout:
        """Returns the layout of the indices in 0 ... size - 1 that this layout leaves
        out."""
        return self._apply("complement", size)

    def left_inverse(self) -> Layout:
        """Returns a layout R with R(self(i)) = i."""
        return self._apply("left_inverse")

    def right_inverse(self) -> Layout:
        """Returns a layout R with self(R(i)) = i."""
        return self._apply("right_inverse")

    def mode(self, number: int) -> Layout:
        """Returns a mode by its index, which counts from 0."""
        return self._apply("mode", number)

    def divide(self, tiler: Tiler, form: str = "logical") -> Layout:
        """Divides the layout into tiles. With modes T within a tile, modes R over the
        tiles, and the remaining modes L, the result is (T0,R0), (T1,R1), L in the form
        "logical", ((T0,R0),(T1,R1),L); "zipped", ((T0,T1),(R0,R1,L)); "tiled",
        ((T0,T1),R0,R1,L); "flat", (T0,T1,R0,R1,L)."""
        _check_form(form, ("logical", "zipped", "tiled", "flat"))
        return self._apply(f"{form}_divide", tiler)

    def product(self, tiler: Tiler, form: str = "logical") -> Layout:
        """Returns a copy of the layout at each index of another one, in the forms of
        `divide`, "blocked", ((A0,B0),(A1,B1)), or "raked", ((B0,A0),(B1,A1))."""
        _check_form(form, ("logical", "zipped", "tiled", "flat", "blocked",
                           "raked"))
        return self._apply(f"{form}_product", tiler)

    def _apply(self, function: str, *operands: Tiler) -> Layout:
        given = ", ".join([self.text, *map(_write, operands)])
        return self._make(f"{function}({given})")

    def _make(self, expression: str) -> Layout:
        return layout(expression, element_bytes=self.element_bytes)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        given = "" if self.element_bytes is None else \
            f", element_bytes={self.element_bytes}"
        return f"tile.layout({self.text!r}{given})"


def layout(expression: str, *, element_bytes: Optional[int] = None) -> Layout:
    """Returns the layout that an expression of docs/Layout.md evaluates to, such as
    "(4,8):(8,1)", "20:2 o (5,4):(4,1)" or "#tile.register<...>" from a report.
    `element_bytes`, 1, 2, 4, 8 or 16, is the size of an element in shared memory. An
    ArgumentError states the column of the expression and the expected text."""
    _check_text(expression)
    if element_bytes is not None:
        _check_bytes("element_bytes", element_bytes)
    text = library.evaluate_layout(expression)
    # The other results are integers, shapes, swizzles, tilers, and true or false. None
    # of them has a colon outside of angle brackets.
    if ":" not in re.sub(r"^<.*", "", text):
        raise ArgumentError(f"expected a layout, 'shape:stride', got {text}")
    made = Layout(text, element_bytes)
    if made.kind == "register" and element_bytes is not None:
        raise ArgumentError(f"expected element_bytes of a layout of shared memory, "
                            f"got them of {text}")
    return made


# ----------------------------------------------------------------------------
# Texts
# ----------------------------------------------------------------------------


def _check_text(text: str) -> None:
    if not isinstance(text, str) or "\0" in text:
        raise ArgumentError(f"expected an expression of layouts, "
                            f"'shape:stride', got {text!r}")


def _check_bytes(name: str, given: int) -> None:
    if given not in _BYTES:
        raise ArgumentError(f"expected {name} of {', '.join(map(str, _BYTES))}, "
                            f"got {given!r}")


def _check_form(form: str, forms: tuple[str, ...]) -> None:
    if form not in forms:
        raise ArgumentError(f"expected a form of {', '.join(forms)}, got {form!r}")


def _read_tuple(text: str) -> Tuple:
    """Reads a tuple such as "(4,(2,4))"."""
    parts: list[list[Tuple]] = [[]]
    for word in re.findall(r"[()]|-?\d+", text):
        if word == "(":
            parts.append([])
        elif word == ")":
            ended = tuple(parts.pop())
            parts[-1].append(ended)
        else:
            parts[-1].append(int(word))
    [[found]] = parts
    return found


def _write_tuple(value: Any) -> str:
    """Writes a tuple in the syntax of the language."""
    if isinstance(value, tuple):
        return f"({','.join(map(_write_tuple, value))})"
    try:
        return str(operator.index(value))
    except TypeError:
        raise ArgumentError(f"expected an integer or a tuple of integers, got "
                            f"{value!r}") from None


def _write(operand: Any) -> str:
    """Returns the text of an operand of a function of the language."""
    if isinstance(operand, Layout):
        return operand.text
    if isinstance(operand, str):
        return f"({layout(operand).text})"
    if isinstance(operand, list):
        return f"<{', '.join(map(_write, operand))}>"
    return _write_tuple(operand)
