# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Discrete Fourier transforms along one dimension, by default the last one, or along
two. docs/FourierTransforms.md lists the lengths.

`norm` is as in NumPy: with "backward" inverse transforms are divided by the length,
with "forward" the other transforms are, and with "ortho" both are divided by its square
root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional

from .. import elements
from ..elements import Element, is_known_integer
from ..ir import TileType
from ..tracing.trace import builder, check_attribute, describe, fail
from ..tracing.values import Tile, check_tile
from .extents import check_axis
from .shapes import swap_axes

# For each `norm`, the norm of a transform and the norm of its inverse in the dialect.
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


def fft(tile: Tile, *, axis: int = -1, norm: str = "backward",
        plan: Optional[str] = None) -> Tile:
    """The transform of complex elements along an axis. `plan` is a #tile.fft_plan."""
    return _transform_complex("fft", tile, axis, norm, plan)


def ifft(tile: Tile, *, axis: int = -1, norm: str = "backward",
         plan: Optional[str] = None) -> Tile:
    """The inverse transform of complex elements."""
    return _transform_complex("ifft", tile, axis, norm, plan)


def _transform_complex(name: str, tile: Tile, axis: int, norm: str,
                       plan: Optional[str]) -> Tile:
    check_attribute("fft_plan", plan)
    return _along(tile, axis, lambda rows: _transform(
        name, rows, "complex", rows.shape[-1], rows.dtype, norm, plan=plan))


def rfft(tile: Tile, *, axis: int = -1, norm: str = "backward") -> Tile:
    """The transform of n real elements along an axis: its first half, n // 2 + 1
    complex elements."""
    return _along(tile, axis, lambda rows: _transform(
        "rfft", rows, "float", rows.shape[-1] // 2 + 1, _get_complex(rows.dtype), norm))


def irfft(tile: Tile, length: Optional[int] = None, *, axis: int = -1,
          norm: str = "backward") -> Tile:
    """The inverse of `rfft` along an axis: `length` real elements from length // 2 + 1
    complex ones; without `length` their count is even."""
    return _along(tile, axis, lambda rows: _transform(
        "irfft", rows, "complex", _get_real_length(rows, length), rows.dtype.part,
        norm))


def _get_real_length(rows: Tile, length: Optional[int]) -> int:
    if length is None:
        length = 2 * (rows.shape[-1] - 1)
    if not is_known_integer(length) or length < 1:
        fail(f"expected a positive length, got {describe(length)}")
    if length // 2 + 1 != rows.shape[-1]:
        fail(f"expected {length // 2 + 1} numbers for {length} real ones, got "
             f"{rows.shape[-1]}")
    return int(length)


def _along(tile: Tile, axis: int, transform: Callable[[Tile], Tile]) -> Tile:
    """Applies a transform of the last dimension to another one."""
    at = check_axis(axis, check_tile(tile, 1).ndim)
    if at == tile.ndim - 1:
        return transform(tile)
    return swap_axes(transform(swap_axes(tile, at, -1)), at, -1)


# ----------------------------------------------------------------------------
# Two dimensions
# ----------------------------------------------------------------------------

Plane = Sequence[int]


def fft2(tile: Tile, *, axes: Plane = (-2, -1), norm: str = "backward") -> Tile:
    """The transform of complex elements along two axes."""
    rows, columns = _check_plane(tile, axes)
    return fft(fft(tile, axis=columns, norm=norm), axis=rows, norm=norm)


def ifft2(tile: Tile, *, axes: Plane = (-2, -1), norm: str = "backward") -> Tile:
    """The inverse transform of complex elements along two axes."""
    rows, columns = _check_plane(tile, axes)
    return ifft(ifft(tile, axis=rows, norm=norm), axis=columns, norm=norm)


def rfft2(tile: Tile, *, axes: Plane = (-2, -1), norm: str = "backward") -> Tile:
    """The transform of real elements along two axes; only its first half along the
    second axis."""
    rows, columns = _check_plane(tile, axes)
    return fft(rfft(tile, axis=columns, norm=norm), axis=rows, norm=norm)


def irfft2(tile: Tile, length: Optional[int] = None, *, axes: Plane = (-2, -1),
           norm: str = "backward") -> Tile:
    """The inverse of `rfft2`: real elements, `length` of them along the second axis;
    without `length` their count there is even."""
    rows, columns = _check_plane(tile, axes)
    return irfft(ifft(tile, axis=rows, norm=norm), length, axis=columns, norm=norm)


def _check_plane(tile: Tile, axes: Plane) -> tuple[int, int]:
    rank = check_tile(tile, 2).ndim
    if not isinstance(axes, (tuple, list)) or len(axes) != 2:
        fail(f"expected two axes, got {describe(axes)}")
    rows, columns = (check_axis(axis, rank) for axis in axes)
    if rows == columns:
        fail(f"expected different axes, got {describe(axes)}")
    return rows, columns


def _get_complex(element: Element) -> Element:
    return elements.complex128 if element == elements.f64 else elements.complex64
