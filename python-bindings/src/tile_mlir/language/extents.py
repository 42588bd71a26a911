# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shapes of tiles: their extents, their axes, and NumPy's rule of broadcasting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional, Sequence, Union

from ..elements import is_known_integer
from ..tracing.trace import describe, fail
from ..tracing.values import Axes, Scalar

Shape = Union[int, Sequence[int]]


def check_shape(shape: Shape) -> tuple[int, ...]:
    """Returns the extents of a tile, which must be known while the kernel is traced."""
    given: Iterable[object] = (shape,)
    if not isinstance(shape, Scalar) and isinstance(shape, Iterable):
        given = shape
    extents = []
    for extent in given:
        if isinstance(extent, Scalar):
            fail(f"expected extents of a tile that are known while the kernel is "
                 f"traced, got a {extent!r}; pass it by keyword")
        extents.append(check_extent(extent))
    return tuple(extents)


def check_extent(extent: object) -> int:
    """Checks one extent of a tile."""
    if not is_known_integer(extent) or isinstance(extent, bool) or extent < 1:
        fail(f"expected positive extents of a tile, got {describe(extent)}")
    if extent >= 2 ** 31:
        fail(f"expected extents of a tile below 2^31, got {extent}")
    return int(extent)


def check_axis(axis: object, rank: int) -> int:
    """Returns an axis counted from 0; `axis` may be counted from the last one, as
    -1."""
    if not is_known_integer(axis) or not -rank <= axis < rank:
        fail(f"expected an axis from {-rank} to {rank - 1}, got {describe(axis)}")
    return int(axis) % rank


def list_axes(axes: Optional[Axes], rank: int) -> list[int]:
    """Returns the axes in ascending order; all axes if `axes` is None."""
    if axes is None:
        return list(range(rank))
    given = axes if isinstance(axes, (tuple, list)) else (axes,)
    found = sorted(check_axis(axis, rank) for axis in given)
    if len(set(found)) != len(found):
        fail(f"expected different axes, got {describe(axes)}")
    return found


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape to which shapes are broadcast by NumPy's rule: shapes are
    aligned at their last dimensions, and dimensions of extent one are repeated."""
    if not can_broadcast(*shapes):
        fail("expected shapes that can be broadcast together, got " +
             " and ".join(map(str, shapes)))
    return tuple(wide.pop() if wide else 1 for wide in _list_wide(shapes))


def can_broadcast(*shapes: tuple[int, ...]) -> bool:
    """Whether there is a shape to which all shapes can be broadcast."""
    return all(len(wide) <= 1 for wide in _list_wide(shapes))


def _list_wide(shapes: Sequence[tuple[int, ...]]) -> list[set[int]]:
    """Lists, for each dimension, the extents that are not one."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return [{n for n in extents if n != 1} for extents in zip(*padded)]
