# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Discrete Fourier transforms along the last dimension, of any length that
docs/FourierTransforms.md names.

`norm` is that of NumPy: "backward" divides inverse transforms by the length,
"forward" the others, "ortho" both by its root."""

from __future__ import annotations

from typing import Any, Optional

from . import elements
from .elements import Element
from .ir import TileType
from .trace import builder, check_attribute, describe, fail
from .values import Tile, check_tile

# The dialect's word for a transform and for its inverse.
_NORMS = {"backward": ("none", "by_n"), "forward": ("by_n", "none"),
          "ortho": ("ortho", "ortho")}


def _transform(name: str, tile: Any, kind: str, length: int, element: Element,
               norm: str, **given: Any) -> Tile:
    if not isinstance(tile, Tile) or tile.ndim < 1 or tile.dtype.kind != kind:
        fail(f"expected a tile of {kind} numbers for {name}, got {describe(tile)}")
    if norm not in _NORMS:
        fail(f"expected a norm of {', '.join(_NORMS)}, got {describe(norm)}")
    word = _NORMS[norm][name.startswith("i")]
    [value] = builder().tile(name, source=tile.value, norm=word, results=[
        TileType((*tile.shape[:-1], length), element)], **given)
    return Tile(value)


def fft(tile: Tile, *, norm: str = "backward", plan: Optional[str] = None) -> Tile:
    """The transform of complex numbers. `plan` is a #tile.fft_plan."""
    check_tile(tile, 1)
    check_attribute("fft_plan", plan)
    return _transform("fft", tile, "complex", tile.shape[-1], tile.dtype, norm,
                      plan=plan)


def ifft(tile: Tile, *, norm: str = "backward", plan: Optional[str] = None
         ) -> Tile:
    """The inverse transform of complex numbers."""
    check_tile(tile, 1)
    check_attribute("fft_plan", plan)
    return _transform("ifft", tile, "complex", tile.shape[-1], tile.dtype, norm,
                      plan=plan)


def rfft(tile: Tile, *, norm: str = "backward") -> Tile:
    """The first half of the transform of n real numbers, n // 2 + 1 complex
    ones."""
    check_tile(tile, 1)
    return _transform("rfft", tile, "float", tile.shape[-1] // 2 + 1,
                      _get_complex(tile.dtype), norm)


def irfft(tile: Tile, length: Optional[int] = None, *, norm: str = "backward"
          ) -> Tile:
    """The real numbers, `length` of them, of which `rfft` has made complex ones; if
    none is given an even number."""
    check_tile(tile, 1)
    if length is None:
        length = 2 * (tile.shape[-1] - 1)
    if not isinstance(length, int) or length < 1:
        fail(f"expected a positive length, got {describe(length)}")
    if length // 2 + 1 != tile.shape[-1]:
        fail(f"expected {length // 2 + 1} numbers for {length} real ones, got "
             f"{tile.shape[-1]}")
    return _transform("irfft", tile, "complex", length, tile.dtype.part, norm)


def _get_complex(element: Element) -> Element:
    return elements.complex128 if element == elements.f64 else elements.complex64
