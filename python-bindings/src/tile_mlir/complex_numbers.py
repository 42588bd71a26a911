# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of complex numbers and their parts."""

from __future__ import annotations

from . import compute, elements
from .ir import TileType
from .trace import builder, describe, fail
from .values import Operand, Tile


def _compute(kind: str, tile: object) -> Tile:
    """The numbers, or their parts."""
    if not isinstance(tile, Tile) or tile.dtype.kind != "complex":
        fail(f"expected a tile of complex numbers, got {describe(tile)}")
    element = tile.dtype if kind == "conj" else tile.dtype.part
    [value] = builder().tile("complex", kind=kind, inputs=tile.value,
                             results=[TileType(tile.shape, element)])
    return Tile(value)


def real(tile: Tile) -> Tile:
    """The real parts."""
    return _compute("re", tile)


def imag(tile: Tile) -> Tile:
    """The imaginary parts."""
    return _compute("im", tile)


def conj(tile: Tile) -> Tile:
    """The conjugate numbers."""
    return _compute("conj", tile)


def absolute(tile: object) -> Tile:
    """The sizes of complex numbers."""
    return _compute("abs", tile)


def make_complex(a: Operand, b: Operand) -> Tile:
    """a + b i of real numbers."""
    element = compute.get_common_element((a, b))
    if element != elements.f64:
        element = elements.f32
    values, type = compute.align((a, b), element)
    if not isinstance(type, TileType):
        fail("expected a tile, got scalars")
    whole = elements.complex128 if element == elements.f64 else \
        elements.complex64
    [value] = builder().tile("complex", kind="create", inputs=values,
                             results=[TileType(type.shape, whole)])
    return Tile(value)


def compare(name: str, a: Tile, b: Tile) -> Tile:
    """Whether numbers are equal, or not."""
    if name not in ("equal", "not_equal"):
        fail("expected real numbers for an order, got complex ones")
    same = compute.bitwise_and(compute.equal(real(a), real(b)),
                               compute.equal(imag(a), imag(b)))
    return same if name == "equal" else compute.invert(same)
