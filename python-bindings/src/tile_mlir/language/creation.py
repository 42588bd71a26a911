# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""New tiles."""

from __future__ import annotations

from typing import Optional

from .. import elements
from ..elements import DType, Element, is_known_integer
from ..ir import TileType, Value
from ..tracing.trace import builder, check_word, describe, fail, to_element
from ..tracing.values import Operand, Tile, check_operand, check_tile
from . import promotion
from .conversions import convert, to_value
from .extents import Shape, check_axis, check_shape
from .operands import is_number, make_tile_type


def full(shape: Shape, value: Operand, dtype: Optional[DType] = None) -> Tile:
    """Returns a tile with `value` in all elements, of the type `dtype`, by default the
    value's type."""
    element = (promotion.get_common_element((value,)) if dtype is None
               else to_element(dtype))
    type = make_tile_type(check_shape(shape), element)
    return Tile(to_value(value, type))


def zeros(shape: Shape, dtype: DType = elements.f32) -> Tile:
    """A tile of zeros."""
    return full(shape, 0, dtype)


def ones(shape: Shape, dtype: DType = elements.f32) -> Tile:
    """A tile of ones."""
    return full(shape, 1, dtype)


def zeros_like(tile: Tile, dtype: Optional[DType] = None) -> Tile:
    """Returns a tile of zeros with the shape of another tile, and with its element type
    if `dtype` is None."""
    return full_like(tile, 0, dtype)


def ones_like(tile: Tile, dtype: Optional[DType] = None) -> Tile:
    """Returns a tile of ones with the shape of another tile, and with its element type
    if `dtype` is None."""
    return full_like(tile, 1, dtype)


def full_like(tile: Tile, value: Operand, dtype: Optional[DType] = None) -> Tile:
    """Returns a tile with `value` in all elements, with the shape of another tile, and
    with its element type if `dtype` is None."""
    return full(check_tile(tile).shape, value, tile.dtype if dtype is None else dtype)


def arange(start: int, stop: Optional[int] = None, step: int = 1, *,
           dtype: DType = elements.i32) -> Tile:
    """Returns a tile of the integers of Python's `range`: from `start` to before `stop`
    by `step`; with one argument, from zero to before it."""
    first, end = (0, start) if stop is None else (start, stop)
    for bound in (first, end, step):
        if not is_known_integer(bound):
            fail(f"expected integers that are known while the kernel is traced as "
                 f"bounds of arange, got {describe(bound)}; a scalar can be added "
                 "to it")
    if step == 0:
        fail("expected a step of arange that is not zero, got 0")
    bounds = range(first, end, step)
    type = TileType(check_shape(len(bounds)), to_element(dtype))
    for value in (bounds[0], bounds[-1]):
        promotion.check_number(value, type.element)
    values = _count(type, 0)
    if abs(step) != 1:
        values = values * abs(step)
    if step < 0:
        return first - values
    return values if first == 0 else values + first


def iota(shape: Shape, axis: int, dtype: Optional[DType] = None, *,
         start: Optional[Operand] = None, step: Optional[Operand] = None) -> Tile:
    """Returns a tile whose elements are their indices along an axis, or `start` + index
    * `step`; by default `start` is zero and `step` is one. Without `dtype` the type is
    i32, or the type of `start` and `step` if that is wider or is a floating-point
    type."""
    extents = check_shape(shape)
    at = check_axis(axis, len(extents))
    first, by = 0 if start is None else start, 1 if step is None else step
    element = _get_iota_element(first, by) if dtype is None else to_element(dtype)
    type = make_tile_type(extents, element)
    _check_last(type, at, first, by)
    if start is None and step is None:
        return _count(type, at)
    return _count(type, at, *(to_value(x, type.element) for x in (first, by)))


def _get_iota_element(first: Operand, by: Operand) -> Element:
    element = promotion.get_common_element((first, by))
    is_narrow = element.kind in ("bool", "int") and element.bits < 32
    return elements.i32 if is_narrow else element


def _check_last(type: TileType, axis: int, first: Operand, by: Operand) -> None:
    """Raises an error if the last value is known and out of the range of the type."""
    if is_number(first) and is_number(by):
        promotion.check_number(first + (type.shape[axis] - 1) * by, type.element)


def _count(type: TileType, axis: int, start: Optional[Value] = None,
           step: Optional[Value] = None) -> Tile:
    [value] = builder().tile("iota", axis=axis, start=start, step=step, results=[type])
    return Tile(value)


def random(distribution: str, seed: Operand, counter: Operand, shape: Shape,
           dtype: DType = elements.f32) -> Tile:
    """Returns a tile of random bits ("bits"), or of random values of the distribution
    "uniform" (from 0 to below 1) or "normal", by Philox4x32-10: element n in row-major
    order depends only on the seed and on counter + n."""
    check_word("a distribution", distribution, ("bits", "uniform", "normal"))
    type = TileType(check_shape(shape), to_element(dtype))
    [value] = builder().tile(
        "random", distribution=distribution,
        seed=_make_word(seed), counter=_make_word(counter), results=[type])
    return Tile(value)


def _make_word(integer: Operand) -> Value:
    """Returns the 64 bits of a signed or unsigned integer."""
    check_operand(integer)
    if is_number(integer) and not elements.has_number(elements.i64, integer):
        integer = convert(integer, elements.u64)
    return convert(integer, elements.i64).value
